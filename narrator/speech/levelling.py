"""Makes recordings alike: as loud as each other, little silence around them, no click at the ends, at one speed.

Needs numpy. Where there is none, on 32-bit Raspberry Pis, clips stay as they are, and speed is the engine's business.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from narrator.speech.clip import Clip

LEVEL = -20.0
"""Level of speech, in dBFS, that recordings are brought to; about that of the engines."""
PEAK = 0.89
"""The most that a sample may be, as a part of full scale (-1 dBFS)."""
BEFORE, AFTER = 0.02, 0.06
"""Seconds kept before and after what can be heard."""
FADE = 0.006
"""Seconds in which a recording rises from silence and falls back into it."""

_FULL_SCALE = 32768
_FRAME = 0.02
_SHORT_FRAME = 0.005
_RANGE = 10 ** (-30 / 10)
_HEARD = 10 ** (-46 / 10)
_KNEE = 0.7
_PIECE = 0.015
"""Seconds of each piece of stretched speech: one or two periods of a deep voice."""
_SEARCH = 0.007
"""Seconds around its place in which a piece may be taken."""
_COARSE = 4
"""Only every fourth sample is compared: enough for a voice."""

Waveform = Any
"""A numpy array of samples, 1.0 being full scale."""
More = ParamSpec("More")
ClipChange = Callable[Concatenate[Clip, More], Clip]


def _unchanged_without_numpy(change: ClipChange[More]) -> ClipChange[More]:
    @wraps(change)
    def changed(clip: Clip, /, *args: More.args, **kwargs: More.kwargs) -> Clip:
        try:
            return change(clip, *args, **kwargs)
        except ImportError:
            return clip

    return changed


def speech_level(clip: Clip) -> float:
    """Level in dBFS of the parts in which somebody speaks: 20 ms frames within 30 dB of the loudest one."""
    powers = _powers(_samples(clip), clip, _FRAME)
    spoken = powers[powers > powers.max(initial=0.0) * _RANGE]
    return 10 * math.log10(spoken.mean()) if len(spoken) else -math.inf


def peak(clip: Clip) -> float:
    """The largest sample, in dBFS."""
    most = abs(_samples(clip)).max(initial=0.0)
    return 20 * math.log10(most) if most else -math.inf


def frame_powers(clip: Clip, seconds: float) -> list[float]:
    """Mean power of each frame of so many seconds, as a part of full scale."""
    return [float(power) for power in _powers(_samples(clip), clip, seconds)]


def recorded(clip: Clip) -> Clip:
    """The clip as a recording is used: trimmed, at the common level, faded. Silence stays what it is."""
    return faded(levelled(trimmed(clip)))


@_unchanged_without_numpy
def levelled(clip: Clip, level: float = LEVEL) -> Clip:
    """The clip with its speech at a level, in dBFS; what would be louder than PEAK is bent down softly."""
    for _ in range(3):
        difference = level - speech_level(clip)
        if not math.isfinite(difference) or abs(difference) < 0.1:
            break
        clip = _clip(_bent(_samples(clip) * 10 ** (difference / 20)), clip.rate)
    return clip


@_unchanged_without_numpy
def trimmed(clip: Clip, before: float = BEFORE, after: float = AFTER) -> Clip:
    """The clip with only so many seconds before and after what can be heard; silence is added where there is less."""
    powers = _powers(_samples(clip), clip, _SHORT_FRAME)
    heard = (powers > powers.max(initial=0.0) * _HEARD).nonzero()[0]
    if not len(heard):
        return clip
    size = round(_SHORT_FRAME * clip.rate)
    first, last = int(heard[0]) * size, min((int(heard[-1]) + 1) * size, clip.frames)
    front, back = round(before * clip.rate), round(after * clip.rate)
    kept = clip.samples[2 * max(0, first - front) : 2 * (last + back)]
    missing = max(0, front - first), max(0, last + back - clip.frames)
    return Clip(bytes(2 * missing[0]) + kept + bytes(2 * missing[1]), clip.rate)


@_unchanged_without_numpy
def faded(clip: Clip, seconds: float = FADE) -> Clip:
    """The clip, rising from silence and falling back into it."""
    import numpy as np

    samples = _samples(clip)
    length = min(round(seconds * clip.rate), len(samples) // 2)
    rise = np.arange(1, length + 1) / (length + 1)
    samples[:length] *= rise
    samples[len(samples) - length :] *= rise[::-1]
    return _clip(samples, clip.rate)


def stretched(clip: Clip, percent: int) -> Clip:
    """The clip at `percent` of its speed, 50 to 200, at the same pitch; 100 is the clip itself. Raises ImportError.

    Pieces are overlapped where they fit best (WSOLA).
    """
    piece = round(_PIECE * clip.rate)
    if percent == 100 or clip.frames < 4 * piece:
        return clip
    import numpy as np

    samples = _samples(clip)
    made = [samples[:piece]]
    ramp = np.arange(piece) / piece
    taken = piece
    """Where the sound would go on by itself, had nothing been left out."""
    wanted = piece * percent / 100
    while wanted + 2 * piece < len(samples) and taken + piece <= len(samples):
        natural = samples[taken : taken + piece]
        start = _best(samples, natural, round(wanted), round(_SEARCH * clip.rate))
        made.append(natural + (samples[start : start + piece] - natural) * ramp)
        taken = start + piece
        wanted += piece * percent / 100
    made.append(samples[taken:])
    return _clip(np.concatenate(made), clip.rate)


def _best(samples: Waveform, natural: Waveform, around: int, search: int) -> int:
    """Where, about a place, the sound is most like the piece that would naturally follow."""
    import numpy as np

    size = len(natural)
    first, last = max(0, around - search), min(len(samples) - size, around + search)
    if last < first:
        return min(max(0, around), len(samples) - size)
    likeness = np.correlate(samples[first : last + size : _COARSE], natural[::_COARSE], "valid")
    return first + _COARSE * int(likeness.argmax())


def _samples(clip: Clip) -> Waveform:
    import numpy as np

    return np.frombuffer(clip.samples, "<i2") / _FULL_SCALE


def _clip(samples: Waveform, rate: int) -> Clip:
    return Clip(bytes((samples * _FULL_SCALE).round().astype("<i2").tobytes()), rate)


def _powers(samples: Waveform, clip: Clip, seconds: float) -> Waveform:
    size = max(1, round(seconds * clip.rate))
    whole = len(samples) // size * size
    return (samples[:whole].reshape(-1, size) ** 2).mean(axis=1)


def _bent(samples: Waveform) -> Waveform:
    import numpy as np

    room = PEAK - _KNEE
    bent = np.copysign(_KNEE + room * np.tanh((abs(samples) - _KNEE) / room), samples)
    return np.where(abs(samples) < _KNEE, samples, bent)
