"""The file of a ruleset: the ruleset as the engine plays it, and what only a file says besides."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from narrator.editions import ABILITIES
from narrator.loading.files.ability_params import ability_adapter, is_fixed, may_be_one_word, read_params
from narrator.loading.files.forms import problems_of_form, read_form
from narrator.loading.files.problem import Where
from narrator.model.ruleset import (
    Count,
    Immunity,
    OnDeath,
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
        found = read_form(_adapter(), _said(document))
    except ValidationError as error:
        return None, [_of_option(*one, document) for one in problems_of_form(RulesetFile, document, error)]
    night = tuple(_step(step, said) for step, said in zip(found.night, document["night"], strict=True))
    return replace(found, night=night), []


def _of_option(path: Where, what: str, document: Any) -> tuple[Where, str]:
    """A problem of form; where an option that is not known has only a default, what is missing."""
    if path[:1] != ("options",) or len(path) != 2 or isinstance(document["options"][path[1]], Mapping):
        return path, what
    return path, f"the option {path[1]!r} is not a usual one; give `default` and `text`"


def _said(document: Any) -> Any:
    """A document without the keys that are as good as left out."""
    if not isinstance(document, Mapping):
        return document
    said = dict(document)
    if isinstance(said.get("night"), list):
        said["night"] = [_given(step) for step in said["night"]]
    if isinstance(said.get("options"), Mapping):
        said["options"] = {name: _given(option) for name, option in said["options"].items()}
    return said


def _given(part: Any) -> Any:
    """A part of a document without the keys that are as good as left out, in its own parts too."""
    if not isinstance(part, Mapping):
        return part
    return {key: _given(one) for key, one in part.items() if one is not None or key not in LEFT_OUT}


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
    """The ruleset of a sound file, with the parameters of its abilities as these take them."""
    return replace(source, night=tuple(replace(step, params=read_params(step)[0]) for step in source.night))


def json_schema() -> str:
    """The JSON Schema of ruleset files, as text."""
    forms: list[tuple[str, Any, TypeAdapter[Any]]] = [("", "validation", _adapter())]
    forms += [(name, "validation", ability_adapter(name)) for name in sorted(ABILITIES)]
    schemas, shared = TypeAdapter.json_schemas(forms)
    parts = shared["$defs"]
    for name in ("Role", "Option"):
        del parts[name]["properties"]["id"]
    parts["Condition"] |= {"minProperties": 1, "maxProperties": 1}
    parts["Step"]["properties"]["ability"] |= {"enum": sorted(ABILITIES)}
    parts["Step"]["allOf"] = [_if_ability(name, schemas[name, "validation"], parts) for name in sorted(ABILITIES)]
    ruleset = parts.pop("RulesetFile")
    options = ruleset["properties"]["options"]["patternProperties"]
    options |= {name: {"anyOf": [option, {"type": "boolean"}, {"type": "string"}]} for name, option in options.items()}
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **ruleset, "$defs": parts}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _if_ability(name: str, params: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """What the parameters of a step must be if it has this ability: each its value, or an option that decides it."""
    form = parts[params["$ref"].rpartition("/")[2]]
    for one in fields(ABILITIES[name]):
        others = [] if is_fixed(name, one.name) else [{"$ref": "#/$defs/OptionRef"}]
        others += [{"type": "string"}] if may_be_one_word(name, one.name) else []
        if others:
            value = form["properties"][one.name]
            told = {key: value.pop(key) for key in ("description", "default") if key in value}
            form["properties"][one.name] = {"anyOf": [value, *others], **told}
    needed = {"required": ["with"]} if form.get("required") else {}
    then = {"properties": {"with": params}, **needed}
    return {"if": {"properties": {"ability": {"const": name}}}, "then": then}
