"""The other end of the worker's pipe: ask, wait so long and no longer, and end a worker that does not answer."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
from collections.abc import Sequence
from typing import IO, Any

from narrator import child

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
