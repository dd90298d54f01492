"""The speech timer: counts a speaker's time down, stops while the table is paused, decides nothing."""

from __future__ import annotations

from narrator.clock import Clock


class Countdown:
    """Seconds left to the seat that is speaking."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.seat: int | None = None
        """Whose time runs; None: nobody's."""
        self.seconds = 0.0
        """What the seat was given."""
        self._since = 0.0
        self._spent: float | None = None

    def start(self, seat: int, seconds: float) -> None:
        """Give a seat that many seconds from now."""
        self.seat, self.seconds, self._since, self._spent = seat, seconds, self._clock.now(), None

    def stop(self) -> None:
        """Nobody's time runs."""
        self.seat = None

    def pause(self) -> None:
        """Let no time pass until `go_on`."""
        if self._spent is None:
            self._spent = self._clock.now() - self._since

    def go_on(self) -> None:
        """Let time pass again."""
        if self._spent is not None:
            self._since, self._spent = self._clock.now() - self._spent, None

    def left(self) -> float:
        """Seconds left, 0 once they are over."""
        spent = self._clock.now() - self._since if self._spent is None else self._spent
        return max(0.0, self.seconds - spent)

    def to_json(self) -> dict[str, object] | None:
        """What a page needs to count along; None if nobody's time runs."""
        if self.seat is None:
            return None
        running = self._spent is None and self.left() > 0
        return {"seat": self.seat, "seconds": self.seconds, "left": round(self.left(), 1), "running": running}
