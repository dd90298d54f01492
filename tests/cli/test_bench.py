"""`narrator bench`."""

from __future__ import annotations

import re

from click.testing import CliRunner

from narrator.cli.bench import bench
from narrator.loading.rulesets import shipped


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
    assert result.exit_code == 2
    assert "'chess'" in result.output
    assert "killers-2" in result.output
