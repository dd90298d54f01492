"""What can be true of a state: the pieces that endings, bars and notices are made of."""

from __future__ import annotations

from collections.abc import Callable

from narrator.engine.cards import bound, living
from narrator.model.ruleset import Condition
from narrator.model.state import State

Test = Callable[[State, Condition], bool]
TESTS: dict[str, Test] = {}


def test(kind: str) -> Callable[[Test], Test]:
    """Register a kind of condition; a kind that exists already is a ValueError."""

    def register(function: Test) -> Test:
        if kind in TESTS:
            raise ValueError(f"two conditions are called {kind!r}")
        TESTS[kind] = function
        return function

    return register


def holds(state: State, condition: Condition) -> bool:
    """Whether a condition is true of a state."""
    return TESTS[condition.kind](state, condition)


def _count(state: State, condition: Condition) -> int:
    playing = state.lives.playing
    return sum([playing.get(role, 0) for role in condition.roles])


@test("none_alive")
def _none_alive(state: State, condition: Condition) -> bool:
    return _count(state, condition) == 0


@test("any_alive")
def _any_alive(state: State, condition: Condition) -> bool:
    return _count(state, condition) > 0


@test("alive_is")
def _alive_is(state: State, condition: Condition) -> bool:
    return _count(state, condition) == condition.number


@test("only_alive")
def _only_alive(state: State, condition: Condition) -> bool:
    return all(card.plays in condition.roles for card in living(state))


@test("as_many_as_others")
def _as_many_as_others(state: State, condition: Condition) -> bool:
    these = _count(state, condition)
    return these > 0 and 2 * these >= len(living(state))


@test("bound_mixed")
def _bound_mixed(state: State, condition: Condition) -> bool:
    """One of the two bound together plays one of the roles, the other does not, and both live."""
    two = bound(state)
    return len(two) == 2 and sum(card.plays in condition.roles for card in two) == 1


@test("bound_alone")
def _bound_alone(state: State, condition: Condition) -> bool:
    two = bound(state)
    return len(two) == 2 and len(living(state)) == 2


@test("option")
def _option(state: State, condition: Condition) -> bool:
    return bool(state.option(str(condition.option)))


@test("all")
def _all(state: State, condition: Condition) -> bool:
    return all(holds(state, part) for part in condition.parts)


@test("any")
def _any(state: State, condition: Condition) -> bool:
    return any(holds(state, part) for part in condition.parts)


@test("not")
def _not(state: State, condition: Condition) -> bool:
    return not any(holds(state, part) for part in condition.parts)
