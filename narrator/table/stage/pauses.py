"""Silences: how long the narrator waits, drawn by chance so that no length of a pause can be read."""

from __future__ import annotations

from typing import Protocol

from narrator.narration.lines import PAUSES

OPEN = PAUSES["work"]
"""How long a call of the night stays open at least, counted from the end of its question; in seconds."""
OPEN_UNKNOWN = (9.0, 15.0)
"""The same on a first night on which a role may be missing: the judge's pace is not known yet."""
SHOWN = (5.0, 8.0)
"""How long a group's eyes stay open at least before it is asked, where the judge first records who woke."""
SETTLED = (5.0, 8.0)
"""Silence, at least, after an announced death in games where a death may set off a choice."""
COVER = (1.0, 2.6)
"""From the judge's late tap to the next line."""


class RandomSource(Protocol):
    """Where draws come from; `random.Random` is one."""

    def random(self) -> float:
        """A number from 0 up to, not including, 1."""


class Pauses:
    """Draws pauses. Every method takes the same number of draws whatever it is asked."""

    def __init__(self, chance: RandomSource, pace: float = 1.0) -> None:
        self._chance = chance
        self.pace = pace
        """How unhurried the night is: all pauses are multiplied by it; 1 is the usual."""

    def after(self, kind: str) -> float:
        """Seconds of silence after a line whose pause is of that kind; KeyError if there is no such kind."""
        return self.within(PAUSES[kind])

    def within(self, bounds: tuple[float, float]) -> float:
        """A number of seconds between the bounds, stretched by the pace."""
        low, high = bounds
        return (low + (high - low) * self._chance.random()) * self.pace
