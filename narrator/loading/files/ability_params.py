"""The parameters of an ability as a file says them: read as the ability takes them, and followed to what they name."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from narrator.editions import ABILITIES
from narrator.engine.ability import Ability, Names
from narrator.loading.files.forms import MEANINGLESS, problems_of_form, read_form
from narrator.loading.files.problem import Where
from narrator.model.ruleset import Condition, OptionRef, Step


@cache
def ability_adapter(name: str) -> TypeAdapter[Ability]:
    """What reads the parameters of an ability."""
    return TypeAdapter(ABILITIES[name])


def option_of(said: Any) -> str | None:
    """The option that decides a parameter, where it is written `{option: NAME}`."""
    is_use = isinstance(said, Mapping) and set(said) == {"option"}
    return str(said["option"]) if is_use else None


def options_of(step: Step) -> dict[str, str]:
    """Parameter -> the option that decides it, for those that may depend on one."""
    free = {one.name for one in dataclasses.fields(ABILITIES[step.ability]) if not one.metadata["fixed"]}
    return {name: option for name, said in step.params.items() if name in free and (option := option_of(said))}


def fits(step: Step, param: str, value: bool | str) -> bool:
    """Whether a value is one that a parameter can have."""
    problems = read_params(replace(step, params={param: value}))[1]
    return not any(path[:1] == (param,) and len(path) == 1 for path, _ in problems)


def read_params(step: Step) -> tuple[dict[str, Any], list[tuple[Where, str]]]:
    """The parameters of a step as its ability takes them, and all that is wrong with their form: (path, what).

    An OptionRef stands for what an option decides. Where something is wrong, the others are as the file has them.
    """
    by_option = {name: OptionRef(option) for name, option in options_of(step).items()}
    said = {name: one for name, one in step.params.items() if name not in by_option}
    words = {name: [one] for name, one in said.items() if isinstance(one, str) and may_be_one_word(step.ability, name)}
    empty = {name: MEANINGLESS for name, one in said.items() if one is None}
    try:
        ability = read_form(ability_adapter(step.ability), said | words | empty)
    except ValidationError as error:
        problems = problems_of_form(ABILITIES[step.ability], said, error)
        wrong = {path[0] for path, _ in problems}
        return {name: _tuples(one) for name, one in said.items() if name not in wrong}, problems
    return {name: getattr(ability, name) for name in said} | by_option, []


def _tuples(said: Any) -> Any:
    return tuple(map(_tuples, said)) if isinstance(said, list) else said


def is_standard(kind: type[Ability]) -> bool:
    """Whether an ability is one of those of which most rulesets are made, and belongs to no edition unlike others."""
    return kind.__module__.startswith("narrator.engine.")


def may_be_one_word(name: str, param: str) -> bool:
    """Whether a single word is a list of one there: for the lists of abilities that belong to an edition."""
    return not is_standard(ABILITIES[name]) and typing.get_origin(param_hints(name).get(param)) is tuple


# What they name


@cache
def param_hints(name: str) -> dict[str, Any]:
    """Parameter of an ability -> its type, with its marks."""
    hints = typing.get_type_hints(ABILITIES[name], include_extras=True)
    return {one.name: hints[one.name] for one in dataclasses.fields(ABILITIES[name])}


def is_fixed(name: str, param: str) -> bool:
    """Whether a parameter of an ability is what it is, whatever the options."""
    return any(one.metadata["fixed"] for one in dataclasses.fields(ABILITIES[name]) if one.name == param)


def kinds_named(name: str, param: str) -> set[str]:
    """What a parameter of an ability names: `role`, `doer`, `earlier step` …; nothing if there is no such parameter."""
    return set(_kinds(param_hints(name).get(param))) if name in ABILITIES else set()


def _kinds(annotation: Any) -> Iterator[str]:
    yield from (mark.kind for mark in getattr(annotation, "__metadata__", ()) if isinstance(mark, Names))
    for inner in typing.get_args(annotation):
        yield from _kinds(inner)


def named(name: str, params: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """(parameter, kind, what is named) for everything that read parameters name; conditions are of kind `condition`."""
    for param, value in params.items():
        yield from ((param, kind, word) for kind, word in _named(param_hints(name)[param], value))


def _named(annotation: Any, value: Any) -> Iterator[tuple[str, Any]]:
    args = typing.get_args(annotation)
    if isinstance(value, Condition):
        yield "condition", value
    elif isinstance(value, str):
        yield from ((kind, value) for kind in _kinds(annotation))
    elif typing.get_origin(annotation) in (typing.Union, types.UnionType):
        origins = [(one, typing.get_origin(one)) for one in args]
        fitting = [one for one, origin in origins if isinstance(origin, type) and isinstance(value, origin)]
        yield from (found for one in fitting for found in _named(one, value))
    elif isinstance(value, Mapping) and args:
        for key, inner in value.items():
            yield from [*_named(args[0], key), *_named(args[1], inner)]
    elif isinstance(value, tuple | frozenset):
        yield from (found for one in value for found in _named(args[0], one))
    elif dataclasses.is_dataclass(value) and not isinstance(value, OptionRef):
        hints = typing.get_type_hints(type(value), include_extras=True)
        for one in dataclasses.fields(value):
            yield from _named(hints[one.name], getattr(value, one.name))
