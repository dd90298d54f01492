"""What can be wrong with the steps of a night and the parameters of their abilities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from narrator.editions import ABILITIES
from narrator.engine.ability import parameters
from narrator.loading.checks.ruleset_parts import condition_problems
from narrator.loading.files.problem import Problem, Where, did_you_mean, unknown
from narrator.loading.files.ruleset_file import RulesetFile, read_condition
from narrator.model.ruleset import Step

STEPS = ("hit_in", "news_of")
"""Parameters that name an earlier step; an ability that has one cannot do without it."""
ROLES = ("positive", "only", "must_take", "saves_from")
"""Parameters that are lists of roles."""
SWITCHES = ("own", "once", "savable", "needles", "both", "bound", "shares_silence")
FIXED = (*STEPS, *ROLES, "bars", "blocks", "bound", "by", "shields", "sources")
"""Parameters that are what they are, whatever the options."""
_TELLING = ("meet", "check", "hear_news", "observe", "take_card", "bind")
_ACTING = ("hit", "treat", "rescue", "potions", "silence", "carry")
STANDARD = frozenset(_TELLING + _ACTING)
"""The abilities of which the tables here speak; others look after their parameters themselves."""
WORDS: Mapping[str, tuple[str, ...]] = {
    "blocks": ("act", "see"),
    "shields": ("hit", "treat", "silence"),
    "shares_death": ("hit", "any"),
    "shares_needle": ("treated", "needled"),
    "shows": ("role",),
}
"""Parameters that are one of some words, or a list of them."""


def problems_of_night(source: RulesetFile) -> Iterator[Problem]:
    """Every problem of the night."""
    seen: set[str] = set()
    for index, step in enumerate(source.night):
        path = ("night", index)
        if step.id in seen:
            yield Problem((*path, "step"), f"two steps are called {step.id!r}; give one another name")
        seen.add(step.id)
        for role in step.roles():
            if role not in source.roles:
                yield Problem(path, unknown("role", role, source.roles))
        yield from _ability(path, step, source)
        if step.when:
            yield from condition_problems((*path, "when"), step.when, source)
    yield from _uncalled(source)


def _ability(path: Where, step: Step, source: RulesetFile) -> Iterator[Problem]:
    ability = ABILITIES.get(step.ability)
    if ability is None:
        yield Problem((*path, "ability"), unknown("ability", step.ability, ABILITIES))
        return
    for key, value in step.params.items():
        where = (*path, "with", key)
        if key not in parameters(ability):
            known = f"{did_you_mean(key, parameters(ability))}; it has: {', '.join(parameters(ability)) or 'none'}"
            yield Problem(where, f"the ability {step.ability!r} has no parameter {key!r}{known}")
        elif isinstance(value, dict) and set(value) == {"option"} and step.ability in STANDARD:
            if value["option"] not in list(source.options):
                yield Problem(where, unknown("option", value["option"], source.options))
            if key in FIXED:
                yield Problem(where, f"{key} cannot depend on an option; write its value")
        elif step.ability in STANDARD:
            yield from _param(where, key, value, source)
    if step.ability in STANDARD:
        yield from _other_steps(path, step, source)
    else:
        yield from _skill_problems(path, step, source)
    if step.ability == "take_card" and not source.hand.spare:
        what = f"no cards are left over for {step.id!r} to see; give `hand: {{spare: 2}}`, or leave the role out"
        yield Problem(path, what)


def _other_steps(path: Where, step: Step, source: RulesetFile) -> Iterator[Problem]:
    before = [one.id for one in source.night[: int(path[-1])]]
    for key in STEPS:
        if key not in parameters(ABILITIES[step.ability]):
            continue
        given = step.params.get(key)
        if given is None:
            what = f"the ability {step.ability!r} needs `with: {{{key}: STEP}}`; steps before it: {', '.join(before)}"
            yield Problem(path, what)
        elif given not in [one.id for one in source.night]:
            yield Problem((*path, "with", key), unknown("step", given, [one.id for one in source.night]))
        elif given not in before:
            what = f"the step {given!r} comes later in the night; put {step.id!r} after it"
            yield Problem((*path, "with", key), what)


def _param(path: Where, key: str, value: Any, source: RulesetFile) -> Iterator[Problem]:
    if key in ROLES:
        yield from _role_lists(path, key, value, source)
    elif key in SWITCHES and not isinstance(value, bool):
        yield Problem(path, f"{key} must be true or false, or {{option: NAME}}; got {value!r}")
    elif key in WORDS:
        for word in value if isinstance(value, list) else [value]:
            if word not in WORDS[key]:
                yield Problem(path, unknown(f"word for {key},", word, WORDS[key]))
    elif key == "bars":
        yield from _bars(path, value, source)


def _role_lists(path: Where, key: str, value: Any, source: RulesetFile) -> Iterator[Problem]:
    lists = list(value.values()) if isinstance(value, dict) else [value]
    for roles in lists:
        if not isinstance(roles, list):
            yield Problem(path, f"{key} must be a list of roles: [{roles}]")
            continue
        for role in roles:
            if role not in list(source.roles):
                yield Problem(path, unknown("role", role, source.roles))


def _bars(path: Where, value: Any, source: RulesetFile) -> Iterator[Problem]:
    for bar in value if isinstance(value, list) else [value]:
        if not isinstance(bar, dict) or set(bar) != {"roles", "when", "reason"}:
            yield Problem(path, "each bar must be {roles: […], when: {…}, reason: …}")
            continue
        yield from _role_lists(path, "roles", bar["roles"], source)
        try:
            when = read_condition(bar["when"])
        except ValidationError:
            yield Problem(path, f"`when` must be a condition, like {{none_alive: [role]}}; got {bar['when']!r}")
            continue
        yield from condition_problems(path, when, source)


def _uncalled(source: RulesetFile) -> Iterator[Problem]:
    called = {role for step in source.night for role in (*step.wakes, *step.anywhere, *step.joins)}
    for role in source.roles:
        if role != source.citizen and role not in called and source.hand.cards == 1:
            yield Problem(
                ("roles", role),
                f"nobody calls the role {role!r}, so the judge could not learn who holds it; "
                f"add a step that wakes it, if only {{step: {role}, ability: meet, nights: first}}",
            )


Kind = Callable[[RulesetFile, Any], Iterator[str]]


def _listed_words(kind: str, value: Any, known: Iterable[str]) -> Iterator[str]:
    names = list(known)
    for word in value if isinstance(value, list) else [value]:
        if word not in names:
            yield unknown(kind, word, names)


def _printed(source: RulesetFile) -> list[str]:
    """Every trait that is printed on a card."""
    return list(dict.fromkeys(name for role in source.roles.values() for name in role.traits))


def _roles(source: RulesetFile, value: Any) -> Iterator[str]:
    yield from _listed_words("role", value, source.roles)


def _traits(source: RulesetFile, value: Any) -> Iterator[str]:
    yield from _listed_words(
        "trait", value, dict.fromkeys(name for role in source.roles.values() for name in role.traits)
    )


def _camp(source: RulesetFile, value: Any) -> Iterator[str]:
    yield from _one("camp", value, source.camps)


def _step(source: RulesetFile, value: Any) -> Iterator[str]:
    yield from _one("step", value, [step.id for step in source.night])


def _role(source: RulesetFile, value: Any) -> Iterator[str]:
    yield from _one("role", value, source.roles)


def _trait(source: RulesetFile, value: Any) -> Iterator[str]:
    yield from _one("trait", value, _printed(source))


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


def _skill_problems(path: Where, step: Step, source: RulesetFile) -> Iterator[Problem]:
    """Every problem of the parameters of a step whose ability is no standard one."""
    for name, value in step.params.items():
        for what in KIND_OF[name](source, value) if name in KIND_OF else ():
            yield Problem((*path, "with", name), f"{name}: {what}")
    for group in NEEDED.get(step.ability, ()):
        if not any(name in step.params for name in group):
            yield Problem(path, f"the ability {step.ability!r} needs `with: {{{' or '.join(group)}: …}}`")
