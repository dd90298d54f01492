"""Where a line goes: what every output can do, and the output that only lets time pass."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from narrator.clock import Clock, Timer
from narrator.speech.clip import Clip
from narrator.speech.utterance import Utterance

Done = Callable[[bool], None]
"""Told once when a take is over: True at its end, False when the device went away under it. Not after `stop`."""


@dataclass(frozen=True)
class ReadyLine:
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

    def start(self, take: ReadyLine, done: Done) -> None:
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

    def start(self, take: ReadyLine, done: Done) -> None:
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


QUIET_SECONDS = 2.0
"""A pause longer than this lets loudspeakers fall asleep."""


class LeadIn:
    """Puts `seconds` of silence before a line when nothing was heard for `quiet` seconds."""

    def __init__(self, clock: Clock, seconds: float = LEAD_IN_SECONDS, quiet: float = QUIET_SECONDS) -> None:
        self.seconds = seconds
        self._clock = clock
        self._quiet = quiet
        self._silent_since = -math.inf

    def before(self, clip: Clip) -> Clip:
        """The clip as it is to be played now."""
        slept = self._clock.now() - self._silent_since > self._quiet
        return clip.after_silence(self.seconds) if slept and self.seconds else clip

    def over(self) -> None:
        """It is quiet from now on."""
        self._silent_since = self._clock.now()
