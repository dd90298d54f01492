"""`narrator scenario`: one line a file, the exit status, and what really happened as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from narrator.cli.scenario import scenario

GAME = """\
name: {name}
ruleset: killers-2
seats: 8
roles: {{killer: [1, 2], police: [3, 4]}}
play:
  - night: {{killer: 5, police: 1}}
    expect: {{deaths: [{dead}]}}
  - vote: {{5: 1}}
    expect: {{refused: true}}
"""
KEYS = {
    "deaths", "out", "told", "silenced", "revealed", "last_words", "speaking", "calling", "tied", "living", "winner",
    "refused",
}  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """A scenario that holds, one that does not, one that cannot be read, and one that is not there."""
    texts = {
        "good": GAME.format(name="it holds", dead=5),
        "bad": GAME.format(name="it does not", dead=6),
        "broken": GAME.format(name="it is broken", dead=5).replace("seats: 8", "seats: x\nseat: 9"),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    return {name: str(tmp_path / f"{name}.yaml") for name in (*texts, "absent")}


def run(*args: str) -> Result:
    return CliRunner().invoke(scenario, list(args))


def test_a_scenario_that_holds_is_ok_and_the_status_0(files: dict[str, str]) -> None:
    result = run(files["good"], files["good"])
    assert (result.exit_code, result.stdout) == (0, "ok it holds\nok it holds\n")


def test_one_that_does_not_is_told_with_where_expected_and_got_and_the_status_1(files: dict[str, str]) -> None:
    result = run(files["bad"], files["good"])
    assert result.exit_code == 1
    assert result.stdout == "not ok it does not: play[1] night deaths: expected [6], got [5]\nok it holds\n"


@pytest.mark.parametrize("order", [("broken", "bad", "good"), ("bad", "broken"), ("good", "broken"), ("absent", "bad")])
def test_a_file_that_cannot_be_read_wins_over_everything(files: dict[str, str], order: tuple[str, ...]) -> None:
    result = run(*(files[name] for name in order))
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == len([name for name in order if name in ("good", "bad")])


def test_all_that_is_wrong_with_a_file_is_told_by_line(files: dict[str, str]) -> None:
    result = run(files["broken"])
    assert result.stdout == ""
    assert [line.removeprefix(files["broken"]).split(": ")[:2] for line in result.stderr.splitlines()] == [
        [":3", "seats"],
        [":4", "seat"],
    ]


def test_json_is_one_document_with_every_key_at_every_entry(files: dict[str, str]) -> None:
    result = run("--json", files["good"], files["bad"])
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert [(one["name"], one["ok"]) for one in found] == [("it holds", True), ("it does not", False)]
    for one in found:
        assert [set(step) for step in one["steps"]] == [KEYS, KEYS]
        night, vote = one["steps"]
        assert night == {
            "deaths": [5],
            "out": [5],
            "told": {"police": True},
            "silenced": [],
            "revealed": {},
            "last_words": [5],
            "speaking": [4, 3, 2, 1, 8, 7, 6],
            "calling": [6, 7, 8, 1, 2, 3, 4],
            "tied": [],
            "living": [1, 2, 3, 4, 6, 7, 8],
            "winner": None,
            "refused": False,
        }
        assert vote["refused"] is True
        assert vote["deaths"] == []


def test_json_stays_one_document_beside_files_that_cannot_be_read(files: dict[str, str]) -> None:
    result = run("--json", files["broken"], files["good"])
    assert result.exit_code == 2
    assert [one["name"] for one in json.loads(result.stdout)] == ["it holds"]
    assert files["broken"] in result.stderr


def test_no_file_at_all_is_told() -> None:
    assert run().exit_code == 2


def test_what_would_better_be_written_otherwise_is_told_beside_the_line_that_says_ok(tmp_path: Path) -> None:
    path = tmp_path / "zeros.yaml"
    path.write_text(GAME.format(name="zeros", dead="05"), "utf-8")
    result = run(str(path))
    assert (result.exit_code, result.stdout) == (0, "ok zeros\n")
    assert result.stderr == f"{path}:7: warning: 05 is read as 5; write it so\n"
