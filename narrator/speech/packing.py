"""Records voice packs: what is missing is spoken, trimmed, levelled and put into the pack, some clips at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

from narrator.speech.clip import Clip
from narrator.speech.decoding import decode
from narrator.speech.levelling import peak, recorded, speech_level
from narrator.speech.packs import MANIFEST, SOUNDS, Head, Pack, Recording, hashed

SAVED_EVERY = 20
"""Recordings after which the pack is saved: no more are lost when recording is broken off."""

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
                yield self._add(phrase, encode(recorded(speak(phrase.text))))
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

    def _add(self, phrase: Wanted, data: bytes) -> Recording:
        at = self._sounds.stat().st_size
        [heard] = decode([data])
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
