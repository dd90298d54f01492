"""A table that plays whole games by itself, fast: the clock leaps, the judge taps, all that can be heard is noted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import exp
from pathlib import Path
from random import Random
from typing import Any, Protocol

from narrator.clock import FakeClock
from narrator.model.ruleset import Ruleset
from narrator.table.game import Game as TableGame
from narrator.table.stage.habits import Habits
from narrator.table.views import PublicPage
from tests.table.hall import Hall
from tests.table.secrets import Game, Place, Step

DAY = 5.0
"""Seconds after which the judge goes on by day."""


class Judge(Protocol):
    """How fast somebody taps."""

    def wait(self, kind: str, call: str) -> float | None:
        """Seconds from the end of the question to his tap; None: he does not wait for the question.

        `kind` is a prompt's, or `nod` where the answer to a choice has been shown: then from his tap before.
        """


MOST = {"identify": 1.3, "choose": 1.4, "show": 1.4, "nod": 0.5, "react": 1.8}
"""Within how many seconds the judge taps who is in time."""


class InTime:
    """A judge who answers every question of the night in time, sometimes before it has been spoken."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def wait(self, kind: str, call: str) -> float | None:
        return None if self._chance.random() < 0.2 else self._chance.uniform(0.1, MOST[kind])


class Slow:
    """A judge who needs his time, for some calls more than for others."""

    MEDIAN = 8.0
    EVENING, CALL, TAP = 0.4, 0.3, 0.4
    """How far, as logarithms, an evening is from others, a call from others, a tap from others."""

    def __init__(self, manner: Random, chance: Random) -> None:
        """`manner` makes his evening, `chance` his taps."""
        self._evening = manner.gauss(0, self.EVENING)
        self._manner = manner.random()
        self._chance = chance

    def wait(self, kind: str, call: str) -> float | None:
        usual = self._evening + Random(f"{self._manner}{call.partition('.')[0]}").gauss(0, self.CALL)
        seconds = self.MEDIAN * exp(usual + self._chance.gauss(0, self.TAP))
        return 0.1 if kind == "nod" else seconds


@dataclass
class Heard:
    """What could be heard and seen of a game."""

    lines: list[tuple[float, str, str]]
    """When, key, text."""
    spans: list[list[float]]
    """Beginning and end of each line."""
    around: list[tuple[float, Any]]
    """When, and what was to be heard besides."""
    pages: list[tuple[float, PublicPage]] = field(default_factory=list)
    """When the public page was told of a change, and what it showed then."""
    waits: dict[Place, int] = field(default_factory=dict)
    """Where the judge was waited for -> how many lines had been spoken."""

    def silence(self, lines: int) -> float:
        """Seconds between that many lines and the next one."""
        return self.spans[lines][0] - self.spans[lines - 1][1]


class Evening:
    """One table, for one game after the other."""

    def __init__(self, home: Path, ruleset: str) -> None:
        """`ruleset`: its id, and after each `+` a role added to it."""
        plain, *extras = ruleset.split("+")
        self.clock = FakeClock()
        self.hall = Hall(home, clock=self.clock)
        self.table = self.hall.table
        changes = {"languages": ["en"], "ruleset": plain, "extras": extras}
        self.table.configure(self.table.revision, changes)

    @property
    def ruleset(self) -> Ruleset:
        """What is played here."""
        return self.table.preparation.draft.ruleset

    def play(self, game: Game, seed: int, judge: Judge) -> Heard:
        """Play a game with pauses drawn from that seed."""
        self._begin(game, seed)
        for step in game.steps:
            self._come_to(step)
            self._answer(step, judge)
        while self._speech != ("silent", 0) and self._running.length == len(game.steps) and self.clock.due():
            self._leap()
        self._end()
        return self.heard

    def close(self) -> None:
        self.table.close()

    # Inside

    def _begin(self, game: Game, seed: int) -> None:
        setup, speaker = game.deal.setup, self.hall.speaker
        hands = None if setup.hands is None else {str(seat): list(hand) for seat, hand in setup.hands.items()}
        changes = {"seats": setup.seats, "options": dict(setup.options), "hands": hands}
        self.table.configure(self.table.revision, changes)
        self.hall.chance.seed(seed)
        self.table.stage.habits = Habits(self.hall.chance)
        self.clock.advance(-self.clock.now())
        speaker.lines, speaker.spans, speaker.around = [], [], []
        self.heard = Heard(speaker.lines, speaker.spans, speaker.around)
        self._watch = self.table.watch("public")
        self.table.start(self.table.revision)
        assert replace(self._running.setup, spare=()) == replace(setup, spare=())
        self._look()

    def _end(self) -> None:
        path = self._running.journal.path
        assert not self.table.stage.voice.troubles
        self.table.leave()
        for file in path.parent.iterdir():
            file.unlink()

    def _come_to(self, step: Step) -> None:
        """Let time pass until the judge can answer."""
        while self.hall.prompt != PROMPTS.get(step.kind, step.kind):
            self._leap()

    def _answer(self, step: Step, judge: Judge) -> None:
        by_night = step.kind in ("identify", "choose", "show", "idle", "react")
        length = self._running.length
        wait = DAY
        if by_night and step.kind != "idle":
            nod = step.kind == "show" and (*step.place[:3], "choose") in self.heard.waits
            given = judge.wait("nod" if nod else step.kind, str(step.place[2]))
            if given is None:
                self._submit(step)
                return
            wait = given
        while self._speech != ("waiting" if by_night else "silent", 0) and self._running.length == length:
            self._leap()
        self.heard.waits[step.place] = len(self.heard.lines)
        if step.kind == "idle":
            while self._running.length == length:
                self._leap()
        else:
            self.clock.advance(wait)
            self._submit(step)

    def _submit(self, step: Step) -> None:
        self._look()
        page = self.table.public()
        self.table.submit(self.table.revision, step.command)
        assert self.table.public() == page, "a tap shows on the public page"
        self._look()

    def _leap(self) -> None:
        self.clock.leap()
        self._look()

    def _look(self) -> None:
        if self._watch.wait(0):
            self.heard.pages.append((self.clock.now(), self.table.public()))

    @property
    def _running(self) -> TableGame:
        return self.hall.running

    @property
    def _speech(self) -> tuple[str, int]:
        conductor = self.table.stage.conductor
        return conductor.state, conductor.queued


PROMPTS = {"dealt": "begin"}
"""Stage -> the prompt of it, where they are called differently."""
