"""`narrator bench`."""

from __future__ import annotations

import re
import sys
import types
from itertools import pairwise
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from narrator.cli.bench import bench
from narrator.loading.rulesets import shipped
from narrator.making.engine_bench import measure


class StandIn:
    """A game of a package beside ours: one night with two who act, then a day that ends it."""

    def __init__(self, names: list[str], config: object) -> None:
        self.players = [SimpleNamespace(id=name, is_alive=lambda: True) for name in names]
        self.phase, self.round_number = "night", 1
        self.acting = [SimpleNamespace(id=name, role=SimpleNamespace(name="seer")) for name in names[:2]]
        self.night_manager = self
        self.votes: dict[str, str] = {}

    def start(self) -> None: ...

    @property
    def current_actor(self) -> SimpleNamespace | None:
        return self.acting[0] if self.acting else None

    def get_available_targets(self, actor: SimpleNamespace) -> list[SimpleNamespace]:
        return [player for player in self.players if player.id != actor.id][: len(self.acting) - 1]

    def night_action(self, actor: str, target: str) -> None:
        assert actor != target
        self.acting.pop(0)

    def night_skip(self, actor: str) -> None:
        self.acting.pop(0)

    def _end_night(self) -> None:
        self.phase = "day"

    def day_vote(self, voter: str, target: str) -> None:
        assert voter != target
        self.votes[voter] = target
        if len(self.votes) == len(self.players):
            self.phase = "end"


@pytest.fixture
def peer(monkeypatch: pytest.MonkeyPatch) -> None:
    package, phases = types.ModuleType("werewolf_engine"), types.ModuleType("werewolf_engine.phases")
    package.__dict__.update(Game=StandIn, GameConfig=lambda role_counts: sum(role_counts.values()))
    phases.__dict__["Phase"] = SimpleNamespace(NIGHT="night", END="end")
    monkeypatch.setitem(sys.modules, "werewolf_engine", package)
    monkeypatch.setitem(sys.modules, "werewolf_engine.phases", phases)


def rows(*args: str) -> list[list[str]]:
    result = CliRunner().invoke(bench, ["--seconds", "0.01", *args], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return [line.split() for line in result.output.splitlines()]


def test_games_a_second_are_told_as_a_table() -> None:
    head, row = rows("--seats", "9")
    assert head == ["ruleset", "seats", "games", "games/s", "rounds"]
    assert row[:2] == ["killers-2", "9"]
    assert int(row[2]) >= 1
    assert float(row[3]) > 0
    assert re.fullmatch(r"\d+\.\d", row[4])


def test_all_measures_every_shipped_ruleset_at_a_table_that_it_has() -> None:
    found = rows("--all")[1:]
    assert [row[0] for row in found] == list(shipped())


def test_a_table_that_the_ruleset_does_not_have_is_refused() -> None:
    result = CliRunner().invoke(bench, ["--ruleset", "killers-3", "--seats", "9"])
    assert result.exit_code == 2
    assert "killers-3 is for 14 to 16 seats, not 9" in result.output


def test_an_unknown_ruleset_is_refused_with_the_known_ones() -> None:
    result = CliRunner().invoke(bench, ["--ruleset", "chess"])
    assert result.exit_code == 1
    assert "chess" in result.output
    assert "killers-2" in result.output


@pytest.mark.usefixtures("peer")
def test_beside_another_engine_the_ratio_is_told() -> None:
    head, row = rows("--beside", "werewolf-engine")
    assert head[-2:] == ["werewolf-engine", "ratio"]
    assert row[0] == "killers-2"
    theirs, ratio = float(row[5]), float(row[6])
    assert theirs > 0
    assert ratio == pytest.approx(float(row[3]) / theirs, abs=0.01)


def test_a_package_that_is_not_installed_is_told_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "werewolf_engine", None)
    result = CliRunner().invoke(bench, ["--seconds", "0.01", "--beside", "werewolf-engine"])
    assert result.exit_code == 1
    assert "pip install werewolf-engine" in result.output


def test_both_sides_play_in_turns_until_each_has_had_its_time() -> None:
    turns: list[str] = []
    own, other = measure(lambda: turns.append("own") or 3, 0.25, lambda: turns.append("other") or 1)
    assert own.seconds >= 0.25
    assert other.seconds >= 0.25
    assert own.rounds == 3 * own.games
    changes = sum(one != after for one, after in pairwise(turns))
    assert changes >= 4
