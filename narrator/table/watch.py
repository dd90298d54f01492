"""Who watches the table: pages wait here until something they may see has changed."""

from __future__ import annotations

import threading

AUDIENCES = ("judge", "public")
"""Each hears of its own changes only: the public one must not tick when a secret changes."""


class Watches:
    """All watches of a table, by audience."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._counts = dict.fromkeys(AUDIENCES, 0)
        self._closed = False

    def open(self, audience: str) -> Watch:
        """A new watch. Raises ValueError for an audience that does not exist."""
        if audience not in self._counts:
            raise ValueError(f"an audience must be one of {', '.join(AUDIENCES)}; got {audience!r}")
        return Watch(self, audience)

    def tick(self, audience: str) -> None:
        """Wake everybody in that audience."""
        with self._changed:
            self._counts[audience] += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Wake everybody for the last time."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def count(self, audience: str) -> int:
        """How many changes that audience has been told of."""
        with self._changed:
            return self._counts[audience]

    def wait(self, watch: Watch, timeout: float | None) -> bool:
        """Block until the watch has something to see, is closed, or `timeout` seconds are over."""
        with self._changed:
            self._changed.wait_for(lambda: self._over(watch) or self._counts[watch.audience] != watch.seen, timeout)
            news = not self._over(watch) and self._counts[watch.audience] != watch.seen
            watch.seen = self._counts[watch.audience]
            return news

    def over(self, watch: Watch) -> bool:
        """Whether nothing will come any more."""
        with self._changed:
            return self._over(watch)

    def dismiss(self, watch: Watch) -> None:
        """Close one watch and wake who waits on it."""
        with self._changed:
            watch.dismissed = True
            self._changed.notify_all()

    def _over(self, watch: Watch) -> bool:
        return self._closed or watch.dismissed


class Watch:
    """One page's watch. Changes that come between two waits are not lost: the next wait returns at once."""

    def __init__(self, watches: Watches, audience: str) -> None:
        self.audience = audience
        self.dismissed = False
        self._watches = watches
        self.seen = watches.count(audience)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait up to `timeout` seconds (None: for ever). True: something changed; False: time is up, or all is over."""
        return self._watches.wait(self, timeout)

    @property
    def closed(self) -> bool:
        """Whether the watch or the whole table has been closed."""
        return self._watches.over(self)

    def close(self) -> None:
        """Stop watching; a wait in progress ends at once."""
        self._watches.dismiss(self)
