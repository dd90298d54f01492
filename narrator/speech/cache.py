"""Clips kept in memory, the longest unused going first."""

from __future__ import annotations

import threading
from collections import OrderedDict

from narrator.speech.clip import Clip
from narrator.speech.rendering import Request

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
