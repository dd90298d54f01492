"""The speech timer: counts a speaker's time down, stops while the table is paused, decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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


class Countdown:
    """Seconds left to the seat that is speaking."""

    def __init__(self, order: Order, on_mark: Callable[[int], None]) -> None:
        """`on_mark` is told when SHORT seconds, and when 0 seconds are left."""
        self._order = order
        self._on_mark = on_mark
        self.seat: int | None = None
        """Whose time runs; None: nobody's."""
        self.seconds = 0
        """What the seat was given."""
        self._since = 0.0
        self._spent: float | None = None
        self._timer: Timer | None = None

    def start(self, seat: int, seconds: int) -> None:
        """Give a seat that many seconds from now."""
        self.stop()
        self.seat, self.seconds, self._since, self._spent = seat, seconds, self._order.now(), None
        self._await()

    def stop(self) -> None:
        """Nobody's time runs."""
        self._cancel()
        self.seat = None

    def pause(self) -> None:
        """Let no time pass until `go_on`."""
        self._cancel()
        if self._spent is None:
            self._spent = self._order.now() - self._since

    def go_on(self) -> None:
        """Let time pass again."""
        if self._spent is not None:
            self._since, self._spent = self._order.now() - self._spent, None
            self._await()

    def left(self) -> float:
        """Seconds left, 0 once they are over."""
        spent = self._order.now() - self._since if self._spent is None else self._spent
        return max(0.0, self.seconds - spent)

    def view(self) -> TimeLeft | None:
        """What a page needs to count along; None if nobody's time runs."""
        if self.seat is None:
            return None
        running = self._spent is None and self.left() > 0
        return TimeLeft(self.seat, self.seconds, round(self.left(), 1), running)

    def _await(self) -> None:
        marks = (SHORT, 0) if self.seconds >= WORTH_A_WARNING else (0,)
        mark = next((mark for mark in marks if mark < self.left()), None)
        if self.seat is not None and mark is not None:
            self._timer = self._order.later(self.left() - mark, lambda: self._reach(mark))

    def _reach(self, mark: int) -> None:
        self._timer = None
        self._on_mark(mark)
        if mark and self.seat is not None and self._timer is None:
            self._timer = self._order.later(mark, lambda: self._reach(0))

    def _cancel(self) -> None:
        timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
