"""Takes before the game: the narrator asks one after the other for their word, three times each."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from narrator.clock import Timer
from narrator.hearing.events import Learn, Learned
from narrator.hearing.shelf import TakeShelf
from narrator.hearing.words import CLOSING, JUDGE, TAKES
from narrator.narration.lines import Line

PATIENCE = 20.0
"""Seconds after which somebody who says nothing is passed over."""


class Asker(Protocol):
    """What the guide needs around it."""

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Make a call later, under the table's lock."""

    def languages(self) -> Sequence[str]:
        """What is spoken, the first language first."""

    def names(self) -> Sequence[str]:
        """A name for every seat, '' for none."""

    def announce(self, line: Line) -> None:
        """Say a line that belongs to no game."""


@dataclass(frozen=True)
class Wish:
    """A word that somebody is asked for."""

    number: int
    """Goes up with every one, so that being asked twice is not the same."""
    seat: int | None
    """None: the judge."""
    word: str


def owner_of(seat: int | None, names: Sequence[str]) -> str:
    """Whose takes those of a seat are: the player's by name, wherever he sits, or the seat's where it has no name."""
    if seat is None:
        return JUDGE
    name = names[seat - 1].strip() if seat <= len(names) else ""
    if not name:
        return f"seat-{seat}"
    return f"player-{hashlib.sha256(name.casefold().encode()).hexdigest()[:16]}"


class Guide:
    """Leads through the recording."""

    def __init__(self, asker: Asker, shelf: TakeShelf) -> None:
        self._asker = asker
        self._shelf = shelf
        self._queue: deque[Wish] = deque()
        self.wish: Wish | None = None
        """Who is being asked; None: nobody."""
        self._kept = 0
        self._verdict = ""
        self._asked = 0
        self._several = False
        self._timer: Timer | None = None

    def begin(self, wishes: Iterable[tuple[int | None, str]]) -> None:
        """Ask these for their words, each seat (None: the judge) with a word."""
        self.stop()
        for seat, word in wishes:
            self._asked += 1
            self._queue.append(Wish(self._asked, seat, word))
        self._several = len(self._queue) > 1
        self._next()

    def skip(self) -> None:
        """Go on with whoever comes next."""
        if self.wish is not None:
            self._next()

    def stop(self) -> None:
        """Ask nobody any more."""
        self._queue.clear()
        self.wish = None
        self._cancel()

    def task(self, turn: int) -> Learn:
        """What the ears have to learn. Only while somebody is asked."""
        assert self.wish is not None
        return Learn(turn, self._owner(self.wish), self.wish.word, self._asker.languages()[0])

    def learned(self, event: Learned) -> None:
        """The ears have heard an attempt."""
        self._kept, self._verdict = event.kept, event.verdict
        self._wait()
        if event.kept >= TAKES:
            self._asker.announce(line("takes.thanks"))
            self._next()
        elif event.verdict != "kept":
            self._asker.announce(line("takes.unlike" if event.verdict == "unlike" else "takes.once_more"))

    def to_json(self) -> dict[str, Any] | None:
        """What the judge's page shows."""
        if self.wish is None:
            return None
        shown = {"seat": self.wish.seat, "word": self.wish.word, "kept": self._kept, "of": TAKES}
        return {**shown, "verdict": self._verdict, "left": len(self._queue)}

    def _owner(self, wish: Wish) -> str:
        return owner_of(wish.seat, self._asker.names())

    def _next(self) -> None:
        self._kept, self._verdict = 0, ""
        self.wish = self._queue.popleft() if self._queue else None
        if self.wish is None:
            self._cancel()
            if self._several:
                self._asker.announce(line("takes.done"))
            return
        for path in self._shelf.paths(self._owner(self.wish), self.wish.word, self._asker.languages()[0]):
            self._shelf.drop(path)
        self._asker.announce(asking(self.wish))
        self._wait()

    def _wait(self) -> None:
        self._cancel()
        self._timer = self._asker.later(PATIENCE, self.skip)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def line(key: str, **params: Any) -> Line:
    """A line after which nothing is waited for."""
    return Line(key, params, pause_after="none")


def asking(wish: Wish) -> Line:
    """The line that asks for a word."""
    return line("takes.ask", seat=wish.seat) if wish.word == CLOSING else line(f"takes.{wish.word}")
