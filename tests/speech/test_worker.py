"""The worker and the pipe to it: it answers, it is ended when it does not, and another takes its place."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from ctypes.util import find_library
from pathlib import Path

import pytest

from narrator.clock import FakeClock
from narrator.speech.sound_files import read_sound
from narrator.speech.troubles import Trouble
from narrator.speech.worker.drivers import BUNDLED, STOCK_ESPEAK, engine_names
from narrator.speech.worker.process import (
    EngineLostError,
    Patience,
    SteadyWorker,
    WorkerLostError,
    WorkerProcess,
    WorkerRefusedError,
)

SILENT_PROGRAM = (sys.executable, "-c", "import sys; sys.stdin.read()")
DYING_PROGRAM = (sys.executable, "-c", "pass")
ECHO = "import sys, json\nfor line in sys.stdin: print(line, end='', flush=True)"


@pytest.fixture
def worker() -> Iterator[WorkerProcess]:
    worker = WorkerProcess()
    yield worker
    worker.close()


@pytest.mark.sound
def test_it_lists_voices_of_every_engine_that_starts(worker: WorkerProcess) -> None:
    voices = worker.ask({"do": "voices"}, 20)["voices"]
    assert {voice["engine"] for voice in voices} <= set(engine_names())
    assert any("cmn" in voice["languages"] for voice in voices)


@pytest.mark.sound
def test_what_engines_print_stays_out_of_the_pipe(worker: WorkerProcess, tmp_path: Path) -> None:
    order = {"do": "render", "engine": BUNDLED, "voice": "gmw/en-US", "text": "Hello.", "rate": 160}
    for number in range(3):
        assert worker.ask({**order, "path": str(tmp_path / f"{number}.wav")}, 5) == {}
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.sound
@pytest.mark.parametrize(
    "order",
    [
        {"do": "dance"},
        {},
        {"do": "render", "engine": BUNDLED, "voice": "no/such", "text": "a", "rate": 160, "path": "out.wav"},
        {"do": "render", "engine": BUNDLED, "voice": "gmw/en-US", "text": "a", "rate": 160, "path": "/no/such/x.wav"},
        {"do": "render", "engine": "no-such-engine", "voice": "a", "text": "a", "rate": 160, "path": "out.wav"},
    ],
)
def test_what_it_cannot_do_is_an_answer_and_it_goes_on(
    worker: WorkerProcess, order: dict[str, object], tmp_path: Path
) -> None:
    if order.get("path") == "out.wav":
        order = order | {"path": str(tmp_path / "out.wav")}
    with pytest.raises(WorkerRefusedError):
        worker.ask(order, 10)
    assert worker.ask({"do": "voices"}, 20)["voices"]


@pytest.mark.sound
def test_an_interrupt_from_the_terminal_does_not_end_it(worker: WorkerProcess) -> None:
    worker.ask({"do": "voices"}, 20)
    os.kill(worker.pid, signal.SIGINT)
    assert worker.ask({"do": "voices"}, 20)["voices"]


def test_it_ends_when_the_pipe_does() -> None:
    worker = WorkerProcess()
    worker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(worker.pid, 0)


def test_a_silent_worker_is_ended_after_the_time_given() -> None:
    worker = WorkerProcess(SILENT_PROGRAM)
    with pytest.raises(WorkerLostError, match=r"0\.2 s"):
        worker.ask({}, 0.2)
    with pytest.raises(ProcessLookupError):
        os.kill(worker.pid, 0)


def test_a_worker_that_dies_is_noticed_at_once() -> None:
    worker = WorkerProcess(DYING_PROGRAM)
    with pytest.raises(WorkerLostError, match="ended"):
        worker.ask({}, 30)


def test_a_program_that_does_not_start_is_a_lost_worker() -> None:
    with pytest.raises(WorkerLostError, match="start"):
        WorkerProcess(("/no/such/program",))


def test_a_lost_worker_is_replaced_once_for_a_question() -> None:
    told: list[Trouble] = []
    steady = SteadyWorker(FakeClock(), Patience(start=0), SILENT_PROGRAM)
    with pytest.raises(EngineLostError):
        steady.ask({}, 0.1, told.append)
    assert [trouble.kind for trouble in told] == ["engine_restarted", "engine_failed"]
    steady.close()


def test_an_engine_lost_twice_is_left_alone_then_tried_again(tmp_path: Path) -> None:
    clock, told, recovered = FakeClock(), list[Trouble](), tmp_path / "recovered"
    program = f"import os\nif not os.path.exists({str(recovered)!r}): os._exit(1)\n{ECHO}"
    steady = SteadyWorker(clock, Patience(rest=30), (sys.executable, "-c", program))
    with pytest.raises(EngineLostError, match="twice"):
        steady.ask({}, 5, told.append)
    with pytest.raises(EngineLostError, match="left alone"):
        steady.ask({}, 5, told.append)
    assert len(told) == 2
    recovered.touch()
    clock.advance(31)
    assert steady.ask({"hello": 1}, 5, told.append) == {"hello": 1}
    steady.close()


def test_a_closed_worker_answers_nobody() -> None:
    steady = SteadyWorker(FakeClock(), Patience(), DYING_PROGRAM)
    steady.close()
    with pytest.raises(EngineLostError, match="closed"):
        steady.ask({}, 5, lambda _trouble: None)


@pytest.mark.sound
def test_the_stock_driver_renders_where_the_system_has_espeak(worker: WorkerProcess, tmp_path: Path) -> None:
    """What a 32-bit Raspberry Pi uses; without a system espeak the answer says so."""
    order = {"do": "render", "engine": STOCK_ESPEAK, "voice": "gmw/en-US", "text": "Hello there.", "rate": 160}
    if not find_library("espeak-ng"):
        with pytest.raises(WorkerRefusedError, match="eSpeak"):
            worker.ask({**order, "path": str(tmp_path / "a.wav")}, 10)
        return
    for number in range(3):
        worker.ask({**order, "path": str(tmp_path / f"{number}.wav")}, 10)
        assert read_sound(tmp_path / f"{number}.wav").seconds > 0.5
