"""Takes, line by line, the group's own recording, the voice pack, or whatever engine the system has."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from narrator.language_tags import base
from narrator.places import data_folder
from narrator.speech import sound_files, troubles
from narrator.speech.clip import PLAYED_RATE, Clip
from narrator.speech.levelling import levelled, recorded, stretched
from narrator.speech.packs import PREFIX, PackVoice, pack_voices
from narrator.speech.renderers.renderer import Renderer, Request, TroubleListener
from narrator.speech.troubles import Trouble
from narrator.speech.voices import RECORDED, Voice, VoicesError, list_voices

SHIPPED = "voicepacks"
"""The folder of shipped packs."""


class AutoRenderer:
    """Recordings first; the engine, at their level, for every segment that was not recorded as a whole."""

    def __init__(self, engine: Renderer, own: Path | None = None, shipped: Path | None = None) -> None:
        """`engine` is closed with this. `own` is the user's folder of voices: recordings of lines, and packs.

        `shipped` is a folder of packs in place of the shipped ones.
        """
        self._engine = engine
        self._own = OwnRecordings(own) if own else None
        self._roots = [*([own] if own else []), *([shipped] if shipped else _shipped())]
        self._voices: list[PackVoice] | None = None
        self._told: set[str] = set()

    def warm_up(self, report: TroubleListener) -> None:
        """Open the packs. The engine starts with its first line, or at once where there is no pack."""
        sound_files.load()
        if not self._packs(report):
            self._engine.warm_up(report)

    def render(self, request: Request, report: TroubleListener) -> Clip:
        """The clip of a request; see `Renderer`."""
        clip = self._recorded(request, report)
        if clip:
            with contextlib.suppress(ImportError):  # without numpy, the engine speaks what is to be faster or slower
                return stretched(clip, request.rate)
        voice = None if (request.voice or "").startswith(PREFIX) else request.voice
        return levelled(self._engine.render(replace(request, voice=voice), report))

    def close(self) -> None:
        """Close the engine."""
        self._engine.close()

    def _recorded(self, request: Request, report: TroubleListener) -> Clip | None:
        try:
            own = self._own.clip(request) if self._own else None
        except (OSError, ValueError) as error:
            own = None
            self._tell(f"a recording cannot be used: {error}", report)
        return own or self._from_pack(request, report)

    def _from_pack(self, request: Request, report: TroubleListener) -> Clip | None:
        """From the voice that was chosen, or the first that has the line if none was."""
        for voice in self._packs(report):
            if request.voice in (None, voice.id):
                try:
                    clip = voice.clip(request.segment)
                except (OSError, ValueError) as error:
                    self._tell(f"a voice pack cannot be used: {error}", report)
                    continue
                if clip:
                    return clip
        return None

    def _packs(self, report: TroubleListener) -> Sequence[PackVoice]:
        if self._voices is None:
            self._voices = pack_voices(
                self._roots, lambda error: self._tell(f"a voice pack cannot be used: {error}", report)
            )
        return self._voices

    def _tell(self, detail: str, report: TroubleListener) -> None:
        """Once is enough: every line would tell it again."""
        if detail not in self._told:
            self._told.add(detail)
            report(Trouble(troubles.NO_VOICE, f"{detail}; another voice speaks instead"))


def offered_voices(own: Path | None = None) -> tuple[Voice, ...]:
    """Every voice that can be chosen: those of packs, `own` ones included, before those of this machine.

    Packs that cannot be used are not among them: that is told when the first line is spoken. Raises VoicesError when
    there is no voice at all.
    """
    packs = pack_voices([*([own] if own else []), *_shipped()], lambda _: None)
    recorded = tuple(Voice(voice.id, voice.head.name, (voice.head.language,), RECORDED) for voice in packs)
    try:
        return (*recorded, *list_voices())
    except VoicesError:
        if not recorded:
            raise
        return recorded


def _shipped() -> list[Path]:
    try:
        return [data_folder(SHIPPED)]
    except FileNotFoundError:
        return []


ENDINGS = (".wav", ".ogg", ".opus", ".mp3", ".flac")


class OwnRecordings:
    """A folder with a folder for each language, such as `zh-Hans` or just `zh`, in which the files lie."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def clip(self, request: Request) -> Clip | None:
        """The recording of a line, trimmed and at the common level; None where there is none.

        Raises OSError, or ValueError for a file that is no sound.
        """
        path = self._path(request)
        if path is None:
            return None
        clip = sound_files.read_sound(path).at_rate(PLAYED_RATE)
        return None if clip.is_silent() else recorded(clip)

    def _path(self, request: Request) -> Path | None:
        name, tag = request.recording, request.segment.language
        if not name or "/" in name or "\\" in name:
            return None
        folders = [self._root / folder for folder in dict.fromkeys((tag, base(tag)))]
        paths = (folder / f"{name}{ending}" for folder in folders for ending in ENDINGS)
        return next((path for path in paths if path.is_file()), None)
