"""A game from the deal to the winner: commands in, events out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from narrator.engine import abilities, day, deaths, night, vote
from narrator.engine.ballots import count_ballots
from narrator.engine.cards import check_deal, deal
from narrator.engine.legal import check_choice, check_identified, check_reaction, claim_is_due, current
from narrator.engine.state_changes import Turn, copied, fold
from narrator.model import events as ev
from narrator.model.errors import Refused
from narrator.model.state import Setup, State

__all__ = ["abilities", "decide", "fold", "new_game", "play"]

Command = Mapping[str, Any]
Handler = Callable[[Turn, Command], None]
STAGES = ("dealt", "night", "react", "last_words", "elect", "speech", "talk", "vote", "dawn")
"""The stages of a game that is not over."""
HANDLERS: dict[str, dict[str, Handler]] = {}
"""Command -> stage in which it may be given -> what carries it out."""


def new_game(setup: Setup) -> State:
    """The state before the first night."""
    return deal(setup)


def decide(state: State, command: Command) -> tuple[ev.Event, ...]:
    """What a command brings about; Refused, with nothing changed, if it may not be carried out."""
    return play(state, command)[0]


def play(state: State, command: Command) -> tuple[tuple[ev.Event, ...], State]:
    """What a command brings about, and the state after it; Refused if it may not be carried out."""
    turn = Turn(copied(state))
    carry_out(turn, command)
    return tuple(turn.events), turn.state


def carry_out(turn: Turn, command: Command) -> None:
    """Carry out a command where it stands: `turn.state` is changed, and `turn.events` are what has happened.

    Refused if it may not be carried out: nothing has changed then.
    """
    try:
        handler = HANDLERS[command["do"]][turn.state.stage]
    except (KeyError, TypeError):
        raise _not_now(turn.state, command.get("do")) from None
    turn.events = []
    handler(turn, command)
    while turn.next_phase:
        begin, turn.next_phase = PHASES[turn.next_phase], ""
        begin(turn)


def _not_now(state: State, name: object) -> Refused:
    if not isinstance(name, str) or name not in HANDLERS:
        return Refused("unknown_command", command=name, known=", ".join(HANDLERS))
    return Refused("game_over") if state.stage == "over" else Refused("not_now", stage=state.stage)


PHASES: dict[str, Callable[[Turn], None]] = {"day": day.begin, "night": night.fall}
"""How each phase begins."""


def command(name: str, *stages: str) -> Callable[[Handler], Handler]:
    """Register what carries out a command, and in which stages it may be given (none named: all)."""

    def register(function: Handler) -> Handler:
        known = HANDLERS.setdefault(name, {})
        for stage in stages or STAGES:
            if stage in known:
                raise ValueError(f"two commands are called {name!r} in the stage {stage!r}")
            known[stage] = function
        return function

    return register


@command("begin", "dealt")
def _begin(turn: Turn, given: Command) -> None:
    check_deal(turn.state)
    night.fall(turn)


@command("identify", "night")
def _identify(turn: Turn, given: Command) -> None:
    night.identify(turn, check_identified(turn.state, _mapping(given.get("roles") or {})))


@command("choose", "night")
def _choose(turn: Turn, given: Command) -> None:
    night.choose(turn, check_choice(turn.state, _mapping(given.get("choice") or {})))


@command("proceed", "night")
def _close(turn: Turn, given: Command) -> None:
    if turn.state.asking not in ("idle", "show"):
        raise Refused("choice_first", call=current(turn.state)[0].id)
    night.close(turn)


@command("proceed", "last_words", "speech", "talk")
def _proceed(turn: Turn, given: Command) -> None:
    """Go on from whoever speaks now: to the next speaker, or to what follows the round."""
    state = turn.state
    following = state.speaker + 1
    if following < len(state.speaking):
        turn.emit(_passed(following))
    elif state.stage == "last_words":
        turn.next_phase = "day" if state.vote.number == 0 else "night"
    else:
        day.call_vote(turn)


@cache
def _passed(speaker: int) -> ev.TurnPassed:
    """That the next one speaks: a value, the same in every game."""
    return ev.TurnPassed(speaker)


@command("back", "last_words", "speech")
def _back(turn: Turn, given: Command) -> None:
    if turn.state.speaker == 0:
        raise Refused("nobody_before")
    turn.emit(ev.TurnPassed(turn.state.speaker - 1))


@command("to_vote", "speech", "talk")
def _to_vote(turn: Turn, given: Command) -> None:
    day.call_vote(turn)


@command("vote", "vote")
def _vote(turn: Turn, given: Command) -> None:
    totals = vote.check_totals(turn.state, _by_number(given.get("totals")))
    vote.vote(turn, totals, {})


@command("ballots", "vote")
def _ballots(turn: Turn, given: Command) -> None:
    ballots = vote.check_ballots(turn.state, _by_number(given.get("ballots")))
    vote.vote(turn, count_ballots(ballots), ballots)


def _mapping(given: object) -> Mapping[str, Any]:
    if not isinstance(given, dict) and not isinstance(given, Mapping):
        raise Refused("not_a_mapping", value=given)
    return given


def _by_number(given: object) -> dict[int, Any]:
    """A mapping with whole numbers as keys, which JSON writes as strings."""
    named = _mapping(given)
    try:
        return {int(key): value for key, value in named.items()}
    except (TypeError, ValueError):
        raise Refused("not_a_number", value=", ".join(map(str, named))) from None


@command("elect", "elect")
def _elect(turn: Turn, given: Command) -> None:
    seat = given.get("seat")
    if seat is not None:
        seat = vote.check_living(turn.state, seat)
    day.elect(turn, seat)


@command("react", "react")
def _react(turn: Turn, given: Command) -> None:
    deaths.react(turn, check_reaction(turn.state, given.get("target")))


@command("claim", "last_words", "elect", "speech", "talk", "vote")
def _claim(turn: Turn, given: Command) -> None:
    if not claim_is_due(turn.state):
        raise Refused("nobody_observed")
    role = given.get("role")
    if role is not None and not (isinstance(role, str) and role in turn.state.ruleset.roles):
        raise Refused("unknown_role", role=role)
    observed = turn.state.memo["observed"]
    if given.get("seat", observed) != observed:
        raise Refused("not_observed", seat=given.get("seat"))
    turn.emit(ev.Claimed(observed, role))


@command("abandon")
def _abandon(turn: Turn, given: Command) -> None:
    turn.emit(ev.GameEnded("abandoned", "abandoned"))
