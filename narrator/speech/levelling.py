"""Makes recordings alike: as loud as each other, with little silence around them, and without a click at the ends."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Sequence
from itertools import accumulate, pairwise, repeat
from operator import mul

from narrator.speech.clip import Clip, silence

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


def speech_level(clip: Clip) -> float:
    """Level in dBFS of the parts in which somebody speaks: 20 ms frames within 30 dB of the loudest one."""
    powers = frame_powers(clip, _FRAME)
    spoken = [power for power in powers if power > max(powers) * _RANGE]
    return 10 * math.log10(sum(spoken) / len(spoken)) if spoken else -math.inf


def peak(clip: Clip) -> float:
    """The largest sample, in dBFS."""
    most = max(map(abs, clip.values()), default=0)
    return 20 * math.log10(most / _FULL_SCALE) if most else -math.inf


def recorded(clip: Clip) -> Clip:
    """The clip as a recording is used: trimmed, at the common level, faded. Silence stays what it is."""
    return faded(levelled(trimmed(clip)))


def levelled(clip: Clip, level: float = LEVEL) -> Clip:
    """The clip with its speech at a level, in dBFS; what would be louder than PEAK is bent down softly."""
    for _ in range(3):
        difference = level - speech_level(clip)
        if not math.isfinite(difference) or abs(difference) < 0.1:
            break
        clip = _louder(clip, 10 ** (difference / 20))
    return clip


def trimmed(clip: Clip, before: float = BEFORE, after: float = AFTER) -> Clip:
    """The clip with only so many seconds before and after what can be heard; silence is added where there is less."""
    powers = frame_powers(clip, _SHORT_FRAME)
    floor = max(powers, default=0.0) * _HEARD
    heard = [at for at, power in enumerate(powers) if power > floor]
    if not heard:
        return clip
    size = round(_SHORT_FRAME * clip.rate)
    first, last = heard[0] * size, min((heard[-1] + 1) * size, clip.frames)
    front, back = round(before * clip.rate), round(after * clip.rate)
    kept = clip.samples[2 * max(0, first - front) : 2 * (last + back)]
    missing = max(0, front - first), max(0, last + back - clip.frames)
    return Clip(bytes(2 * missing[0]) + kept + bytes(2 * missing[1]), clip.rate)


def faded(clip: Clip, seconds: float = FADE) -> Clip:
    """The clip, rising from silence and falling back into it."""
    values = clip.values()
    length = min(round(seconds * clip.rate), len(values) // 2)
    for at in range(length):
        part = (at + 1) / (length + 1)
        values[at] = int(values[at] * part)
        values[-1 - at] = int(values[-1 - at] * part)
    return Clip(_bytes(values), clip.rate)


def largest_step(clip: Clip) -> int:
    """The largest difference between two samples that follow each other: a click is a large one."""
    values = clip.values()
    return max((abs(one - other) for one, other in pairwise(values)), default=0)


def padded(clip: Clip, seconds: float) -> Clip:
    """The clip with silence after it."""
    return Clip(clip.samples + silence(seconds, clip.rate), clip.rate)


def frame_powers(clip: Clip, seconds: float) -> list[float]:
    """Mean power of each frame of so many seconds, as a part of full scale."""
    values = clip.values()
    size = max(1, round(seconds * clip.rate))
    totals = [0, *accumulate(map(mul, values, values))]
    ends = range(size, len(totals), size)
    return [(totals[end] - totals[end - size]) / size / _FULL_SCALE**2 for end in ends]


def _louder(clip: Clip, factor: float) -> Clip:
    values = list(map(mul, clip.values(), repeat(factor)))
    knee = _KNEE * _FULL_SCALE
    if max(map(abs, values)) > knee:
        values = [value if -knee < value < knee else _bent(value, knee) for value in values]
    return Clip(_bytes(array("h", map(round, values))), clip.rate)


def _bent(value: float, knee: float) -> float:
    room = PEAK * _FULL_SCALE - knee
    return math.copysign(knee + room * math.tanh((abs(value) - knee) / room), value)


def _bytes(values: Sequence[int]) -> bytes:
    numbers = array("h", values)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


_PIECE = 0.015
"""Seconds of each piece: one or two periods of a deep voice."""
_SEARCH = 0.007
"""Seconds around its place in which a piece may be taken."""
_COARSE = 4
"""Only every fourth sample is compared: enough for a voice."""


def stretched(clip: Clip, percent: int) -> Clip:
    """The clip at `percent` of its speed, 50 to 200; 100 is the clip itself."""
    piece = round(_PIECE * clip.rate)
    if percent == 100 or clip.frames < 4 * piece:
        return clip
    values = clip.values()
    made = array("h", values[:piece])
    ramp = [at / piece for at in range(piece)]
    taken = piece
    """Where the sound would go on by itself, had nothing been left out."""
    wanted = piece * percent / 100
    while wanted + 2 * piece < len(values) and taken + piece <= len(values):
        natural = values[taken : taken + piece]
        start = _best(values, natural, round(wanted), round(_SEARCH * clip.rate))
        other = values[start : start + piece]
        made.extend([int(old + (new - old) * part) for old, new, part in zip(natural, other, ramp, strict=True)])
        taken = start + piece
        wanted += piece * percent / 100
    made.extend(values[taken:])
    if sys.byteorder == "big":
        made.byteswap()
    return Clip(made.tobytes(), clip.rate)


def _best(values: array[int], natural: array[int], around: int, search: int) -> int:
    """Where, about a place, the sound is most like the piece that would naturally follow."""
    size = len(natural)
    pattern = natural[::_COARSE]
    first, last = max(0, around - search), min(len(values) - size, around + search)
    return max(
        range(first, last + 1, _COARSE),
        key=lambda start: sum(map(mul, pattern, values[start : start + size : _COARSE])),
        default=min(max(0, around), len(values) - size),
    )
