"""Who may hold a connection to this machine, and for how long: strangers give way, the table's phones never do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from webpanel.hosts import caller

MOST_UNASKED = 20
"""Connections of one address that have sent no whole request for a moment; a further one ends the oldest."""
MOMENT = 1.0
"""Seconds: phones behind one address may all connect at once, and then ask."""
REQUEST_SECONDS = 10.0
"""What a request may take to come, from the connection's beginning or its own first byte."""
KEPT_SECONDS = {True: 75, False: 20}
"""How long a connection without a request is kept: a phone's of the table, and a stranger's."""


class Connection(H11Protocol):
    """One connection, counted."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.app_state = {**self.app_state, "connection": self}
        self.counted: Connections = self.config.app.connections  # type: ignore[union-attr]
        self.address = ""
        self.asked = False
        """Whether a whole request has come."""
        self.known = False
        """Whether it belongs to a phone that was let in."""
        self.busy = False
        """Whether an answer is being made; a stream is one that takes long."""
        self.streams = False
        self.gone = False
        self.on_gone: Callable[[], None] = lambda: None
        self.quiet_since = 0.0
        """When it last did something, in seconds of the loop."""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it, or make room for it."""
        super().connection_made(transport)
        self.address = caller(self.client[0]) if self.client else ""
        self.quiet_since = self.loop.time()
        self._await_request()
        self.counted.admit(self)
        self.loop.call_later(MOMENT, self.counted.look_at, self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        self._request_came()
        self.counted.forget(self)
        super().connection_lost(exc)
        self.gone = True
        self.on_gone()

    def data_received(self, data: bytes) -> None:
        """Take what came; a request that has begun must come to its end soon."""
        if not self.busy and self._deadline is None:
            self._await_request()
        super().data_received(data)

    def begin(self) -> None:
        """A whole request has come."""
        self._request_came()
        self.asked = self.busy = True

    def recognise(self, known: bool) -> None:
        """The one who asked is a phone of the table, or is not."""
        self.known = known
        self.timeout_keep_alive = KEPT_SECONDS[known]

    def finish(self) -> None:
        """It has been answered."""
        self.busy = self.streams = False
        self.quiet_since = self.loop.time()

    def drop(self) -> None:
        """End it, whatever is under way."""
        self.transport.abort()

    def _await_request(self) -> None:
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self.drop)

    def _request_came(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None


class Connections:
    """Every open connection; lives in the server's own thread."""

    def __init__(self, most: int) -> None:
        """`most`: so many at a time; then the stranger that has been silent for the longest time goes first."""
        self._most = most
        self._open: dict[Connection, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: Connection) -> None:
        """One more; the one that is needed least has to go for it where there are too many."""
        if len(self._open) >= self._most:
            self._end(next(self._least_needed(), connection))
        if not connection.transport.is_closing():
            self._open[connection] = None

    def look_at(self, connection: Connection) -> None:
        """A moment after it was admitted: if its address holds too many that are silent, the oldest has to go."""
        if connection.asked or connection.gone:
            return
        before = connection.quiet_since
        silent = [one for one in self._open if not one.asked and one.address == connection.address]
        if sum(one.quiet_since <= before for one in silent) > MOST_UNASKED:
            self._end(silent[0])

    def forget(self, connection: Connection) -> None:
        """It is closed."""
        self._open.pop(connection, None)

    def _least_needed(self) -> Iterator[Connection]:
        """Those that may go: silent strangers, then pages that only look on; the oldest first."""
        strangers = [one for one in self._open if not one.known]
        silent = [one for one in strangers if not one.busy]
        yield from sorted(silent, key=lambda one: (one.asked, one.quiet_since))
        yield from (one for one in strangers if one.streams)

    def _end(self, connection: Connection) -> None:
        self.forget(connection)
        connection.drop()
