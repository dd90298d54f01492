"""What is to be heard besides the lines, and how lines begin after a pause: all that an output may know of a room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

LEAD_IN_SECONDS = 0.4
"""Silence before a line after a pause: Bluetooth loudspeakers swallow the beginning of what they wake up to."""
LONGEST_LEAD_IN = 1.5
NIGHT_LEVEL = 20
"""Percent: a night that can be heard, and a voice that need not fight it."""


@dataclass(frozen=True)
class Surroundings:
    """What is wanted of an output besides its lines."""

    scene: str = ""
    """`night` or `day`, as far as the table has heard; '' for neither."""
    night: int = 0
    """Loudness of the night, and of its end, 0 to 100 percent."""
    day: int = 0
    """Loudness of the day, 0 to 100 percent."""
    awake: bool = False
    """Whether a noise too faint to be heard keeps loudspeakers from falling asleep."""
    lead_in: float = LEAD_IN_SECONDS
    """Seconds of silence before a line after a pause."""

    @property
    def level(self) -> int:
        """Loudness of the scene, in percent."""
        return {"night": self.night, "day": self.day}.get(self.scene, 0)


@runtime_checkable
class Surrounds(Protocol):
    """An output that can do something about it."""

    def surround(self, around: Surroundings) -> None:
        """From now on, like this. Called like the other methods of an output; cheap."""
