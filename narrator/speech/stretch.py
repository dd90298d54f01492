"""Speech faster or slower at the same pitch, by overlapping pieces where they fit best (WSOLA)."""

from __future__ import annotations

import sys
from array import array
from operator import mul

from narrator.speech.clip import Clip

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
