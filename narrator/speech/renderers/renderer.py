"""What a renderer is: the part that turns one segment into sound, whatever it does that with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from narrator.speech.clip import Clip
from narrator.speech.troubles import Trouble
from narrator.speech.utterance import Segment

TroubleListener = Callable[[Trouble], None]


@dataclass(frozen=True)
class Request:
    """One segment and the manner in which it is to be spoken; equal requests give equal clips."""

    segment: Segment
    recording: str = ""
    """Name of the group's own recording of the line, for renderers that have such."""
    voice: str | None = None
    """Id of a voice, or None for the best one of the language."""
    rate: int = 100
    """Percent of the normal speed, 50 to 200."""


class RenderError(Exception):
    """A request that does not become sound; the message says why. What the judge must know was reported."""

    def __init__(self, reason: str, *, final: bool = False) -> None:
        """`final` when trying again later is of no use."""
        super().__init__(reason)
        self.final = final


class Renderer(Protocol):
    """Turns requests into clips. Called from one thread; may take its time there."""

    def warm_up(self, report: TroubleListener) -> None:
        """Get ready, so that the first line need not wait; report what stands in the way."""

    def render(self, request: Request, report: TroubleListener) -> Clip:
        """The clip; never an empty or silent one. Raises RenderError."""

    def close(self) -> None:
        """Give everything back. May be called from another thread."""
