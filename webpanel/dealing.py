"""Dealing by phone: the phone goes round, and each player sees his own cards as long as he holds the button."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template, request

from narrator.model.errors import Refused
from narrator.table import Stale
from webpanel.access import allow
from webpanel.actions import REFUSED, STALE, action, revision
from webpanel.commands import number
from webpanel.judge import panel_texts, table
from webpanel.pairing import JUDGE
from webpanel.shape import Page

pages = Blueprint("dealing", __name__, url_prefix="/deal")


def seat() -> int:
    """The seat that a form is about."""
    return number(request.form.get("seat", ""))


@pages.post("")
@action
def deal() -> None:
    """Shuffle, and let the phone go round."""
    table().deal(revision(), by_phone=True)


@pages.post("/look")
def look() -> Response:
    """The cards of the seat whose turn it is; only ever an answer to a button that is being held."""
    try:
        cards = table().own_cards(revision(), seat())
    except Stale:
        return make_response("", STALE)
    except (Refused, ValueError):
        return make_response("", REFUSED)
    judge = table().judge()
    t = panel_texts(judge)
    return make_response(render_template("hand.html", t=t, cards=Page(judge, t).hand(cards)))


@pages.post("/swap")
@action
def swap() -> None:
    """Front and back change places."""
    table().swap_cards(revision(), seat())


@pages.post("/on")
@action
def hand_on() -> None:
    """The next player's turn."""
    table().hand_on(revision(), seat())


@pages.post("/back")
@allow(JUDGE)
@action
def hand_back() -> None:
    """An earlier player sees his cards once more."""
    table().hand_back(revision(), seat())
