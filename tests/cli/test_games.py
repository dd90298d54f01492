from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from narrator.cli import main
from narrator.storage.journal import Journal


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NARRATOR_HOME", str(tmp_path))
    (tmp_path / "games").mkdir()
    return tmp_path


CREATED = "2026-01-01T20:05:09+00:00"
SHOWN = datetime.fromisoformat(CREATED).astimezone().strftime("%Y-%m-%d %H:%M")


def begin(home: Path, game: str, *events: dict[str, Any]) -> Path:
    header = {"game": game, "created": CREATED, "ruleset": {"id": "house"}, "setup": {"seats": 12}}
    with Journal.create(home / "games", header) as journal:
        for event in events:
            journal.append({"command": {}, "events": [event]})
    return journal.path


def listed() -> Result:
    result = CliRunner().invoke(main, ["games"])
    assert result.exit_code == 0
    return result


def test_without_games_the_folder_is_named(home: Path) -> None:
    assert listed().stdout == f"No games yet in {home / 'games'}\n"


def test_games_are_listed_with_how_far_they_went(home: Path) -> None:
    begin(home, "a", {"kind": "night_fell", "round": 1}, {"kind": "night_fell", "round": 2})
    begin(home, "b", {"kind": "dawned", "round": 1}, {"kind": "game_ended", "winner": "good", "reason": "ending"})
    rows = [line.split("  ") for line in listed().stdout.splitlines()]
    assert [[cell.strip() for cell in row if cell.strip()] for row in rows] == [
        ["GAME", "BEGUN", "RULESET", "SEATS", "ROUND", "STATE"],
        ["a", SHOWN, "house", "12", "2", "not ended"],
        ["b", SHOWN, "house", "12", "1", "ended: good"],
    ]


def test_an_undone_end_is_no_end(home: Path) -> None:
    path = begin(home, "a", {"kind": "night_fell", "round": 1}, {"kind": "game_ended", "winner": "good"})
    with Journal.open(path) as journal:
        journal.append({"undo": 1})
    assert "not ended" in listed().stdout


def test_a_damaged_game_is_listed_and_explained(home: Path) -> None:
    path = begin(home, "a", {"kind": "night_fell", "round": 3})
    path.write_bytes(path.read_bytes() + b"?\n")
    result = listed()
    assert result.stdout.splitlines()[1].endswith("house    12     3      damaged")
    assert result.stderr == f"{path}:3: must be a JSON object; got '?'\n"


def test_what_is_no_journal_at_all_does_not_stop_the_list(home: Path) -> None:
    (home / "games" / "x.jsonl").write_bytes(b"\0\0\0")
    (home / "games" / "y.jsonl").mkdir()
    begin(home, "z")
    assert [line.split()[0] for line in listed().stdout.splitlines()] == ["GAME", "x", "y", "z"]
