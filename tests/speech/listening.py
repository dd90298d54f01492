"""What the tests of the voice share: a listener that writes down callbacks, lines, and a measuring of sound."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from narrator.clock import Clock, SystemClock
from narrator.speech.clip import Clip
from narrator.speech.outputs.output import Done, Output, ReadyLine
from narrator.speech.renderers.renderer import Renderer
from narrator.speech.speaker import Speaker
from narrator.speech.troubles import Trouble
from narrator.speech.utterance import Segment, Utterance

FRAME = 441
PATIENCE = 60.0


class Listener:
    """Everything a speaker told, in order, and a way to wait for it."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int]] = []
        self.troubles: list[Trouble] = []
        self.threads: set[str] = set()
        self.on_event: Callable[[str, int], None] = lambda what, number: None
        self._changed = threading.Condition()

    def callbacks(self) -> dict[str, Any]:
        return {"on_started": self._started, "on_finished": self._finished, "on_trouble": self._trouble}

    def wait_for(self, what: str, number: int) -> None:
        with self._changed:
            found = self._changed.wait_for(lambda: (what, number) in self.told, PATIENCE)
        assert found, f"{what} {number} never came: {self.told} {self.troubles}"

    def kinds(self) -> list[str]:
        return [trouble.kind for trouble in self.troubles]

    def _started(self, utterance: Utterance) -> None:
        self._tell("started", utterance.number)

    def _finished(self, utterance: Utterance, ending: str) -> None:
        self._tell(ending, utterance.number)

    def _trouble(self, trouble: Trouble) -> None:
        self.troubles.append(trouble)

    def _tell(self, what: str, number: int) -> None:
        with self._changed:
            self.threads.add(threading.current_thread().name)
            self.told.append((what, number))
            self._changed.notify_all()
        self.on_event(what, number)


class Stopwatch:
    """An output that passes everything on to another, and writes down when."""

    def __init__(self, output: Output, clock: Clock | None = None) -> None:
        self._output = output
        self._clock = clock or SystemClock()
        self.wants_clips = output.wants_clips
        self.starts: list[tuple[int, float]] = []
        self.order: list[str] = []
        """`start 1`, `end 1`: what happened, one after the other."""
        self.takes: list[ReadyLine] = []

    def open(self) -> None:
        self._output.open()

    def start(self, take: ReadyLine, done: Done) -> None:
        self.starts.append((take.utterance.number, self._clock.now()))
        self.takes.append(take)
        self.order.append(f"start {take.utterance.number}")

        def over(complete: bool) -> None:
            self.order.append(f"end {take.utterance.number}")
            done(complete)

        self._output.start(take, over)

    def stop(self) -> None:
        if self.order and self.order[-1].startswith("start"):
            self.order.append(f"end {self.starts[-1][0]}")
        self._output.stop()

    def is_in_turns(self) -> bool:
        """Whether every line that began came to its end before the next."""
        pairs = zip(self.order[::2], self.order[1::2], strict=True)
        return all(first.replace("start", "end") == second for first, second in pairs)

    def set_volume(self, percent: int) -> None:
        self._output.set_volume(percent)

    def close(self) -> None:
        self._output.close()


def until(true: Callable[[], bool]) -> None:
    """Wait for what another thread, or a device, must bring about; AssertionError when it never does."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.002)


@contextmanager
def speaking(renderer: Renderer | None, output: Output, clock: Clock) -> Iterator[tuple[Speaker, Listener]]:
    """A speaker with a listener, settled, and closed at the end."""
    listener = Listener()
    speaker = Speaker(renderer, output, clock, **listener.callbacks())
    try:
        assert speaker.settle()
        yield speaker, listener
    finally:
        speaker.close()


def line(number: int, text: str = "Night falls.", language: str = "en", key: str = "night.falls") -> Utterance:
    return Utterance(number, (Segment(text, language),), key)


def active_level(clip: Clip) -> float:
    """Level in dBFS of the parts in which somebody speaks: 20 ms frames within 30 dB of the loudest."""
    values = clip.values()
    frames = [values[at : at + FRAME] for at in range(0, len(values) - FRAME, FRAME)]
    powers = [sum(value * value for value in frame) / FRAME for frame in frames]
    spoken = [power for power in powers if power > max(powers) / 1000]
    return 10 * math.log10(sum(spoken) / len(spoken) / 32768**2)


def largest_step(clip: Clip) -> int:
    """The largest difference between two samples that follow each other: a click is a large one."""
    return max((abs(one - other) for one, other in pairwise(clip.values())), default=0)
