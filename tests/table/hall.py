"""A table in a hall: a clock turned by hand, a speaker that keeps time by it, a judge who taps."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from narrator.clock import Clock, FakeClock, Timer
from narrator.engine.legal import prompt
from narrator.model.state import State
from narrator.speech.outputs.output import Surroundings
from narrator.speech.text.pacing import estimate
from narrator.speech.troubles import Trouble
from narrator.speech.utterance import Utterance
from narrator.storage.folders import Folders
from narrator.table import Table
from narrator.table.game import Game
from narrator.table.random_players import Players
from narrator.table.setup.draft import HANDS_FIRST


class ClockSpeaker:
    """Speaks by the clock, in the thread that turns it; writes down what is spoken, and when."""

    def __init__(
        self,
        name: str,
        clock: Clock,
        *,
        on_started: Callable[[Utterance], None],
        on_finished: Callable[[Utterance, str], None],
        on_trouble: Callable[[Trouble], None],
    ) -> None:
        self.clock = clock
        self.started, self.finished, self.trouble = on_started, on_finished, on_trouble
        self.lines: list[tuple[float, str, str]] = []
        """When, key, text."""
        self.spans: list[list[float]] = []
        """Beginning and end of each line."""
        self.settings: dict[str, Any] = {}
        self.around: list[tuple[float, Surroundings]] = []
        """When, and what was wanted to be heard besides the lines."""
        self._timers: list[Timer] = []

    def say(self, utterance: Utterance) -> None:
        self._timers = [
            self.clock.call_later(0.0, lambda: self._begin(utterance)),
            self.clock.call_later(estimate(utterance), lambda: self._end(utterance, "spoken")),
        ]

    def _begin(self, utterance: Utterance) -> None:
        self.lines.append((self.clock.now(), utterance.key, utterance.text()))
        self.spans.append([self.clock.now()])
        self.started(utterance)

    def _end(self, utterance: Utterance, ending: str) -> None:
        self.spans[-1].append(self.clock.now())
        self._timers = []
        self.finished(utterance, ending)

    def skip(self) -> None:
        if self._timers and self.spans and len(self.spans[-1]) == 1:
            self.spans[-1].append(self.clock.now())
        for timer in self._timers:
            timer.cancel()
        self._timers = []

    def clear(self) -> None:
        """Nothing waits here: the table hands over one line at a time."""

    def set_volume(self, percent: int) -> None:
        self.settings["volume"] = percent

    def set_rate(self, percent: int) -> None:
        self.settings["rate"] = percent

    def set_voice(self, language: str, voice_id: str | None) -> None:
        self.settings[language] = voice_id

    def surround(self, around: Surroundings) -> None:
        self.around.append((self.clock.now(), around))

    def prepare(self, utterances: Iterable[Utterance]) -> None:
        """Nothing is rendered here."""

    def expect(self, utterances: Iterable[Utterance]) -> None:
        """Nothing is rendered here."""

    @property
    def progress(self) -> tuple[int, int]:
        return 0, 0

    def close(self) -> None:
        self.skip()


class ReadySpeaker(ClockSpeaker):
    """A speaker that wants to know what may be said next."""

    def prepare(self, utterances: Iterable[Utterance]) -> None:
        self.settings["prepared"] = [utterance.key for utterance in utterances]

    def expect(self, utterances: Iterable[Utterance]) -> None:
        self.settings["expected"] = [utterance.key for utterance in utterances]


class Hall:
    """Everything a test of the table needs."""

    def __init__(
        self, home: Path, seed: int = 1, *, factory: Any = ClockSpeaker, clock: FakeClock | None = None, **more: Any
    ) -> None:
        self.home = home
        self.clock = clock or FakeClock()
        self.chance = random.Random(seed)
        self.players = Players(random.Random(seed + 1000))
        self.speaker: Any = None
        self.table = self.open(factory, **more)

    def open(self, factory: Any = ClockSpeaker, **more: Any) -> Table:
        """A table on the same home, clock and chance."""

        def make(*args: Any, **kwargs: Any) -> Any:
            self.speaker = factory(*args, **kwargs)
            return self.speaker

        self.table = Table(
            Folders(self.home),
            clock=self.clock,
            chance=self.chance,
            speaker="silent",
            ruleset="killers-2",
            speaker_factory=make,
            **more,
        )
        return self.table

    # The judge

    def start(self, **changes: Any) -> State:
        """Begin a game with these changes of the set-up and the settings (English spoken)."""
        self.table.configure(self.table.revision, {"languages": ["en"], **changes})
        if any(problem.reason == HANDS_FIRST for problem in self.table.draft.problems()):
            self.table.deal(self.table.revision)
        self.table.start(self.table.revision)
        return self.state

    def tap(self, do: str, **command: Any) -> None:
        """One command, at the present revision."""
        self.table.submit(self.table.revision, {"do": do, **command})

    def identify(self, **roles: list[int]) -> None:
        self.tap("identify", roles=roles)

    def choose(self, target: int | None) -> None:
        self.tap("choose", choice={"target": target})

    def undo(self) -> None:
        self.table.undo(self.table.revision)

    def answer(self) -> bool:
        """Let the players answer what is asked; False once the game is over."""
        command = self.players.answer(self.state)
        if command is not None:
            self.table.submit(self.table.revision, command)
        return command is not None

    def play(self, most: int = 400, wait: Callable[[], float] = lambda: 30.0) -> int:
        """Play to the end, waiting between answers; idle calls end by themselves. How many answers it took."""
        for count in range(most):
            if self.prompt == "idle":
                self.run(120)
            elif not self.answer():
                return count
            self.run(wait())
        raise AssertionError(f"the game did not end in {most} answers")

    def night(
        self,
        acts: Mapping[str, Any],
        holders: Mapping[str, list[int]] | None = None,
        delay: Callable[[], float] = lambda: 1.0,
    ) -> None:
        """One night to the end of dawn: step -> its choice, role -> who shows it; `delay` after each question."""
        if self.prompt == "begin":
            self.tap("begin")
        while self.state.stage == "night":
            self.until("waiting")
            self.run(delay())
            self.tap_at_night(acts, holders or {})
        self.until("silent")

    def tap_at_night(self, acts: Mapping[str, Any], holders: Mapping[str, list[int]]) -> None:
        asked = prompt(self.state)
        if asked.call is None:
            return
        if asked.kind == "identify":
            self.identify(**{role: holders[role] for role in asked.counts})
        elif asked.kind == "choose":
            self.tap("choose", choice=acts.get(asked.call.step) or {})
        elif asked.kind == "show":
            self.tap("proceed")

    def day(self, totals: Mapping[int, int] | None = None) -> None:
        """One day with that vote, to the question of the next night (or the end)."""
        while self.prompt in ("last_words", "speech"):
            self.tap("proceed")
        self.tap("vote", totals=dict(totals or {}))
        while self.prompt == "last_words":
            self.tap("proceed")

    # What there is

    @property
    def state(self) -> State:
        return self.running.state

    @property
    def running(self) -> Game:
        """The game on the table."""
        assert self.table.game is not None
        return self.table.game

    @property
    def prompt(self) -> str:
        return prompt(self.state).kind

    @property
    def keys(self) -> list[str]:
        """Keys of everything spoken."""
        return [key for _, key, _ in self.speaker.lines]

    @property
    def texts(self) -> list[str]:
        """Everything spoken."""
        return [text for _, _, text in self.speaker.lines]

    def when(self, key: str, count: int = -1) -> float:
        """When a line was begun, by default the last time."""
        return float([moment for moment, said, _ in self.speaker.lines if said == key][count])

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.advance(seconds)

    def rests(self, state: str) -> bool:
        """Whether the voice is in that state, with nothing queued."""
        conductor = self.table.stage.conductor
        return conductor.state == state and not conductor.queued

    def until(self, state: str, most: float = 200.0) -> None:
        """Let time pass until the voice is in that state with nothing queued."""
        for _ in range(round(most / 0.5)):
            if self.rests(state):
                return
            self.run(0.5)
        raise AssertionError(f"the voice never came to be {state}")


def night_one(hall: Hall) -> None:
    """The first night of the classic game for twelve, to the first shown answer: killers 1–3, police 4–6."""
    hall.tap("begin")
    hall.until("waiting")
    hall.identify(killer=[1, 2, 3])
    hall.until("waiting")
    hall.choose(8)
    hall.until("waiting")
    hall.identify(police=[4, 5, 6])
    hall.until("waiting")
    hall.choose(1)
