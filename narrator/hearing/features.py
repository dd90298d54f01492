"""What a word sounds like: mel cepstra and how they change, with everything far below the peak masked."""

from __future__ import annotations

from functools import cache
from typing import Any

import kaldi_native_fbank as fbank
import numpy as np

from narrator.hearing.library import RATE

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
