"""No message about a file that people write speaks in a library's words, however the file was spoilt."""

from __future__ import annotations

import json
import re
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from pydantic_core import PydanticKnownError, core_schema

import narrator.yaml_nodes as yaml_nodes
from narrator.form_faults import PHRASES, place, shown, what_is_wrong
from narrator.loading.checks.wording import Vocabulary
from narrator.loading.rulesets import examine_text, extra_roles, shipped
from narrator.loading.scenarios import ScenarioProblems, read_scenario
from narrator.narration.keys import KEYS
from narrator.narration.scripts import Script, ScriptProblems, languages
from narrator.places import data_folder
from narrator.storage.settings import FILE, Settings, load_settings
from tests.mutations import spoilt

JARGON = re.compile(
    r"Input should|should be|[Kk]eys should|valid (tuple|string|integer|dictionary|list|boolean|number)|greater than|"
    r"less than or equal|did not find|could not find|found (character|undefined|unknown|unexpected|duplicate|a tab)|"
    r"not allowed|\b(mapping|sequence|scalar|token|flow|anchor|alias|directive|stream|indicator|dict|tuple|loc)s?\b|"
    r"\b(None|True|False)\b|NoneType|Node\(|Error\b|Exception|Traceback|datetime|pydantic|format string|validation|"
    r"unhashable|\[key\]|\b(play|seats|night|roles|endings)\.[\w.]*\d|\w\.0\b|Expecting|EOF|column \d|document>"
)
"""Words and forms that only those know who program."""
FOUND = re.compile(r"'(\\.|[^'\\])*'|\"(\\.|[^\"\\])*\"|; got .*|known keys: .*|there are: .*| > .*: ")
"""What was found in the file, or what it may hold, which is no word of ours."""


def jargon(messages: list[str]) -> list[str]:
    """The messages that speak in a library's words, or give no place."""
    faulty = [one for one in messages if is_jargon(one.partition(": ")[2])]
    return faulty + [one for one in messages if not re.match(r"\S+:\d+: \S", one)]


def is_jargon(message: str) -> bool:
    return bool(JARGON.search(FOUND.sub("", message)))


VOCABULARY = Vocabulary(languages(), KEYS)
SCENARIOS = sorted((Path(__file__).parent / "scenarios").rglob("*.yaml"))[::11]


def of_ruleset(text: str, _: Path) -> list[str]:
    report = examine_text(text, "house.yaml", VOCABULARY)
    return [*report.problems, *report.warnings]


def of_scenario(text: str, folder: Path) -> list[str]:
    path = folder / "game.yaml"
    path.write_text(text, "utf-8")
    try:
        found = list(read_scenario(path).warnings)
    except ScenarioProblems as wrong:
        found = wrong.problems
    return [one.replace(f"{folder}/", "") for one in found]


def of_script(text: str, folder: Path) -> list[str]:
    path = folder / "xx.yaml"
    path.write_text(text, "utf-8")
    try:
        found = list(Script.from_file(path).doubts)
    except ScriptProblems as wrong:
        found = wrong.problems
    return [one.replace(f"{folder}/", "") for one in found]


@pytest.mark.parametrize(
    ("files", "said", "each", "least"),
    [
        ([*shipped().values(), *extra_roles().values()], of_ruleset, 100, 1000),
        (SCENARIOS, of_scenario, 30, 600),
        ([data_folder("scripts") / f"{tag}.yaml" for tag in ("en", "zh-Hant")], of_script, 50, 60),
    ],
    ids=["rulesets", "scenarios", "scripts"],
)
def test_of_thousands_of_spoilt_files_none_is_told_of_in_a_librarys_words(
    files: list[Path], said: typing.Callable[[str, Path], list[str]], each: int, least: int, tmp_path: Path
) -> None:
    told = 0
    for seed, file in enumerate(files):
        for text in spoilt(file.read_text("utf-8"), each, seed):
            found = said(text, tmp_path)
            assert jargon(found) == [], text
            told += bool(found)
    assert told > least


def spoilt_settings() -> Iterator[str]:
    odd = [None, True, -1, 10**30, 1.5, "", "x" * 200, [], {}, [1], ["a", "b", "c"], {"a": 1}, {"": "x"}]
    whole = json.loads(Settings().model_dump_json())
    for name in whole:
        yield from (json.dumps({**whole, name: value}, indent=2) for value in odd)
    yield from spoilt(json.dumps(whole, indent=2), 300)


