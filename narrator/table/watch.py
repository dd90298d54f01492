"""Who watches the table: pages wait here until something they may see has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable

Bell = Callable[[], None]
"""Called when there is news, in any thread; it must not wait for anything."""
AUDIENCES = ("judge", "public")
"""Each hears of its own changes only: the public one must not tick when a secret changes."""


class Watches:
    """All watches of a table, by audience."""

    def __init__(self) -> None:
        self.news = threading.Condition()
        self.closed = False
        self._counts = dict.fromkeys(AUDIENCES, 0)
        self._bells: dict[Watch, Bell] = {}

    def open(self, audience: str, bell: Bell | None = None) -> Watch:
        """A new watch, with a bell for who does not wait. Raises ValueError for an audience that does not exist."""
        if audience not in self._counts:
            raise ValueError(f"an audience must be one of {', '.join(AUDIENCES)}; got {audience!r}")
        watch = Watch(self, audience)
        if bell:
            with self.news:
                self._bells[watch] = bell
        return watch

    def tick(self, audience: str) -> None:
        """Wake everybody in that audience."""
        with self.news:
            self._counts[audience] += 1
            self.news.notify_all()
            bells = [bell for watch, bell in self._bells.items() if watch.audience == audience]
        for bell in bells:
            bell()

    def forget(self, watch: Watch) -> None:
        """Ring its bell no more."""
        with self.news:
            self._bells.pop(watch, None)

    def close(self) -> None:
        """Wake everybody for the last time."""
        with self.news:
            self.closed = True
            self.news.notify_all()

    def count(self, audience: str) -> int:
        """How many changes that audience has been told of."""
        with self.news:
            return self._counts[audience]


class Watch:
    """One page's watch. Changes that come between two waits are not lost: the next wait returns at once."""

    def __init__(self, watches: Watches, audience: str) -> None:
        self.audience = audience
        self._watches = watches
        self._closed = False
        self._seen = watches.count(audience)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait up to `timeout` seconds (None: for ever). True: something changed; False: time is up, or all is over."""
        watches = self._watches
        with watches.news:
            watches.news.wait_for(lambda: self.closed or watches.count(self.audience) != self._seen, timeout)
            seen, self._seen = self._seen, watches.count(self.audience)
            return not self.closed and seen != self._seen

    @property
    def closed(self) -> bool:
        """Whether the watch or the whole table has been closed."""
        return self._closed or self._watches.closed

    def close(self) -> None:
        """Stop watching; a wait in progress ends at once."""
        self._watches.forget(self)
        with self._watches.news:
            self._closed = True
            self._watches.news.notify_all()
