"""The course of a night: calls, identification, choices, answers, dawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from narrator.engine import aftermath
from narrator.engine.abilities import ABILITIES
from narrator.engine.abilities.base import NOTHING
from narrator.engine.calls import asking, calls_tonight
from narrator.engine.conditions import holds
from narrator.engine.deaths import dying
from narrator.engine.identifying import to_identify, unidentified
from narrator.engine.night import settle
from narrator.engine.settling import Outcome
from narrator.engine.turn import Turn
from narrator.model import events as ev
from narrator.model.state import Call, State


def fall(turn: Turn) -> None:
    """Let the next night fall and call its first group."""
    round_ = turn.state.round + 1
    turn.emit(ev.NightFell(round_, calls_tonight(turn.state, round_), _notices(turn.state)))
    _next_call(turn)


def _notices(state: State) -> tuple[str, ...]:
    return tuple(
        notice.id
        for notice in state.ruleset.notices
        if f"noticed.{notice.id}" not in state.memo and holds(state, notice.when)
    )


def _next_call(turn: Turn) -> None:
    following = turn.state.call + 1
    if following >= len(turn.state.calls):
        _end(turn)
        return
    call = turn.state.calls[following]
    identify = bool(to_identify(turn.state, call))
    turn.emit(ev.CallOpened(call, "identify" if identify else ""))
    if not identify:
        _ask(turn, call)


def _ask(turn: Turn, call: Call) -> None:
    how, briefing = asking(turn.state, call)
    turn.emit(ev.Asked(call, how))
    if briefing is not NOTHING:
        turn.emit(ev.Answered(call, briefing))


def identify(turn: Turn, roles: Mapping[str, tuple[int, ...]]) -> None:
    """Record who holds what (role -> cards), and ask the group for its choice."""
    turn.emit(ev.Identified(roles))
    _ask(turn, turn.state.calls[turn.state.call])


def choose(turn: Turn, choice: Mapping[str, Any]) -> None:
    """Record the group's choice; show what it is to be shown, or close the call."""
    state = turn.state
    call = state.calls[state.call]
    step = state.ruleset.step(call.step)
    ability = ABILITIES[step.ability]
    answer = ability.answer(state, call, step, choice)
    effects = ability.effects(state, call, step, choice)
    turn.emit(ev.Chosen(call, choice))
    for event in effects:
        turn.emit(event)
    if answer is NOTHING:
        close(turn)
    else:
        turn.emit(ev.Answered(call, answer))


def close(turn: Turn) -> None:
    """Close the call and go on to the next, or to dawn."""
    turn.emit(ev.CallClosed(turn.state.calls[turn.state.call]))
    _next_call(turn)


def _end(turn: Turn) -> None:
    _identify_the_rest(turn)
    outcome = settle(turn.state)
    if outcome.needles:
        turn.emit(ev.Needled(outcome.needles))
    _remember_observed(turn, outcome)
    turn.emit(ev.Dawned(turn.state.round))
    _announce(turn, outcome)
    aftermath.react_or_conclude(turn)


def _identify_the_rest(turn: Turn) -> None:
    """Whoever has not been woken holds the cards that are left."""
    unknown = tuple(card.number for card in turn.state.cards if card.role is None)
    if unknown:
        left = unidentified(turn.state)
        roles = [role for role, count in left.items() for _ in range(count)] or [turn.state.ruleset.citizen]
        role = roles[0] if len(set(roles)) == 1 else turn.state.ruleset.citizen
        turn.emit(ev.Identified({role: unknown}))


def _remember_observed(turn: Turn, outcome: Outcome) -> None:
    if outcome.observed is not None or turn.state.memo.get("observed") is not None:
        turn.emit(ev.Remembered("observed", outcome.observed))
    if turn.state.memo.get("claim") is not None:
        turn.emit(ev.Remembered("claim", None))


def _announce(turn: Turn, outcome: Outcome) -> None:
    causes = dict(sorted(outcome.deaths.items()))
    deaths = tuple(
        replace(death, kind=outcome.kinds.get(death.card, ""))
        for death in sorted(dying(turn.state, causes), key=lambda death: death.card)
    )
    turn.emit(ev.Died(deaths, "night"))
    aftermath.reveal(turn, deaths, "night")
    if outcome.silenced:
        turn.emit(ev.Silenced(outcome.silenced, outcome.silenced_as))
    for event in outcome.events:
        turn.emit(event)
    aftermath.succeed(turn)
