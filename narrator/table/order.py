"""One thing after the other: the lock of a table, its revision, its clock, and those who wait for changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from narrator.clock import Clock, Timer
from narrator.table.watch import Watches


class Stale(Exception):
    """The judge has seen an older revision; nothing was done. `revision` is the present one."""

    def __init__(self, seen: object, revision: int) -> None:
        self.revision = revision
        super().__init__(f"the table has moved on to revision {revision}; got {seen}")


class Order:
    """Everything that happens at a table happens inside `looking`, `acting` or `speaking`, in any thread."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.watches = Watches()
        self.revision = 1
        """Goes up with every change of what can be done; speech and preferences do not raise it."""
        self.on_settled: Callable[[], None] = lambda: None
        """Told when something has happened, and is over."""
        self.on_changed: Callable[[], None] = lambda: None
        """Told under the lock, once all is in order again after anything may have changed."""
        self._lock = threading.RLock()
        self._depth = 0
        self._changed = self._heard = False
        self._closed = False

    def now(self) -> float:
        """Seconds on the clock."""
        return self.clock.now()

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Make a call later, under the lock; never after `close`."""
        return self.clock.call_later(seconds, lambda: self.tell(call))

    def tell(self, call: Callable[[], None]) -> None:
        """Make a call from outside, under the lock; not after `close`."""
        with self.speaking():
            if not self._closed:
                call()

    def changed(self) -> None:
        """Something else can be done now."""
        self.revision += 1
        self._changed = True
        self.watches.tick("judge")

    def heard(self) -> None:
        """Everybody can see something else now; they are told when what is being done is over."""
        self._changed = self._heard = True

    def check(self, seen: object) -> None:
        """Raises Stale unless that is the present revision."""
        if seen != self.revision:
            raise Stale(seen, self.revision)

    @contextmanager
    def looking(self) -> Iterator[None]:
        """The lock, for something that changes nothing."""
        with self._locked():
            yield

    @contextmanager
    def acting(self, seen: int | None) -> Iterator[None]:
        """The lock, for something that changes what can be done.

        Stale unless the judge has `seen` the present revision; None: whatever he has seen.
        """
        with self._locked():
            if seen is not None:
                self.check(seen)
            yield
            self.changed()
            self.on_settled()

    @contextmanager
    def speaking(self) -> Iterator[None]:
        """The lock, for something that changes only what is being said."""
        with self._locked():
            self._changed = True
            yield
            self.on_settled()
            self.watches.tick("judge")

    def close(self) -> None:
        """Promised calls are not made any more, and nobody is told of anything."""
        self._closed = True

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self._lock:
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if not self._depth:
                    self._tell_changes()

    def _tell_changes(self) -> None:
        changed, self._changed = self._changed, False
        heard, self._heard = self._heard, False
        if changed:
            self.on_changed()
        if heard:
            self.watches.tick("public")
