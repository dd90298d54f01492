"""A game on the table: its journal on disk, and the state that a refold of it gives; and those that were interrupted.

Nothing here speaks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from narrator.engine.game import Command, fold, new_game, play
from narrator.engine.seen import EVERYBODY, seen
from narrator.loading.files.event_records import (
    RecordProblem,
    event_from_json,
    event_to_json,
    setup_from_json,
    setup_to_json,
)
from narrator.loading.files.problem import FileProblems
from narrator.model.events import Event
from narrator.model.state import Setup, State
from narrator.storage.journal import (
    SUFFIX,
    Journal,
    JournalContent,
    JournalError,
    JournalRecord,
    effective,
    journals,
    read_journal,
)


@dataclass(frozen=True)
class Entry:
    """A command that was carried out, and what came of it."""

    command: Command
    events: tuple[Event, ...]
    auto: bool = False
    """Whether the table gave it itself, in the judge's place."""
    took: tuple[str, float] | None = None
    """The step for which it was awaited and how many seconds it took, where the table had to wait for it."""

    @cached_property
    def seen(self) -> tuple[Event, ...]:
        """What everybody may know of its events."""
        return tuple([shown for event in self.events if (shown := seen(event, EVERYBODY)) is not None])


class Game:
    """One game. `state` is always what a fold over the journal gives."""

    def __init__(self, journal: Journal, setup: Setup, names: tuple[str, ...], entries: Iterable[Entry] = ()) -> None:
        self.journal = journal
        self.setup = setup
        self.names = names
        """From seat 1 on; '' where a seat has none."""
        self.entries = list(entries)
        self.seen = [event for entry in self.entries for event in entry.seen]
        """Everything that everybody may know of."""
        self.state = self.refold(len(self.entries))

    @classmethod
    def begin(
        cls, folder: Path, game: str, created: str, document: Mapping[str, Any], setup: Setup, names: tuple[str, ...]
    ) -> Game:
        """Open the journal of a new game. Raises JournalError if it cannot be written."""
        header = {"game": game, "created": created, "ruleset": document, "setup": setup_to_json(setup)}
        return cls(Journal.create(folder, {**header, "names": list(names)}), setup, names)

    @classmethod
    def resume(cls, path: Path) -> Game:
        """Go on with a journal. Raises JournalError if it cannot be gone on with."""
        journal = Journal.open(path)
        try:
            setup = setup_of(journal.header)
            entries = [entry_of(record) for record in effective(journal.records)]
            return cls(journal, setup, names_of(journal.header), entries)
        except (RecordProblem, FileProblems) as fault:
            journal.close()
            raise JournalError(f"the game cannot go on in {path}: {fault}") from fault

    @property
    def id(self) -> str:
        """The game's id."""
        return str(self.journal.header["game"])

    @property
    def length(self) -> int:
        """How many entries there are; the number of the latest."""
        return len(self.entries)

    @property
    def events(self) -> list[Event]:
        """Everything that has happened."""
        return [event for entry in self.entries for event in entry.events]

    def refold(self, length: int) -> State:
        """The state after the first `length` entries, worked out from the deal."""
        state = new_game(self.setup)
        for entry in self.entries[:length]:
            state = fold(state, entry.events)
        return state

    def decide(self, command: Command, *, auto: bool = False) -> tuple[Entry, State]:
        """What the command would bring, and the state after it; Refused if it may not be carried out.

        Changes nothing. `auto`: whether the table gives it itself, in the judge's place.
        """
        events, state = play(self.state, command)
        return Entry(dict(command), events, auto), state

    def commit(self, entry: Entry, state: State, heard: int) -> None:
        """Write the entry down, then let it have happened. JournalError: nothing has changed.

        `state` is what `decide` gave with the entry; `heard` is the number of the latest entry of which the table has
        heard something.
        """
        self.journal.append(record_of(entry, heard))
        self.entries.append(entry)
        self.seen += entry.seen
        self.state = state

    def undoable(self) -> tuple[Entry, ...]:
        """What the next undo takes back: the judge's last command, and what the table did by itself after it."""
        last = max((place for place, entry in enumerate(self.entries) if not entry.auto), default=None)
        return () if last is None else tuple(self.entries[last:])

    def undo(self) -> tuple[Entry, ...]:
        """Take back what `undoable` names. JournalError: nothing has changed."""
        undone = self.undoable()
        keep = self.length - len(undone)
        state = self.refold(keep)
        self.journal.append({"undo": keep})
        del self.entries[keep:]
        del self.seen[self.seen_upto(keep) :]
        self.state = state
        return undone

    def heard(self) -> int:
        """Of how many entries the table had surely heard when the journal was last written to."""
        last = self.journal.records[-1] if self.journal.records else {}
        found = last.get("heard", last.get("undo", 0))
        return min(found, self.length) if isinstance(found, int) else 0

    def seen_upto(self, length: int) -> int:
        """How many of the events that everybody may know of belong to the first `length` entries."""
        return sum(len(entry.seen) for entry in self.entries[:length])

    def origins(self) -> list[int]:
        """For each event that everybody may know of: the number of its entry."""
        return [number for number, entry in enumerate(self.entries, 1) for _ in entry.seen]

    def close(self) -> None:
        """Let go of the journal."""
        self.journal.close()


