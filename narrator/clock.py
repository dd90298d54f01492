"""Time from outside: everything that waits asks a clock, so that tests can turn the hands themselves."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """A call that has been promised for later."""

    def cancel(self) -> None:
        """Forget the call; cancelling twice, or after it was made, does nothing."""


class Clock(Protocol):
    """What the program knows of time."""

    def now(self) -> float:
        """Seconds on a clock that never goes back; its zero means nothing."""

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Make `call` once, `seconds` (0 or more) from now, on a thread of the clock's own choosing."""


class SystemClock:
    """The real clock: one daemon thread per waiting call."""

    def now(self) -> float:
        return time.monotonic()

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        timer = threading.Timer(max(0.0, seconds), call)
        timer.daemon = True
        timer.start()
        return timer


class FakeClock:
    """A clock that only moves when told to; calls are made inside `advance`, in the order in which they fall due."""

    def __init__(self) -> None:
        self._now = 0.0
        self._count = 0
        self._waiting: list[_Waiting] = []

    def now(self) -> float:
        return self._now

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        self._count += 1
        waiting = _Waiting(self._now + max(0.0, seconds), self._count, call)
        self._waiting.append(waiting)
        return waiting

    def advance(self, seconds: float) -> None:
        """Move `seconds` forward, making every call that falls due on the way."""
        end = self._now + seconds
        while due := self._next_due(end):
            self._waiting.remove(due)
            self._now = max(self._now, due.at)
            if not due.cancelled:
                due.call()
        self._now = end

    def due(self) -> list[float]:
        """When the calls that are still promised fall due, in the order in which they were promised."""
        return [waiting.at for waiting in self._waiting if not waiting.cancelled]

    def waiting(self) -> int:
        """How many calls are still promised."""
        return len(self.due())

    def leap(self) -> None:
        """Move forward to the next call, and make it. Raises ValueError if none is promised."""
        self.advance(min(self.due()) - self._now)

    def _next_due(self, end: float) -> _Waiting | None:
        due = [waiting for waiting in self._waiting if waiting.at <= end]
        return min(due, key=lambda waiting: (waiting.at, waiting.order), default=None)


class _Waiting:
    def __init__(self, at: float, order: int, call: Callable[[], None]) -> None:
        self.at = at
        self.order = order
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True
