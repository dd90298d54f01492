"""The judge's page, its fragment, and the stream that tells it to look again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from flask import Blueprint, Response, current_app, g, render_template

from narrator.speech.outputs.pages import Broadcast
from narrator.speech.troubles import Trouble
from narrator.table import Table
from narrator.table.views import JudgeView, SeatView
from webpanel import access
from webpanel.access import proof
from webpanel.cells import role_of
from webpanel.chorus import Chorus
from webpanel.live import Streams
from webpanel.network import Network
from webpanel.pairing import JUDGE, Knocker, number_of
from webpanel.questions import QUESTIONS, Question
from webpanel.setup_page import Offer, SetupPage, offers
from webpanel.sheets import AddressSheet, EarsSheet, VoiceList, VoiceSheet
from webpanel.texts import Texts, Words, texts

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
    playing, air, net, speakers = table(), broadcast(), network(), chorus()
    voices: VoiceList = current_app.extensions["voices"]

    def now() -> tuple[object, ...]:
        others = pairing.changes, pairing.standing(token), voices.state, ready(playing), air.has_pages, speakers.changes
        return (*others, *((net.changes, net.has_moved, net.name) if net else ()))

    known = now()

    def look() -> bool:
        nonlocal known
        before, known = known, now()
        return before != known

    return streams.response("judge", token, lambda ring: playing.watch("judge", ring).close, look)


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


def chorus() -> Chorus:
    """The devices that may play what is spoken."""
    found: Chorus = current_app.extensions["chorus"]
    return found


def network() -> Network | None:
    """Where this application can be reached, if that is known."""
    found: Network | None = current_app.extensions["network"]
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
        addresses=AddressSheet(network(), shown_page.t),
        voices=current_app.extensions["voices"],
        heard_somewhere=broadcast().has_pages,
        chorus=chorus(),
        **more,
    )


@dataclass(frozen=True)
class SeatLine:
    """A seat with what the judge knows of it, in words."""

    label: str
    alive: bool
    roles: str
    notes: str
    """In brackets; '' for none."""


@dataclass(frozen=True)
class RoleNote:
    """A role with what it does."""

    name: str
    camp: str
    """'' once the game has begun."""
    task: str


class JudgePage:
    """The judge's page."""

    def __init__(self, judge: JudgeView) -> None:
        self.judge = judge
        self.t: Texts = texts(judge.language)
        self.words = Words(self.t, judge.words, judge.names, judge.game is not None and judge.game.on_cards)
        self.mode = judge.mode
        self.voice = VoiceSheet(judge, self.t)
        self.ears = EarsSheet(judge.hearing, self.words, self.t, self.phase == "night")
        self.setup = SetupPage(judge.setup, judge.words, self.words, self.t) if judge.setup else None

    @property
    def plays(self) -> bool:
        """Whether there is a game on the table."""
        return self.judge.game is not None

    @property
    def goes_round(self) -> bool:
        """Whether the phone goes round for all to see their cards."""
        return self.setup is not None and self.setup.goes_round

    @cached_property
    def question(self) -> Question | None:
        """What is asked, while a game is on."""
        game = self.judge.game
        return QUESTIONS[game.prompt.kind](self.judge, game, self.words, self.t) if game else None

    @property
    def phase(self) -> str:
        """`night` or `day`: how dark the page is."""
        return "night" if self.judge.game and self.judge.game.state.stage == "night" else "day"

    @cached_property
    def key(self) -> str:
        """The same as long as the same is asked: a half-made choice is kept only so long."""
        game = self.judge.game
        asked = (game.prompt, game.state.round, game.state.vote.number, game.state.vote.tied) if game else ()
        return hashlib.sha256(repr((asked, self.mode)).encode()).hexdigest()[:16]

    @property
    def heading(self) -> str:
        """Where the evening stands."""
        game = self.judge.game
        if game is None:
            before = "dealt" if self.goes_round else "setup"
            return self.t(f"head.{'resume' if self.mode == 'resume?' else before}")
        stage, number, call = game.state.stage, game.state.round, game.prompt.call
        if stage in ("dealt", "over"):
            return self.t(f"head.{stage}")
        if stage == "night":
            night = self.t("head.night", number=number)
            return self.t("head.night_call", number=number, step=self.words.step(call)) if call else night
        return self.t("head.day_stage", number=number, stage=self.t(f"stage.{stage}"))

    @property
    def spoken(self) -> str:
        """The language of the line that is shown."""
        return self.judge.settings.languages[0]

    @property
    def readiness(self) -> str:
        """Before the game: how much of what is likely to be said is rendered, unless that is everything."""
        done, count = self.judge.speech.ready
        return "" if self.mode != "setup" or done >= count else self.t("voice.ready", percent=100 * done // count)

    @property
    def troubles(self) -> list[str]:
        """What is wrong, in words."""
        return [self._trouble(trouble) for trouble in self.judge.troubles]

    def _trouble(self, trouble: Trouble) -> str:
        key = f"mishap.{trouble.kind}"
        return self.t(key) if self.t.has(key) else self.t("mishap.other", text=trouble.detail)

    @property
    def offers(self) -> list[Offer]:
        """The games that can be gone on with."""
        return offers(self.judge.interrupted, self.judge.setup.rulesets if self.judge.setup else (), self.t)

    # The sheets

    @property
    def seats(self) -> list[SeatLine]:
        """Every seat with what the judge knows of it."""
        return [self._seat(seat) for seat in self.judge.game.seats] if self.judge.game else []

    def _seat(self, seat: SeatView) -> SeatLine:
        roles = [self.words.role(role_of(card)) or self.t("overview.unknown") for card in seat.cards]
        notes = self.words.listed(self._notes(seat))
        return SeatLine(self.words.seat(seat.number), seat.alive, " / ".join(roles), f"({notes})" if notes else "")

    def _notes(self, seat: SeatView) -> Iterator[str]:
        if seat.needles:
            yield self.t("overview.needles", count=seat.needles)
        if seat.office:
            yield self.t("overview.office")
        if seat.bound:
            yield self.t("overview.bound")

    @property
    def roles(self) -> list[RoleNote]:
        """Each role with what it does."""
        camps = self.judge.setup.camps if self.judge.setup else {}
        return [
            RoleNote(self.words.role(role), self.words.camp(camps[role]) if role in camps else "", task)
            for role, task in self.judge.words.tasks.items()
        ]

    @property
    def rules(self) -> list[str]:
        """The summary of the rules, a paragraph a line."""
        return [line for line in self.judge.words.rules.splitlines() if line.strip()]