def record_of(entry: Entry, heard: int) -> dict[str, Any]:
    """The entry as it stands in the journal."""
    command = json.loads(json.dumps(entry.command))
    record = {"command": command, "events": [event_to_json(event) for event in entry.events], "heard": heard}
    if entry.auto:
        record["auto"] = True
    if entry.took is not None:
        record["took"] = list(entry.took)
    return record


def entry_of(record: JournalRecord) -> Entry:
    """The entry that stands in the journal."""
    events = tuple(event_from_json(event) for event in record["events"])
    return Entry(record["command"], events, bool(record.get("auto")), took_of(record))


def took_of(record: JournalRecord) -> tuple[str, float] | None:
    """How long the entry was awaited; None where the journal does not say so in good order."""
    match record.get("took"):
        case [str(step), int(seconds) | float(seconds)] if seconds >= 0:
            return step, float(seconds)
    return None


def setup_of(header: Mapping[str, Any]) -> Setup:
    """The set-up that a journal begins with."""
    return setup_from_json(header["setup"], header["ruleset"])


def names_of(header: Mapping[str, Any]) -> tuple[str, ...]:
    """The players' names that a journal begins with."""
    names = header.get("names")
    return tuple(str(name) for name in names) if isinstance(names, list) else ()


MOST_OFFERED = 3
STAMP, STAMP_LIKE = "%Y-%m-%d-%H%M%S", "2000-01-01-000000"
"""How the id of a game begins, so that the ids sort by time; two games never begin alike."""


class Games:
    """The games in a folder."""

    def __init__(self, folder: Path, today: Callable[[], datetime]) -> None:
        self._folder = folder
        self._today = today
        self.look()

    def look(self) -> None:
        """See which games were interrupted."""
        self.interrupted = interrupted(self._folder)

    def begin(self, document: Mapping[str, Any], setup: Setup, names: tuple[str, ...]) -> Game:
        """A new game of the ruleset in that document. Raises JournalError if it cannot be written."""
        now = moment = self._today()
        taken = {path.name[: len(STAMP_LIKE)] for path in self._folder.iterdir()}
        while f"{moment:{STAMP}}" in taken:
            moment += timedelta(seconds=1)
        name = f"{moment:{STAMP}}-{setup.ruleset.id}"
        return Game.begin(self._folder, name, now.isoformat(), document, setup, names)

    def resume(self, game_id: str) -> Game:
        """Go on with an interrupted game. Raises JournalError if it cannot be gone on with."""
        return Game.resume(self._folder / f"{game_id}{SUFFIX}")


@dataclass(frozen=True)
class InterruptedGame:
    """A game that ended in the middle, as far as its journal tells."""

    id: str
    created: str
    """When it began, '' if that cannot be told; the same for its ruleset."""
    ruleset: str
    seats: int | None
    round: int
    phase: str
    """`night` or `day`"""
    problem: str | None
    """A sentence if it cannot be gone on with."""


def interrupted(folder: Path) -> list[InterruptedGame]:
    """The games that began after the last one that ended, the latest first, at most MOST_OFFERED."""
    found: list[InterruptedGame] = []
    for path in reversed(journals(folder)):
        told = described(path)
        if told is None or len(found) == MOST_OFFERED:
            break
        found.append(told)
    return found


def described(path: Path) -> InterruptedGame | None:
    """What can be told of an interrupted game; None if it has ended."""
    try:
        content = read_journal(path)
    except JournalError as fault:
        return _entry(path, {}, [], str(fault))
    events = _events(content)
    if any(event.get("kind") == "game_ended" for event in events):
        return None
    problem = content.damage or (None if content.header else content.torn)
    return _entry(path, content.header or {}, events, problem)


def _events(content: JournalContent) -> list[dict[str, Any]]:
    return [event for record in effective(content.records) for event in record["events"]]


def _entry(path: Path, header: dict[str, Any], events: list[dict[str, Any]], problem: str | None) -> InterruptedGame:
    nights = [event for event in events if event.get("kind") == "night_fell"]
    last: dict[str, Any] = next(
        (event for event in reversed(events) if event.get("kind") in ("night_fell", "dawned")), {}
    )
    return InterruptedGame(
        id=path.stem,
        created=header.get("created", ""),
        ruleset=header.get("ruleset", {}).get("id", ""),
        seats=header.get("setup", {}).get("seats"),
        round=nights[-1].get("round", 0) if nights else 0,
        phase="day" if last.get("kind") == "dawned" else "night",
        problem=problem,
    )
