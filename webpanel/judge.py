"""The judge's page, its fragment, and the stream that tells it to look again."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app, g, render_template

from narrator.speech.outputs.pages import Broadcast
from narrator.table import Table
from webpanel import access
from webpanel.access import proof
from webpanel.live import Streams
from webpanel.pairing import JUDGE, number_of
from webpanel.shape import Page
from webpanel.texts import Texts, texts
from webpanel.voicelist import VoiceList

pages = Blueprint("judge", __name__)


@pages.get("/")
def page() -> str:
    """The judge's page."""
    return render_template("panel.html", proof=proof(g.token), **shown())


@pages.get("/fragment")
def fragment() -> str:
    """What stands on it now."""
    return render_template("fragment.html", **shown())


@pages.get("/events")
def events() -> Response:
    """Tick whenever the page would show something else."""
    streams: Streams = current_app.extensions["streams"]
    pairing, token = access.door(), g.token
    playing, air = table(), broadcast()
    watch = playing.watch("judge")
    voices: VoiceList = current_app.extensions["voices"]
    known = (pairing.changes, g.standing, voices.state, ready(playing), air.has_pages)

    def news(seconds: float) -> bool:
        nonlocal known
        changed = watch.wait(seconds)
        if watch.closed:
            time.sleep(seconds)
        before, known = known, (pairing.changes, pairing.standing(token), voices.state, ready(playing), air.has_pages)
        return changed or before != known

    return streams.response("judge", token, news, watch.close)


def ready(of: Table) -> int:
    """How much of what is likely to be said is rendered, in tenths."""
    done, count = of.readiness
    return 10 if done >= count else 10 * done // count


def table() -> Table:
    """The table of this application."""
    found: Table = current_app.extensions["table"]
    return found


def broadcast() -> Broadcast:
    """What loudspeaker pages of this application play."""
    found: Broadcast = current_app.extensions["broadcast"]
    return found


def panel_texts(judge: Mapping[str, Any]) -> Texts:
    """The panel's words in the judge's language."""
    return texts(str(judge["languages"]["panel"]))


def shown(message: str = "") -> dict[str, Any]:
    """Everything the templates of the judge's page need."""
    judge = table().judge()
    t = panel_texts(judge)
    pairing = access.door()
    return {
        "page": Page(judge, t),
        "t": t,
        "message": message,
        "waiting": pairing.waiting(),
        "phones": [
            {"number": number_of(phone.token_hash), "name": phone.name, "judge": phone.role == JUDGE}
            for phone in pairing.phones()
        ],
        "voices": current_app.extensions["voices"],
        "heard_somewhere": broadcast().has_pages,
        "may_decide": g.standing == JUDGE,
    }
