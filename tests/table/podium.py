"""A podium for the conductor: a clock turned by hand, and lines that last as long as the test says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from narrator.clock import FakeClock, Timer
from narrator.narration.lines import Line
from narrator.speech.utterance import Segment, Utterance
from narrator.table.stage.conductor import Conductor, Hold, Say


class BarePodium:
    """Speaks every line in `length` seconds; writes down what happens and when."""

    def __init__(self, length: float = 2.0) -> None:
        self.clock = FakeClock()
        self.length = length
        self.deaf = False
        """A speaker that never tells anything."""
        self.told: list[tuple[float, str]] = []
        self.heard_upto: list[int] = []
        """How many events each line that told any let be heard; negative where it counted them anew."""
        self.idle: list[Hold] = []
        self.late: list[int] = []
        self._number = 0
        self._speaking: Timer | None = None
        self.conductor = Conductor(self)

    def now(self) -> float:
        return self.clock.now()

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        return self.clock.call_later(seconds, call)

    def utter(self, say: Say) -> Utterance:
        self._number += 1
        return Utterance(self._number, (Segment(say.line.key, "en"),), say.line.key)

    def speak(self, utterance: Utterance) -> float:
        if not self.deaf:
            self.clock.call_later(0.0, lambda: self.conductor.started(utterance.number))
            self._speaking = self.clock.call_later(self.length, lambda: self._end(utterance))
        return self.length * 3 + 10

    def _end(self, utterance: Utterance) -> None:
        self.told.append((self.now(), f"/{utterance.key}"))
        self.conductor.ended(utterance.number)

    def hush(self) -> None:
        self.told.append((self.now(), "hush"))
        if self._speaking:
            self._speaking.cancel()

    def heard(self, say: Say, utterance: Utterance) -> None:
        self.told.append((self.now(), utterance.key))
        if say.upto:
            self.heard_upto.append(-say.upto if say.anew else say.upto)

    def idle_over(self, hold: Hold) -> None:
        self.idle.append(hold)
        self.conductor.release()

    def overdue(self, utterance: Utterance) -> None:
        self.late.append(utterance.number)

    @property
    def keys(self) -> list[str]:
        """Every line that was begun, in order."""
        return [what for _, what in self.told if what != "hush" and not what.startswith("/")]

    def when(self, what: str) -> float:
        """When that line began (`/line`: ended) for the last time."""
        return next(moment for moment, told in reversed(self.told) if told == what)


def say(key: str, seq: int = 1, **more: Any) -> Say:
    """A line in the queue."""
    return Say(seq, Line(key), **more)


def hold(seq: int = 1, **more: Any) -> Hold:
    """A call held open for at least ten seconds, and two after a tap."""
    return Hold(seq, "step", least=10.0, cover=2.0, habit=5.0, **more)
