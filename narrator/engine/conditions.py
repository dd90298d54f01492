"""What can be true of a state: the pieces that endings, bars and notices are made of; and whether the game is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from narrator.engine.cards import bound
from narrator.model.ruleset import Condition
from narrator.model.state import State

DRAW = "draw"
Options = Mapping[str, bool | str]
Test = Callable[[State], bool]
Make = Callable[[Condition, Options], Test]
TESTS: dict[str, Make] = {}
"""Kind of condition -> what makes its test, options resolved."""


def condition(kind: str) -> Callable[[Make], Make]:
    """Register a kind of condition; a kind that exists already is a ValueError."""

    def register(make: Make) -> Make:
        if kind in TESTS:
            raise ValueError(f"two conditions are called {kind!r}")
        TESTS[kind] = make
        return make

    return register


def compiled(given: Condition, options: Options) -> Test:
    """A condition as a test of states, with the options of the game."""
    return TESTS[given.kind](given, options)


def holds(state: State, given: Condition) -> bool:
    """Whether a condition is true of a state."""
    return compiled(given, state.setup.options)(state)


def _counting(roles: tuple[str, ...]) -> Callable[[State], int]:
    """How many living cards play some roles."""
    if len(roles) == 1:
        role = roles[0]
        return lambda state: len(state.lives.playing.get(role, ()))
    return lambda state: sum([len(state.lives.playing.get(role, ())) for role in roles])


@condition("none_alive")
def _none_alive(given: Condition, options: Options) -> Test:
    roles = given.roles
    if len(roles) == 1:
        role = roles[0]
        return lambda state: role not in state.lives.playing
    return lambda state: state.lives.playing.keys().isdisjoint(roles)


@condition("any_alive")
def _any_alive(given: Condition, options: Options) -> Test:
    roles = given.roles
    return lambda state: not state.lives.playing.keys().isdisjoint(roles)


@condition("alive_is")
def _alive_is(given: Condition, options: Options) -> Test:
    count, number = _counting(given.roles), given.number
    return lambda state: count(state) == number


@condition("only_alive")
def _only_alive(given: Condition, options: Options) -> Test:
    roles = frozenset(given.roles)
    return lambda state: roles.issuperset(state.lives.playing)


@condition("as_many_as_others")
def _as_many_as_others(given: Condition, options: Options) -> Test:
    count = _counting(given.roles)
    return lambda state: (these := count(state)) > 0 and 2 * these >= len(state.lives.living)


@condition("bound_mixed")
def _bound_mixed(given: Condition, options: Options) -> Test:
    """One of the two bound together plays one of the roles, the other does not, and both live."""
    roles = given.roles

    def mixed(state: State) -> bool:
        two = bound(state)
        return len(two) == 2 and (two[0].plays in roles) != (two[1].plays in roles)

    return mixed


@condition("bound_alone")
def _bound_alone(given: Condition, options: Options) -> Test:
    return lambda state: len(bound(state)) == 2 and len(state.lives.living) == 2


@condition("option")
def _option(given: Condition, options: Options) -> Test:
    on = bool(options[given.option or ""])
    return lambda state: on


@condition("all")
def _all(given: Condition, options: Options) -> Test:
    parts = [compiled(part, options) for part in given.parts]
    if len(parts) == 2:
        one, other = parts
        return lambda state: one(state) and other(state)
    return lambda state: all(part(state) for part in parts)


@condition("any")
def _any(given: Condition, options: Options) -> Test:
    parts = [compiled(part, options) for part in given.parts]
    if len(parts) == 2:
        one, other = parts
        return lambda state: one(state) or other(state)
    return lambda state: any(part(state) for part in parts)


@condition("not")
def _not(given: Condition, options: Options) -> Test:
    parts = [compiled(part, options) for part in given.parts]
    if len(parts) == 1:
        (one,) = parts
        return lambda state: not one(state)
    return lambda state: not any(part(state) for part in parts)
