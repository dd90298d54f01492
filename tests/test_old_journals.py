"""Journals written before the house was rebuilt: they resume, tell the same story, and can be undone to the deal."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from narrator.cli import main
from narrator.engine.game import new_game, play
from narrator.loading.files.event_records import event_to_json, setup_from_json
from narrator.storage.journal import effective, read_journal
from tests.table.hall import Hall

JOURNALS = sorted((Path(__file__).parent / "journals").glob("*.jsonl"))
LANGUAGES = ("zh-Hans", "zh-Hant", "es", "en")


def told(path: Path) -> dict[str, list[list[str]]]:
    """Language -> the story as it was told then: [kind, text] by [kind, text]."""
    found: dict[str, list[list[str]]] = json.loads(path.with_suffix(".story.json").read_text(encoding="utf-8"))
    return found


def test_there_are_a_dozen_ended_and_stopped() -> None:
    assert [sum(word in path.name for path in JOURNALS) for word in ("-ended-", "-stopped-")] == [6, 6]


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_the_same_commands_make_the_same_events(path: Path) -> None:
    content = read_journal(path)
    assert content.header
    state = new_game(setup_from_json(content.header["setup"], content.header["ruleset"]))
    for record in effective(content.records):
        events, state = play(state, record["command"])
        assert [event_to_json(event) for event in events] == record["events"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_the_same_story_is_told(path: Path, language: str) -> None:
    result = CliRunner().invoke(main, ["replay", str(path), "--language", language])
    assert result.exit_code == 0, result.output
    lines = [line.strip() for line in result.output.splitlines() if line.strip()]
    assert lines == [text.strip() for _, text in told(path)[language]]


@pytest.mark.parametrize("path", [path for path in JOURNALS if "-stopped-" in path.name], ids=lambda path: path.stem)
def test_it_resumes_and_can_be_undone_to_the_deal(path: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "games").mkdir(parents=True)
    content = read_journal(path)
    assert content.header
    shutil.copy(path, home / "games" / f"{content.header['game']}.jsonl")
    hall = Hall(home)
    table = hall.table
    table.resume(str(content.header["game"]))
    given = [record for record in effective(content.records) if not record.get("auto")]
    undone = 0
    while table.state is not None and table.state.stage != "dealt":
        table.undo(table.revision)
        undone += 1
    assert undone == len(given)
    assert table.state == new_game(setup_from_json(content.header["setup"], content.header["ruleset"]))
    table.close()
