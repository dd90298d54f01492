"""`narrator bench --voice`: from the judge's tap to the first sample handed to the device, beside plain pyttsx3."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from narrator.clock import Clock, SystemClock, Timer
from narrator.engine.legal import prompt
from narrator.loading import rulesets
from narrator.making import naive_bench
from narrator.narration.lines import Line, render_line
from narrator.narration.scripts import Script
from narrator.speech.backends import BackendSettings
from narrator.speech.outputs.mixer import MixerOutput
from narrator.speech.outputs.output import Done, NoSoundDeviceError, ReadyLine
from narrator.speech.speaker import Speaker
from narrator.storage.folders import Folders
from narrator.table import Table
from narrator.table.random_players import Players

COLUMNS = "{:<34} {:>9} {:>9} {:>9} {:>7}"
GOAL = 60.0
"""Milliseconds that the median of a warm voice may take."""
HASTE = 100.0
PATIENCE = 60.0
DRIVER = "SDL_AUDIODRIVER"


@dataclass(frozen=True)
class VoiceTimes:
    """What was measured of one way to speak."""

    name: str
    milliseconds: tuple[float, ...]
    why: str = ""
    """Why nothing could be measured."""
    lost: int = 0
    """How many lines were never handed on."""

    @property
    def median(self) -> float:
        """Milliseconds."""
        return statistics.median(self.milliseconds)

    def __str__(self) -> str:
        if not self.milliseconds:
            return f"{self.name:<34} not measured: {self.why}"
        ranked = sorted(self.milliseconds)
        late = ranked[min(len(ranked) - 1, round(0.95 * len(ranked)))]
        row = COLUMNS.format(self.name, f"{self.median:.1f}", f"{late:.1f}", f"{ranked[-1]:.1f}", len(ranked))
        return f"{row}  and {self.lost} never handed on" if self.lost else row


class Handed(MixerOutput):
    """The mixer, writing down when it was handed a line."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.moments: list[float] = []

    def start(self, take: ReadyLine, done: Done) -> None:
        """Play it; the first sample is the device's when this returns."""
        super().start(take, done)
        if take.clip:
            self.moments.append(time.perf_counter())


