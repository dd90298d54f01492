"""Ballots: how they are summed, what may come of a vote, and the registry of the ways in which votes are counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from narrator.model.events import Event
from narrator.model.state import State
from narrator.model.values import value

Tally = Mapping[int, int]
Ballots = Mapping[int, tuple[int, ...]]


@value
class VoteResult:
    """What a count has brought."""

    out: tuple[int, ...] = ()
    """The targets that are out; several only where a tie takes all."""
    tied: tuple[int, ...] = ()
    nobody: str = ""
    """Why nobody is out: `no_votes`, `tie`, `void`, `tied` (a first and last tie), `spared`."""
    drawn: bool = False
    """The game is drawn by its last tie."""
    announced: str = "all"
    """What the table hears of the count: `all`, `ballots` (but no tally), `nothing`."""
    invalid: tuple[int, ...] = ()
    """Voters whose ballots do not count."""
    events: tuple[Event, ...] = ()
    """What an edition adds of its own."""


CountBallots = Callable[[State, Tally, Ballots], tuple[dict[int, int], VoteResult]]
COUNTERS: dict[str, CountBallots] = {}


def counter(name: str) -> Callable[[CountBallots], CountBallots]:
    """Register a way of counting; a name that is taken is a ValueError."""

    def register(function: CountBallots) -> CountBallots:
        if name in COUNTERS:
            raise ValueError(f"two ways of counting are called {name!r}")
        COUNTERS[name] = function
        return function

    return register


def count_ballots(ballots: Ballots) -> dict[int, int]:
    """Target -> votes."""
    tally: dict[int, int] = {}
    for named in ballots.values():
        for target in named:
            tally[target] = tally.get(target, 0) + 1
    return tally


def leaders(tally: Tally) -> tuple[int, ...]:
    """The targets with the most votes, ascending; () if nobody has any."""
    if not tally:
        return ()
    most = max(tally.values())
    top = [target for target, votes in tally.items() if votes == most] if most else []
    return tuple(top if len(top) < 2 else sorted(top))
