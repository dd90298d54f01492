"""Refusals: every reason that the program gives has a sentence in every language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from narrator.editions import ABILITIES
from narrator.model.errors import Refused
from narrator.narration.keys import ASKS, KEYS
from narrator.narration.refusals import refusal, warning
from narrator.narration.scripts import LANGUAGES, Script
from narrator.places import PACKAGE, data_folder
from tests.narration.playing import RULESETS


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for folder in ("engine", "table"):
        for file in sorted((PACKAGE / folder).rglob("*.py")):
            yield file, ast.parse(file.read_text("utf-8"))


def reasons() -> dict[str, set[str]]:
    """Every reason written in the code -> the values that come with it wherever it is given."""
    found: dict[str, set[str]] = {}
    for _, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                place = {"Refused": 0, "refuse_unless": 1}.get(node.func.id)
                if place is not None and len(node.args) > place:
                    values = {keyword.arg for keyword in node.keywords if keyword.arg}
                    for reason in literals(node.args[place]):
                        found[reason] = found.get(reason, values) & values
    return found


def literals(node: ast.expr) -> list[str]:
    """The texts an expression can be, where it is a text or a choice between texts."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    return []


def bars() -> set[str]:
    """Every reason for which a ruleset bars a target."""
    return {
        reason
        for file in data_folder("rulesets").rglob("*.yaml")
        for reason in reasons_in(yaml.safe_load(file.read_text("utf-8")))
    }


def reasons_in(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        if isinstance(data.get("reason"), str):
            yield data["reason"]
        for value in data.values():
            yield from reasons_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from reasons_in(value)


def test_the_scan_finds_reasons() -> None:
    assert {"dead_seat", "no_such_seat", "not_both", "game_over", "must_take_one", "too_few"} <= set(reasons())
    assert "last_killer_may_not" in bars()


def test_every_reason_that_is_given_has_a_sentence() -> None:
    assert sorted(reason for reason in {*reasons(), *bars()} if f"refused.{reason}" not in KEYS) == []


def test_every_value_that_a_sentence_needs_comes_with_its_reason() -> None:
    for reason, values in reasons().items():
        assert KEYS[f"refused.{reason}"].needs <= values, reason


def test_reasons_for_barred_targets_need_no_values() -> None:
    for reason in {"dead_seat", "own_seat", *bars()}:
        assert not KEYS[f"refused.{reason}"].needs, reason


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_told_with_its_values(language: str) -> None:
    script = Script.load(language)
    refused = Refused("wrong_count", role="killer", count=3, given=2)
    text = refusal(script, refused.reason, refused.values, RULESETS["killers-2"])
    assert "3" in text
    assert "2" in text
    assert ("killer" in text.lower()) == (language == "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_without_words_or_without_its_values_is_told_in_general(language: str) -> None:
    script = Script.load(language)
    assert refusal(script, "never_heard_of") == script.render("refused.other")
    assert refusal(script, "wrong_count", {"count": 3}) == script.render("refused.other")


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_that_a_sentence_does_not_use_are_left_out(language: str) -> None:
    script = Script.load(language)
    assert refusal(script, "dead_seat", {"seat": 5}) == script.render("refused.dead_seat")


@pytest.mark.parametrize("language", LANGUAGES)
def test_warnings_have_words(language: str) -> None:
    assert warning(Script.load(language), "second_needle")


def test_every_ability_has_a_question_of_its_own_for_house_roles() -> None:
    assert set(ABILITIES) <= {row.split()[0] for row in ASKS.split("\n") if row.strip()}
