from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from narrator.cli import main
from narrator.loading.files.ruleset_file import RulesetFile
from narrator.loading.rulesets import shipped


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's own rulesets."""
    monkeypatch.setenv("NARRATOR_HOME", str(tmp_path))
    (tmp_path / "rules").mkdir()
    return tmp_path / "rules"


def rules(*words: object) -> Result:
    return CliRunner().invoke(main, ["rules", *map(str, words)])


def house_rules(folder: Path, changed: str = "", into: str = "") -> Path:
    source = shipped()["killers-2"].read_text("utf-8").replace("id: killers-2", "id: house")
    assert changed in source
    (folder / "house.yaml").write_text(source.replace(changed, into) if changed else source, "utf-8")
    return folder / "house.yaml"


def test_every_shipped_ruleset_is_listed_with_its_seats() -> None:
    result = rules("list")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()] == list(shipped())
    assert "killers-2           8-16  Killers 2.0 - The classic: killers, police and civilians\n" in result.stdout


def test_the_list_is_in_the_language_asked_for() -> None:
    assert "杀人游戏 2.0" in rules("list", "--language", "zh-Hans").stdout


def test_the_users_own_rulesets_are_listed_and_shown(own: Path) -> None:
    house_rules(own)
    assert rules("list").stdout.splitlines()[-1].startswith("house ")
    assert rules("show", "house").stdout.startswith("house: ")


def test_a_faulty_ruleset_does_not_hide_the_others(own: Path) -> None:
    path = house_rules(own, "seats: [8, 16]", "seats: [many]")
    result = rules("list")
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == len(shipped())
    assert f"house: cannot be played; see 'narrator rules check {path}'" in result.stderr


@pytest.mark.parametrize("ruleset", list(shipped()))
def test_every_shipped_ruleset_can_be_shown(ruleset: str) -> None:
    result = rules("show", ruleset, "-l", "zh-Hant")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{ruleset}: ")


def test_showing_tells_roles_night_endings_and_options() -> None:
    told = rules("show", "killers-2").stdout
    assert "  killer (killer), the killers: 2 at 8-10, 3 at 11-14, 4 at 15-16; " in told
    assert "  civilian (civilian), the good side: the rest" in told
    assert "  police: check\n" in told
    assert "  killers: none alive: police\n" in told
    assert "  third_tie: game_drawn (of nobody_out, game_drawn); At a third tie\n" in told


def test_the_source_of_a_ruleset_is_sound_as_a_start_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(rules("show", "killers-2", "--source").stdout, "utf-8")
    assert rules("check", tmp_path / "mine.yaml").stdout == f"ok {tmp_path / 'mine.yaml'}\n"


def test_what_is_no_ruleset_is_answered_with_those_there_are() -> None:
    result = rules("show", "nope")
    assert result.exit_code == 1
    assert "killers-2" in result.stderr
    assert result.stderr.endswith("got nope\n")


def test_every_shipped_ruleset_is_sound() -> None:
    result = rules("check", *shipped().values())
    assert (result.exit_code, result.stdout) == (0, "".join(f"ok {path}\n" for path in shipped().values()))


def test_every_problem_is_told_with_file_and_line(own: Path) -> None:
    good = shipped()["killers-2"]
    bad = house_rules(own, "seats: [8, 16]", "seats: [many, 16]\nsaets: 3")
    result = rules("check", bad, good)
    lines = bad.read_text("utf-8").splitlines()
    wanted = [f"{bad}:{lines.index(line) + 1}: " for line in ("seats: [many, 16]", "saets: 3")]
    assert result.exit_code == 1
    assert sorted(line[: len(wanted[0])] for line in result.stdout.splitlines()[:-1]) == wanted
    assert result.stdout.endswith(f"ok {good}\n")


def test_the_schema_is_that_of_the_loader() -> None:
    schema = json.loads(rules("schema").stdout)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert set(schema["properties"]) == {field.name for field in fields(RulesetFile)}
