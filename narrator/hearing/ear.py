"""The ears: frames of sound go in, what was heard comes out.

An `Ear` has no thread and no microphone of its own; `Ears` open the microphone when it is wanted, close it when not,
and let the ear hear."""

from __future__ import annotations

import io
import threading
import wave
from collections import deque
from collections.abc import Callable
from pathlib import Path
from statistics import median_low
from typing import Any

from narrator.clock import Clock
from narrator.hearing.endpointing import Endpointer, SpeechBurst, frame
from narrator.hearing.library import FRAME, RATE, WIDTH
from narrator.hearing.microphones import Opener, find_microphone
from narrator.hearing.recognisers import Engine, open_engine
from narrator.hearing.take_shelf import TakeShelf
from narrator.hearing.takes import Take, is_like, raw
from narrator.hearing.words import (
    TAKES,
    Learn,
    Learned,
    Listen,
    Microphone,
    RoomNoise,
    RoomSilence,
    Task,
    Tell,
    Unavailable,
    WordHeard,
    lost,
    no_microphone,
)

CLEAR = 16.0
"""dB of speech over the floor below which nothing is guessed; it comes out 1 or 2 dB low as it is measured here."""
FAINT = 12.0
"""dB below which a single word is not guessed even in a room that is quiet enough."""
RECENT = 3
"""How many of the latest stretches of speech tell how noisy the room is: the one in the middle counts."""
WORTH_MEASURING = 0.5
"""Seconds; shorter stretches say little about the room."""
NOT_SPEECH = 4.0
"""dB below which it is the room itself that has become louder."""
BRIEF = 0.1
"""Seconds; what is shorter is no attempt at a word."""
SILENT = 3.0
"""Seconds without speech after which that is told."""


class Ear:
    """Listens for one task at a time. `attend`, `mute` and `unmute` may be called from any thread."""

    def __init__(self, engine: Engine, shelf: TakeShelf, clock: Clock, tell: Tell) -> None:
        self._engine = engine
        self._shelf = shelf
        self._clock = clock
        self._tell = tell
        self._task: Task | None = None
        self._muted = True
        self._deaf_until = 0.0
        self._attended: Task | None = None
        self._was_deaf = True
        self._gate = Endpointer()
        self._clarity: deque[float] = deque(maxlen=RECENT)
        self._noisy = self._silent = False

    def attend(self, task: Task | None) -> None:
        """Listen for this from now on; None: for nothing."""
        self._task = task

    def mute(self) -> None:
        """Hear nothing until `unmute`."""
        self._muted = True

    def unmute(self, moment: float) -> None:
        """Hear again what begins after that moment of the clock."""
        self._deaf_until, self._muted = moment, False

    def hear(self, data: bytes) -> None:
        """One frame of sound, as it comes from the microphone."""
        task = self._task
        if task is not self._attended:
            self._begin(task)
        if self._muted or task is None:
            self._was_deaf = True
            return
        if self._was_deaf:
            self._gate.forget()
            self._was_deaf = False
        utterance = self._gate.feed(frame(data))
        self._watch_silence(task)
        if utterance is not None:
            self._judge(utterance, task)

    def _begin(self, task: Task | None) -> None:
        if task is None or self._attended is None or task.turn != self._attended.turn:
            self._noisy = self._silent = False
        self._attended = task

    def _is_deaf(self, seconds_ago: float) -> bool:
        return self._clock.now() - seconds_ago < self._deaf_until

    def _watch_silence(self, task: Task) -> None:
        silent = self._gate.quiet >= SILENT and not self._is_deaf(SILENT - 0.01)
        if isinstance(task, Listen) and silent != self._silent:
            self._silent = silent
            self._tell(RoomSilence(task.turn, silent))

    def _judge(self, utterance: SpeechBurst, task: Task) -> None:
        if self._is_deaf(self._gate.now - utterance.begin):
            return
        if isinstance(task, Learn):
            self._learn(utterance, task)
            return
        self._watch_noise(utterance, task)
        if self._is_clear(utterance) and utterance.is_word and (word := self._engine.word(utterance, task)):
            self._tell(WordHeard(task.turn, word))

    def _is_clear(self, utterance: SpeechBurst) -> bool:
        """Whether a word may be guessed: where no longer speech has told of the room yet, it must be clear itself."""
        least = FAINT if self._clarity else CLEAR
        return not self._noisy and utterance.clarity >= least

    def _watch_noise(self, utterance: SpeechBurst, task: Listen) -> None:
        if utterance.seconds >= WORTH_MEASURING and utterance.clarity >= NOT_SPEECH:
            self._clarity.append(utterance.clarity)
        noisy = median_low(self._clarity) < CLEAR if self._clarity else False
        if noisy != self._noisy:
            self._noisy = noisy
            self._tell(RoomNoise(task.turn, noisy))

    def _learn(self, utterance: SpeechBurst, task: Learn) -> None:
        takes = [Take.read(path) for path in self._shelf.paths(task.owner, task.word, task.language)]
        verdict = self._verdict(utterance, takes, task)
        if verdict:
            self._tell(Learned(task.turn, len(self._shelf.paths(task.owner, task.word, task.language)), verdict))

    def _verdict(self, utterance: SpeechBurst, takes: list[Take], task: Learn) -> str:
        """What becomes of an utterance as a take; '' if it is no attempt at one."""
        if len(takes) >= TAKES or utterance.seconds < BRIEF:
            return ""
        if not utterance.is_word:
            return "long" if utterance.before > 0 and not len(utterance.samples) else ""
        if utterance.clarity < CLEAR:
            return "noisy"
        like = is_like(Take(utterance.samples), takes)
        if not like and len(takes) > 1:
            return "unlike"
        self._shelf.keep(task.owner, task.word, task.language, wav(raw(utterance.samples)))
        if like:
            return "kept"
        self._drop(takes)
        return "unlike"

    def _drop(self, takes: list[Take]) -> None:
        """A single take that the next is not like: nobody knows which of them was meant, so the newer one counts."""
        for take in takes:
            if take.path is not None:
                self._shelf.drop(take.path)


def wav(data: bytes) -> bytes:
    """HeardSamples as a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(WIDTH)
        sound.setframerate(RATE)
        sound.writeframes(data)
    return file.getvalue()


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
            raise no_microphone(str(fault) or type(fault).__name__) from fault
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
            raise lost()
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
