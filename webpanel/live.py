"""Streams of server-sent events: a page learns that something has changed, and fetches what it may see."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from flask import Response

BEAT = 5.0
"""Seconds between two signs of life; the page takes the connection for lost after twice that and a little."""
SLICE = 0.5
"""Seconds after which a waiting stream looks whether there is other news, or whether it must end."""
MOST_STREAMS = {"judge": 12, "public": 24, "door": 12}
"""Open streams of one kind at a time, so that nobody can use up the server."""
RETRY_MS = 1500


class Streams:
    """Counts the open streams, and ends them when the server stops."""

    def __init__(self) -> None:
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._open = dict.fromkeys(MOST_STREAMS, 0)

    def take(self, kind: str) -> bool:
        """Count one more stream of that kind; False if there are too many."""
        with self._lock:
            if self._open[kind] >= MOST_STREAMS[kind]:
                return False
            self._open[kind] += 1
            return True

    def give_back(self, kind: str) -> None:
        """Count one stream less."""
        with self._lock:
            self._open[kind] -= 1

    def stop(self) -> None:
        """End every stream within half a second."""
        self.stopping.set()

    def response(self, kind: str, news: Callable[[float], bool], end: Callable[[], None] = lambda: None) -> Response:
        """An event stream that says `tick` whenever `news(seconds)`, which waits so long at most, is true."""
        if not self.take(kind):
            end()
            return Response("too many pages are open", 503, {"Retry-After": "10"}, mimetype="text/plain")
        stream = Response(self._run(news), mimetype="text/event-stream")
        stream.call_on_close(end)
        stream.call_on_close(lambda: self.give_back(kind))
        return stream

    def _run(self, news: Callable[[float], bool]) -> Iterator[str]:
        yield f"retry: {RETRY_MS}\n\nevent: tick\ndata: 0\n\n"
        beat = time.monotonic() + BEAT
        while not self.stopping.is_set():
            if news(SLICE):
                yield "event: tick\ndata: 1\n\n"
            elif time.monotonic() >= beat:
                yield "event: beat\ndata: 1\n\n"
            else:
                continue
            beat = time.monotonic() + BEAT
