"""A tap acts once, on what it saw."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from narrator.clock import SystemClock
from narrator.model.errors import Refused
from narrator.storage.folders import Folders
from narrator.table import SetupProblem, Stale, Table
from tests.table.hall import Hall


def test_a_doubled_tap_acts_once(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    seen = hall.table.revision
    hall.table.submit(seen, {"do": "begin"})
    before = hall.state
    with pytest.raises(Stale) as stale:
        hall.table.submit(seen, {"do": "begin"})
    assert stale.value.revision == hall.table.revision == seen + 1
    assert hall.state is before


@pytest.mark.parametrize("act", ["undo", "start", "new"])
def test_a_stale_button_does_nothing(tmp_path: Path, act: str) -> None:
    hall = Hall(tmp_path)
    seen = hall.table.revision
    hall.table.configure(seen, {"seats": 9})
    if act == "undo":
        hall.table.start(hall.table.revision)
        hall.tap("begin")
    shown = hall.table.judge()
    with pytest.raises(Stale):
        getattr(hall.table, act)(seen)
    assert hall.table.judge() == shown


def test_a_stale_change_of_the_setup_does_nothing_but_preferences_are_always_taken(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    seen = hall.table.revision
    hall.table.configure(seen, {"seats": 9})
    with pytest.raises(Stale):
        hall.table.configure(seen, {"seats": 10, "volume": 10})
    assert hall.table.settings.volume != 10
    hall.table.configure(seen, {"volume": 10})
    assert hall.table.settings.volume == 10
    assert hall.table.judge().setup.seats == 9


def test_a_refused_command_changes_nothing(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    hall.tap("begin")
    hall.identify(killer=[1, 2, 3])
    shown, records = hall.table.judge(), len(hall.running.journal.records)
    with pytest.raises(Refused, match="no such seat"):
        hall.choose(40)
    assert hall.table.judge() == shown
    assert len(hall.running.journal.records) == records


def test_nothing_can_be_played_before_the_start(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    with pytest.raises(Refused, match="no game"):
        hall.tap("begin")
    with pytest.raises(Refused, match="no such game"):
        hall.table.resume("yesterday")


def test_a_setup_that_cannot_be_does_not_start(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.table.configure(hall.table.revision, {"counts": {"police": 0}})
    with pytest.raises(SetupProblem):
        hall.table.start(hall.table.revision)
    assert hall.table.judge().mode == "setup"
    assert list((tmp_path / "games").iterdir()) == []


def test_of_two_threads_with_the_same_revision_exactly_one_wins(tmp_path: Path) -> None:
    table = Table(Folders(tmp_path), clock=SystemClock(), speaker="silent")
    table.start(table.revision)
    for _ in range(20):
        outcomes = both(table)
        assert sorted(outcomes) == ["done", "stale"]
        table.undo(table.revision)
    assert table.judge().troubles == ()
    table.close()


def both(table: Table) -> list[str]:
    """Two threads tap the same at the same moment."""
    gate, outcomes, seen = threading.Barrier(2), [], table.revision

    def tap() -> None:
        gate.wait()
        try:
            table.submit(seen, {"do": "begin"})
            outcomes.append("done")
        except Stale:
            outcomes.append("stale")

    threads = [threading.Thread(target=tap) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_many_threads_at_once_do_not_hang(tmp_path: Path) -> None:
    table = Table(Folders(tmp_path), clock=SystemClock(), speaker="silent")
    table.start(table.revision)
    acts = [table.judge, table.public, table.say_again, table.skip, table.pause, table.go_on]
    tap = [lambda: quietly(table, "begin"), lambda: quietly(table, "undo")]

    def press() -> None:
        for place in range(60):
            [*acts, *tap][place % 8]()

    threads = [threading.Thread(target=press, daemon=True) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.judge().mode == "game"
    table.close()


def quietly(table: Table, what: str) -> None:
    """Tap, whatever comes of it."""
    try:
        if what == "undo":
            table.undo(table.revision)
        else:
            table.submit(table.revision, {"do": what})
    except (Stale, Refused):
        pass
