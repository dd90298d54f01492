"""The ear: frames go in, what was heard comes out. It has no thread and no microphone of its own."""

from __future__ import annotations

import io
import wave
from collections import deque
from statistics import median_low

from narrator.clock import Clock
from narrator.hearing.comparing import Take, is_like, raw
from narrator.hearing.endpointing import Endpointer, Utterance, frame
from narrator.hearing.engines import Engine
from narrator.hearing.events import Heard, Learn, Learned, Listen, Noise, Silence, Task, Tell
from narrator.hearing.library import RATE, WIDTH
from narrator.hearing.shelf import TakeShelf
from narrator.hearing.words import TAKES

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
            self._tell(Silence(task.turn, silent))

    def _judge(self, utterance: Utterance, task: Task) -> None:
        if self._is_deaf(self._gate.now - utterance.begin):
            return
        if isinstance(task, Learn):
            self._learn(utterance, task)
            return
        self._watch_noise(utterance, task)
        if self._is_clear(utterance) and utterance.is_word and (word := self._engine.word(utterance, task)):
            self._tell(Heard(task.turn, word))

    def _is_clear(self, utterance: Utterance) -> bool:
        """Whether a word may be guessed: where no longer speech has told of the room yet, it must be clear itself."""
        least = FAINT if self._clarity else CLEAR
        return not self._noisy and utterance.clarity >= least

    def _watch_noise(self, utterance: Utterance, task: Listen) -> None:
        if utterance.seconds >= WORTH_MEASURING and utterance.clarity >= NOT_SPEECH:
            self._clarity.append(utterance.clarity)
        noisy = median_low(self._clarity) < CLEAR if self._clarity else False
        if noisy != self._noisy:
            self._noisy = noisy
            self._tell(Noise(task.turn, noisy))

    def _learn(self, utterance: Utterance, task: Learn) -> None:
        takes = [Take.read(path) for path in self._shelf.paths(task.owner, task.word, task.language)]
        verdict = self._verdict(utterance, takes, task)
        if verdict:
            self._tell(Learned(task.turn, len(self._shelf.paths(task.owner, task.word, task.language)), verdict))

    def _verdict(self, utterance: Utterance, takes: list[Take], task: Learn) -> str:
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
    """Samples as a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(WIDTH)
        sound.setframerate(RATE)
        sound.writeframes(data)
    return file.getvalue()
