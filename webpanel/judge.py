"""The judge's page, its fragment, and the stream that tells it to look again."""

from __future__ import annotations

import time
from dataclasses import dataclass

from flask import Blueprint, Response, current_app, g, render_template

from narrator.speech.outputs.pages import Broadcast
from narrator.table import Table
from webpanel import access
from webpanel.access import proof
from webpanel.judge_page import JudgePage
from webpanel.live import Streams
from webpanel.pairing import JUDGE, Knocker, number_of
from webpanel.voicelist import VoiceList

pages = Blueprint("judge", __name__)


@pages.get("/")
def page() -> str:
    """The judge's page."""
    return shown("panel.html", proof=proof(g.token))


@pages.get("/fragment")
def fragment() -> str:
    """What stands on it now."""
    return shown("fragment.html")


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


@dataclass(frozen=True)
class PhoneLine:
    """A phone that was let in."""

    number: str
    name: str
    is_judge: bool


@dataclass(frozen=True)
class PhonesSheet:
    """The phones of the table, and those at its door."""

    waiting: list[Knocker]
    phones: list[PhoneLine]
    may_decide: bool
    """Whether the phone that looks is the judge's own."""

    @classmethod
    def now(cls) -> PhonesSheet:
        """As things stand, for the phone that asks."""
        door = access.door()
        phones = [PhoneLine(number_of(one.token_hash), one.name, one.role == JUDGE) for one in door.phones()]
        return cls(door.waiting(), phones, g.standing == JUDGE)


def shown(template: str, fault: Exception | None = None, **more: str) -> str:
    """The judge's page as it stands, or a part of it, with a word about what could not be done."""
    shown_page = JudgePage(table().judge())
    return render_template(
        template,
        page=shown_page,
        t=shown_page.t,
        message=shown_page.words.fault(fault),
        door=PhonesSheet.now(),
        voices=current_app.extensions["voices"],
        heard_somewhere=broadcast().has_pages,
        **more,
    )
