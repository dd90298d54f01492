"""The espeak-ng library that comes with a Python wheel, in its synchronous mode: no thread of its own, no playing."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LONGEST_PATH = 150
"""Bytes; espeak keeps the path of its data in a buffer of 160 and ends the process when it does not fit."""

_SYNCHRONOUS = 2
_DO_NOT_EXIT = 0x8000
_RATE, _VOLUME = 1, 2
_BY_CHARACTER = 1
_UTF8, _PAUSE_AT_END = 1, 0x1000
_STOP = 1
_Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)


class EspeakError(RuntimeError):
    """The library is missing, or refused something."""


class _VoiceStruct(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("languages", ctypes.c_char_p),
        ("identifier", ctypes.c_char_p),
        ("gender", ctypes.c_ubyte),
        ("age", ctypes.c_ubyte),
        ("variant", ctypes.c_ubyte),
        ("spare_byte", ctypes.c_ubyte),
        ("score", ctypes.c_int),
        ("spare", ctypes.c_void_p),
    )


@dataclass(frozen=True)
class EspeakVoice:
    """A voice as the library names it."""

    identifier: str
    name: str
    language: str


def is_installed() -> bool:
    """Whether the wheel with the library is there; no wheel exists for 32-bit ARM."""
    return importlib.util.find_spec("espeakng_loader") is not None


class Espeak:
    """The library, ready to render. Only one to a process, and only one thread may use it."""

    def __init__(self, data: Path | None = None) -> None:
        """Load it; `data` is its data folder, by default the wheel's own. Raises EspeakError."""
        library, folder = _wheel()
        self._library = _declared(library)
        place = os.fsencode(short_path(data or folder))
        self.samples_per_second: int = library.espeak_Initialize(_SYNCHRONOUS, 0, place, _DO_NOT_EXIT)
        if self.samples_per_second <= 0:
            raise EspeakError(f"espeak-ng found no data; its folder must hold phontab: {str(data or folder)!r}")
        self._samples = bytearray()
        self._callback = _Callback(self._collect)  # kept here: the library does not
        library.espeak_SetSynthCallback(self._callback)

    def voices(self) -> list[EspeakVoice]:
        """Every voice there is data for."""
        return list(self._voices())

    def voice(self) -> str:
        """Identifier of the voice in use."""
        current = self._library.espeak_GetCurrentVoice()
        return _text(current.contents.identifier) if current else ""

    def set_voice(self, identifier: str) -> None:
        """Use this voice from now on. Raises EspeakError when there is none of that name."""
        if self._library.espeak_SetVoiceByName(identifier.encode()) != 0:
            raise EspeakError(f"no such espeak voice: {identifier!r}")

    def set_rate(self, words_per_minute: int) -> None:
        """80 to 450."""
        self._library.espeak_SetParameter(_RATE, words_per_minute, 0)

    def rate(self) -> int:
        """Words per minute."""
        return int(self._library.espeak_GetParameter(_RATE, 1))

    def set_volume(self, percent: int) -> None:
        """0 to 100."""
        self._library.espeak_SetParameter(_VOLUME, percent, 0)

    def volume(self) -> int:
        """Percent."""
        return int(self._library.espeak_GetParameter(_VOLUME, 1))

    def render(self, text: str) -> bytes:
        """Signed 16-bit mono samples of the text, with a sentence's pause at the end. Raises EspeakError."""
        self._samples.clear()
        raw = text.encode()
        flags = _UTF8 | _PAUSE_AT_END
        status = self._library.espeak_Synth(raw, len(raw) + 1, 0, _BY_CHARACTER, 0, flags, None, None)
        if status != 0:
            raise EspeakError(f"espeak-ng gave up with status {status} on a text of {len(text)} characters")
        return bytes(self._samples)

    def phonemes(self, text: str) -> str:
        """What the voice in use would pronounce, in IPA; a change of language shows as '(en)'."""
        left = ctypes.c_char_p(text.encode())
        heard = []
        while left.value:
            heard.append(_text(self._library.espeak_TextToPhonemes(ctypes.byref(left), _UTF8, 2)))
        return " ".join(part for part in heard if part)

    def _collect(self, samples: int | None, count: int, _events: int | None) -> int:
        if samples and count > 0:
            self._samples += ctypes.string_at(samples, 2 * count)
        return 0

    def _voices(self) -> Iterator[EspeakVoice]:
        listed = self._library.espeak_ListVoices(None)
        index = 0
        while listed[index]:
            voice = listed[index].contents
            yield EspeakVoice(_text(voice.identifier), _text(voice.name), _text(voice.languages[1:]))
            index += 1


def short_path(folder: Path) -> Path:
    """The folder itself, or a copy of it in a place short enough for the library. Raises EspeakError."""
    if len(os.fsencode(folder)) <= LONGEST_PATH:
        return folder
    from platformdirs import user_cache_path

    for place in (user_cache_path("narrator"), Path(tempfile.gettempdir()) / f"narrator-{_user()}"):
        copy = place / "espeak-ng-data"
        if len(os.fsencode(copy)) <= LONGEST_PATH and _copied(folder, copy):
            return copy
    raise EspeakError(f"no place for espeak's data with a path of at most {LONGEST_PATH} bytes: {str(folder)!r}")


def _copied(folder: Path, copy: Path) -> bool:
    if (copy / "phontab").exists():
        return _is_own(copy.parent)
    try:
        copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(copy.parent):
            return False
        fresh = Path(tempfile.mkdtemp(dir=copy.parent)) / "data"
        shutil.copytree(folder, fresh)
        fresh.rename(copy)
        fresh.parent.rmdir()
    except OSError:
        return (copy / "phontab").exists()
    return True


def _is_own(folder: Path) -> bool:
    """Whether nobody else can have put something there: others may write to the temporary folder."""
    return sys.platform == "win32" or folder.stat().st_uid == os.getuid()


def _user() -> int:
    return 0 if sys.platform == "win32" else os.getuid()


def _wheel() -> tuple[ctypes.CDLL, Path]:
    try:
        import espeakng_loader

        library = ctypes.CDLL(espeakng_loader.get_library_path())
    except (ImportError, OSError) as error:
        raise EspeakError(f"no espeak-ng library comes with Python here ({error})") from error
    return library, Path(espeakng_loader.get_data_path())


def _declared(library: ctypes.CDLL) -> ctypes.CDLL:
    library.espeak_Initialize.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_int)
    library.espeak_SetVoiceByName.argtypes = (ctypes.c_char_p,)
    library.espeak_GetCurrentVoice.restype = ctypes.POINTER(_VoiceStruct)
    library.espeak_ListVoices.restype = ctypes.POINTER(ctypes.POINTER(_VoiceStruct))
    library.espeak_ListVoices.argtypes = (ctypes.c_void_p,)
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    library.espeak_TextToPhonemes.argtypes = (ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int)
    library.espeak_Synth.argtypes = (
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_uint,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.c_uint,
        ctypes.c_void_p,
        ctypes.c_void_p,
    )
    return library


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", "replace")
