"""What stands in the conductor's queue: lines, silences, and calls of the night that are held open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from narrator.narration.lines import Line

Form = Mapping[str, Any]
"""The public form of an event."""


NEVER = float("-inf")
"""When a hold was tapped for which nobody is waited: it lasts as long as though somebody were."""


@dataclass
class Say:
    """A line to be spoken. When it starts, the table has heard its forms."""

    seq: int
    """The number of the journal entry it comes from, 1 for the first command; 0 for what belongs to none."""
    line: Line
    forms: list[tuple[int, Form]] = field(default_factory=list)
    """Public forms, each with the number of its entry, that become known as this line starts."""
    passing: bool = False
    """Whether a later line makes it pointless, as the next speaker's name does the one before."""
    correction: bool = False
    """Whether it stands in for something the table has heard that is undone."""
    rewind: tuple[tuple[int, Form], ...] | None = None
    """If given: all that is true after all; the public view starts anew from these as the line starts."""


@dataclass
class Rest:
    """A silence, drawn beforehand."""

    seq: int
    seconds: float
    correction: bool = False


@dataclass
class Hold:
    """A call of the night kept open: the next line waits for the judge, and for a drawn time."""

    seq: int
    step: str
    """Step of the night, or the name of what is waited for; the judge's times are kept by it."""
    least: float
    """Seconds it lasts at least."""
    cover: float
    """Seconds from the judge's tap to the next line."""
    habit: float
    """If nobody can answer: seconds after which it is taken to be tapped; in a call the table taps by itself."""
    idle: bool = False
    """Whether nobody can answer."""
    since: float | None = None
    """When it began: the end of the line before it."""
    tapped: float | None = None
    """When the judge tapped."""
    correction: bool = False

    def opens(self) -> float:
        """When the next line may start. Only for a hold that has begun and been tapped."""
        assert self.since is not None
        assert self.tapped is not None
        tapped = self.since + self.habit if self.idle or self.tapped == NEVER else self.tapped
        return max(self.since + self.least, tapped + self.cover)

    def shift(self, seconds: float, before: float) -> None:
        """Move everything that happened before a moment later by some seconds, as though time had stood still."""
        if self.since is not None:
            self.since += seconds
        if self.tapped is not None and self.tapped < before:
            self.tapped += seconds


Item = Say | Rest | Hold
