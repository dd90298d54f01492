"""What makes no sense in a ruleset, or is perhaps not meant, although it could be played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from narrator.loading.files.common import USUAL_OPTIONS
from narrator.loading.files.problem import Problem
from narrator.loading.files.ruleset_file import RulesetFile
from narrator.model.ruleset import Step

STANDARD = "standard"


def doubts_of(source: RulesetFile) -> Iterator[Problem]:
    """Every doubt."""
    if source.settling != STANDARD:
        return
    yield from _one_place(source)
    yield from _two_places(source)
    yield from _words(source)
    yield from _unused_options(source)
    yield from _last_words(source)
    yield from _never_dealt(source)


def _acting(source: RulesetFile) -> list[tuple[int, Step]]:
    return [(index, step) for index, step in enumerate(source.night) if step.ability != "meet"]


def _one_place(source: RulesetFile) -> Iterator[Problem]:
    """Two sides that would have to agree on one choice."""
    for index, step in _acting(source):
        camps = {source.roles[role].camp: role for role in reversed(step.wakes)}
        if len(camps) > 1 and not step.each:
            sides = " and ".join(f"{role} ({camp})" for camp, role in sorted(camps.items(), key=lambda pair: pair[1]))
            what = f"{sides} would act together at this one place of the night; give each a step, or use `joins`"
            yield Problem(("night", index), what)


def _two_places(source: RulesetFile) -> Iterator[Problem]:
    """A role that acts twice in one night."""
    seen: dict[str, list[Step]] = {}
    for index, step in _acting(source):
        for role in dict.fromkeys([*step.wakes, *step.anywhere]):
            for other in seen.get(role, []):
                if {step.nights, other.nights} != {"first", "later"}:
                    what = f"{role!r} acts at two places of one night, {other.id!r} and {step.id!r}"
                    yield Problem(("night", index), f"{what}; leave one out unless both are meant", mild=True)
            seen.setdefault(role, []).append(step)


def _words(source: RulesetFile) -> Iterator[Problem]:
    """Two steps that a scenario could not tell apart."""
    taken: dict[str, str] = {}
    for index, step in enumerate(source.night):
        word = step.key or step.id
        if word in taken and step.ability != "meet":
            what = (
                f"the steps {taken[word]!r} and {step.id!r} have one word, {word!r}, in scenarios; give another `key`"
            )
            yield Problem(("night", index), what)
        taken[word] = step.id


def _unused_options(source: RulesetFile) -> Iterator[Problem]:
    used = {*USUAL_OPTIONS, *_options_in(asdict(replace(source, options={})))}
    for name in source.options:
        if name not in used:
            what = f"nothing uses the option {name!r}; leave it out, or refer to it as {{option: {name}}}"
            yield Problem(("options", name), what, mild=True)


def _options_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "option" and isinstance(inner, str):
                yield inner
            yield from _options_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _options_in(inner)


def _last_words(source: RulesetFile) -> Iterator[Problem]:
    if source.last_words == "quota" and not any(role.gives_last_words for role in source.roles.values()):
        what = "nobody has last words, as no role has `gives_last_words: true`; or write `last_words: none`"
        yield Problem(("last_words",), what, mild=True)


def _never_dealt(source: RulesetFile) -> Iterator[Problem]:
    for role_id, role in source.roles.items():
        if role.counts and not any(count for _, _, count in role.counts):
            what = f"the role {role_id!r} is never dealt unless the judge adds a card; give it a count above 0"
            yield Problem(("roles", role_id, "count"), what, mild=True)
