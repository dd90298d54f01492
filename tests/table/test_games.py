"""Which interrupted games are offered, whatever the clock says; damaged ones go on up to their last sound record."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from narrator.model.errors import Refused
from narrator.storage.journal import Journal, read_journal
from narrator.table import Table
from narrator.table.games import MOST_OFFERED
from tests.sums import rewrite, unsummed
from tests.table.hall import Hall, night_one


def evening(home: Path, day: int, *, ended: bool = False, new: bool = True, month: int = 6) -> str:
    """A game is played on that day, as the clock tells it; gives its id."""
    hall = Hall(home, today=lambda: datetime(2026, month, day, 20, tzinfo=UTC))
    if new and hall.table.judge().mode == "resume?":
        hall.table.new(hall.table.revision)
    hall.start(seats=9)
    hall.tap("begin")
    name = hall.running.id
    if ended:
        hall.tap("abandon")
    hall.table.close()
    return name


def offered(home: Path) -> list[str]:
    hall = Hall(home)
    found = [game.id for game in hall.table.interrupted()]
    assert hall.table.judge().mode == ("resume?" if found else "setup")
    hall.table.close()
    return found


def latest(home: Path) -> str | None:
    hall = Hall(home)
    found = hall.table.find_game("")
    hall.table.close()
    return found.id if found else None


def make_old(home: Path) -> None:
    """Let every journal be as it was before games were counted."""
    for path in (home / "games").glob("*.jsonl"):
        path.write_bytes(unsummed(path.read_bytes()))


@pytest.mark.parametrize("old", [False, True])
def test_a_game_is_offered_though_its_clock_stood_behind_that_of_a_finished_one(tmp_path: Path, old: bool) -> None:
    evening(tmp_path, 28, ended=True)
    interrupted = evening(tmp_path, 20)
    if old:
        make_old(tmp_path)
    assert offered(tmp_path) == [interrupted]


def test_a_finished_game_dated_far_ahead_ends_resuming_for_nobody(tmp_path: Path) -> None:
    evening(tmp_path, 1, month=12, ended=True)
    for day in (3, 2, 1):
        assert offered(tmp_path) == []
        game = evening(tmp_path, day)
        assert offered(tmp_path) == [game]
        hall = Hall(tmp_path)
        hall.table.resume(game)
        hall.tap("abandon")
        hall.table.close()


def test_the_latest_is_the_last_one_played_not_the_last_by_the_clock(tmp_path: Path) -> None:
    first, second, third = (evening(tmp_path, day, new=False) for day in (9, 5, 7))
    assert offered(tmp_path) == [third, second, first]
    hall = Hall(tmp_path)
    hall.table.resume(first)
    hall.answer()
    hall.table.close()
    assert offered(tmp_path) == [first, third, second]
    assert latest(tmp_path) == first


def test_more_games_are_there_than_are_offered(tmp_path: Path) -> None:
    games = [evening(tmp_path, day, new=False) for day in range(1, MOST_OFFERED + 3)]
    assert offered(tmp_path) == games[::-1][:MOST_OFFERED]
    hall = Hall(tmp_path)
    hall.table.resume(games[0])
    assert hall.running.id == games[0]
    hall.table.close()


def test_an_undone_end_is_no_end(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=9)
    hall.tap("begin")
    hall.tap("abandon")
    hall.undo()
    name = hall.running.id
    hall.table.close()
    assert offered(tmp_path) == [name]


def test_a_copy_made_by_synchronisation_is_not_offered(tmp_path: Path) -> None:
    name = evening(tmp_path, 1)
    path = tmp_path / "games" / f"{name}.jsonl"
    shutil.copy(path, path.with_name(f"{name}.sync-conflict-20260601-203000-ABCDEFG.jsonl"))
    assert offered(tmp_path) == [name]


# Damage

Damage = Callable[[Path], None]


def flip(path: Path) -> None:
    """One bit of the fourth record."""
    lines = path.read_bytes().split(b"\n")
    lines[4] = lines[4][:20] + bytes([lines[4][20] ^ 1]) + lines[4][21:]
    path.write_bytes(b"\n".join(lines))


def impossible(path: Path) -> None:
    """A seat that is not there, with a checksum that fits."""
    data = path.read_bytes()
    place = data.index(b'"killer":[1,2,3]')
    rewrite(path, data[place:].split(b"]")[0].decode(), '"killer":[1,2,77')
    while '"killer":[1,2,3]' in path.read_text("utf-8"):
        rewrite(path, '"killer":[1,2,3]', '"killer":[1,2,77]')


def interrupted_game(home: Path, damage: Damage) -> Path:
    hall = Hall(home)
    hall.start(seats=12)
    night_one(hall)
    path = hall.running.journal.path
    hall.table.close()
    damage(path)
    return path


def test_a_damaged_game_goes_on_up_to_its_last_sound_record_when_that_is_wished(tmp_path: Path) -> None:
    path = interrupted_game(tmp_path, flip)
    before = path.read_bytes()
    hall = Hall(tmp_path)
    (game,) = hall.table.interrupted()
    assert game.problem
    assert game.problem.startswith(f"{path}:5: ")
    assert (game.rescue, game.seats, game.round) == (True, 12, 1)
    with pytest.raises(Refused, match="not recorded"):
        hall.table.resume(game.id)
    assert path.read_bytes() == before
    hall.table.resume(game.id, damaged=True)
    assert hall.table.judge().mode == "game"
    assert hall.running.length == 3
    assert Path(f"{path}.damaged").read_bytes() == before
    hall.answer()
    hall.table.close()
    content = read_journal(path)
    assert (content.damage, len(content.records)) == (None, 4)


def test_what_makes_no_sense_is_damage_too(tmp_path: Path) -> None:
    path = interrupted_game(tmp_path, impossible)
    hall = Hall(tmp_path)
    (game,) = hall.table.interrupted()
    assert game.problem
    assert game.problem.startswith(f"{path}:3: ")
    hall.table.resume(game.id, damaged=True)
    assert hall.running.length == 1
    hall.table.close()
    assert len(read_journal(path).records) == 1


HEADERS: list[tuple[str, str]] = [
    ('"seats":12', '"seats":13'),
    ('"seats":12', '"seats":"twelve"'),
    ('"counts":{"killer":3', '"counts":{"assassin":3'),
    ('"counts":{"killer":3', '"counts":{"killer":-3'),
    ('"hands":null', '"hands":{"1":["killer"]}'),
    ('"hands":null', '"hands":7'),
    ('"spare":[]', '"spare":["nobody"]'),
    ('"options":{', '"options":{"no_such_option":true,'),
    ('"ruleset":{', '"ruleset":{"no_such_key":1,'),
    ('"citizen":', '"zitizen":'),
]


@pytest.mark.parametrize(("old", "new"), HEADERS)
def test_a_header_that_does_not_fit_its_ruleset_is_told_and_nothing_is_kept_locked(
    tmp_path: Path, old: str, new: str
) -> None:
    path = interrupted_game(tmp_path, lambda path: rewrite(path, old, new))
    before = path.read_bytes()
    hall = Hall(tmp_path)
    (game,) = hall.table.interrupted()
    assert game.problem
    assert game.problem.startswith(f"{path}:1: ")
    assert not game.rescue
    for damaged in (False, True):
        with pytest.raises(Refused, match="not recorded"):
            hall.table.resume(game.id, damaged=damaged)
    assert hall.table.judge().mode == "resume?"
    assert path.read_bytes() == before
    Journal.open(path).close()
    assert not path.with_name(path.name + ".lock").exists()
    hall.table.close()


def test_a_game_that_cannot_be_shown_is_let_go_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = interrupted_game(tmp_path, lambda path: None)
    hall = Hall(tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise KeyError("a view")

    with monkeypatch.context() as patch:
        patch.setattr(hall.table.stage, "enter", fail)
        with pytest.raises(Refused):
            hall.table.resume(path.stem)
    assert hall.table.judge().mode == "resume?"
    assert any("a view" in trouble.detail for trouble in hall.table.judge().troubles)
    hall.table.resume(path.stem)
    assert hall.table.judge().mode == "game"
    hall.table.close()


def test_a_game_anywhere_can_be_gone_on_with(tmp_path: Path) -> None:
    path = interrupted_game(tmp_path / "a", lambda path: None)
    hall = Hall(tmp_path / "b")
    found = hall.table.find_game(str(path))
    assert found is not None
    hall.table.resume_file(found.path)
    assert hall.running.journal.path == path
    hall.table.close()


def test_a_game_that_has_ended_is_none_to_go_on_with(tmp_path: Path) -> None:
    name = evening(tmp_path, 1, ended=True)
    table: Table = Hall(tmp_path).table
    assert table.find_game(name) is None
    assert table.find_game("") is None
    table.close()


def test_the_latest_of_those_given_up_is_found_when_it_is_asked_for(tmp_path: Path) -> None:
    first, second = (evening(tmp_path, day, new=False) for day in (2, 1))
    hall = Hall(tmp_path)
    hall.table.new(hall.table.revision)
    assert hall.table.interrupted() == []
    for name, expected in (("", second), (first, first), (f"{first}.jsonl", first)):
        found = hall.table.find_game(name)
        assert found is not None
        assert found.id == expected
    hall.table.close()
