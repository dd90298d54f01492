"""What a word sounds like, how far two of them lie apart, and which take an utterance is like.

A word is compared as mel cepstra and their change, with everything far below the peak masked; dynamic time warping
makes up for how fast it was spoken. The comparison is registered as a recogniser on `sr.Recognizer`."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import kaldi_native_fbank as fbank
import numpy as np

from narrator.hearing.endpointing import PADDING, SHORT, HeardSamples
from narrator.hearing.library import FRAME, RATE, SECONDS, WIDTH, sr

Matrix = Any
"""Frames (10 ms) by numbers, float32."""

BANDS, CEPSTRA = 40, 14
LOWEST, HIGHEST = 80.0, 7600.0
"""Hz."""
DEPTH = 9.0
"""Nats below the loudest band that still count: about 39 dB."""
LEAST_DEPTH = 4.5
LOUDNESS, CHANGE = 0.3, 2.0
"""Weights of how loud it is, and of how it changes."""
NATS = 10 / float(np.log(10))
"""dB in a nat."""
FEWEST = 5


@cache
def _options() -> Any:
    options = fbank.FbankOptions()
    options.frame_opts.samp_freq = RATE
    options.frame_opts.dither = 0.0
    options.frame_opts.window_type = "hamming"
    options.mel_opts.num_bins = BANDS
    options.mel_opts.low_freq = LOWEST
    options.mel_opts.high_freq = HIGHEST
    return options


@cache
def _cosines() -> Matrix:
    band, order = np.arange(BANDS), np.arange(CEPSTRA)
    return (np.cos(np.pi * order[:, None] * (2 * band + 1) / (2 * BANDS)) * np.sqrt(2 / BANDS)).astype(np.float32)


def spectrum(samples: Any) -> Matrix:
    """Logarithms of the mel bands; sound too short for any is filled up with silence."""
    online = fbank.OnlineFbank(_options())
    short = max(0, RATE // 100 * (FEWEST + 2) - len(samples))
    online.accept_waveform(RATE, np.pad(samples, (0, short)).tolist())
    online.input_finished()
    return np.stack([online.get_frame(place) for place in range(online.num_frames_ready)])


def depth_for(clarity: float) -> float:
    """How far below the peak sound is compared where speech lies `clarity` dB above the floor, in nats."""
    return min(DEPTH, max(LEAST_DEPTH, (clarity + 6.0) / NATS))


def features(spectrum: Matrix, depth: float = DEPTH) -> Matrix:
    """What is compared, of one word."""
    bands = np.maximum(spectrum, spectrum.max() - depth)
    cepstra = bands @ _cosines().T
    shape = cepstra[:, 1:] - cepstra[:, 1:].mean(0)
    loudness = (cepstra[:, :1] - cepstra[:, :1].max()) * LOUDNESS
    both = np.concatenate([shape, loudness], 1)
    return np.concatenate([both, CHANGE * change(both)], 1).astype(np.float32)


def change(values: Matrix) -> Matrix:
    """How each number changes over five frames."""
    wide = np.pad(values, ((2, 2), (0, 0)), "edge")
    return (2 * (wide[4:] - wide[:-4]) + wide[3:-1] - wide[1:-3]) / 10


def distances(word: Matrix, takes: Sequence[Matrix]) -> list[float]:
    """The distance of a word to each of the takes, per frame of both together."""
    if not takes:
        return []
    rows, columns = len(word), max(map(len, takes))
    costs = np.full((len(takes), rows, columns), np.inf, np.float32)
    for place, take in enumerate(takes):
        costs[place, :, : len(take)] = frame_distances(word, take)
    paths = cheapest(costs)
    return [float(paths[place, rows, len(take)]) / (rows + len(take)) for place, take in enumerate(takes)]


def distance(one: Matrix, other: Matrix) -> float:
    """The distance of two words."""
    return distances(one, [other])[0]


def frame_distances(one: Matrix, other: Matrix) -> Matrix:
    """Of each frame of the one to each of the other."""
    squares = (one**2).sum(1)[:, None] + (other**2).sum(1)[None] - 2 * one @ other.T
    return np.sqrt(np.maximum(squares, 0))


def cheapest(costs: Matrix) -> Matrix:
    """What the cheapest path to each cell costs, worked out along the diagonals; row and column 0 lie outside."""
    count, rows, columns = costs.shape
    paths = np.full((count, rows + 1, columns + 1), np.inf, np.float32)
    paths[:, 0, 0] = 0
    for diagonal in range(2, rows + columns + 1):
        row = np.arange(max(1, diagonal - columns), min(rows, diagonal - 1) + 1)
        column = diagonal - row
        ways = (paths[:, row - 1, column - 1], paths[:, row - 1, column], paths[:, row, column - 1])
        paths[:, row, column] = costs[:, row - 1, column - 1] + np.minimum(np.minimum(ways[0], ways[1]), ways[2])
    return paths


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

    def __init__(self, samples: HeardSamples, path: Path | None = None) -> None:
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


def numbers(raw: bytes) -> HeardSamples:
    """Signed 16-bit samples as numbers between -1 and 1."""
    return np.frombuffer(raw[: len(raw) // 2 * 2], "<i2").astype(np.float32) / 32768


def raw(samples: HeardSamples) -> bytes:
    """The same as signed 16-bit samples."""
    data: bytes = (np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes()
    return data


def nearest_distance(word: Take, takes: Sequence[Take], depth: float = DEPTH) -> float:
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
    found = min(((nearest_distance(word, some, depth), name) for name, some in takes.items()), default=(np.inf, ""))
    if found[0] > limit(depth):
        raise sr.UnknownValueError
    return found[1]


sr.Recognizer.recognize_takes = recognize_takes


def is_like(take: Take, siblings: Iterable[Take]) -> bool:
    """Whether a take is like one of its siblings, or the first."""
    others = [sibling.features() for sibling in siblings]
    return not others or min(distances(take.features(), others)) < UNLIKE
