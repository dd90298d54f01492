"""Silence before a line that comes after a pause."""

from __future__ import annotations

import math

from narrator.clock import Clock
from narrator.speech.clip import Clip
from narrator.speech.surroundings import LEAD_IN_SECONDS

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
