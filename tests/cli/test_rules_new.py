"""`narrator rules new`, `roles` and `abilities`: a ruleset of one's own, begun from another."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from narrator.cli import main
from narrator.editions import ABILITIES
from narrator.engine.ability import parameters
from narrator.loading.files.ruleset_file import json_schema
from narrator.loading.house import copies
from narrator.loading.rulesets import document, examine, from_document, load, shipped
from narrator.model.ruleset import Condition
from tests.loading.house import SCRIPT


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's own rulesets."""
    monkeypatch.setenv("NARRATOR_HOME", str(tmp_path))
    return tmp_path / "rules"


def rules(*words: object) -> Result:
    return CliRunner().invoke(main, ["rules", *map(str, words)])


def without(found: dict[str, object], *keys: str) -> dict[str, object]:
    return {key: value for key, value in found.items() if key not in keys}


@pytest.mark.parametrize("original", list(shipped()))
def test_a_copy_plays_as_its_original_under_another_name(own: Path, original: str) -> None:
    result = rules("new", "our-house", "--from", original)
    assert result.exit_code == 0, result.output
    copy, source = document(own / "our-house.yaml"), document(shipped()[original])
    assert copy["id"] == "our-house"
    assert without(copy, "id", "name") == without(source, "id", "name")
    assert all(copy["name"][tag] != source["name"][tag] for tag in source["name"])
    found = examine(own / "our-house.yaml", SCRIPT)
    assert (found.problems, found.warnings) == ((), ())


def test_it_is_told_where_the_file_is_and_what_comes_next(own: Path) -> None:
    result = rules("new", "our-house", "--from", "killers-3")
    assert result.output == (
        f"Wrote {own / 'our-house.yaml'}, a copy of killers-3.\n"
        "Next:\n  narrator rules check our-house\n  narrator play --ruleset our-house\n"
    )
    assert rules("check", "our-house").output == f"ok {own / 'our-house.yaml'}\n"
    assert rules("list").output.splitlines()[-1].startswith("our-house ")


def test_the_copy_keeps_the_layout_and_explains_every_part(own: Path) -> None:
    rules("new", "our-house", "--from", "killers-3")
    lines = (own / "our-house.yaml").read_text("utf-8").splitlines()
    assert "  - {step: police, ability: check, with: {positive: [killer]}}" in lines
    keys = [index for index, line in enumerate(lines) if re.match(r"[a-z_]+:", line)]
    assert all(lines[index - 1].startswith("# ") for index in keys)


@pytest.mark.parametrize("original", list(shipped()))
@pytest.mark.parametrize("languages", [("es",), ("zh-Hant", "en")])
def test_only_the_texts_of_the_languages_that_are_wished_are_kept(
    own: Path, original: str, languages: tuple[str, ...]
) -> None:
    words = [word for tag in languages for word in ("--language", tag)]
    assert rules("new", "our-house", "--from", original, *words).exit_code == 0
    text = (own / "our-house.yaml").read_text("utf-8")
    other = {"zh-Hans", "zh-Hant", "es", "en"} - {*languages}
    assert not [tag for tag in other if re.search(rf"(^|[\s{{]){tag}: ", text.partition("\nid:")[2], re.MULTILINE)]
    found = examine(own / "our-house.yaml", SCRIPT)
    assert (found.problems, found.warnings) == ((), ())
    copy, source = load(own / "our-house.yaml"), load(shipped()[original])
    assert [step.params for step in copy.night] == [step.params for step in source.night]
    assert copy.endings == source.endings


@pytest.mark.parametrize("word", ["no", "on", "off", "yes", "1:30", "010", "~", "2026-01-02", "a: b", "- c", "#d"])
@pytest.mark.parametrize("more", [(), ("--language", "en"), ("--add", "hunter")])
def test_words_that_yaml_takes_for_something_else_are_still_words_in_a_copy(
    own: Path, word: str, more: tuple[str, ...]
) -> None:
    source = shipped()["killers-2"].read_text("utf-8").split("\n", 2)[2]
    texts = f'{{"no": "{word}", en: "{word}"}}'
    path = own.parent / "odd.yaml"
    path.write_text(f"id: odd\nname: {texts}\ncamps:\n  killers: {texts}\n{source}", "utf-8")
    before = document(path)
    result = rules("new", "our-house", "--from", path, *more)
    assert result.exit_code == 0, result.output
    after = document(own / "our-house.yaml")
    assert after["name"]["en"] == f"{before['name']['en']} (house rules)" == f"{word} (house rules)"
    assert after["camps"]["killers"]["en"] == word
    assert ("no" in after["name"]) == ("--language" not in more)
    assert False not in after["name"]


def test_a_copy_that_would_say_something_else_is_not_written(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "scalar", str)
    source = shipped()["killers-2"].read_text("utf-8").split("\n", 2)[2]
    path = own.parent / "odd.yaml"
    path.write_text(f'id: odd\nname: {{"no": "x", en: "y"}}\n{source}', "utf-8")
    result = rules("new", "our-house", "--from", path)
    assert result.exit_code == 1
    assert "a copy of odd would not say the same; copy the file by hand" in result.output
    assert not (own / "our-house.yaml").exists()


