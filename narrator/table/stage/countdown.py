"""The speech timer: counts a speaker's time down, stops while the table is paused, decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from narrator.clock import Timer
from narrator.table.order import Order

SHORT = 10
"""Seconds before the end at which a speaker is warned."""
WORTH_A_WARNING = 30
"""Seconds below which a speech is too short to be warned in."""


@dataclass(frozen=True)
class TimeLeft:
    """A speaker's time at one moment."""

    seat: int
    seconds: int
    """What the seat was given."""
    left: float
    """Seconds, to a tenth."""
    running: bool

    @property
    def clock(self) -> str:
        """Minutes and seconds left, as a clock shows them."""
        return f"{int(self.left) // 60}:{int(self.left) % 60:02}"


@dataclass(frozen=True)
class Running:
    """A speaker's time, as it can be told at any later moment."""

    seat: int
    seconds: int
    """What the seat was given."""
    since: float
    """On the clock."""
    spent: float | None = None
    """Seconds that were spent when the time was stopped; None: it is running."""

    def left(self, now: float) -> float:
        """Seconds left, 0 once they are over."""
        return max(0.0, self.seconds - (now - self.since if self.spent is None else self.spent))

    def at(self, now: float) -> TimeLeft:
        """What a page needs to count along."""
        left = self.left(now)
        return TimeLeft(self.seat, self.seconds, round(left, 1), self.spent is None and left > 0)


class Countdown:
    """Seconds left to the seat that is speaking."""

    def __init__(self, order: Order, on_mark: Callable[[int], None]) -> None:
        """`on_mark` is told when SHORT seconds, and when 0 seconds are left."""
        self._order = order
        self._on_mark = on_mark
        self.running: Running | None = None
        """Whose time runs; None: nobody's."""
        self._timer: Timer | None = None

    def start(self, seat: int, seconds: int) -> None:
        """Give a seat that many seconds from now."""
        self.stop()
        self.running = Running(seat, seconds, self._order.now())
        self._await()

    def stop(self) -> None:
        """Nobody's time runs."""
        self._cancel()
        self.running = None

    def pause(self) -> None:
        """Let no time pass until `go_on`."""
        self._cancel()
        if self.running and self.running.spent is None:
            self.running = replace(self.running, spent=self._order.now() - self.running.since)

    def go_on(self) -> None:
        """Let time pass again."""
        if self.running and self.running.spent is not None:
            self.running = replace(self.running, since=self._order.now() - self.running.spent, spent=None)
            self._await()

    def view(self) -> TimeLeft | None:
        """What a page needs to count along; None if nobody's time runs."""
        return self.running.at(self._order.now()) if self.running else None

    def _await(self) -> None:
        running = self.running
        if running is None:
            return
        left = running.left(self._order.now())
        marks = (SHORT, 0) if running.seconds >= WORTH_A_WARNING else (0,)
        mark = next((mark for mark in marks if mark < left), None)
        if mark is not None:
            self._timer = self._order.later(left - mark, lambda: self._reach(mark))

    def _reach(self, mark: int) -> None:
        self._timer = None
        self._on_mark(mark)
        if mark and self.running and self._timer is None:
            self._timer = self._order.later(mark, lambda: self._reach(0))

    def _cancel(self) -> None:
        timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
