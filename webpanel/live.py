"""Streams of server-sent events: a page learns that something has changed, and fetches what it may see."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from flask import Response

BEAT = 5.0
"""Seconds between two signs of life; the page takes the connection for lost after twice that and a little."""
SLICE = 0.5
"""Seconds after which a waiting stream looks whether there is other news, or whether it must end."""
MOST_STREAMS = {"judge": 12, "public": 24, "door": 12, "speaker": 6}
"""Open streams of one kind at a time, so that nobody can use up the server."""
MOST_OF_ONE = 3
"""Open streams of one kind for one phone; a further one ends the oldest, left behind by a sleeping phone perhaps."""
RETRY_MS = 1500


@dataclass(eq=False)
class Stream:
    """One open stream."""

    kind: str
    owner: str
    """Whose it is: a phone's token, or an address."""
    over: threading.Event = field(default_factory=threading.Event)


class Streams:
    """Keeps count of the open streams, and ends them when the server stops."""

    def __init__(self) -> None:
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._open: list[Stream] = []

    def take(self, kind: str, owner: str) -> Stream | None:
        """One more stream of that kind; None if there are too many."""
        with self._lock:
            of_kind = [stream for stream in self._open if stream.kind == kind]
            own = [stream for stream in of_kind if stream.owner == owner]
            for oldest in own[: len(own) - MOST_OF_ONE + 1]:
                self._end(oldest)
                of_kind.remove(oldest)
            if len(of_kind) >= MOST_STREAMS[kind]:
                return None
            stream = Stream(kind, owner)
            self._open.append(stream)
            return stream

    def give_back(self, stream: Stream) -> None:
        """The stream has ended."""
        with self._lock:
            self._end(stream)

    def stop(self) -> None:
        """End every stream within half a second."""
        self.stopping.set()

    def response(
        self, kind: str, owner: str, news: Callable[[float], bool], end: Callable[[], None] = lambda: None
    ) -> Response:
        """An event stream that says `tick` whenever `news(seconds)`, which waits so long at most, is true."""
        stream = self.take(kind, owner)
        if stream is None:
            end()
            return Response("too many pages are open", 503, {"Retry-After": "10"}, mimetype="text/plain")
        answer = Response(self._run(stream, news), mimetype="text/event-stream")
        answer.call_on_close(end)
        answer.call_on_close(lambda: self.give_back(stream))
        return answer

    def _end(self, stream: Stream) -> None:
        stream.over.set()
        if stream in self._open:
            self._open.remove(stream)

    def _run(self, stream: Stream, news: Callable[[float], bool]) -> Iterator[str]:
        yield f"retry: {RETRY_MS}\n\nevent: tick\ndata: 0\n\n"
        beat = time.monotonic() + BEAT
        while not self.stopping.is_set() and not stream.over.is_set():
            if news(SLICE):
                yield "event: tick\ndata: 1\n\n"
            elif time.monotonic() >= beat:
                yield "event: beat\ndata: 1\n\n"
            else:
                continue
            beat = time.monotonic() + BEAT
