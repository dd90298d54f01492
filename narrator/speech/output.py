"""Where a line goes: what every output can do, and the output that only lets time pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from narrator.clock import Clock, Timer
from narrator.speech.clip import Clip
from narrator.speech.utterance import Utterance

Done = Callable[[bool], None]
"""Told once when a take is over: True at its end, False when the device went away under it. Not after `stop`."""


@dataclass(frozen=True)
class Take:
    """A line ready to go out."""

    utterance: Utterance
    clip: Clip | None
    """Its sound; None where it is text only."""
    seconds: float
    """How long it lasts: the clip's length, or an estimate from the text."""


class NoSoundDeviceError(Exception):
    """There is nothing to play on; the message says why and what would help."""


class Output(Protocol):
    """Plays one take at a time. Methods are called from several threads, but never two at once."""

    wants_clips: bool
    """Whether lines must be rendered for it."""

    def open(self) -> None:
        """Be ready to play; called before every line, so cheap when nothing changed. Raises NoSoundDeviceError."""

    def start(self, take: Take, done: Done) -> None:
        """Begin; `done` may be called from any thread, even from within, but not under a lock of the output."""

    def stop(self) -> None:
        """Silence at once; the take under way will not be reported as done."""

    def set_volume(self, percent: int) -> None:
        """0 to 100, from now on, also for the take under way."""

    def close(self) -> None:
        """Stop, and give the device back."""


class ClockOutput:
    """No sound: a line lasts as long as its take says, by the clock."""

    wants_clips = False

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._timer: Timer | None = None

    def open(self) -> None:
        """Always ready."""

    def start(self, take: Take, done: Done) -> None:
        """Let the take's time pass."""
        self._timer = self._clock.call_later(take.seconds, lambda: done(True))

    def stop(self) -> None:
        """Wait no longer."""
        if self._timer:
            self._timer.cancel()
        self._timer = None

    def set_volume(self, percent: int) -> None:
        """Nothing to turn."""

    def close(self) -> None:
        """Stop."""
        self.stop()
