"""Records voice packs: what is missing is spoken, trimmed, levelled and put into the pack, some clips at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

from narrator.speech.clip import Clip, silence
from narrator.speech.decoding import decode
from narrator.speech.levelling import peak, recorded, speech_level
from narrator.speech.packs import MANIFEST, SOUNDS, Head, Pack, Recording, hashed

SAVED_EVERY = 20
"""Recordings after which the pack is saved: no more are lost when recording is broken off."""
LOUDEST = -0.5
"""The most that a peak may be, in dBFS, in what is heard when a recording is decoded again."""
LATER = (0.0, 0.005, 0.01, 0.015)
"""Seconds by which a recording may begin later, to be encoded better."""

Speak = Callable[[str], Clip]
Encode = Callable[[Clip], bytes]


@dataclass(frozen=True)
class Wanted:
    """A phrase to be recorded."""

    text: str
    key: str
    """Key of the script line in which it was found first."""
    also: tuple[str, ...] = ()
    """The same phrase in other writings of the language."""


class Packing:
    """A pack being made, in its folder."""

    def __init__(self, folder: Path, head: Head, *, afresh: bool = False) -> None:
        """Go on with what lies in the folder, or begin `afresh`. Raises PackError, OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        known = [] if afresh or not (folder / MANIFEST).exists() else Pack.load(folder).recordings
        self._pack = Pack(folder, head, known)
        self._sounds = folder / SOUNDS
        self._cut_off()

    @property
    def pack(self) -> Pack:
        """The pack as it is now."""
        return self._pack

    def missing(self, wanted: Iterable[Wanted]) -> list[Wanted]:
        """Those that have no recording yet."""
        known = {clip.text for clip in self._pack.recordings}
        return [phrase for phrase in wanted if phrase.text not in known]

    def record(self, phrases: Iterable[Wanted], speak: Speak, encode: Encode) -> Iterator[Recording]:
        """Record the phrases; each is given as soon as it is in the file. Raises what `speak` raises, and OSError."""
        try:
            for number, phrase in enumerate(phrases, 1):
                yield self._add(phrase, *_encoded(recorded(speak(phrase.text)), encode))
                if number % SAVED_EVERY == 0:
                    self._pack.save()
        finally:
            self._pack.save()

    def tidy(self, wanted: Iterable[Wanted]) -> int:
        """Leave out what is not wanted, and put the rest in the order of `wanted`; the number of clips left out."""
        known = {clip.text: clip for clip in self._pack.recordings}
        kept = [
            replace(known[phrase.text], key=phrase.key, also=phrase.also) for phrase in wanted if phrase.text in known
        ]
        left_out = len(known) - len(kept)
        fresh = self._sounds.with_suffix(".new")
        with fresh.open("wb") as file:
            file.writelines(self._pack.read(clip) for clip in kept)
        places = accumulate((clip.size for clip in kept), initial=0)
        moved = [replace(clip, at=at) for clip, at in zip(kept, places, strict=False)]
        self._pack = Pack(self._pack.folder, self._pack.head, moved)
        fresh.replace(self._sounds)
        self._pack.save()
        return left_out

    def _add(self, phrase: Wanted, data: bytes, heard: Clip) -> Recording:
        at = self._sounds.stat().st_size
        clip = Recording(
            phrase.key,
            phrase.text,
            hashed(phrase.text),
            at,
            len(data),
            round(heard.seconds, 3),
            round(speech_level(heard), 2),
            round(peak(heard), 2),
            phrase.also,
        )
        with self._sounds.open("ab") as file:
            file.write(data)
        self._pack = Pack(self._pack.folder, self._pack.head, (*self._pack.recordings, clip))
        return clip

    def _cut_off(self) -> None:
        """Drop sounds that came after the manifest was saved last."""
        ends = max((clip.at + clip.size for clip in self._pack.recordings), default=0)
        with self._sounds.open("ab") as file:
            file.truncate(ends)


def _encoded(clip: Clip, encode: Encode) -> tuple[bytes, Clip]:
    """The clip as a file, and as it is heard from there.

    Where encoding makes a peak too loud, the clip begins a little later: frames that fall elsewhere seldom do.
    """
    tries: list[tuple[float, bytes, Clip]] = []
    for seconds in LATER:
        data = encode(Clip(silence(seconds, clip.rate) + clip.samples, clip.rate))
        [heard] = decode([data])
        tries.append((peak(heard), data, heard))
        if tries[-1][0] <= LOUDEST:
            break
    _, data, heard = min(tries, key=lambda made: made[0])
    return data, heard
