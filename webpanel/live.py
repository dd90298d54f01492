"""Streams of server-sent events: a page learns that something has changed, and fetches what it may see."""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

from flask import Response, request

BEAT = 1.0
"""Seconds between two signs of life; the page takes a stream for dead after twice that and a little."""
SLICE = 0.5
"""Seconds between two looks at what does not ring by itself."""
MOST_STREAMS = {"judge": 24, "public": 400, "door": 24, "speaker": 24, "waiting speaker": 24}
"""Open streams of one kind at a time, so that nobody can use up the server."""
MOST_OF_ONE = 3
"""Open streams of one kind for one owner; a further one ends the oldest, left behind by a sleeping phone perhaps."""
APART = 0.005
"""Seconds between two pages of a crowd that are told the same, so that they do not all ask at the same time."""
RETRY_MS = 1500
LONGEST_ID = 24
"""Letters of a page's id that count."""

Ring = Callable[[], None]
Unsubscribe = Callable[[], None]


class Stream:
    """One open stream: what a page is still to be told.

    Our own server asks for `words` whenever `bell` rings; any other WSGI server may iterate over the stream.
    """

    def __init__(self, kind: str, owner: str, address: str, look: Callable[[], bool] | None = None) -> None:
        """`owner`: a phone's token or a page's id; `look`: whether something else has changed, asked every `SLICE`."""
        self.kind = kind
        self.owner = owner
        self.address = address
        self.look = look
        self.patience = 0.0
        """Seconds that news may wait."""
        self.on_close: list[Callable[[], None]] = []
        self._woken = threading.Event()
        self.bell: Callable[[], object] = self._woken.set
        self._begun = self._news = self._over = False
        self._beat = 0.0

    def ring(self) -> None:
        """Something has changed. Any thread may call this, and never waits."""
        self._news = True
        self._wake()

    def finish(self) -> None:
        """End the stream."""
        self._over = True
        self._wake()

    @property
    def is_over(self) -> bool:
        """Whether it has been ended."""
        return self._over

    def words(self) -> str | None:
        """What is to be sent now: a tick, a sign of life when it is time, else ''; None once the stream is over."""
        if self._over:
            return None
        news, self._news = self._news, False
        now = time.monotonic()
        if not self._begun:
            self._begun, said = True, f"retry: {RETRY_MS}\n\nevent: tick\ndata: 0\n\n"
        elif news:
            said = "event: tick\ndata: 1\n\n"
        elif now >= self._beat:
            said = "event: beat\ndata: 1\n\n"
        else:
            return ""
        self._beat = now + BEAT
        return said

    def __iter__(self) -> Iterator[bytes]:
        while (words := self.words()) is not None:
            if words:
                yield words.encode()
            if not self._woken.wait(min(SLICE, BEAT)) and self.look and self.look():
                self._news = True
            self._woken.clear()

    def close(self) -> None:
        """The page is gone, or the stream has ended."""
        self._over = True
        while self.on_close:
            self.on_close.pop()()

    def _wake(self) -> None:
        with contextlib.suppress(RuntimeError):  # the server's loop may be closed already
            self.bell()


class Streams:
    """Keeps count of the open streams, and ends them when the server stops."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: list[Stream] = []

    def take(self, kind: str, owner: str, address: str, look: Callable[[], bool] | None = None) -> Stream | None:
        """One more stream of that kind; None if there are too many.

        Where one address holds more than its share, it makes room for another address.
        """
        with self._lock:
            own = [stream for stream in self._open if (stream.kind, stream.owner) == (kind, owner)]
            for oldest in own[: len(own) - MOST_OF_ONE + 1]:
                self._end(oldest)
            of_kind = [stream for stream in self._open if stream.kind == kind]
            if len(of_kind) >= MOST_STREAMS[kind] and not self._make_room(of_kind, address):
                return None
            stream = Stream(kind, owner, address, look)
            stream.patience = APART * len(of_kind) if kind == "public" else 0.0
            stream.on_close.append(lambda: self._give_back(stream))
            self._open.append(stream)
            return stream

    def stop(self) -> None:
        """End every stream at once."""
        with self._lock:
            for stream in list(self._open):
                self._end(stream)

    def response(
        self,
        kind: str,
        owner: str,
        subscribe: Callable[[Ring], Unsubscribe],
        look: Callable[[], bool] | None = None,
    ) -> Response:
        """An event stream that says `tick` whenever what `subscribe` is handed is called, or `look` is true."""
        stream = self.take(kind, owner, request.remote_addr or "", look)
        if stream is None:
            return Response("too many pages are open", 503, {"Retry-After": "10"}, mimetype="text/plain")
        stream.on_close.append(subscribe(stream.ring))
        return Response(stream, mimetype="text/event-stream", direct_passthrough=True)

    def _make_room(self, of_kind: list[Stream], newcomer: str) -> bool:
        held = Counter(stream.address for stream in of_kind)
        address, most = held.most_common(1)[0]
        if most <= held[newcomer] + 1:
            return False
        self._end(next(stream for stream in of_kind if stream.address == address))
        return True

    def _give_back(self, stream: Stream) -> None:
        with self._lock:
            self._end(stream)

    def _end(self, stream: Stream) -> None:
        if stream in self._open:
            self._open.remove(stream)
        stream.finish()


def new_page_id() -> str:
    """An id for a page that is opened, known to itself alone."""
    return secrets.token_urlsafe(12)


def page_owner(page_id: str) -> str:
    """Whose a stream of an open page is: that page's, or its address's if it does not say which it is."""
    return page_id[:LONGEST_ID] or f"at {request.remote_addr}"
