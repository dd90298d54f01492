"""What can be wrong with the steps of a night and the parameters of their abilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from narrator.engine.abilities import ABILITIES
from narrator.loading import check_skills
from narrator.loading.check_conditions import condition_problems
from narrator.loading.problem import Problem, Where
from narrator.loading.schema import ConditionFile, RulesetFile, StepFile
from narrator.loading.spelling import nearest, unknown

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


def find(source: RulesetFile) -> Iterator[Problem]:
    """Every problem of the night."""
    seen: set[str] = set()
    for index, step in enumerate(source.night):
        path = ("night", index)
        if step.step in seen:
            yield Problem((*path, "step"), f"two steps are called {step.step!r}; give one another name")
        seen.add(step.step)
        for role in awake(step):
            if role not in source.roles:
                yield Problem(path, unknown("role", role, source.roles))
        yield from _ability(path, step, source)
        if step.when:
            yield from condition_problems((*path, "when"), step.when, source)
    yield from _uncalled(source)


def wakes(step: StepFile) -> list[str]:
    """The roles that a step wakes to act."""
    return [step.step] if step.wakes is None else step.wakes


def awake(step: StepFile) -> list[str]:
    """Every role that may open its eyes in a step."""
    return [*wakes(step), *step.anywhere, *step.joins, *(step.instead.wakes if step.instead else [])]


def _ability(path: Where, step: StepFile, source: RulesetFile) -> Iterator[Problem]:
    ability = ABILITIES.get(step.ability)
    if ability is None:
        yield Problem((*path, "ability"), unknown("ability", step.ability, ABILITIES))
        return
    for key, value in step.with_.items():
        where = (*path, "with", key)
        if key not in ability.params:
            known = f"{nearest(key, ability.params)}; it has: {', '.join(ability.params) or 'none'}"
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
        yield from check_skills.problems(path, step, source)
    if step.ability == "take_card" and not source.hand.spare:
        what = f"no cards are left over for {step.step!r} to see; give `hand: {{spare: 2}}`, or leave the role out"
        yield Problem(path, what)


def _other_steps(path: Where, step: StepFile, source: RulesetFile) -> Iterator[Problem]:
    before = [one.step for one in source.night[: int(path[-1])]]
    for key in STEPS:
        if key not in ABILITIES[step.ability].params:
            continue
        given = step.with_.get(key)
        if given is None:
            what = f"the ability {step.ability!r} needs `with: {{{key}: STEP}}`; steps before it: {', '.join(before)}"
            yield Problem(path, what)
        elif given not in [one.step for one in source.night]:
            yield Problem((*path, "with", key), unknown("step", given, [one.step for one in source.night]))
        elif given not in before:
            what = f"the step {given!r} comes later in the night; put {step.step!r} after it"
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
            when = ConditionFile.model_validate(bar["when"])
        except ValidationError:
            yield Problem(path, f"`when` must be a condition, like {{none_alive: [role]}}; got {bar['when']!r}")
            continue
        yield from condition_problems(path, when, source)


def _uncalled(source: RulesetFile) -> Iterator[Problem]:
    called = {role for step in source.night for role in (*wakes(step), *step.anywhere, *step.joins)}
    for role in source.roles:
        if role != source.citizen and role not in called and source.hand.cards == 1:
            yield Problem(
                ("roles", role),
                f"nobody calls the role {role!r}, so the judge could not learn who holds it; "
                f"add a step that wakes it, if only {{step: {role}, ability: meet, nights: first}}",
            )
