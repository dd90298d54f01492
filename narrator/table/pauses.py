"""Silences: how long the narrator waits, drawn by chance so that no length of a pause can be read."""

from __future__ import annotations

from typing import Protocol

from narrator.narration.lines import PAUSES

OPEN = PAUSES["work"]
"""How long a call of the night stays open at least, counted from the end of its question; in seconds."""
SHOWN = (4.0, 7.0)
"""How long a group's eyes stay open at least before it is asked, where the judge first records who woke."""
SETTLED = (3.0, 6.0)
"""Silence after an announced death in games where a death may set off a choice."""
COVER = (1.0, 2.6)
"""From the judge's late tap to the next line."""
FIRST_TAPS = (2.0, 6.0)
"""How long a judge is taken to need as long as none of his taps has been seen."""

KEPT = 12
"""How many of the judge's latest times are remembered for each step."""
LONGEST = 60.0
"""Seconds; a judge who takes longer is remembered as having taken this long."""


class Chance(Protocol):
    """Where draws come from; `random.Random` is one."""

    def random(self) -> float:
        """A number from 0 up to, not including, 1."""


class Pauses:
    """Draws pauses. Every method takes the same number of draws whatever it is asked."""

    def __init__(self, chance: Chance, pace: float = 1.0) -> None:
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


class Habits:
    """How long the judge takes, step by step, so that a call nobody can answer lasts as long as one somebody does.

    A call without an answer is ended as though the judge had tapped after a time drawn from those he really took.
    """

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._times: dict[str, list[float]] = {}

    def note(self, step: str, seconds: float) -> None:
        """The judge tapped that long after the question of that step."""
        times = self._times.setdefault(step, [])
        times.append(min(max(seconds, 0.0), LONGEST))
        del times[:-KEPT]

    def draw(self, step: str) -> float:
        """A believable time for the judge to take; always two draws."""
        place, blur = self._chance.random(), self._chance.random()
        seen = self._times.get(step) or [time for times in self._times.values() for time in times]
        if not seen:
            return FIRST_TAPS[0] + (FIRST_TAPS[1] - FIRST_TAPS[0]) * place
        return seen[int(place * len(seen))] * (0.85 + 0.3 * blur)
