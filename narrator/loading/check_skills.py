"""What can be wrong with the parameters of single characters' skills: all of them are what they are, by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from narrator.loading.problem import Problem, Where
from narrator.loading.schema import RulesetFile, StepFile
from narrator.loading.spelling import unknown

Kind = Callable[[RulesetFile, Any], Iterator[str]]


def _words(kind: str, value: Any, known: Iterable[str]) -> Iterator[str]:
    names = list(known)
    for word in value if isinstance(value, list) else [value]:
        if word not in names:
            yield unknown(kind, word, names)


def _roles(source: RulesetFile, value: Any) -> Iterator[str]:
    yield from _words("role", value, source.roles)


def _traits(source: RulesetFile, value: Any) -> Iterator[str]:
    yield from _words("trait", value, dict.fromkeys(name for role in source.roles.values() for name in role.traits))


def _camp(source: RulesetFile, value: Any) -> Iterator[str]:
    yield from _one("camp", value, source.camps)


def _step(source: RulesetFile, value: Any) -> Iterator[str]:
    yield from _one("step", value, [step.step for step in source.night])


def _role(source: RulesetFile, value: Any) -> Iterator[str]:
    yield from _one("role", value, source.roles)


def _trait(source: RulesetFile, value: Any) -> Iterator[str]:
    yield from _one("trait", value, dict.fromkeys(name for role in source.roles.values() for name in role.traits))


def _one(kind: str, value: Any, known: Iterable[str]) -> Iterator[str]:
    names = list(known)
    if value not in names:
        yield unknown(kind, value, names)


def _number(source: RulesetFile, value: Any) -> Iterator[str]:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        yield f"must be a whole number, 0 or more; got {value!r}"


def _switch(source: RulesetFile, value: Any) -> Iterator[str]:
    if not isinstance(value, bool):
        yield f"must be true or false; got {value!r}"


KINDS: Mapping[Kind, str] = {
    _roles: "arrests dies_for group guarded_by guards_from kidnaps names parts positive roles sleeper sought",
    _role: "culprit",
    _traits: "chooses learns",
    _trait: "trait look",
    _camp: "camp",
    _step: "of until_found",
    _number: "blessed_nights escapes identify_on kidnap_from most shield_from wins_at",
    _switch: "court own",
}
"""Kind of value -> the parameters that are of it."""
KIND_OF: Mapping[str, Kind] = {name: kind for kind, names in KINDS.items() for name in names.split()}
NEEDED: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "investigate": (("trait", "camp"),),
    "watch": (("trait", "camp"), ("sleeper",)),
    "hear_disguise": (("of",),),
    "deduce": (("roles",), ("culprit",), ("camp",), ("look",)),
}
"""Ability -> what it cannot do without: one parameter of each group."""


def problems(path: Where, step: StepFile, source: RulesetFile) -> Iterator[Problem]:
    """Every problem of the parameters of a step whose ability is no standard one."""
    for name, value in step.with_.items():
        for what in KIND_OF[name](source, value) if name in KIND_OF else ():
            yield Problem((*path, "with", name), f"{name}: {what}")
    for group in NEEDED.get(step.ability, ()):
        if not any(name in step.with_ for name in group):
            yield Problem(path, f"the ability {step.ability!r} needs `with: {{{' or '.join(group)}: …}}`")
