"""A worker that is always there: one that hangs or dies is replaced, and asked once more."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from narrator.clock import Clock
from narrator.speech import trouble
from narrator.speech.process import COMMAND, WorkerLostError, WorkerProcess
from narrator.speech.rendering import Report
from narrator.speech.trouble import Trouble


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

    def ask(self, request: dict[str, Any], seconds: float, report: Report) -> dict[str, Any]:
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

    def _tell(self, lost: WorkerLostError, last: bool, report: Report) -> None:
        if self._closed:
            raise EngineLostError("the speech engine was closed") from lost
        if not last:
            report(Trouble(trouble.ENGINE_RESTARTED, f"{lost}; it was started anew and the line is tried again"))
            return
        rest = f"{self._patience.rest:.0f} s"
        report(Trouble(trouble.ENGINE_FAILED, f"{lost}, twice in a row; lines are text only for the next {rest}"))
