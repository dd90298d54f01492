"""`narrator demo`: a game that plays itself, the same for the same number."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner, Result

from narrator.cli.demo import demo, public_page
from narrator.clock import FakeClock
from narrator.storage.folders import Folders
from narrator.table import Table


def run(*arguments: str) -> Result:
    return CliRunner().invoke(demo, ["--fast", *arguments])


@pytest.fixture(autouse=True)
def _no_games_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NARRATOR_HOME", str(tmp_path))


def test_a_game_is_spoken_and_its_story_told(tmp_path: Path) -> None:
    shown = run("--seed", "5", "--language", "en")
    assert shown.exit_code == 0, shown.output
    lines = shown.output.splitlines()
    assert lines[0] == "Game 5: --seed 5 plays it again."
    assert "» Night falls. Everybody, close your eyes." in lines
    assert lines.index("The deal") < lines.index("Night 1") < lines.index("The end")
    assert list(tmp_path.iterdir()) == []


def test_the_same_number_is_the_same_game() -> None:
    shown = [run("--seed", seed, "--language", "es", "--seats", "8").output for seed in ("7", "7", "8")]
    assert shown[0] == shown[1] != shown[2]


def test_any_edition_can_be_watched() -> None:
    shown = run("--seed", "3", "--language", "en", "--ruleset", "killers-4", "--seats", "14")
    assert shown.exit_code == 0, shown.output
    assert "» The game is over." in shown.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--ruleset", "chess"], "there is no such ruleset; there are .*killers-2.*; got chess"),
        (["--seats", "2"], "seats out of range"),
        (["--language", "tlh"], "there is no script for this language; there are zh-Hans, zh-Hant, es, en; got tlh"),
    ],
)
def test_what_cannot_be_is_said_plainly(arguments: list[str], told: str) -> None:
    shown = run(*arguments)
    assert shown.exit_code == 1
    assert re.search(told, shown.output)


def test_the_public_page_is_served_while_the_game_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(Folders(tmp_path), clock=FakeClock(), speaker="silent")
    with public_page(table, 0):
        port = capsys.readouterr().out.strip().rpartition(":")[2].removesuffix("/table")
        with urlopen(f"http://localhost:{port}/table", timeout=10) as answer:
            shown = answer.read().decode()
    table.close()
    assert 'id="page"' in shown
