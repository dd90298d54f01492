"""The recogniser: compares a short utterance with takes of words, said once or twice. Registered on `sr.Recognizer`."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from narrator.hearing.aligning import distance, distances
from narrator.hearing.endpointing import PADDING, SHORT, Samples
from narrator.hearing.features import DEPTH, depth_for, features, spectrum
from narrator.hearing.library import FRAME, RATE, SECONDS, WIDTH, sr

LIMIT = 1.8
"""The distance up to which an utterance is the word of a take, where all of both can be compared."""
MASKED = 0.5
"""The part of that limit that is left where nothing but the peaks can be compared."""
SURER = 1.15
"""By how much a word said twice is surer than one said once: its distance counts for that much less."""
TWICE = 2.4
"""The distance up to which two halves of an utterance are the same word twice."""
UNLIKE = 2.2
"""The distance from which on a take is not like its siblings."""
LENGTHENED = 1.15
"""A long utterance is compared with takes of at least about its own length only."""
_STEP = 0.5
_MIDDLE = (0.35, 0.65)
_LEAST = 0.12


class Take:
    """A word as somebody said it."""

    def __init__(self, samples: Samples, path: Path | None = None) -> None:
        self.samples = samples
        self.path = path
        self.seconds: float = len(samples) / RATE - 2 * PADDING * SECONDS
        """How long the word lasts, without what was kept around it."""
        self._spectrum = spectrum(samples)
        self._features: dict[float, Any] = {}

    @classmethod
    def read(cls, path: Path) -> Take:
        """The take in a WAV file. Raises ValueError if it is not one of ours, OSError if it cannot be read."""
        try:
            with wave.open(io.BytesIO(path.read_bytes())) as sound:
                if (sound.getframerate(), sound.getsampwidth(), sound.getnchannels()) != (RATE, WIDTH, 1):
                    raise ValueError(f"a take has {RATE} samples of 16 bits a second; got {path}")
                return cls(numbers(sound.readframes(sound.getnframes())), path)
        except (wave.Error, EOFError) as fault:
            raise ValueError(f"a take is a WAV file ({fault}); got {path}") from fault

    def features(self, depth: float = DEPTH) -> Any:
        """What is compared, down to `depth` nats below the peak; kept for the next time."""
        rounded = round(depth / _STEP) * _STEP
        if rounded not in self._features:
            self._features[rounded] = features(self._spectrum, rounded)
        return self._features[rounded]

    def halves(self) -> tuple[Take, Take] | None:
        """Both parts, cut at the quietest place in the middle; None if it is too short for two words."""
        if self.seconds < 2 * _LEAST:
            return None
        loudness = self._spectrum.max(1)
        first, last = (round(len(loudness) * part) for part in _MIDDLE)
        place = (first + int(np.argmin(loudness[first:last]))) * FRAME // 2 + FRAME // 2
        around = np.zeros(PADDING * FRAME, np.float32)
        left, right = self.samples[:place], self.samples[place:]
        return Take(np.concatenate([left, around])), Take(np.concatenate([around, right]))


def numbers(raw: bytes) -> Samples:
    """Signed 16-bit samples as numbers between -1 and 1."""
    return np.frombuffer(raw[: len(raw) // 2 * 2], "<i2").astype(np.float32) / 32768


def raw(samples: Samples) -> bytes:
    """The same as signed 16-bit samples."""
    data: bytes = (np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes()
    return data


def nearest(word: Take, takes: Sequence[Take], depth: float = DEPTH) -> float:
    """The distance of an utterance to the nearest take, said once or twice; infinity if there is none to compare."""
    fitting = [take for take in takes if word.seconds <= max(SHORT, take.seconds * LENGTHENED)]
    once = min(distances(word.features(depth), [take.features(depth) for take in fitting]), default=np.inf)
    return float(min(once, twice(word, takes, depth)))


def twice(word: Take, takes: Sequence[Take], depth: float = DEPTH) -> float:
    """The same for an utterance that is one word said twice; infinity if its halves are not alike."""
    halves = word.halves()
    single = [take.features(depth) for take in takes if take.seconds < word.seconds]
    if halves is None or not single:
        return float(np.inf)
    left, right = (half.features(depth) for half in halves)
    if distance(left, right) > TWICE:
        return float(np.inf)
    return (min(distances(left, single)) + min(distances(right, single))) / 2 / SURER


def limit(depth: float) -> float:
    """The distance up to which an utterance is the word, compared down to `depth` nats below the peak."""
    return LIMIT * (MASKED + (1 - MASKED) * depth / DEPTH)


def recognize_takes(
    recognizer: Any, audio_data: Any, takes: Mapping[str, Sequence[Take]], clarity: float = 60.0
) -> str:
    """The word whose take the audio is most like, as one of the library's own recognisers.

    `clarity` is how many dB the speech lies above the floor. Raises `sr.UnknownValueError` if it is like none of them.
    """
    word = Take(numbers(audio_data.get_raw_data(convert_rate=RATE, convert_width=WIDTH)))
    depth = depth_for(clarity)
    found = min(((nearest(word, some, depth), name) for name, some in takes.items()), default=(np.inf, ""))
    if found[0] > limit(depth):
        raise sr.UnknownValueError
    return found[1]


sr.Recognizer.recognize_takes = recognize_takes


def is_like(take: Take, siblings: Iterable[Take]) -> bool:
    """Whether a take is like one of its siblings, or the first."""
    others = [sibling.features() for sibling in siblings]
    return not others or min(distances(take.features(), others)) < UNLIKE
