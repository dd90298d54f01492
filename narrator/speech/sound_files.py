"""Reads sound files of any kind: with soundfile, or with the library that plays them where there is no soundfile.

32-bit Raspberry Pis have none; there everything comes at the rate at which lines are played.
"""

from __future__ import annotations

import contextlib
import io
import os
import threading
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from narrator import child
from narrator.speech.clip import PLAYED_RATE, Clip

MIXER_LOCK = threading.RLock()
"""Held by whoever opens, closes or borrows pygame's mixer; there is only one to a process."""

_BLOCK = 1 << 16
_WIDTH = 16
_DRIVER = "SDL_AUDIODRIVER"


def read_sound(path: Path) -> Clip:
    """The sound in a WAV, AIFF, OGG (Vorbis, Opus), FLAC or MP3 file; of several channels the first.

    Raises ValueError when the file is no sound, or nothing here can decode it; OSError when it cannot be read.
    """
    try:
        [clip] = _decoded([path.read_bytes()])
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    return clip


def decode_sounds(files: Sequence[bytes]) -> list[Clip]:
    """The sounds in the contents of some files, at the rate at which lines are played. Raises ValueError."""
    return [clip.at_rate(PLAYED_RATE) for clip in _decoded(files)]


def load() -> Any | None:
    """soundfile, None where it cannot be used. Called beforehand, it spares the first line a tenth of a second."""
    try:
        import numpy  # noqa: F401 (soundfile reads into its arrays)
        import soundfile
    except (ImportError, OSError):  # OSError: the package is there, but no library for this system
        return None
    return soundfile


def _decoded(files: Sequence[bytes]) -> list[Clip]:
    soundfile = load()
    return [_decoded_by(soundfile, data) for data in files] if soundfile else _decoded_by_mixer(files)


def _decoded_by(soundfile: Any, data: bytes) -> Clip:
    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            return Clip(b"".join(_blocks(file)), file.samplerate)
    except soundfile.LibsndfileError as error:
        raise ValueError(f"not a sound file that can be decoded ({error.error_string}): {data[:4]!r}") from error


def _blocks(file: Any) -> Iterator[bytes]:
    """The samples, block by block: the length that an Ogg file states may be nonsense."""
    while len(block := file.read(_BLOCK, dtype="float32", always_2d=True)):
        yield (block[:, 0] * 32768).round().clip(-32768, 32767).astype("<i2").tobytes()


# Without soundfile


def _decoded_by_mixer(files: Sequence[bytes]) -> list[Clip]:
    try:
        with MIXER_LOCK, _mixer() as mixer:
            return [_played(mixer, data) for data in files]
    except ImportError as error:
        raise ValueError(
            f"sound files need the library soundfile or pygame-ce; neither is installed here ({error})"
        ) from error


def _played(mixer: Any, data: bytes) -> Clip:
    rate, kind, channels = mixer.get_init()
    if abs(kind) != _WIDTH:
        raise ValueError(f"the mixer must play samples of 16 bits to decode into them: {abs(kind)}")
    try:
        samples = mixer.Sound(file=io.BytesIO(data)).get_raw()
    except _errors() as error:
        raise ValueError(f"not a sound file that can be decoded ({error}): {data[:4]!r}") from error
    return Clip(samples if channels == 1 else array("h", samples)[::channels].tobytes(), rate)


def hush_pygame() -> None:
    """Before pygame is imported: let it not greet on standard output, nor take over how this program is ended."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")


@contextlib.contextmanager
def _mixer() -> Iterator[Any]:
    """The mixer as it is open, or opened without a device for the moment."""
    hush_pygame()
    import pygame.mixer

    if pygame.mixer.get_init():
        yield pygame.mixer
        return
    try:
        with child.variable(_DRIVER, "dummy"):
            pygame.mixer.init(PLAYED_RATE, -_WIDTH, 1, allowedchanges=0)
        yield pygame.mixer
    finally:
        pygame.mixer.quit()


def _errors() -> tuple[type[Exception], ...]:
    import pygame

    return (pygame.error, MemoryError)