class Hasty(SystemClock):
    """The real clock, but one that can be made to keep its promises much earlier: nobody waits for these nights."""

    def __init__(self) -> None:
        self.haste = 1.0

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Make a call later, or as good as at once."""
        return super().call_later(seconds / self.haste, call)


class Evening:
    """A table at which one player of chance taps everything, and a mixer that knows when it was handed a line."""

    def __init__(self, home: Path, language: str, voice: str) -> None:
        self.clock = Hasty()
        self.output = Handed(SystemClock())
        self._players = Players(Random(1))
        speaks = partial(self._speaker, voice)
        self.table = Table(
            Folders(home), clock=self.clock, speaker="pyttsx3", ruleset="killers-2", speaker_factory=speaks
        )
        self.table.configure(self.table.revision, {"languages": [language], "ambience": False})

    def _speaker(self, voice: str, name: str, clock: Clock, **callbacks: Any) -> Speaker:
        return Speaker(
            BackendSettings(SystemClock(), "", voice=voice).renderer(), self.output, SystemClock(), **callbacks
        )

    def tap(self, act: Callable[[], None]) -> float:
        """Milliseconds from this tap to the first sample."""
        before = len(self.output.moments)
        began = time.perf_counter()
        act()
        wait_until(lambda: len(self.output.moments) > before)
        return 1000 * (self.output.moments[before] - began)

    def speeches(self, count: int) -> Iterator[float]:
        """Milliseconds from each tap that calls the next speaker."""
        wait_until(lambda: self.table.readiness[0] == self.table.readiness[1])
        found = 0
        while found < count:
            self._hurry_to_speeches()
            while found < count and self._asked == "speech":
                self._be_silent("silent")
                yield self.tap(lambda: self.table.submit(self.table.revision, {"do": "proceed"}))
                found += 1

    @property
    def _asked(self) -> str:
        state = self.table.state
        return prompt(state).kind if state else ""

    def _hurry_to_speeches(self) -> None:
        self.clock.haste = HASTE
        while self._asked != "speech":
            self._answer()
        self._be_silent("silent")
        self.clock.haste = 1.0

    def _answer(self) -> None:
        state = self.table.state
        if state is None or state.winner is not None:
            self.table.new(self.table.revision)
            self.table.start(self.table.revision)
        elif command := self._players.answer(state):
            self.table.submit(self.table.revision, command)
        self._be_silent()

    def _be_silent(self, *states: str) -> None:
        while self.table.judge().speech.state not in (states or ("silent", "waiting")):
            self.table.skip()
            time.sleep(0.005)


def wait_until(true: Callable[[], bool]) -> None:
    """Wait until it is true. TimeoutError after a minute."""
    end = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > end:
            raise TimeoutError("the narrator did not speak within a minute")
        time.sleep(0.0005)


@contextmanager
def evening(language: str, voice: str) -> Iterator[Evening]:
    """A fresh table, closed at the end."""
    with tempfile.TemporaryDirectory(prefix="narrator-", ignore_cleanup_errors=True) as home:
        found = Evening(Path(home), language, voice)
        try:
            yield found
        finally:
            found.table.close()


def device() -> str:
    """What is played on: the computer's own, or SDL's dummy one where there is none (then it is set, too)."""
    output = MixerOutput(SystemClock())
    try:
        output.open()
    except NoSoundDeviceError:
        os.environ[DRIVER] = "dummy"
        return "no sound device here: SDL's dummy device, which takes samples at their own speed"
    output.close()
    return f"SDL's device {os.environ[DRIVER]!r}" if DRIVER in os.environ else "this computer's sound device"


def warm(language: str, voice: str, times: int) -> VoiceTimes:
    """The voice in the middle of an evening."""
    with evening(language, voice) as found:
        return VoiceTimes(f"narrator ({voice}), warm", tuple(found.speeches(times)))


def cold(language: str, voice: str, times: int) -> VoiceTimes:
    """The first line of a table just opened."""
    taken = []
    for _ in range(times):
        with evening(language, voice) as found:
            taken.append(found.tap(found.table.sound_check))
    return VoiceTimes(f"narrator ({voice}), cold", tuple(taken))


def naive(language: str, times: int, cold_times: int) -> list[VoiceTimes]:
    """Plain pyttsx3, warm and cold."""
    script, ruleset = Script.load(language), rulesets.load(rulesets.shipped()["killers-2"])
    lines = [render_line(Line("speech.next", {"seat": seat}), script, ruleset) for seat in range(1, 13)]
    measured: list[VoiceTimes] = []
    for name, rounds, each in (("warm", 1, times + 1), ("cold", cold_times, 1)):
        taken: list[float] = []
        why = ""
        for _ in range(rounds):
            found = naive_bench.measure_naive([lines[at % len(lines)] for at in range(each)])
            why = why or found.why
            taken += found.milliseconds[1:] if name == "warm" else found.milliseconds[:1]
        lost = (times if name == "warm" else cold_times) - len(taken)
        measured.append(VoiceTimes(f"pyttsx3, say + runAndWait, {name}", tuple(taken), why, lost))
    return measured


def report(language: str, voice: str, times: int, cold_times: int) -> Iterator[str]:
    """The lines of the whole report, as they are found."""
    yield f"From the tap to the first sample handed to the device, in milliseconds; {device()}."
    yield "For plain pyttsx3: from `say` to the start of what it plays through, which then opens the device anew."
    yield COLUMNS.format("", "median", "95 %", "worst", "times")
    ours = warm(language, voice, times)
    rows: Sequence[VoiceTimes] = [ours]
    yield str(ours)
    yield str(cold(language, voice, cold_times))
    rows = naive(language, times, cold_times)
    yield from map(str, rows)
    verdict = "reached" if ours.median <= GOAL else "missed"
    yield f"Goal, warm: {GOAL:.0f} ms median; {verdict}. After a pause, 400 ms of silence go before a line on purpose."
