"""House rules for tests: a shipped ruleset with changes, and games played by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from narrator.loading.checks.wording import Vocabulary
from narrator.loading.rulesets import RulesetReport, document, examine_text, shipped
from narrator.loading.scenarios import Played, play_scenario, read_scenario
from narrator.narration.keys import KEYS
from narrator.narration.scripts import languages

SCRIPT = Vocabulary(languages(), KEYS)


def text(original: str, *changes: tuple[str, str], more: str = "") -> str:
    """The text of a shipped ruleset with changes (old, new), each of which must fit, and more lines at its end."""
    source = shipped()[original].read_text("utf-8").replace(f"id: {original}\n", "id: house\n")
    for old, new in changes:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return f"{source}\n{more}\n"


def report(original: str, *changes: tuple[str, str], more: str = "") -> RulesetReport:
    """What is said of it."""
    return examine_text(text(original, *changes, more=more), "house.yaml", SCRIPT)


def problems(original: str, *changes: tuple[str, str], more: str = "") -> list[str]:
    """What is wrong with it, with the texts of the lines in place of their numbers: `{line}: what`."""
    return _with_lines(text(original, *changes, more=more), report(original, *changes, more=more).problems)


def warnings(original: str, *changes: tuple[str, str], more: str = "") -> list[str]:
    """What is doubted, in the same form; there must be no problem."""
    found = report(original, *changes, more=more)
    assert found.problems == ()
    return _with_lines(text(original, *changes, more=more), found.warnings)


def _with_lines(source: str, found: tuple[str, ...]) -> list[str]:
    lines = source.splitlines()
    split = [one.split(":", 2) for one in found]
    return [f"{lines[int(number) - 1].strip()}: {what.strip()}" for _, number, what in split]


def written(folder: Path, original: str, *changes: tuple[str, str], more: str = "") -> Path:
    """It, as a file."""
    path = folder / "house.yaml"
    path.write_text(text(original, *changes, more=more), "utf-8")
    return path


def completed(folder: Path, original: str, *changes: tuple[str, str], more: str = "") -> dict[str, Any]:
    """Its completed document."""
    return document(written(folder, original, *changes, more=more))


def played(ruleset: Path, seats: int, roles: dict[str, list[int]], entries: list[dict[str, Any]]) -> Played:
    """A game played by a ruleset file."""
    scenario = {"name": "a game", "ruleset": ruleset.name, "seats": seats, "roles": roles, "play": entries}
    path = ruleset.with_name("a-game.scenario")
    path.write_text(yaml.safe_dump(scenario, allow_unicode=True), "utf-8")
    return play_scenario(read_scenario(path))
