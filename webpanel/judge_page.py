"""The judge's page at one revision: what every page of his shows, and the parts that belong to where the evening is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from narrator.speech.troubles import Trouble
from narrator.table.views import JudgeView, SeatView
from webpanel.cells import role_of
from webpanel.questions import QUESTIONS, Question
from webpanel.setup_page import Offer, SetupPage, offers
from webpanel.sheets import EarsSheet, VoiceSheet
from webpanel.texts import Texts, texts
from webpanel.words import Words


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
