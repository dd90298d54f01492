"""What can be wrong with a ruleset although its form is right: words that mean nothing, deals that do not fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from narrator.engine.ballots import COUNTERS
from narrator.engine.conditions import DRAW
from narrator.engine.dawn import SETTLERS
from narrator.form_faults import shown
from narrator.loading.files.problem import Problem, Where, ranges, unknown
from narrator.loading.files.ruleset_file import RulesetFile
from narrator.model.ruleset import Condition

CAUSES = ("vote", "hit", "needle", "carried", "bound", "taken", "lie")
"""What kills, besides roles."""


def problems_of_parts(source: RulesetFile) -> Iterator[Problem]:
    """Every problem of seats, roles, counts, options, endings, day and hand."""
    for check in (_seats, _roles, _counts, _options, _endings, _day, _hand):
        yield from check(source)


def _seats(source: RulesetFile) -> Iterator[Problem]:
    low, high = source.seats
    if low > high:
        yield Problem(("seats",), f"the fewest seats ({low}) are more than the most ({high}); turn them round")


def _roles(source: RulesetFile) -> Iterator[Problem]:
    if source.citizen not in source.roles:
        yield Problem(("citizen",), unknown("role", source.citizen, source.roles))
    steps = [step.id for step in source.night]
    for role_id, role in source.roles.items():
        path = ("roles", role_id)
        if not role.name:
            yield Problem(path, f"the role {role_id!r} has no name; give `name: {{en: …, zh-Hans: …}}`")
        if role.camp not in source.camps:
            yield Problem(path, f"the camp {role.camp!r} has no name; give it under `camps`")
        for immunity in role.immune:
            yield from _known((*path, "immune"), "role", immunity.against, [*source.roles, *steps])
            if immunity.while_unspent:
                yield from _known((*path, "immune"), "step", [immunity.while_unspent], steps)
        if role.on_death:
            causes = [*role.on_death.killed_by, *role.on_death.never_by]
            yield from _known((*path, "on_death"), "role or cause", causes, [*source.roles, *steps, *CAUSES])


def _known(path: Where, kind: str, names: Iterable[str], known: list[str]) -> Iterator[Problem]:
    for name in names:
        if name not in known:
            yield Problem(path, unknown(kind, name, dict.fromkeys(known)))


Tables = dict[str, tuple[tuple[int, int, int], ...]]


def _counts(source: RulesetFile) -> Iterator[Problem]:
    found: Tables = {}
    for role_id, role in source.roles.items():
        path = ("roles", role_id, "count")
        if (role.count is None) != (role_id == source.citizen):
            yield Problem(path, _count_rule(role_id, source.citizen))
            continue
        try:
            found[role_id] = role.counts
        except ValueError:
            yield Problem(path, f"{shown(role.count)} is no table of counts; write {{8-10: 2, 11-14: 3}} or a number")
    yield from _tables(found)
    yield from _deals(source, found)


def _count_rule(role_id: str, citizen: str) -> str:
    if role_id == citizen:
        return f"{role_id!r} is the plain role, which takes the cards that are left; leave its count out"
    return f"{role_id!r} has no count; give a number, or by seats {{8-10: 2, 11-14: 3}}"


def _tables(counts: Tables) -> Iterator[Problem]:
    for role_id, table in counts.items():
        path = ("roles", role_id, "count")
        for index, (low, high, count) in enumerate(table):
            if count < 0:
                yield Problem(path, f"a count cannot be less than 0; got {count}")
            if low > high:
                yield Problem(path, f"the range {low}-{high} runs backwards; write {high}-{low}")
            for first, last, _ in table[:index]:
                if first <= high and low <= last:
                    yield Problem(path, f"{first}-{last} and {low}-{high} overlap; give each number of seats once")


def _deals(source: RulesetFile, counts: Tables) -> Iterator[Problem]:
    silent: dict[str, list[int]] = {}
    over: dict[tuple[int, int], int] = {}
    for seats in range(source.seats[0], source.seats[1] + 1):
        dealt = 0
        for role_id, table in counts.items():
            if role_id == source.citizen:
                continue
            count = next((n for low, high, n in table if low <= seats <= high), None)
            if count is None:
                silent.setdefault(role_id, []).append(seats)
            dealt += count or 0
        cards = seats * source.hand.cards + source.hand.spare
        if dealt > cards:
            over[seats, cards] = dealt
    for role_id, missing in silent.items():
        what = f"says nothing of {ranges(missing)} seats; the table has {source.seats[0]}-{source.seats[1]}"
        yield Problem(("roles", role_id, "count"), what)
    for (seats, cards), dealt in over.items():
        yield Problem(("roles",), f"{dealt} cards are dealt to {seats} seats, which have {cards}; deal fewer")


def _options(source: RulesetFile) -> Iterator[Problem]:
    for name, option in source.options.items():
        if not any(type(choice) is type(option.default) and choice == option.default for choice in option.choices):
            what = f"the default {shown(option.default)} is not among the choices; add it to them"
            yield Problem(("options", name), what)


def _endings(source: RulesetFile) -> Iterator[Problem]:
    for index, ending in enumerate(source.endings):
        if ending.winner != DRAW and ending.winner not in source.camps:
            yield Problem(("endings", index, "winner"), unknown("camp", ending.winner, [*source.camps, DRAW]))
        yield from condition_problems(("endings", index, "when"), ending.when, source)
    for index, notice in enumerate(source.notices):
        yield from condition_problems(("notices", index, "when"), notice.when, source)
    if source.succession:
        heirs = [source.succession.role, source.succession.heir]
        yield from _known(("succession",), "role", heirs, list(source.roles))


def _day(source: RulesetFile) -> Iterator[Problem]:
    last_tie = source.day.last_tie
    if not isinstance(last_tie, str) and last_tie.option not in source.options:
        yield Problem(("day", "last_tie"), unknown("option", last_tie.option, source.options))
    if source.day.counting not in COUNTERS:
        yield Problem(("day", "counting"), unknown("way of counting", source.day.counting, COUNTERS))
    if source.settling not in SETTLERS:
        yield Problem(("settling",), unknown("way of settling", source.settling, SETTLERS))


def _hand(source: RulesetFile) -> Iterator[Problem]:
    if (source.hand.cards == 1) != (source.hand.kind == "single"):
        yield Problem(("hand",), "two cards are `numbered` or `ordered`, one card is `single`")
    for index, pair in enumerate(source.hand.misdeals):
        names = [role for roles in pair for role in roles]
        yield from _known(("hand", "misdeals", index), "role", names, list(source.roles))


def condition_problems(path: Where, condition: Condition, source: RulesetFile) -> Iterator[Problem]:
    """What is wrong with a condition that stands at `path`."""
    given = condition.given
    if len(given) != 1:
        yield Problem(path, f"a condition has exactly one key, not {len(given)}: {', '.join(given) or 'none'}")
        return
    for index, part in enumerate(condition.parts):
        yield from condition_problems((*path, condition.kind, index), part, source)
    if condition.option and condition.option not in source.options:
        yield Problem(path, unknown("option", condition.option, source.options))
    for role in condition.roles:
        if role not in source.roles:
            yield Problem(path, unknown("role", role, source.roles))
