"""A game on the table: its journal on disk, and the state that a refold of it gives. Nothing here speaks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from narrator.engine.game import Command, fold, new_game, play
from narrator.engine.legal import prompt
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
from narrator.storage.journal import Journal, JournalError, JournalRecord, effective


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

    def __init__(
        self, journal: Journal, setup: Setup, names: tuple[str, ...], entries: Iterable[Entry] = (), order: int = 0
    ) -> None:
        self.journal = journal
        self.order = order
        """Which time it is that a game of its folder is on a table; from 1 on, 0 where nobody counts."""
        self.setup = setup
        self.names = names
        """From seat 1 on; '' where a seat has none."""
        self.entries = list(entries)
        self.seen = [event for entry in self.entries for event in entry.seen]
        """Everything that everybody may know of."""
        self.state = self.refold(len(self.entries))

    @classmethod
    def begin(
        cls,
        folder: Path,
        game: str,
        created: str,
        document: Mapping[str, Any],
        setup: Setup,
        names: tuple[str, ...],
        order: int = 0,
    ) -> Game:
        """Open the journal of a new game. Raises JournalError if it cannot be written."""
        header = {"game": game, "created": created, "ruleset": document, "setup": setup_to_json(setup)}
        return cls(Journal.create(folder, {**header, "names": list(names), "order": order}), setup, names, order=order)

    @classmethod
    def resume(cls, path: Path, order: int = 0, *, damaged: bool = False) -> Game:
        """Go on with a journal; `damaged`: up to its last sound record, a copy of the file as it was kept beside it.

        Raises JournalError if it cannot be gone on with, and unless `damaged` also if anything in it is damaged.
        """
        journal = Journal.open(path, damaged=True)
        try:
            found = understood(path, journal.header, journal.records)
            if found.setup is None or ((found.fault or journal.damage) and not damaged):
                raise JournalError(f"the game cannot go on: {found.fault or journal.damage}")
            if found.fault or journal.damage:
                journal.cut_to(found.sound)
            return cls(journal, found.setup, names_of(journal.header), found.entries, order)
        except BaseException:
            journal.close()
            raise

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
        self.journal.append({**record_of(entry, heard), "order": self.order})
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
        self.journal.append({"undo": keep, "order": self.order})
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


@dataclass(frozen=True)
class Understood:
    """What this program understands of a journal."""

    setup: Setup | None
    """None if not even the set-up makes sense."""
    entries: tuple[Entry, ...]
    """What counts of the first `sound` records."""
    sound: int
    """How many records make sense."""
    fault: str | None
    """Why not more: `file:line: what`; None if all do."""


def understood(path: Path, header: Mapping[str, Any], records: Sequence[JournalRecord]) -> Understood:
    """Read the game in a journal as far as its events make sense, one after the other. Raises nothing."""
    try:
        setup = setup_of(header)
        state = new_game(setup)
        prompt(state)
    except Exception as fault:  # whatever the engine makes of a set-up that it never wrote
        return Understood(None, (), 0, f"{path}:1: {in_words(fault)}")
    entries: list[Entry] = []
    for record in effective(records):
        try:
            entry = entry_of(record)
            state = fold(state, entry.events)
            prompt(state)
        except Exception as fault:  # and of events
            sound = int(record["n"]) - 1
            kept = effective(records[:sound])
            return Understood(setup, tuple(map(entry_of, kept)), sound, f"{path}:{sound + 2}: {in_words(fault)}")
        entries.append(entry)
    return Understood(setup, tuple(entries), len(records), None)


def in_words(fault: Exception) -> str:
    """What to tell of it."""
    if isinstance(fault, RecordProblem | FileProblems):
        return str(fault)
    return f"this cannot have happened in this game ({type(fault).__name__}: {fault})"


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
