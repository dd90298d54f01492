"""Every game that is written down under tests/scenarios comes out as it says."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from narrator.loading.scenarios import Scenario, play_scenario, read_scenario

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.rglob("*.yaml"))


@cache
def read(path: Path) -> Scenario:
    return read_scenario(path)


@pytest.mark.parametrize("path", FILES, ids=[path.relative_to(FOLDER).with_suffix("").as_posix() for path in FILES])
def test_what_is_written_down_comes_to_pass(path: Path) -> None:
    played = play_scenario(read(path))
    assert played.differences == []


def test_every_scenario_lies_with_its_ruleset_and_expects_something() -> None:
    for path in FILES:
        scenario = read(path)
        assert path.parent.name in (scenario.setup.ruleset.id, *scenario.setup.ruleset.roles), path
        assert any(entry.expect.model_fields_set for entry in scenario.play), path


def test_no_two_scenarios_have_one_name() -> None:
    names = [read(path).name for path in FILES]
    assert len(set(names)) == len(names)
