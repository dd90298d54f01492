"""The shipped sounds of night, dawn and day, ready to be played round and round."""

from __future__ import annotations

import sys
from array import array
from functools import cache

from narrator.places import data_folder
from narrator.speech.clip import Clip
from narrator.speech.decoding import decode

SOUNDS = "sounds"
"""The folder of shipped sounds."""
NIGHT, DAWN, DAY = SCENES = ("night", "dawn", "day")
"""Each has its file; dawn is played once, the others again and again."""
OVERLAP_SECONDS = 0.5
"""How much of a loop's end is blended into its beginning."""


@cache
def scene_clip(scene: str) -> Clip:
    """The sound of a scene, with a loop's seam hidden. Raises OSError or ValueError where there is none to be had."""
    [clip] = decode([(data_folder(SOUNDS) / f"{scene}.ogg").read_bytes()])
    return clip if scene == DAWN else seamless(clip, OVERLAP_SECONDS)


def seamless(clip: Clip, overlap: float) -> Clip:
    """The clip without its last `overlap` seconds, which are blended into its beginning."""
    values, size = clip.values(), round(overlap * clip.rate)
    head, tail, rest = values[:size], values[-size:], values[size:-size]
    pairs = enumerate(zip(head, tail, strict=True))
    blended = array("h", [new + (old - new) * (size - at) // size for at, (new, old) in pairs])
    blended.extend(rest)
    if sys.byteorder == "big":
        blended.byteswap()
    return Clip(blended.tobytes(), clip.rate)
