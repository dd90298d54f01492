"""A room whose sound is made: an audio source that plays what it is given, one frame each time the clock moves on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from narrator.clock import Clock
from narrator.hearing.ear import Ears, open_ears
from narrator.hearing.endpointing import HeardSamples
from narrator.hearing.library import FRAME, RATE, SECONDS, sr
from narrator.hearing.microphones import Opener
from narrator.hearing.take_shelf import TakeShelf
from narrator.hearing.words import Tell
from tests.hearing import material


class RoomSource(sr.AudioSource):  # type: ignore[misc]
    """The microphone of a room."""

    SAMPLE_RATE, SAMPLE_WIDTH, CHUNK = RATE, 2, FRAME

    def __init__(self, room: Room) -> None:
        self._room = room
        self.stream: Any = None

    def __enter__(self) -> RoomSource:
        if self._room.broken:
            raise OSError("the device is in use")
        self.stream = self
        self._room.openings += 1
        return self

    def __exit__(self, *fault: object) -> None:
        self.stream = None

    def read(self, size: int) -> bytes:
        return b"" if self._room.unplugged else self._room.frame()


class Room:
    """What can be heard, and the ears in it. `live` lets time pass, frame by frame, as the sound does."""

    def __init__(self, advance: Callable[[float], None], seed: int = 5) -> None:
        self.advance = advance
        self.chance = np.random.default_rng(seed)
        self.openings = 0
        self.broken = self.unplugged = False
        self.find: Callable[[], Opener] = lambda: lambda: RoomSource(self)
        self.ears: Ears | None = None
        self.noise: float | None = None
        """dBFS of white noise in it."""
        self._now: HeardSamples = material.silence(SECONDS)

    def open_ears(self, tell: Tell, clock: Clock, shelf: TakeShelf, engine: str, model: Path | None) -> Ears:
        """Ears that step only when time passes in this room."""
        find = lambda: self.find()  # noqa: E731
        self.ears = open_ears(tell, clock, shelf, engine, model, find=find, own_thread=False)
        return self.ears

    def frame(self) -> bytes:
        """The 20 ms that can be heard just now."""
        noise = None if self.noise is None else material.white(FRAME, self.noise, self.chance)
        [data] = material.frames(material.in_room(self._now, self.chance, noise))
        return data

    def live(self, *parts: HeardSamples | float) -> None:
        """Let this be heard, for as long as it takes."""
        sound = material.track(*parts)
        for at in range(0, len(sound) - FRAME + 1, FRAME):
            self._now = sound[at : at + FRAME]
            self.advance(SECONDS)
            if self.ears is not None:
                self.ears.step()
