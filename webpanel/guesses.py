"""How often somebody may guess at a secret."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

REMEMBERED = 1000
"""How many wrong guesses are kept at most, whoever made them."""


class Guesses:
    """Counts wrong guesses by address in a sliding window.

    `limit` is the most wrong guesses within `window` seconds; an address that has reached it must wait.
    """

    def __init__(self, limit: int = 8, window: float = 60.0, now: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._window = window
        self._now = now
        self._lock = threading.Lock()
        self._wrong: deque[tuple[float, str]] = deque(maxlen=REMEMBERED)

    def may(self, address: str) -> bool:
        """Whether this address may guess now."""
        with self._lock:
            self._forget_old()
            return sum(guesser == address for _, guesser in self._wrong) < self._limit

    def wrong(self, address: str) -> None:
        """Note a wrong guess."""
        with self._lock:
            self._wrong.append((self._now(), address))

    def _forget_old(self) -> None:
        while self._wrong and self._wrong[0][0] <= self._now() - self._window:
            self._wrong.popleft()