def test_settings_too_are_told_of_in_plain_words_with_the_line(tmp_path: Path) -> None:
    told = 0
    for text in spoilt_settings():
        (tmp_path / FILE).write_text(text, "utf-8")
        _, found = load_settings(tmp_path)
        told += bool(found)
        if found:
            assert re.match(r"settings.json was damaged \((line \d+: \S|the file: |it is not UTF-8)", found), (
                found,
                text,
            )
            assert not is_jargon(found), (found, text)
    assert told > 400


def test_every_kind_of_fault_that_the_library_knows_has_words_of_ours() -> None:
    for kind in typing.get_args(core_schema.ErrorType):
        said = what_is_wrong({"type": kind, "ctx": CONTEXT}, "word", "key")
        assert not JARGON.search(said), (kind, said)
        assert not re.search(r"[{}]", said), (kind, said)
    for kind in PHRASES:
        assert kind in typing.get_args(core_schema.ErrorType), kind
    assert PydanticKnownError("int_type").message() == "Input should be a valid integer"


CONTEXT = {
    "min_length": 2,
    "max_length": 3,
    "expected": "'a' or 'b'",
    "gt": 1,
    "ge": 1,
    "lt": 9,
    "le": 9,
    "error": "is nothing",
    "expected_tags": "'a'",
}


@pytest.mark.parametrize(
    ("path", "document", "said"),
    [
        ((), {}, "the file"),
        (("play", 1, "vote", 1), {"play": [{}, {"vote": {1: 4}}]}, "play > entry 2 > vote > 1"),
        (("seats", 0), {"seats": [8, 9]}, "seats > entry 1"),
        (("names", 3), None, "names > entry 4"),
        ((True,), {True: 1}, "true"),
    ],
)
def test_a_place_is_said_as_people_find_it(path: tuple[str | int, ...], document: object, said: str) -> None:
    assert place(path, document) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "nothing"),
        (True, "true"),
        ([1, None, "a"], "[1, nothing, 'a']"),
        ({1: "a", "b": [False]}, "{1: 'a', b: [false]}"),
        (float("inf"), ".inf"),
        (float("nan"), ".nan"),
        ("x" * 90, f"'{'x' * 56}…"),
    ],
)
def test_a_value_is_shown_as_a_file_has_it(value: object, said: str) -> None:
    assert shown(value) == said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (", en: Killers 2.0}", ", en:Killers 2.0}", "f:2: name > en:Killers 2.0: must have a space behind its colon"),
        ("{camp: good, count", "{camp:good, count", "f:17: roles > police > camp:good: is not known here; write a sp"),
    ],
)
def test_a_colon_without_a_space_behind_it_is_told(old: str, new: str, said: str) -> None:
    text = shipped()["killers-2"].read_text("utf-8")
    assert text.count(old) == 1
    assert any(one.startswith(said) for one in examine_text(text.replace(old, new), "f", VOCABULARY).problems)


BROKEN = {
    "a: [1, 2\nb: 3": (1, "has brackets"),
    "a: {b: [1, 2}, c: 1}": (1, "has brackets"),
    "x: 1\na:\n\t- b": (3, "is indented with a tab"),
    "a: *nobody": (1, "has a sign at the beginning"),
    "a: 1\n---\nb: 2": (2, "begins a second document"),
    "x: 1\na: \0": (2, "holds a sign that no text has (U+0000)"),
    "a: b: c": (1, "has a second colon"),
    "a: 1\n b: 2": (2, "does not fit the one before it"),
    "a\nb: 1": (2, "does not fit the one before it"),
    "x: 1\na: 'x\nb: 1\n": (2, "begins a text in quotes that never ends"),
    'a: "\\q"': (1, "has a \\ in double quotes"),
    "a:\n  - 1\n - 2\n": (3, "does not fit those around it"),
    "- a\nb: 1": (2, "does not fit those around it"),
    "a: @x": (1, "has a text that begins with '@'"),
    "a: - b": (1, "has a list or a key where none can stand"),
    'a: "x" y': (1, "has something behind a text in quotes"),
    "a: |x\n": (1, "has a sign at the beginning"),
    "a: }": (1, "lacks a value"),
    "a: 1\nb\nc: 2": (2, "has no colon behind its key"),
}


@pytest.mark.parametrize("loader", [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)])
@pytest.mark.parametrize("text", BROKEN)
def test_what_is_no_yaml_is_told_alike_by_both_readers(
    text: str, loader: type[yaml.SafeLoader], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_nodes, "Loader", loader)
    with pytest.raises(yaml_nodes.NotYaml) as wrong:
        yaml_nodes.compose(text)
    line, what = BROKEN[text]
    assert (wrong.value.line, wrong.value.what[: len(what) + 23]) == (line, f"is not YAML: this line {what}")
