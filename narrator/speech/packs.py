"""Voice packs: the phrases of the scripts, recorded once in a natural voice, and put together line by line.

A pack is a folder `<language>/<voice>` with two files. `clips.ogg` holds one Ogg Opus stream after the other, so that
it plays as a whole, too. `manifest.json` says whose voice it is, and of every clip what is said and where it lies.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from narrator.language_tags import base
from narrator.speech.clip import Clip, silence
from narrator.speech.sound_files import decode_sounds
from narrator.speech.utterance import Segment

MANIFEST = "manifest.json"
SOUNDS = "clips.ogg"
FORMAT = 1
PREFIX = "pack:"
"""How the ids of recorded voices begin."""


_COMMA = {"zh": "，"}
_MARKS = "。！？.!?，：；、,:;"
_PAUSES = {"。": 0.42, ".": 0.42, "！": 0.42, "!": 0.42, "？": 0.42, "?": 0.42, "：": 0.24, ":": 0.24}
_COMMA_PAUSE = 0.16
_JOINT_PAUSE = 0.07


class PackError(ValueError):
    """A pack that cannot be used; the message names the file and says why."""


@dataclass(frozen=True)
class Phrase:
    """A part of a line that is recorded in one piece."""

    text: str
    """As it is recorded, with a mark at its end that tells how its voice ends; lower case where there is any."""
    pause: float
    """Seconds of silence between it and the next one."""


@dataclass(frozen=True)
class Recording:
    """One phrase of a pack."""

    key: str
    """Key of the script line in which the phrase was found first."""
    text: str
    """What is said: a phrase as `phrase_of` writes it."""
    sha256: str
    """Of the text in UTF-8, so that nobody changes the one without recording the other."""
    at: int
    """Where its bytes begin in the file of sounds."""
    size: int
    """How many bytes it has."""
    seconds: float
    level: float
    """Of the speech in it, in dBFS."""
    peak: float
    """In dBFS."""
    also: tuple[str, ...] = ()
    """The same phrase in another writing of the language."""

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Recording:
        """A recording out of the manifest."""
        return cls(**{**found, "also": tuple(found.get("also", ()))})

    def to_json(self) -> dict[str, Any]:
        """What the manifest holds of it."""
        return {name: value for name, value in asdict(self).items() if name != "also" or value}


@dataclass(frozen=True)
class Head:
    """Whose voice a pack is."""

    language: str
    """Its bare language: `zh`, `es`, `en`."""
    voice: str
    """The engine's name of the voice."""
    name: str
    """What people call it."""
    order: int
    """Of several voices the one with the least is taken by itself."""
    engine: str
    """What recorded it, with its version."""
    licence: str


