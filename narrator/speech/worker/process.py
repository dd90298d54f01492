"""The other end of the worker's pipe: ask, wait so long and no longer, and end a worker that does not answer."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

from narrator import child
from narrator.clock import Clock
from narrator.speech import troubles
from narrator.speech.renderers.renderer import TroubleListener
from narrator.speech.troubles import Trouble

COMMAND = child.module("narrator.speech.worker")
_GENTLE_SECONDS = 1.0


class WorkerLostError(Exception):
    """The worker hung or died; it is ended and cannot be asked again."""


class WorkerRefusedError(Exception):
    """The worker is well, but could not do what was asked."""


class WorkerProcess:
    """A running worker. One thread at a time may ask."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        """Start it. Raises WorkerLostError when the system cannot."""
        try:
            self._process = child.start(command, encoding="utf-8")
        except OSError as error:
            raise WorkerLostError(f"the speech engine's process does not start ({error})") from error
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        reader = threading.Thread(target=_read, args=(self._process.stdout, self._answers), daemon=True)
        reader.start()

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a request.

        Raises WorkerLostError when there is none within `seconds`, the worker then being ended, and
        WorkerRefusedError when the answer is an error.
        """
        self._send(request)
        try:
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            self.end()
            raise WorkerLostError(f"the speech engine did not answer within {seconds:.1f} s") from None
        return self._understood(line)

    def end(self) -> None:
        """End it at once; ending it twice does nothing."""
        self._process.kill()
        self._process.wait()
        self._close_pipes()

    def close(self) -> None:
        """Let it end by itself, but not for long."""
        self._close_pipes()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GENTLE_SECONDS)
        self.end()

    def _send(self, request: dict[str, Any]) -> None:
        try:
            _pipe(self._process.stdin).write(json.dumps(request) + "\n")
            _pipe(self._process.stdin).flush()
        except (OSError, ValueError) as error:
            self.end()
            raise WorkerLostError("the speech engine's process has ended") from error

    def _understood(self, line: str) -> dict[str, Any]:
        try:
            answer = dict(json.loads(line))
        except ValueError:
            self.end()
            raise WorkerLostError("the speech engine's process has ended") from None
        if "error" in answer:
            raise WorkerRefusedError(str(answer["error"]))
        return answer

    def _close_pipes(self) -> None:
        with contextlib.suppress(OSError):
            _pipe(self._process.stdin).close()


def _read(pipe: IO[str] | None, answers: queue.SimpleQueue[str]) -> None:
    """Hand over every line; an empty one tells that the worker has ended."""
    with contextlib.suppress(OSError, ValueError), _pipe(pipe) as lines:
        for line in lines:
            answers.put(line)
    answers.put("")


def _pipe(pipe: IO[str] | None) -> IO[str]:
    if pipe is None:
        raise ValueError("the process was started without pipes")
    return pipe


@dataclass(frozen=True)
class Patience:
    """How long to wait for an engine, in seconds."""

    line: float = 4.0
    """For a line, however short."""
    character: float = 0.05
    """More for each character of it."""
    start: float = 6.0
    """More for the first answer of a new worker."""
    rest: float = 30.0
    """An engine that was lost twice in a row is left alone for so long."""

    def for_text(self, text: str) -> float:
        """For a line with this text."""
        return self.line + self.character * len(text)


class EngineLostError(Exception):
    """The engine was lost, started anew, and lost again; or is being left alone after that."""


class SteadyWorker:
    """One thread asks; another may close it."""

    def __init__(self, clock: Clock, patience: Patience, command: Sequence[str] = COMMAND) -> None:
        """Nothing starts before the first question. `command` starts a worker."""
        self._clock = clock
        self._patience = patience
        self._command = command
        self._worker: WorkerProcess | None = None
        self._resting_until: float | None = None
        self._closed = False
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        """Process number of the worker that runs, if one does."""
        worker = self._worker
        return worker.pid if worker else None

    def ask(self, request: dict[str, Any], seconds: float, report: TroubleListener) -> dict[str, Any]:
        """The answer of a worker; `seconds` are allowed for each try. Raises EngineLostError or WorkerRefusedError."""
        self._refuse_while_resting()
        for last in (False, True):
            try:
                more = 0.0 if self._worker else self._patience.start
                return self._running().ask(request, seconds + more)
            except WorkerLostError as lost:
                self._worker = None
                self._tell(lost, last, report)
        self._resting_until = self._clock.now() + self._patience.rest
        raise EngineLostError("the speech engine was lost twice in a row")

    def close(self) -> None:
        """End the worker, even in the middle of an answer; asking then raises EngineLostError."""
        with self._lock:
            self._closed = True
            worker, self._worker = self._worker, None
        if worker:
            worker.close()

    def _running(self) -> WorkerProcess:
        with self._lock:
            if self._closed:
                raise EngineLostError("the speech engine was closed")
            self._worker = self._worker or WorkerProcess(self._command)
            return self._worker

    def _refuse_while_resting(self) -> None:
        if self._resting_until is not None and self._clock.now() < self._resting_until:
            raise EngineLostError("the speech engine is left alone for a while after it failed")
        self._resting_until = None

    def _tell(self, lost: WorkerLostError, last: bool, report: TroubleListener) -> None:
        if self._closed:
            raise EngineLostError("the speech engine was closed") from lost
        if not last:
            report(Trouble(troubles.ENGINE_RESTARTED, f"{lost}; it was started anew and the line is tried again"))
            return
        rest = f"{self._patience.rest:.0f} s"
        report(Trouble(troubles.ENGINE_FAILED, f"{lost}, twice in a row; lines are text only for the next {rest}"))
