"""How long the judge takes: so that a call nobody can answer lasts as long as one that somebody answers."""

from __future__ import annotations

from math import exp, log, sqrt

from narrator.table.stage.pauses import RandomSource

IN_TIME = 2.0
"""Seconds; a tap that comes so soon is in time for whatever waits for it: how much sooner it came is never heard."""
KEPT = 12
"""How many of the judge's latest times are remembered for each step."""
LONGEST = 60.0
"""Seconds; a judge who takes longer is remembered as having taken this long."""

TRUST = 3
"""How many of a step's own times count as much as what the other steps tell about it."""
ENOUGH = 3
"""From how many on a step's own times are drawn again; before, the next would echo the last."""
UNSEEN = 1
"""How many times, besides those seen, there may be that nobody has seen yet."""
SPREAD, BLUR = 0.6, 0.15
"""How far, as logarithms, such a time may lie from the usual, and a drawn one from one that was seen."""


class Habits:
    """How long the judge takes, step by step.

    A call without an answer is ended as though the judge had tapped after a believable time: as far from what is usual
    for its step as he has been at any step. What is usual for a step is learned from its own times and, as long as they
    are few, from those of the others. One night tells no more about the next than the judge's real times do. As long as
    no tap of his has come late, none of these does.
    """

    def __init__(self, chance: RandomSource) -> None:
        self._chance = chance
        self.times: dict[str, list[float]] = {}
        """Step -> the logarithms of its latest times."""

    def note(self, step: str, seconds: float) -> None:
        """The judge tapped that long after the question of that step."""
        times = self.times.setdefault(step, [])
        times.append(log(min(max(seconds, IN_TIME), LONGEST)))
        del times[:-KEPT]

    def draw(self, step: str) -> float:
        """A believable time for the judge to take, in seconds; always two draws."""
        place, blur = self._chance.random(), 2 * self._chance.random() - 1
        return self.believable(step, place, blur)

    def believable(self, step: str, place: float, blur: float) -> float:
        """The time for these two draws: `place` from 0 up to 1, `blur` from -1 up to 1."""
        if all(time <= log(IN_TIME) for times in self.times.values() for time in times):
            return IN_TIME
        seen = self._deviations(step)
        drawn = int(place * (len(seen) + UNSEEN))
        deviation = seen[drawn] + BLUR * blur if drawn < len(seen) else SPREAD * blur
        return min(exp(self._usual(step) + deviation), LONGEST)

    def _deviations(self, step: str) -> list[float]:
        """How far the times seen lie from what is usual for their steps; those of few make up for their number."""
        return [
            (time - self._usual(other)) * sqrt((len(times) + TRUST) / (len(times) + TRUST - 1))
            for other, times in self.times.items()
            if other != step or len(times) >= ENOUGH
            for time in times
        ]

    def _usual(self, step: str) -> float:
        """What is usual for a step, as a logarithm."""
        means = [_mean(times) for times in self.times.values()]
        own = self.times.get(step, [])
        return (sum(own) + TRUST * _mean(means)) / (len(own) + TRUST)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