class Pack:
    """A folder with recordings of one voice."""

    def __init__(self, folder: Path, head: Head, recordings: Sequence[Recording]) -> None:
        self.folder = folder
        self.head = head
        self.recordings = tuple(recordings)

    @classmethod
    def load(cls, folder: Path) -> Pack:
        """The pack in a folder. Raises PackError."""
        path = folder / MANIFEST
        try:
            found = json.loads(path.read_text("utf-8"))
            if found["format"] != FORMAT:
                raise PackError(f"{path}: the format of a voice pack must be {FORMAT}; got {found['format']}")
            return cls(folder, Head(**found["head"]), [Recording.from_json(clip) for clip in found["clips"]])
        except (OSError, KeyError, TypeError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise PackError(f"{path}: not the manifest of a voice pack ({type(error).__name__}: {error})") from error

    def save(self) -> None:
        """Write the manifest, one recording a line."""
        head = json.dumps(asdict(self.head), ensure_ascii=False)
        clips = ",\n".join(json.dumps(clip.to_json(), ensure_ascii=False) for clip in self.recordings)
        text = f'{{"format": {FORMAT}, "head": {head}, "clips": [\n{clips}\n]}}\n'
        fresh = self.folder / f"{MANIFEST}.new"
        fresh.write_text(text, encoding="utf-8", newline="\n")
        fresh.replace(self.folder / MANIFEST)

    @cached_property
    def by_text(self) -> dict[str, Recording]:
        """Text -> recording, other writings included."""
        index = {text: clip for clip in self.recordings for text in clip.also}
        return {**index, **{clip.text: clip for clip in self.recordings}}

    def read(self, recording: Recording) -> bytes:
        """The sound file of a recording. Raises OSError, or PackError where the file is cut short."""
        path = self.folder / SOUNDS
        with path.open("rb") as file:
            file.seek(recording.at)
            data = file.read(recording.size)
        if len(data) < recording.size:
            raise PackError(f"{path}: is cut short; it must reach {recording.at + recording.size} bytes")
        return data


Found = tuple[Pack, Recording, float]
"""Where a phrase was found, and the seconds of silence after it."""


class PackVoice:
    """One voice: its shipped pack, and what the user has added to it."""

    def __init__(self, packs: Sequence[Pack]) -> None:
        """The first pack that has a phrase gives it."""
        self._packs = tuple(packs)
        self.head = packs[0].head

    @property
    def id(self) -> str:
        """By which the voice is chosen."""
        return PREFIX + self.head.voice

    def has(self, phrase: str) -> bool:
        """Whether a phrase was recorded."""
        return any(phrase in pack.by_text for pack in self._packs)

    def find(self, segment: Segment) -> list[Found] | None:
        """The recordings that make up a line; None unless there are all of them."""
        if base(segment.language) != self.head.language:
            return None
        found = [self._recording(phrase) for phrase in phrases(segment)]
        return [one for one in found if one] if found and all(found) else None

    def clip(self, segment: Segment) -> Clip | None:
        """The line as sound, or None if not all of it was recorded. Raises OSError, or ValueError (PackError)."""
        found = self.find(segment)
        if found is None:
            return None
        clips = decode_sounds([pack.read(recording) for pack, recording, _ in found])
        pauses = [*(pause for _, _, pause in found[:-1]), 0.0]
        pieces = (clip.samples + silence(pause, clip.rate) for clip, pause in zip(clips, pauses, strict=True))
        return Clip(b"".join(pieces), clips[0].rate)

    def _recording(self, phrase: Phrase) -> Found | None:
        for pack in self._packs:
            if phrase.text in pack.by_text:
                return pack, pack.by_text[phrase.text], phrase.pause
        return None


def phrases(segment: Segment) -> tuple[Phrase, ...]:
    """The phrases of a line, in their order; none where there is nothing to say."""
    language = base(segment.language)
    pieces = segment.phrases or (segment.text,)
    return tuple(phrase_of(piece, language) for piece in pieces if piece.strip(_MARKS + " "))


def phrase_of(piece: str, language: str) -> Phrase:
    """A piece of a line, as it is recorded in a bare language."""
    comma = _COMMA.get(language, ",")
    end = piece[-1]
    if end == "、":
        return Phrase(piece[:-1].lower() + comma, _COMMA_PAUSE)
    if end not in _MARKS:
        return Phrase(piece.lower() + comma, _JOINT_PAUSE)
    return Phrase(piece.lower(), _PAUSES.get(end, _COMMA_PAUSE))


def pack_folders(root: Path) -> Iterator[Path]:
    """The folders of packs in a folder of voices."""
    yield from sorted(manifest.parent for manifest in root.glob(f"*/*/{MANIFEST}"))


def pack_voices(roots: Iterable[Path], broken: Callable[[PackError], None] | None = None) -> list[PackVoice]:
    """The voices in some folders, the first of each language before the others.

    Packs that cannot be used are left out and handed to `broken`. Raises PackError where nobody wants to hear of them.
    """
    packs: dict[tuple[str, str], list[Pack]] = {}
    for root in roots:
        for folder in pack_folders(root):
            try:
                pack = Pack.load(folder)
            except PackError as error:
                if broken is None:
                    raise
                broken(error)
            else:
                packs.setdefault((pack.head.language, pack.head.voice), []).append(pack)
    return sorted((PackVoice(found) for found in packs.values()), key=lambda voice: (voice.head.order, voice.id))


def hashed(text: str) -> str:
    """SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
