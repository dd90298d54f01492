"""The file of a ruleset: the ruleset as the engine plays it, and what only a file says besides."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from narrator.editions import ABILITIES
from narrator.engine.ability import Bar
from narrator.loading.files.forms import problems_of_form
from narrator.loading.files.problem import Where
from narrator.model.ruleset import (
    Condition,
    Count,
    Immunity,
    OnDeath,
    OptionRef,
    Part,
    Ruleset,
    Step,
    Texts,
    Word,
)


@dataclass(frozen=True)
class Added(Part):
    """A role taken over from another ruleset, with its call at night; what is given here takes the place of its own."""

    role: Word
    source: Word | None = field(
        default=None, metadata={"description": "the shipped ruleset it is taken from", "alias": "from"}
    )
    count: Count | None = field(
        default=None, metadata={"description": "left out: one, wherever that leaves a plain card"}
    )
    camp: Word | None = None
    name: Texts | None = None
    task: Texts | None = None
    on_death: OnDeath | None = None
    immune: tuple[Immunity, ...] | None = None
    after: Word | None = field(
        default=None,
        metadata={"description": "the step of the night after which it is called; left out: its usual place"},
    )
    params: Mapping[str, Any] = field(
        default_factory=dict, metadata={"description": "parameters of its ability", "alias": "with"}
    )
    lines: Mapping[str, Texts] | None = field(
        default=None, metadata={"description": "its own words for `open`, `ask`, `close`"}
    )


@dataclass(frozen=True, kw_only=True)
class RulesetFile(Ruleset):
    """One edition of the game."""

    languages: tuple[str, ...] | None = field(
        default=None,
        metadata={"description": "the languages it is meant to be played in; left out: those of its name"},
    )
    add: tuple[Word | Added, ...] = field(
        default=(), metadata={"description": "roles taken over from other rulesets: hunter, bubble, …"}
    )


LEFT_OUT = ("wakes", "key", "choices")
"""Keys that may stand there without a value, as if they were left out."""


@cache
def _adapter() -> TypeAdapter[RulesetFile]:
    return TypeAdapter(RulesetFile)


def read_ruleset(document: Any) -> tuple[RulesetFile | None, list[tuple[Where, str]]]:
    """The ruleset that a document is, or else everything that is wrong with its form: (path, what)."""
    try:
        # Strict, and as JSON: lists may be tuples and sets, but no text becomes a number or a truth value.
        found = _adapter().validate_json(json.dumps(_said(document), default=_meaningless), strict=True)
    except ValidationError as error:
        return None, [_of_option(*one, document) for one in problems_of_form(RulesetFile, document, error)]
    night = tuple(_step(step, said) for step, said in zip(found.night, document["night"], strict=True))
    return replace(found, night=night), []


def _of_option(path: Where, what: str, document: Any) -> tuple[Where, str]:
    """A problem of form; where an option that is not known has only a default, what is missing."""
    if path[:1] != ("options",) or len(path) != 2 or isinstance(document["options"][path[1]], Mapping):
        return path, what
    return path, f"the option {path[1]!r} is not a usual one; give `default` and `text`"


def _said(value: Any) -> Any:
    """A value of a document without the keys that are as good as left out."""
    if isinstance(value, Mapping):
        return {key: _said(one) for key, one in value.items() if one is not None or key not in LEFT_OUT}
    return [_said(one) for one in value] if isinstance(value, list) else value


def _meaningless(value: object) -> Any:
    """What stands in JSON for a date or the like, which means nothing anywhere in a ruleset."""
    return [[[[]]]]


def _step(step: Step, said: Mapping[str, Any]) -> Step:
    """A step with what it leaves out filled in."""
    key = step.key or step.id
    return replace(
        step,
        key=key,
        wakes=(step.id,) if said.get("wakes") is None else step.wakes,
        instead=replace(step.instead, key=step.instead.key or key) if step.instead else None,
    )


def playable(source: RulesetFile) -> Ruleset:
    """The ruleset of a sound file, with the parameters of its abilities as the engine reads them."""
    night = tuple(
        replace(step, params={name: _listed(step, name, _param(value)) for name, value in step.params.items()})
        for step in source.night
    )
    return replace(source, night=night)


def _listed(step: Step, name: str, value: Any) -> Any:
    """A single word where a list is wanted is a list of one."""
    wanted = {one.name: one.default for one in fields(ABILITIES[step.ability])}
    return (value,) if isinstance(value, str) and isinstance(wanted[name], tuple) else value


@cache
def _conditions() -> TypeAdapter[Condition]:
    return TypeAdapter(Condition)


def read_condition(said: Any) -> Condition:
    """The condition that stands in a document. ValidationError if it is none."""
    return _conditions().validate_json(json.dumps(said, default=_meaningless), strict=True)


def _param(value: Any) -> Any:
    """A parameter of an ability: lists become tuples, `{option: x}` a reference, `when` a condition."""
    if isinstance(value, Mapping):
        if set(value) == {"option"}:
            return OptionRef(value["option"])
        if set(value) == {"roles", "when", "reason"}:
            return Bar(tuple(value["roles"]), _condition_or_not(value["when"]), value["reason"])
        return {key: _condition_or_not(one) if key == "when" else _param(one) for key, one in value.items()}
    return tuple(map(_param, value)) if isinstance(value, list) else value


def _condition_or_not(said: Any) -> Any:
    try:
        return read_condition(said)
    except ValidationError:
        return said


def json_schema() -> str:
    """The JSON Schema of ruleset files, as text."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **_adapter().json_schema()}
    parts = schema["$defs"]
    for name in ("Role", "Option"):
        del parts[name]["properties"]["id"]
    parts["Condition"] |= {"minProperties": 1, "maxProperties": 1}
    parts["Step"]["properties"]["ability"] |= {"enum": sorted(ABILITIES)}
    options = schema["properties"]["options"]["patternProperties"]
    options |= {name: {"anyOf": [option, {"type": "boolean"}, {"type": "string"}]} for name, option in options.items()}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
