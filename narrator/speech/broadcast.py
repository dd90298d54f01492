"""What loudspeaker pages play: the line that is being spoken, under a name nobody can guess, and nothing else."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass, field

from narrator.clock import Clock, SystemClock
from narrator.speech.clip import Clip

AFTERWARDS = 5.0
"""Seconds after its length for which a line can still be fetched."""


@dataclass
class _Line:
    """A line on the air."""

    name: str
    wav: bytes
    seconds: float
    since: float
    owed: set[str] = field(default_factory=set)
    """The pages that have not told its end."""


class Broadcast:
    """One for all pages and outputs of a table. Thread-safe; holds one line at a time, from its beginning on."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._line: _Line | None = None
        self._hushed: _Line | None = None
        self._hushed_at = 0.0
        self._pages: set[str] = set()
        self._changes = 0
        self._volume = 100
        self._changed = threading.Condition()

    # For outputs

    def publish(self, clip: Clip) -> str:
        """Let every page play this, in place of what it plays; the line's name."""
        line = _Line(secrets.token_urlsafe(16), clip.wav(), clip.seconds, self._clock.now())
        with self._changed:
            line.owed = set(self._pages)
            self._line = line
            self._change()
        return line.name

    def hush(self) -> None:
        """Let every page be silent."""
        with self._changed:
            if self._line:
                self._hushed, self._hushed_at = self._line, self._clock.now()
                self._line = None
                self._change()

    def set_volume(self, percent: int) -> None:
        """0 to 100, also for the line under way."""
        with self._changed:
            self._volume = percent
            self._change()

    @property
    def has_pages(self) -> bool:
        """Whether anybody would play a line."""
        return bool(self._pages)

    def is_owed(self, name: str) -> bool:
        """Whether a page that began this line, and is still there, has not told its end."""
        with self._changed:
            return self._line is not None and self._line.name == name and bool(self._line.owed)

    # For pages

    @property
    def changes(self) -> int:
        """Goes up whenever pages must look again."""
        return self._changes

    def join(self, page: str) -> None:
        """A page plays from now on."""
        with self._changed:
            self._pages.add(page)

    def leave(self, page: str) -> None:
        """A page is gone: nobody waits for it."""
        with self._changed:
            self._pages.discard(page)
            if self._line:
                self._line.owed.discard(page)

    def ended(self, page: str, name: str) -> None:
        """A page has come to the end of a line; before the line can be over, that is not believed."""
        with self._changed:
            line = self._line
            if line and line.name == name and self._clock.now() >= line.since + 0.9 * line.seconds:
                line.owed.discard(page)

    def now(self) -> dict[str, object]:
        """What a page must know: the `name` of the line or '', how long ago it began, and how loud it is to be."""
        with self._changed:
            line = self._current()
            since = round(self._clock.now() - line.since, 2) if line else 0.0
            return {"name": line.name if line else "", "elapsed": since, "volume": self._volume / 100}

    def wav(self, name: str) -> bytes | None:
        """The sound of that name while it is being spoken, and a moment longer for pages that are still fetching it."""
        with self._changed:
            lines = filter(None, (self._current(), self._fading()))
            return next((one.wav for one in lines if secrets.compare_digest(one.name.encode(), name.encode())), None)

    def wait(self, seen: int, seconds: float) -> int:
        """Wait until there are other changes than those seen, `seconds` at most; how many there are."""
        with self._changed:
            self._changed.wait_for(lambda: self._changes != seen, seconds)
            return self._changes

    def _current(self) -> _Line | None:
        line = self._line
        return line if line and self._clock.now() <= line.since + line.seconds + AFTERWARDS else None

    def _fading(self) -> _Line | None:
        return self._hushed if self._clock.now() <= self._hushed_at + AFTERWARDS else None

    def _change(self) -> None:
        self._changes += 1
        self._changed.notify_all()
