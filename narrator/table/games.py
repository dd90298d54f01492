"""The games in a folder: which were interrupted, which came last, and how a new one is begun.

What came last is told by a counter in the journals (`order`), never by a clock: one that stands wrong hides no game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from narrator.model.events import Dawned, NightFell
from narrator.model.state import Setup
from narrator.storage.journal import (
    SUFFIX,
    JournalError,
    effective,
    is_end,
    journals,
    last_line,
    order_of,
    read_journal,
)
from narrator.table.game import Game, Understood, understood

MOST_OFFERED = 3
STAMP, STAMP_LIKE = "%Y-%m-%d-%H%M%S", "2000-01-01-000000"
"""How the id of a game begins; two games never begin alike."""


@dataclass(frozen=True)
class InterruptedGame:
    """A game that stopped in the middle, as far as its journal is sound."""

    path: Path
    created: str
    """When it began, '' if that cannot be told; the same for its ruleset."""
    ruleset: str
    seats: int | None
    round: int
    phase: str
    """`night` or `day`"""
    problem: str | None
    """A sentence if some of it is damaged."""
    rescue: bool = False
    """Whether it can be gone on with all the same, up to its last sound record."""

    @property
    def id(self) -> str:
        """What it is called."""
        return self.path.stem


class Games:
    """The games in a folder."""

    def __init__(self, folder: Path, today: Callable[[], datetime], given_up: Collection[str] = ()) -> None:
        """`given_up`: ids of interrupted games that a new one was preferred to."""
        self._folder = folder
        self._today = today
        self.given_up = set(given_up)
        self.look()

    def look(self) -> None:
        """See which games were interrupted, and which time a game was last on a table."""
        stands = [(*standing(path), path) for path in journals(self._folder)]
        self.order = max((order for order, _, _ in stands), default=0)
        """Which time it was that a game of this folder was put on a table, at the last one; 0 in a folder of old."""
        self.unended = [path for _, ended, path in sorted(stands, reverse=True) if not ended]
        """Journals of all games that have not ended, the latest first."""
        self.given_up &= {path.stem for path in self.unended}
        offered = [path for path in self.unended if path.stem not in self.given_up]
        self.interrupted = [described(path) for path in offered[:MOST_OFFERED]]
        """What can be told of those that are offered, the latest first."""

    def give_up(self) -> None:
        """Offer none of these games any more; each can still be gone on with by its id."""
        self.given_up = self.left_behind()
        self.interrupted = []

    def left_behind(self) -> set[str]:
        """The ids of all games that have not ended."""
        return {path.stem for path in self.unended}

    def find(self, name: str) -> InterruptedGame | None:
        """The game of that id or file, the latest if it is '': of those not given up, or else of all. None: no such."""
        if not name:
            return next(iter([*self.interrupted, *map(described, self.unended[:1])]), None)
        ours = self._folder / f"{name.removesuffix(SUFFIX)}{SUFFIX}"
        path = next((path for path in (ours, Path(name)) if path.is_file()), None)
        return described(path) if path and not standing(path)[1] else None

    def begin(self, document: Mapping[str, Any], setup: Setup, names: tuple[str, ...]) -> Game:
        """A new game of the ruleset in that document. Raises JournalError if it cannot be written."""
        now = moment = self._today()
        taken = {path.name[: len(STAMP_LIKE)] for path in self._folder.iterdir()}
        while f"{moment:{STAMP}}" in taken:
            moment += timedelta(seconds=1)
        name = f"{moment:{STAMP}}-{setup.ruleset.id}"
        return Game.begin(self._folder, name, now.isoformat(), document, setup, names, self._next())

    def resume(self, path: Path, *, damaged: bool = False) -> Game:
        """Go on with a game; see `Game.resume`. Raises JournalError if it cannot be gone on with."""
        return Game.resume(path, self._next(), damaged=damaged)

    def _next(self) -> int:
        """Which time it is now, whoever else may have begun games here since somebody looked."""
        return 1 + max((standing(path)[0] for path in journals(self._folder)), default=0)


def standing(path: Path) -> tuple[int, bool]:
    """Which time it was that the game of a journal was last on a table, and whether it has ended."""
    last = last_line(path)
    if last and (is_end(last) or "order" in last):
        return order_of(last), is_end(last)
    try:
        content = read_journal(path)
    except JournalError:
        return 0, False
    return content.order, any(map(is_end, effective(content.records)))


def described(path: Path) -> InterruptedGame:
    """What can be told of an interrupted game."""
    try:
        content = read_journal(path)
    except JournalError as fault:
        return _entry(path, {}, None, str(fault))
    if content.header is None:
        return _entry(path, {}, None, content.damage or content.torn)
    found = understood(path, content.header, content.records)
    return _entry(path, content.header, found, found.fault or content.damage)


def _entry(path: Path, header: dict[str, Any], found: Understood | None, problem: str | None) -> InterruptedGame:
    events = [event for entry in found.entries for event in entry.events] if found else []
    nights = [event for event in events if isinstance(event, NightFell)]
    turns = [event for event in events if isinstance(event, NightFell | Dawned)]
    return InterruptedGame(
        path=path,
        created=header.get("created", ""),
        ruleset=str(header.get("ruleset", {}).get("id", "")),
        seats=found.setup.seats if found and found.setup else None,
        round=nights[-1].round if nights else 0,
        phase="day" if turns and isinstance(turns[-1], Dawned) else "night",
        problem=problem,
        rescue=bool(problem and found and found.setup),
    )
