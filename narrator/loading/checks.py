"""What can be wrong with a ruleset although its form is right: words that mean nothing, deals that do not fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from narrator.engine.abilities import ABILITIES
from narrator.engine.counting import COUNTERS
from narrator.engine.settling import SETTLERS
from narrator.loading import build
from narrator.loading.schema import ConditionFile, OptionFile, RulesetFile

DRAW = "draw"


@dataclass(frozen=True)
class Problem:
    """A problem and the path of keys where it stands."""

    path: tuple[str | int, ...]
    what: str


def find(source: RulesetFile) -> list[Problem]:
    """Every problem of a ruleset whose form is right."""
    checks = (_seats, _roles, _counts, _night, _options, _endings, _day, _hand)
    return [problem for check in checks for problem in check(source)]


def _unknown(path: tuple[str | int, ...], kind: str, name: object, known: Iterable[str]) -> Problem:
    return Problem(path, f"there is no {kind} {name!r}; there are: {', '.join(known)}")


def _seats(source: RulesetFile) -> Iterator[Problem]:
    low, high = source.seats
    if low > high:
        yield Problem(("seats",), f"the fewest seats ({low}) are more than the most ({high}); turn them round")


def _roles(source: RulesetFile) -> Iterator[Problem]:
    if source.citizen not in source.roles:
        yield _unknown(("citizen",), "role", source.citizen, source.roles)
    for role_id, role in source.roles.items():
        path = ("roles", role_id)
        if not role.name:
            yield Problem(path, f"the role {role_id!r} has no name; give `name: {{en: …, zh-Hans: …}}`")
        if role.camp not in source.camps:
            yield Problem(path, f"the camp {role.camp!r} has no name; give it under `camps`")
        for immunity in role.immune:
            known = [*source.roles, *(step.step for step in source.night)]
            for name in immunity.against:
                if name not in known:
                    yield _unknown((*path, "immune"), "role", name, source.roles)


def _counts(source: RulesetFile) -> Iterator[Problem]:
    found: dict[str, tuple[tuple[int, int, int], ...]] = {}
    for role_id, role in source.roles.items():
        path = ("roles", role_id, "count")
        if (role.count is None) != (role_id == source.citizen):
            yield Problem(path, _count_rule(role_id, source.citizen))
            continue
        try:
            found[role_id] = build.counts(role.count, source.seats)
        except ValueError:
            yield Problem(path, f"{role.count!r} is no table of counts; write {{8-10: 2, 11-14: 3}} or a number")
    yield from _deals(source, found)


def _count_rule(role_id: str, citizen: str) -> str:
    if role_id == citizen:
        return f"{role_id!r} is the plain role, which takes the cards that are left; leave its count out"
    return f"{role_id!r} has no count; give a number, or by seats {{8-10: 2, 11-14: 3}}"


def _deals(source: RulesetFile, counts: dict[str, tuple[tuple[int, int, int], ...]]) -> Iterator[Problem]:
    for seats in range(source.seats[0], source.seats[1] + 1):
        cards = seats * source.hand.cards + source.hand.spare
        dealt = 0
        for role_id, table in counts.items():
            if role_id == source.citizen:
                continue
            count = next((n for low, high, n in table if low <= seats <= high), None)
            if count is None:
                yield Problem(
                    ("roles", role_id, "count"), f"says nothing of {seats} seats; the table has {source.seats}"
                )
            dealt += count or 0
        if dealt > cards:
            yield Problem(("roles",), f"{dealt} cards are dealt to {seats} seats, which have {cards}; deal fewer")


def _night(source: RulesetFile) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, step in enumerate(source.night):
        path = ("night", index)
        if step.step in seen:
            yield Problem((*path, "step"), f"two steps are called {step.step!r}; give one another name")
        seen.add(step.step)
        wakes = [step.step] if step.wakes is None else step.wakes
        instead = step.instead.wakes if step.instead else []
        for role in [*wakes, *step.anywhere, *step.joins, *instead]:
            if role not in source.roles:
                yield _unknown(path, "role", role, source.roles)
        yield from _ability(path, step.ability, step.with_, source)
        if step.when:
            yield from _condition((*path, "when"), step.when, source)
    yield from _uncalled(source)


def _ability(path: tuple[str | int, ...], name: str, params: dict[str, Any], source: RulesetFile) -> Iterator[Problem]:
    ability = ABILITIES.get(name)
    if ability is None:
        yield _unknown((*path, "ability"), "ability", name, ABILITIES)
        return
    for key, value in params.items():
        if key not in ability.params:
            known = ", ".join(ability.params) or "none"
            yield Problem((*path, "with", key), f"the ability {name!r} has no parameter {key!r}; it has: {known}")
        if isinstance(value, dict) and set(value) == {"option"} and value["option"] not in source.options:
            yield _unknown((*path, "with", key), "option", value["option"], source.options)
        if key in ("hit_in", "news_of") and value not in [step.step for step in source.night]:
            yield _unknown((*path, "with", key), "step", value, [step.step for step in source.night])


def _uncalled(source: RulesetFile) -> Iterator[Problem]:
    called = {role for step in source.night for role in ([step.step] if step.wakes is None else step.wakes)}
    called |= {role for step in source.night for role in (*step.anywhere, *step.joins)}
    for role in source.roles:
        if role != source.citizen and role not in called and source.hand.cards == 1:
            yield Problem(
                ("roles", role),
                f"nobody calls the role {role!r}, so the judge could not learn who holds it; "
                f"add a step that wakes it, if only {{step: {role}, ability: meet, nights: first}}",
            )


def _options(source: RulesetFile) -> Iterator[Problem]:
    for name, option in source.options.items():
        if not isinstance(option, OptionFile):
            yield Problem(("options", name), f"the option {name!r} is not a usual one; give `default` and `text`")
        elif option.default not in (option.choices if option.choices is not None else (True, False)):
            yield Problem(("options", name), f"the default {option.default!r} is not among the choices")


def _endings(source: RulesetFile) -> Iterator[Problem]:
    for index, ending in enumerate(source.endings):
        if ending.winner != DRAW and ending.winner not in source.camps:
            yield _unknown(("endings", index, "winner"), "camp", ending.winner, [*source.camps, DRAW])
        yield from _condition(("endings", index, "when"), ending.when, source)
    for index, notice in enumerate(source.notices):
        yield from _condition(("notices", index, "when"), notice.when, source)


def _condition(path: tuple[str | int, ...], condition: ConditionFile, source: RulesetFile) -> Iterator[Problem]:
    given = condition.model_dump(exclude_none=True, by_alias=True)
    if len(given) != 1:
        yield Problem(path, f"a condition has exactly one key, not {len(given)}: {', '.join(given) or 'none'}")
        return
    kind, value = next(iter(given.items()))
    for part in (condition.all, condition.any, condition.not_):
        for one in part or ():
            yield from _condition((*path, kind), one, source)
    if kind == "option" and value not in source.options:
        yield _unknown(path, "option", value, source.options)
    roles = value["roles"] if kind == "alive_is" else value if isinstance(value, list) else []
    for role in roles:
        if isinstance(role, str) and role not in source.roles:
            yield _unknown(path, "role", role, source.roles)


def _day(source: RulesetFile) -> Iterator[Problem]:
    last_tie = source.day.last_tie
    if not isinstance(last_tie, str) and last_tie.option not in source.options:
        yield _unknown(("day", "last_tie"), "option", last_tie.option, source.options)
    if source.day.counting not in COUNTERS:
        yield _unknown(("day", "counting"), "way of counting", source.day.counting, COUNTERS)
    if source.settling not in SETTLERS:
        yield _unknown(("settling",), "way of settling", source.settling, SETTLERS)


def _hand(source: RulesetFile) -> Iterator[Problem]:
    if (source.hand.cards == 1) != (source.hand.kind == "single"):
        yield Problem(("hand",), "two cards are `numbered` or `ordered`, one card is `single`")
    for index, pair in enumerate(source.hand.misdeals):
        for role in (role for roles in pair for role in roles):
            if role not in source.roles:
                yield _unknown(("hand", "misdeals", index), "role", role, source.roles)