def test_roles_are_added_and_what_they_bring_is_told(own: Path) -> None:
    result = rules("new", "our-house", "--from", "killers-2", "--add", "hunter", "--add", "doctor@killers-3")
    assert result.output.splitlines()[1:8] == [
        "  hunter, from box-werewolf: 1 card for camp good, in place of civilian",
        "    may take one along when it dies by killer, vote",
        "    called as hunter (first night only) first of all",
        "  doctor, from killers-3: 1 card for camp good, in place of civilian",
        "    brings the option needles",
        "    called as doctor after police",
        "    counted in the ending of killers: none_alive police, doctor",
    ]
    found = load(own / "our-house.yaml")
    assert [step.id for step in found.night] == ["hunter", "killer", "police", "doctor"]


def test_roles_can_be_added_to_a_copy_of_a_copy(own: Path) -> None:
    rules("new", "first-house", "--from", "killers-2", "--add", "hunter")
    result = rules("new", "second-house", "--from", "first-house", "--add", "bubble")
    assert "hunter" not in result.output
    assert list(load(own / "second-house.yaml").roles) == ["killer", "police", "civilian", "hunter", "bubble"]
    text = (own / "second-house.yaml").read_text("utf-8")
    assert text.count("# yaml-language-server") == 1
    assert text.count("# Who wins when.") == 1


def test_editors_find_the_schema_beside_the_file(own: Path) -> None:
    rules("new", "our-house", "--from", "killers-2")
    first = (own / "our-house.yaml").read_text("utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=ruleset.schema.json"
    assert (own / "ruleset.schema.json").read_text("utf-8") == json_schema() == rules("schema").output


@pytest.mark.parametrize(
    ("name", "more", "told"),
    [
        ("Our House", (), "an id is a word of up to 40 small letters, digits, _ and -"),
        ("our/house", (), "an id is a word of up to 40 small letters"),
        ("con", (), "an id is a word of up to 40 small letters"),
        ("x" * 41, (), "an id is a word of up to 40 small letters"),
        ("killers-3", (), "a shipped ruleset has this id; choose another one; got killers-3"),
        ("our-house", ("--language", "fr"), "there are zh-Hans, zh-Hant, es, en; got fr"),
        ("our-house", ("--add", "huntr"), "did you mean 'hunter'?"),
        ("our-house", ("--add", "police"), "the role 'police' is in this ruleset already"),
        ("our-house", ("--add", "thief"), "give `hand: {spare: 2}` before adding it"),
        ("our-house", ("--add", "hunter@nowhere"), "there is no ruleset 'nowhere'"),
    ],
)
def test_what_cannot_be_begun_is_told_with_the_cure(own: Path, name: str, more: tuple[str, ...], told: str) -> None:
    result = rules("new", name, "--from", "killers-2", *more)
    assert result.exit_code == 1
    assert told in result.output
    assert not list(own.glob("*.yaml"))


def test_a_ruleset_that_is_there_is_not_overwritten(own: Path) -> None:
    rules("new", "our-house", "--from", "killers-2")
    before = (own / "our-house.yaml").read_bytes()
    result = rules("new", "our-house", "--from", "killers-3")
    assert result.exit_code == 1
    assert "exists already; edit it, delete it, or choose another id" in result.output
    assert (own / "our-house.yaml").read_bytes() == before


def test_a_ruleset_that_is_not_there_or_not_sound_is_not_copied(own: Path) -> None:
    assert "did you mean 'killers-2'" in rules("new", "our-house", "--from", "kilers-2").output
    rules("new", "our-house", "--from", "killers-2")
    path = own / "our-house.yaml"
    path.write_text(path.read_text("utf-8").replace("seats: [8, 16]", "seats: [many]"), "utf-8")
    result = rules("new", "other-house", "--from", "our-house")
    assert result.exit_code == 1
    assert f"{path}:" in result.output


def test_warnings_leave_the_exit_status_as_it_is(own: Path) -> None:
    rules("new", "our-house", "--from", "killers-2")
    path = own / "our-house.yaml"
    path.write_text(path.read_text("utf-8").replace(", gives_last_words: true", ""), "utf-8")
    result = rules("check", "our-house")
    first, last = result.output.splitlines()
    assert result.exit_code == 0
    assert re.match(rf"{re.escape(str(path))}:\d+: warning: nobody has last words", first)
    assert last == f"ok {path}"


def test_the_whole_of_a_ruleset_can_be_printed(own: Path) -> None:
    rules("new", "our-house", "--from", "killers-2", "--add", "hunter")
    whole = yaml.safe_load(rules("show", "our-house", "--whole").output)
    assert from_document(whole) == load(own / "our-house.yaml")
    assert "add" not in whole


def test_the_roles_that_can_be_added_are_listed() -> None:
    listed = rules("roles", "killers-2").output.splitlines()
    assert "hunter             hunter: May shoot one when he is killed at night or voted out (box-werewolf)" in listed
    assert not [line for line in listed if line.split()[0] in ("killer", "undercover", "gin", "thief")]
    assert "猎人" in rules("roles", "killers-2", "-l", "zh-Hans").output
    everything = [line.split()[0] for line in rules("roles").output.splitlines()]
    assert {"killer", "undercover", "gin", "thief", "bubble"} <= set(everything)


def test_everything_that_a_role_can_be_made_of_is_listed() -> None:
    told = rules("abilities").output
    for name, ability in ABILITIES.items():
        assert f"\n  {name}: " in told
        assert all(f"      {param}: " in told for param in parameters(ability))
    for field in fields(Condition):
        assert f"\n  {field.metadata.get('alias', field.name)}: {field.metadata['description']}\n" in told
