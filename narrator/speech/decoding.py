"""Sound files of any kind into clips, by the library that plays them."""

from __future__ import annotations

import contextlib
import io
import os
import threading
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from narrator import child
from narrator.speech.clip import Clip

MIXER_LOCK = threading.RLock()
"""Held by whoever opens, closes or borrows pygame's mixer; there is only one to a process."""

_RATE = 22_050
_WIDTH = 16
_DRIVER = "SDL_AUDIODRIVER"


def decode(files: Sequence[bytes]) -> list[Clip]:
    """The clips in some WAV, OGG (Vorbis, Opus), FLAC or MP3 files, at the rate at which lines are played.

    Raises ValueError when one of them is no sound, or when nothing here can decode any.
    """
    try:
        with MIXER_LOCK, _mixer() as mixer:
            return [_clip(mixer, data) for data in files]
    except ImportError as error:
        raise ValueError(f"recordings need the library pygame-ce, which is not installed here ({error})") from error


def _clip(mixer: Any, data: bytes) -> Clip:
    rate, kind, channels = mixer.get_init()
    if abs(kind) != _WIDTH:
        raise ValueError(f"the mixer must play samples of 16 bits to decode into them: {abs(kind)}")
    try:
        samples = mixer.Sound(file=io.BytesIO(data)).get_raw()
    except _errors() as error:
        raise ValueError(f"not a sound file that can be decoded ({error}): {data[:4]!r}") from error
    return Clip(samples if channels == 1 else array("h", samples)[::channels].tobytes(), rate)


@contextlib.contextmanager
def _mixer() -> Iterator[Any]:
    """The mixer as it is open, or opened without a device for the moment."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame.mixer

    if pygame.mixer.get_init():
        yield pygame.mixer
        return
    try:
        with child.variable(_DRIVER, "dummy"):
            pygame.mixer.init(_RATE, -_WIDTH, 1, allowedchanges=0)
        yield pygame.mixer
    finally:
        pygame.mixer.quit()


def _errors() -> tuple[type[Exception], ...]:
    import pygame

    return (pygame.error, MemoryError)
