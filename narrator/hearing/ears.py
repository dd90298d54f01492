"""The ears: a thread that opens the microphone when it is wanted, closes it when not, and lets the ear hear."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from narrator.clock import Clock
from narrator.hearing import trouble
from narrator.hearing.ear import Ear
from narrator.hearing.engines import Engine, open_engine
from narrator.hearing.events import Microphone, Task, Tell
from narrator.hearing.library import FRAME
from narrator.hearing.microphones import Opener, find_microphone
from narrator.hearing.shelf import TakeShelf
from narrator.hearing.trouble import Unavailable

IDLE = 0.5
"""Seconds between two looks while there is nothing to do."""


class Ears:
    """Everything that listens. Its methods return at once; what comes of them is told, from the ears' own thread."""

    def __init__(
        self, ear: Ear, engine: Engine, tell: Tell, find: Callable[[], Opener] = find_microphone, *, own_thread: bool
    ) -> None:
        """Without a thread of its own, somebody must call `step` again and again."""
        self._ear = ear
        self._engine = engine
        self._tell = tell
        self._find = find
        self._opener: Opener | None = None
        self._wanted = self._closed = False
        self._source: Any = None
        self._changed = threading.Event()
        if own_thread:
            threading.Thread(target=self._run, name="ears", daemon=True).start()

    def attend(self, task: Task | None) -> None:
        """Listen for this; None closes the microphone."""
        self._ear.attend(task)
        self._wanted = task is not None
        self._changed.set()

    def mute(self) -> None:
        """Hear nothing until `unmute`."""
        self._ear.mute()

    def unmute(self, moment: float) -> None:
        """Hear again what begins after that moment of the clock."""
        self._ear.unmute(moment)

    def close(self) -> None:
        """Close the microphone for good."""
        self._wanted, self._closed = False, True
        self._changed.set()

    def step(self) -> bool:
        """Open or close the microphone if that is due, or hear one frame. False: there was nothing to do."""
        try:
            return self._step()
        except Unavailable as why:
            self._shut()
            self._wanted = False
            self._tell(Microphone("unavailable", why.reason, str(why)))
            return True

    def _step(self) -> bool:
        if self._opener is None and not self._closed:
            self._get_ready()
            return True
        if self._wanted and self._source is None:
            self._open()
            return True
        if not self._wanted and self._source is not None:
            self._shut()
            return True
        return self._source is not None and self._hear()

    def _get_ready(self) -> None:
        try:
            self._engine.warm_up()
            self._opener = self._find()
        except Unavailable:
            self._closed = True
            raise
        self._tell(Microphone("ready"))

    def _open(self) -> None:
        assert self._opener is not None
        source = self._opener()
        try:
            source.__enter__()
        except Exception as fault:
            raise trouble.no_microphone(str(fault) or type(fault).__name__) from fault
        self._source = source
        self._tell(Microphone("open"))

    def _shut(self) -> None:
        source, self._source = self._source, None
        if source is not None:
            source.__exit__(None, None, None)
            self._tell(Microphone("closed"))

    def _hear(self) -> bool:
        data = self._source.stream.read(FRAME)
        if len(data) < FRAME * 2:
            raise trouble.lost()
        self._ear.hear(data)
        return True

    def _run(self) -> None:
        while not (self._closed and self._source is None):
            if not self.step():
                self._changed.wait(IDLE)
                self._changed.clear()


def open_ears(
    tell: Tell,
    clock: Clock,
    shelf: TakeShelf,
    engine: str = "takes",
    model: Path | None = None,
    *,
    find: Callable[[], Opener] = find_microphone,
    own_thread: bool = True,
) -> Ears:
    """Ears with the engine of that name. ValueError if there is none of that name."""
    chosen = open_engine(engine, shelf, model)
    return Ears(Ear(chosen, shelf, clock, tell), chosen, tell, find, own_thread=own_thread)
