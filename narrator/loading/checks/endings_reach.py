"""Whether the endings of a ruleset can come true, and none of them before the first night."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from functools import lru_cache

from narrator.engine.conditions import DRAW, holds
from narrator.engine.deaths import victory
from narrator.engine.game import new_game
from narrator.loading.files.problem import Problem
from narrator.model.ruleset import Condition, Ruleset
from narrator.model.state import Card, Setup, State

EMPTY_TABLE = {"*"}
"""What spoils an ending that is true only of an empty table."""
MOST_TABLES = 20_000
"""So many different tables are looked at; an edition with more of them is not judged."""


def problems_of_reach(ruleset: Ruleset) -> Iterator[Problem]:
    """Camps without an ending, endings without a camp, endings nobody can reach or that are true at the deal."""
    if ruleset.settling != "standard":
        return
    yield from _camps(ruleset)
    early = dict(_true_at_the_deal(ruleset))
    for index, seats in early.items():
        what = f"is true at the deal already ({_seats(seats)} seats); say it of roles that are dealt"
        yield Problem(("endings", index), f"this ending {what}")
    for index, why in _out_of_reach(ruleset):
        if index not in early:
            yield Problem(("endings", index), f"nobody can reach this ending: {why}")


def _seats(numbers: list[int]) -> str:
    return f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def _camps(ruleset: Ruleset) -> Iterator[Problem]:
    winners = {ending.winner for ending in ruleset.endings}
    camps = {role.camp: role.id for role in ruleset.roles.values()}
    for camp, role in camps.items():
        if camp not in winners:
            what = f"no ending lets {camp!r} win, the camp of {role!r}; add one under `endings`"
            yield Problem(("endings",), what, mild=True)
    for index, ending in enumerate(ruleset.endings):
        speaks_of_pair = any(leaf.kind in ("bound_mixed", "bound_alone") for leaf in _leaves(ending.when))
        if ending.winner not in (*camps, DRAW) and not speaks_of_pair:
            what = f"no role is of the camp {ending.winner!r}, so that nobody would win; there are: {', '.join(camps)}"
            yield Problem(("endings", index, "winner"), what)


# At the deal


def _true_at_the_deal(ruleset: Ruleset) -> Iterator[tuple[int, list[int]]]:
    tables = [_dealt(ruleset, seats) for seats in range(ruleset.seats[0], ruleset.seats[1] + 1)]
    for index, ending in enumerate(ruleset.endings):
        seats = [table.seats for table in tables if table and holds(table, ending.when)]
        if seats:
            yield index, seats


def _dealt(ruleset: Ruleset, seats: int) -> State | None:
    """The table as it is dealt, plain cards left over; None if the cards do not fit."""
    counts = ruleset.counts(seats)
    counts[ruleset.citizen] -= ruleset.hand.spare
    if min(counts.values()) < 0:
        return None
    cards = [role for role, count in counts.items() for _ in range(count)]
    size = ruleset.hand.cards
    hands = {seat + 1: tuple(cards[seat * size : (seat + 1) * size]) for seat in range(seats)}
    return new_game(Setup(ruleset, seats, counts, _defaults(ruleset), hands))


def _defaults(ruleset: Ruleset) -> dict[str, bool | str]:
    return {name: option.default for name, option in ruleset.options.items()}


# Later on


def _out_of_reach(ruleset: Ruleset) -> Iterator[tuple[int, str]]:
    groups = _groups(ruleset)
    if math.prod(most + 1 for most in groups.values()) > MOST_TABLES:
        return
    waiting = dict(enumerate(ruleset.endings))
    spoiled: dict[int, set[str]] = {}
    for table in _tables(ruleset, groups):
        won = victory(table)
        for index, ending in list(waiting.items()):
            if not holds(table, ending.when):
                continue
            if won == (ending.winner, "ending"):
                del waiting[index]
            else:
                spoiled[index] = _spoilers(table, ending.winner, spoiled.get(index))
        if not waiting:
            return
    yield from ((index, _why(ending.winner, spoiled.get(index))) for index, ending in waiting.items())


def _spoilers(table: State, winner: str, before: set[str] | None) -> set[str]:
    """The camps that have won too, here and at every table before; EMPTY_TABLE as long as that was the empty one."""
    if not table.cards:
        return EMPTY_TABLE if before is None else before
    others = _true(table) - {winner, DRAW}
    return others if before is None or before == EMPTY_TABLE else others & before


def _why(winner: str, others: set[str] | None) -> str:
    if others is None:
        return "it can never be true of cards that are dealt"
    if others == EMPTY_TABLE:
        return "it is true only when nobody lives"
    instead = "which then wins" if winner == DRAW else "and that is a draw"
    return f"whenever it is true, so is that of {', '.join(sorted(others)) or 'another camp'}, {instead}"


def _true(table: State) -> set[str]:
    return {ending.winner for ending in table.ruleset.endings if holds(table, ending.when)}


def _groups(ruleset: Ruleset) -> dict[str, int]:
    """Role -> the most cards that can live of it, and of those whom every ending names wherever it names this one."""
    most = _most(ruleset)
    groups: dict[frozenset[int], str] = {}
    sums: dict[str, int] = {}
    leaves = [leaf for ending in ruleset.endings for leaf in _leaves(ending.when)]
    for role in ruleset.roles:
        named_in = frozenset(index for index, leaf in enumerate(leaves) if role in leaf.roles)
        group = groups.setdefault(named_in, role)
        sums[group] = sums.get(group, 0) + most[role]
    return sums


def _most(ruleset: Ruleset) -> dict[str, int]:
    """Role -> the most cards of it that can live at any table: those dealt, and one more where a card can become it.

    One at least: the judge may deal a role that is not suggested.
    """
    most = dict.fromkeys(ruleset.roles, 1)
    for seats in range(ruleset.seats[0], ruleset.seats[1] + 1):
        most = {role: max(most[role], count) for role, count in ruleset.counts(seats).items()}
    takes_cards = any(step.ability == "take_card" for step in ruleset.night)
    heirs = {ruleset.succession.role} if ruleset.succession else set()
    return {role: count + takes_cards + (role in heirs) for role, count in most.items()}


def _leaves(condition: Condition) -> Iterator[Condition]:
    yield condition
    for part in condition.parts:
        yield from _leaves(part)


def _tables(ruleset: Ruleset, groups: Mapping[str, int]) -> Iterator[State]:
    """Every table that is thinkable, the emptier ones first."""
    living = sorted(itertools.product(*(range(most + 1) for most in groups.values())), key=sum)
    binds = any(step.ability == "bind" for step in ruleset.night)
    for options in _choices(ruleset):
        setup = Setup(ruleset, ruleset.seats[1], {}, options)
        for counts in living:
            cards = _cards(tuple(groups), counts)
            yield State(setup, cards)
            if binds:
                yield from (State(setup, cards, memo={"bound": pair}) for pair in _pairs(cards))


def _choices(ruleset: Ruleset) -> Iterator[dict[str, bool | str]]:
    """The options in every way that matters to the endings."""
    leaves = [leaf for ending in ruleset.endings for leaf in _leaves(ending.when)]
    spoken = sorted({leaf.option for leaf in leaves if leaf.option})
    for values in itertools.product(*(ruleset.options[name].choices for name in spoken)):
        yield _defaults(ruleset) | dict(zip(spoken, values, strict=True))


def _cards(roles: tuple[str, ...], counts: tuple[int, ...]) -> tuple[Card, ...]:
    held = [role for role, count in zip(roles, counts, strict=True) for _ in range(count)]
    return tuple(_card(number, role) for number, role in enumerate(held, 1))


@lru_cache(4096)
def _card(number: int, role: str) -> Card:
    return Card(number, number, role, role)


def _pairs(cards: tuple[Card, ...]) -> Iterator[tuple[int, int]]:
    """Two cards bound together, one pair for each two roles."""
    seen: set[tuple[str | None, str | None]] = set()
    for one, other in itertools.combinations(cards, 2):
        if (one.plays, other.plays) not in seen:
            seen.add((one.plays, other.plays))
            yield one.number, other.number
