from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from narrator.cli import main
from narrator.loading.files.event_records import event_to_json, setup_to_json
from narrator.loading.rulesets import document, shipped
from narrator.storage.journal import Journal
from narrator.storage.settings import Settings, save_settings
from tests.narration.playing import RULESETS, Game, play
from tests.sums import rewrite


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NARRATOR_HOME", str(tmp_path))
    (tmp_path / "games").mkdir()
    return tmp_path


@pytest.fixture(scope="module")
def game() -> Game:
    return play(RULESETS["killers-2"], seed=1)


@pytest.fixture
def journal(home: Path, game: Game) -> Path:
    """The journal of the game, one record per event."""
    header = {
        "game": "evening",
        "created": "2026-01-01T20:05:09+00:00",
        "ruleset": document(shipped()["killers-2"]),
        "setup": setup_to_json(game.setup),
        "names": ["", "Wang"],
    }
    with Journal.create(home / "games", header) as opened:
        for event in game.events:
            opened.append({"command": {}, "events": [event_to_json(event)]})
    return opened.path


def replay(*words: object) -> Result:
    return CliRunner().invoke(main, ["replay", *map(str, words)])


@pytest.mark.parametrize(
    ("language", "role", "night"),
    [
        ("zh-Hans", "杀手", "第1夜"),
        ("zh-Hant", "殺手", "第1夜"),
        ("es", "asesino", "noche"),
        ("en", "killer", "night"),
    ],
)
def test_the_story_is_told_in_the_language_asked_for(journal: Path, language: str, role: str, night: str) -> None:
    result = replay("evening", "--language", language)
    assert result.exit_code == 0
    assert role in result.stdout
    assert night in result.stdout.lower()


def test_headings_stand_at_the_margin_after_an_empty_line(journal: Path) -> None:
    lines = replay("evening", "-l", "en").stdout.splitlines()
    headings = [number for number, line in enumerate(lines) if line and not line.startswith("  ")]
    assert headings[0] == 0
    assert len(headings) > 3
    assert all(lines[number - 1] == "" for number in headings[1:])


def test_players_are_called_by_their_names(journal: Path) -> None:
    assert "Wang" in replay("evening", "-l", "en").stdout


def test_a_file_will_do_in_place_of_an_id(journal: Path) -> None:
    assert replay(journal, "-l", "en").stdout == replay("evening", "-l", "en").stdout


def test_by_itself_the_story_is_in_the_language_of_the_last_game(journal: Path, home: Path) -> None:
    save_settings(home, Settings(languages=("es",)))
    assert replay("evening").stdout == replay("evening", "-l", "es").stdout


def test_what_was_undone_is_not_told(journal: Path) -> None:
    whole = replay("evening", "-l", "en").stdout
    with Journal.open(journal) as opened:
        opened.append({"undo": 1})
    told = replay("evening", "-l", "en").stdout
    assert len(told) < len(whole)
    assert replay("evening", "-l", "en").exit_code == 0


def test_a_damaged_game_is_told_as_far_as_it_is_sound_and_explained(journal: Path) -> None:
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([*lines[:6], b"?\n", *lines[6:]]))
    result = replay("evening", "-l", "en")
    assert result.exit_code == 1
    assert "killer" in result.stdout
    assert f"the rest cannot be read: {journal}:7: must be a JSON object; got '?'" in result.stderr


def test_an_event_that_means_nothing_ends_the_story_with_its_line(journal: Path) -> None:
    with Journal.open(journal) as opened:
        opened.append({"undo": 2})
        number = opened.append({"command": {}, "events": [{"kind": "eclipse"}]})
    result = replay("evening", "-l", "en")
    assert result.exit_code == 1
    assert f"{journal}:{number + 1}: the event 'eclipse' cannot be read" in result.stderr
    assert result.stdout


def test_a_ruleset_that_cannot_be_read_is_told(journal: Path) -> None:
    rewrite(journal, '"citizen":', '"zitizen":')
    result = replay("evening", "-l", "en")
    assert result.exit_code == 1
    assert "citizen: is missing" in result.stderr


def test_a_game_or_language_that_there_is_not_is_told(journal: Path) -> None:
    assert "see 'narrator games'; got morning" in replay("morning").stderr
    assert "there are zh-Hans, zh-Hant, es, en; got fr" in replay("evening", "-l", "fr").stderr
