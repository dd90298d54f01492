"""Renders in the background, always what is needed soonest, so that nobody waits for an engine twice."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence

from narrator.speech.clip import Clip
from narrator.speech.renderers.renderer import Renderer, RenderError, Request, TroubleListener


class Preparer:
    """A thread that fills the cache: first what is wanted now, in its order, then what may come later."""

    def __init__(
        self, renderer: Renderer, cache: ClipCache, *, on_news: Callable[[], None], report: TroubleListener
    ) -> None:
        """`on_news` is called on the preparer's thread, without a lock, whenever a wanted request was settled."""
        self._renderer = renderer
        self._cache = cache
        self._on_news = on_news
        self._report = report
        self._wanted: tuple[Request, ...] = ()
        self._later: dict[Request, None] = {}
        self._expected: deque[Request] = deque()
        self._expected_count = 0
        self._failed: dict[Request, RenderError] = {}
        self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="speech-preparer", daemon=True)
        self._thread.start()

    def want(self, requests: Sequence[Request]) -> None:
        """What is needed now, soonest first, in place of what was wanted before."""
        with self._changed:
            self._wanted = tuple(requests)
            self._failed = {request: why for request, why in self._failed.items() if request in self._wanted}
            self._changed.notify_all()

    def later(self, requests: Iterable[Request]) -> None:
        """What may be needed: rendered when nothing is wanted."""
        with self._changed:
            self._later |= dict.fromkeys(requests)
            self._changed.notify_all()

    def expect(self, requests: Iterable[Request]) -> None:
        """What an evening is made of, in place of what was expected before: rendered last, as long as there is room."""
        with self._changed:
            self._expected = deque(dict.fromkeys(requests))
            self._expected_count = len(self._expected)
            self._changed.notify_all()

    @property
    def progress(self) -> tuple[int, int]:
        """How many of the expected are done with, and of how many."""
        with self._changed:
            return self._expected_count - len(self._expected), self._expected_count

    def forgive(self, requests: Iterable[Request]) -> None:
        """Try these again when wanted, unless they failed for good."""
        with self._changed:
            for request in requests:
                if request in self._failed and not self._failed[request].final:
                    del self._failed[request]
            self._changed.notify_all()

    def clip(self, request: Request) -> Clip | None:
        """The clip, if it is there."""
        return self._cache.get(request)

    def is_settled(self, requests: Iterable[Request]) -> bool:
        """Whether each of these wanted requests has its clip, or never will."""
        return all(request in self._cache or request in self._failed for request in requests)

    def close(self) -> None:
        """Stop, ending what is being rendered."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._renderer.close()
        if self._thread is not threading.current_thread():
            self._thread.join(2.0)

    def _run(self) -> None:
        self._renderer.warm_up(self._report)
        while (request := self._next()) is not None:
            self._render(request)
            self._on_news()

    def _next(self) -> Request | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._due() is not None)
            due = None if self._closed else self._due()
            if due is not None:
                self._later.pop(due, None)
                if self._expected and self._expected[0] == due:
                    self._expected.popleft()
            return due

    def _due(self) -> Request | None:
        soon = (request for request in self._wanted if request not in self._cache and request not in self._failed)
        later = (request for request in self._later if request not in self._cache)
        return next(soon, None) or next(later, None) or self._first_expected()

    def _first_expected(self) -> Request | None:
        """The first of the expected that is not there; none where it would drive out others."""
        while self._expected and self._expected[0] in self._cache:
            self._expected.popleft()
        if self._cache.is_nearly_full:
            self._expected.clear()
        return self._expected[0] if self._expected else None

    def _render(self, request: Request) -> None:
        try:
            self._cache.keep(request, self._renderer.render(request, self._report))
        except RenderError as failure:
            with self._changed:
                if request in self._wanted:
                    self._failed[request] = failure


DEFAULT_BYTES = 64 * 1024 * 1024
"""About twenty-five minutes of speech."""


class ClipCache:
    """Bounded by bytes of samples; the clip kept last stays even when it alone is larger. Thread-safe."""

    def __init__(self, most_bytes: int = DEFAULT_BYTES) -> None:
        self._most = most_bytes
        self._clips: OrderedDict[Request, Clip] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, request: Request) -> Clip | None:
        """The clip kept for a request, which counts as use of it."""
        with self._lock:
            if request in self._clips:
                self._clips.move_to_end(request)
            return self._clips.get(request)

    def keep(self, request: Request, clip: Clip) -> None:
        """Keep a clip, dropping others where there is no room."""
        with self._lock:
            old = self._clips.pop(request, None)
            self._clips[request] = clip
            self._bytes += len(clip.samples) - (len(old.samples) if old else 0)
            while self._bytes > self._most and len(self._clips) > 1:
                self._bytes -= len(self._clips.popitem(last=False)[1].samples)

    def __contains__(self, request: Request) -> bool:
        with self._lock:
            return request in self._clips

    @property
    def is_nearly_full(self) -> bool:
        """Whether what is kept from now on would soon drive out what was kept before."""
        return self._bytes > 0.8 * self._most

    @property
    def bytes(self) -> int:
        """Bytes of samples kept."""
        return self._bytes
