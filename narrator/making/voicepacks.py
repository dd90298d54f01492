"""Makes voice packs: which phrases a voice must have, and their recording, some clips at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from pathlib import Path

from narrator.language_tags import base
from narrator.loading.rulesets import extra_roles, load, shipped
from narrator.making.kokoro import ENGINE, LICENCE, Kokoro, simplified
from narrator.making.opus import opus
from narrator.model.ruleset import Ruleset
from narrator.narration.lines import Line, line_phrases, render_line
from narrator.narration.repertoire import recording_name, repertoire
from narrator.narration.scripts import Script, languages
from narrator.places import data_folder
from narrator.speech.clip import Clip, silence
from narrator.speech.levelling import peak, recorded, speech_level
from narrator.speech.packs import MANIFEST, SOUNDS, Head, Pack, Recording, hashed, pack_voices, phrase_of
from narrator.speech.renderers.auto import SHIPPED
from narrator.speech.sound_files import decode_sounds
from narrator.speech.text.numerals import spelled

PACK_VOICES = {
    "zh": {"zf_xiaoxiao": "晓晓 (Xiaoxiao)", "zm_yunjian": "云健 (Yunjian)"},
    "es": {"ef_dora": "Dora", "em_alex": "Alex"},
    "en": {"af_heart": "Heart", "am_michael": "Michael"},
}
"""Language -> voices and what they are called, the one that is taken by itself first."""
SAVED_EVERY = 20
"""Recordings after which the pack is saved: no more are lost when recording is broken off."""
LOUDEST = -0.5
"""The most that a peak may be, in dBFS, in what is heard when a recording is decoded again."""
LATER = (0.0, 0.005, 0.01, 0.015)
"""Seconds by which a recording may begin later, to be encoded better."""

_NAMING = ("role", "roles", "camp", "office", "ruleset", "step")
"""Parameters whose words a ruleset may give itself."""

_PAUSES = re.compile(r"[，、。！？：；·]+")
"""Signs at which a speaker pauses."""

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
        [heard] = decode_sounds([data])
        tries.append((peak(heard), data, heard))
        if tries[-1][0] <= LOUDEST:
            break
    _, data, heard = min(tries, key=lambda made: made[0])
    return data, heard


# Which phrases


def phrasebook(language: str, rulesets: Iterable[Ruleset]) -> list[Wanted]:
    """The phrases, for a bare language (`zh`, `es`, `en`).

    Where the language has several scripts (Mandarin in simplified and in traditional characters), a phrase of the same
    line is one phrase in both if it is pronounced alike.
    """
    first, *others = [Script.load(tag) for tag in languages() if base(tag) == language]
    keys: dict[str, str] = {}
    also: dict[str, str] = {}
    for line, ruleset in _lines(rulesets):
        texts = _phrases(line, first, ruleset)
        keys.update({text: line.key for text in texts if text not in keys})
        for script in others:
            for other in _phrases(line, script, ruleset):
                same = next((text for text in texts if pronounced_alike(text, other)), None)
                if same is None:
                    keys.setdefault(other, line.key)
                elif other != same:
                    also.setdefault(other, same)
    writings: dict[str, list[str]] = {}
    for other, text in also.items():
        if other not in keys:
            writings.setdefault(text, []).append(other)
    return [Wanted(text, key, tuple(writings.get(text, ()))) for text, key in keys.items()]


def pronounced_alike(one: str, other: str) -> bool:
    """Whether two texts in Mandarin, in whichever characters, sound the same: syllables, tones, and pauses."""
    return one == other or sounds(one) == sounds(other)


@cache
def sounds(text: str) -> tuple[str, ...]:
    """A text in Mandarin as it sounds: its syllables with their tones; numbers as they are read, signs as pauses."""
    from pypinyin import Style, lazy_pinyin

    return tuple(lazy_pinyin(_PAUSES.sub("，", simplified(spelled(text))), style=Style.TONE3))


@cache
def shipped_rulesets() -> tuple[Ruleset, ...]:
    """Every shipped ruleset, with all the extra roles that it can take."""
    return tuple(load(path, _extra(load(path))) for path in shipped().values())


def _extra(ruleset: Ruleset) -> tuple[str, ...]:
    return tuple(name for name in extra_roles() if name not in ruleset.roles) if ruleset.hand.cards == 1 else ()


def _phrases(line: Line, script: Script, ruleset: Ruleset) -> list[str]:
    return [phrase_of(piece, base(script.language)).text for piece in line_phrases(line, script, ruleset)]


def _lines(rulesets: Iterable[Ruleset]) -> Iterator[tuple[Line, Ruleset]]:
    """Every line once; those that a ruleset may word itself, once for each."""
    seen = set()
    for ruleset in rulesets:
        for line in repertoire(ruleset):
            own = ruleset.id if line.key in ruleset.lines or _is_own(line.params) else ""
            if (name := (line.key, repr(line.params), own)) not in seen:
                seen.add(name)
                yield line, ruleset


def _is_own(params: Mapping[str, object]) -> bool:
    return any(name in params for name in _NAMING)


def lacking(language: str, voice: str, own: Iterable[Ruleset]) -> list[Wanted]:
    """What the shipped pack of a voice lacks to speak the shipped rulesets and `own` ones."""
    packs = [found for found in pack_voices([data_folder(SHIPPED)]) if found.head.voice == voice]
    wanted = phrasebook(language, [*shipped_rulesets(), *own])
    return [phrase for phrase in wanted if not any(pack.has(phrase.text) for pack in packs)]


def record(packing: Packing, missing: Iterable[Wanted], engine: Kokoro) -> Iterator[Recording]:
    """Record phrases into a pack in its own voice, one by one. Raises KokoroError, OSError."""
    head = packing.pack.head
    return packing.record(missing, lambda text: engine.speak(text, head.language, head.voice), opus)


def head_of(language: str, voice: str) -> Head:
    """What stands at the head of a pack that Kokoro records."""
    known = PACK_VOICES[language]
    order = list(known).index(voice) if voice in known else len(known)
    return Head(language, voice, known.get(voice, voice), order, ENGINE, LICENCE)


# What a group may record itself


def recordable_lines(script: Script) -> dict[str, str]:
    """Name of the recording -> what is said, the plain lines first; where editions differ, both."""
    texts: dict[str, dict[str, None]] = {}
    for line, ruleset in _recordable(shipped_rulesets()):
        texts.setdefault(recording_name(line), {})[render_line(line, script, ruleset)] = None
    names = sorted(texts, key=lambda name: (name[-1].isdigit(), name))
    return {name: " / ".join(texts[name]) for name in names}


def _recordable(rulesets: Iterable[Ruleset]) -> Iterator[tuple[Line, Ruleset]]:
    for ruleset in rulesets:
        for line in repertoire(ruleset):
            lists = [value for name, value in line.params.items() if name in ("seats", "places")]
            if recording_name(line) and all(len(value) == 1 for value in lists):
                yield line, ruleset
