"""From forms to commands."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from narrator.model.prompts import Field
from webpanel.commands import Unreadable, read_changes, read_command

FIELDS = (
    Field("target", "seat"),
    Field("two", "seats"),
    Field("heal", "flag"),
    Field("role", "role"),
    Field("left", "roles"),
)


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ([("do", "begin")], {"do": "begin"}),
        ([("do", "identify"), ("r.a", "1"), ("r.a", "3")], {"do": "identify", "roles": {"a": [1, 3]}}),
        ([("do", "choose"), ("f.target", "4")], {"do": "choose", "choice": {"target": 4}}),
        ([("do", "choose"), ("f.target", "4"), ("none", "1")], {"do": "choose", "choice": {}}),
        ([("do", "choose"), ("f.two", "4"), ("f.two", "5")], {"do": "choose", "choice": {"two": [4, 5]}}),
        ([("do", "choose"), ("f.heal", "true")], {"do": "choose", "choice": {"heal": True}}),
        ([("do", "choose"), ("f.heal", "false")], {"do": "choose", "choice": {"heal": False}}),
        ([("do", "choose"), ("f.role", "x")], {"do": "choose", "choice": {"role": "x"}}),
        ([("do", "choose"), ("f.left", "x"), ("f.left", "x")], {"do": "choose", "choice": {"left": ["x", "x"]}}),
        ([("do", "choose")], {"do": "choose", "choice": {}}),
        ([("do", "vote"), ("v.5", "3"), ("v.6", "0"), ("v.7", "")], {"do": "vote", "totals": {"5": 3}}),
        ([("do", "ballots"), ("b.1", "5"), ("b.2", "")], {"do": "ballots", "ballots": {"1": 5}}),
        ([("do", "ballots"), ("b.1", "5"), ("b.1", "")], {"do": "ballots", "ballots": {"1": [5]}}),
        ([("do", "ballots"), ("b.1", "5"), ("b.1", "6")], {"do": "ballots", "ballots": {"1": [5, 6]}}),
        ([("do", "elect"), ("f.target", "4")], {"do": "elect", "seat": 4}),
        ([("do", "elect"), ("none", "1")], {"do": "elect", "seat": None}),
        ([("do", "react"), ("f.target", "4")], {"do": "react", "target": 4}),
        ([("do", "claim"), ("role", "")], {"do": "claim", "role": None}),
        ([("do", "claim"), ("role", "x")], {"do": "claim", "role": "x"}),
    ],
)
def test_a_form_becomes_a_command(form: list[tuple[str, str]], wanted: dict[str, Any]) -> None:
    assert read_command(MultiDict(form), FIELDS) == wanted


@pytest.mark.parametrize(
    "form", [[], [("do", "fly")], [("do", "choose"), ("f.target", "x")], [("do", "vote"), ("v.1", "x")]]
)
def test_what_no_page_of_ours_sends_is_unreadable(form: list[tuple[str, str]]) -> None:
    with pytest.raises(Unreadable):
        read_command(MultiDict(form), FIELDS)


DRAFT: Any = SimpleNamespace(counts={"a": 3, "b": 4}, names=("A", "B", "C"))


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ([("seats", "9")], {"seats": 9}),
        ([("ruleset", "x")], {"ruleset": "x"}),
        ([("count.a", "2"), ("count.b", "4")], {"counts": {"a": 2}}),
        ([("suggested", "1")], {"counts": {"a": None, "b": None}}),
        ([("names", "X"), ("names", "")], {"names": ["X", "", "C"]}),
        ([("names_clear", "1")], {"names": []}),
        ([("switch", "x"), ("switch", "y"), ("option.y", "true")], {"options": {"x": False, "y": True}}),
        ([("option.z", "word")], {"options": {"z": "word"}}),
        ([("names_spoken_sent", "1"), ("names_spoken", "1")], {"names_spoken": True}),
        ([("names_spoken_sent", "1")], {"names_spoken": False}),
        ([("language_1", "es"), ("language_2", "")], {"languages": ["es"]}),
        ([("language_1", "es"), ("language_2", "en")], {"languages": ["es", "en"]}),
        ([("language_1", "es"), ("language_2", "es")], {"languages": ["es"]}),
        ([("voice.es", ""), ("voice.en", "v")], {"voices": {"en": "v"}}),
        (
            [("volume", "70"), ("speed", "110"), ("speech_seconds", "0")],
            {"volume": 70, "speed": 110, "speech_seconds": 0},
        ),
        ([], {}),
    ],
)
def test_a_form_becomes_changes(form: list[tuple[str, str]], wanted: dict[str, Any]) -> None:
    assert read_changes(MultiDict(form), DRAFT) == wanted
