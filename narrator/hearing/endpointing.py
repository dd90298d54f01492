"""The gate: of all that is spoken, only short utterances with silence before and after them get through."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from narrator.hearing.library import FRAME, SECONDS

SHORTEST = 0.08
"""Seconds; anything shorter is a click."""
SHORT = 0.95
"""Seconds a word may last."""
LONG = 1.6
"""Seconds a word said twice may last, from its beginning to its end."""
BEFORE = 0.4
"""Seconds of silence before it."""
AFTER = 0.5
"""Seconds of silence after it."""
ABOVE = 8.0
"""dB above the floor from which on somebody speaks."""
FAINTEST = -62.0
"""dBFS below which nobody does."""
REMEMBERED = 300
"""Frames from which the floor is taken (6 s)."""
FEWEST = 15
"""Frames without which there is no floor."""
OFTEN = 5
"""Frames after which it is taken anew."""
PERCENTILE = 12
PADDING = 3
"""Frames kept before and after an utterance."""
LONGEST_KEPT = 150
"""Frames of sound remembered (3 s)."""
CREST = 2.0
"""dB by which the mean of steady noise lies above the percentile taken for its floor."""

HeardSamples = Any
"""An array of float32 between -1 and 1."""


@dataclass(frozen=True)
class SpeechBurst:
    """A stretch of speech with silence around it."""

    samples: HeardSamples
    """The sound with a little of what is around it; empty for one that is too long to be a word."""
    begin: float
    """When it began, in seconds of sound heard."""
    end: float
    """When it ended."""
    before: float
    """Seconds of silence before it."""
    clarity: float
    """dB of speech above the floor."""

    @property
    def seconds(self) -> float:
        """How long it lasted."""
        return self.end - self.begin

    @property
    def is_word(self) -> bool:
        """Whether it is short, and stands alone."""
        return SHORTEST <= self.seconds <= LONG and self.before >= BEFORE


def level(samples: HeardSamples) -> float:
    """Level in dBFS."""
    return 10 * math.log10(float(np.mean(samples * samples)) + 1e-9)


@dataclass
class _Speech:
    """What is being spoken."""

    begin: float
    last: float
    frames: int = 0
    power: float = 0.0
    active: int = 0

    def add(self, loudness: float, now: float) -> None:
        self.last = now
        self.power += 10 ** (loudness / 10)
        self.active += 1

    @property
    def loudness(self) -> float:
        return 10 * math.log10(self.power / max(1, self.active))


@dataclass
class Endpointer:
    """Fed with frames, one after the other; gives an utterance once the silence after it is long enough."""

    now: float = 0.0
    """Seconds of sound heard."""
    floor: float = FAINTEST
    """Level of what is heard while nobody speaks, in dBFS."""
    _levels: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    _kept: deque[HeardSamples] = field(default_factory=lambda: deque(maxlen=LONGEST_KEPT))
    _speech: _Speech | None = None
    _onset: int = 0
    _heard: int = 0
    _quiet_since: float = -math.inf

    @property
    def quiet(self) -> float:
        """For how many seconds nobody has spoken."""
        return 0.0 if self._speech else self.now - max(self._quiet_since, 0.0)

    def forget(self) -> None:
        """What comes next does not belong to what came before: somebody else has spoken meanwhile."""
        self._kept.clear()
        self._speech, self._onset, self._quiet_since = None, 0, self.now

    def feed(self, samples: HeardSamples) -> SpeechBurst | None:
        """One frame."""
        self.now += SECONDS
        self._kept.append(samples)
        loudness = level(samples)
        self._levels.append(loudness)
        self._heard += 1
        if self._heard >= FEWEST and self._heard % OFTEN == 0:
            self.floor = float(np.percentile(self._levels, PERCENTILE))
        voiced = loudness > max(self.floor + ABOVE, FAINTEST)
        if self._speech is None:
            self._wait(voiced, loudness)
            return None
        return self._follow(self._speech, voiced, loudness)

    def _wait(self, voiced: bool, loudness: float) -> None:
        self._onset = self._onset + 1 if voiced else 0
        if self._onset >= 2:
            self._speech = _Speech(self.now - 2 * SECONDS, self.now)
            self._speech.add(loudness, self.now)
            self._onset = 0

    def _follow(self, speech: _Speech, voiced: bool, loudness: float) -> SpeechBurst | None:
        if voiced:
            speech.add(loudness, self.now)
        elif self.now - speech.last >= AFTER - SECONDS / 2:
            self._speech = None
            before, self._quiet_since = speech.begin - self._quiet_since, speech.last
            clarity = speech.loudness - self.floor - CREST
            return SpeechBurst(self._cut(speech), speech.begin, speech.last, before, clarity)
        return None

    def _cut(self, speech: _Speech) -> HeardSamples:
        if speech.last - speech.begin > LONG:
            return np.empty(0, np.float32)
        first = round((self.now - speech.begin) / SECONDS) + PADDING
        behind = max(0, round((self.now - speech.last) / SECONDS) - PADDING)
        frames = list(self._kept)
        return np.concatenate(frames[-first : len(frames) - behind])


def frame(data: bytes) -> HeardSamples:
    """Signed 16-bit samples as numbers."""
    return np.frombuffer(data[: 2 * FRAME], "<i2").astype(np.float32) / 32768
