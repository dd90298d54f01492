"""The course of a night: which groups are called, who shows himself, choices, answers, and dawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from narrator.engine import deaths
from narrator.engine.ability import NOTHING
from narrator.engine.cards import acting, awake, holders, to_identify, unidentified
from narrator.engine.dawn import Outcome, settle
from narrator.engine.rules import Night, Place, rules_of
from narrator.engine.state_changes import Turn
from narrator.model import events as ev
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, State

# Which groups are called


def calls_tonight(state: State, round_: int) -> tuple[Call, ...]:
    """All calls of a night, in order, whether or not anybody who would wake is alive."""
    rules = rules_of(state)
    tonight = rules.first_night if round_ == 1 else rules.later_nights
    if tonight.lasts and state.lives.known:
        lasting: dict[Night, tuple[Call, ...]] = state.lives.lasting.setdefault("nights", {})
        if tonight not in lasting:
            lasting[tonight] = tuple(_calls_of(state, tonight.places))
        return lasting[tonight]
    places = [place for place in tonight.places if place.always or _is_called(state, place, rules.calls_dead_roles)]
    calls = _calls_of(state, places)
    if round_ == 1 and state.ruleset.identify == "first" and not state.lives.known:
        meetings = _meetings(state, [place.step for place in places])
        met = {call.step for call in meetings}
        return (*meetings, *(call for call in calls if call.step not in met or not _only_meets(state, call)))
    return tuple(calls)


def _calls_of(state: State, places: Iterable[Place]) -> list[Call]:
    calls: list[Call] = []
    for place in places:
        if place.step.each:
            calls += _series(state, place.step)
        else:
            calls.append(place.call)
    return calls


def _only_meets(state: State, call: Call) -> bool:
    step = state.ruleset.step(call.step)
    return step.ability == "meet" and not step.params


def _is_called(state: State, place: Place, dead_too: bool) -> bool:
    if place.when and not place.when(state):
        return False
    return dead_too or _somebody_would_wake(state, place)


def _somebody_would_wake(state: State, place: Place) -> bool:
    if not state.lives.known or not place.roles:
        return True
    step = place.step
    wakes = step.wakes + (step.instead.wakes if step.instead else ())
    return bool(holders(state, wakes, wakes + step.anywhere))


def _series(state: State, step: Step) -> tuple[Call, ...]:
    """A call for each card that a step wakes, living or dead; each keeps its number for the whole game.

    The numbers follow the seats: were one left out, it would tell on which side of the dead the living sit.
    """
    series: dict[str, tuple[Call, ...]] = state.lives.lasting.setdefault("series", {})
    if step.id not in series:
        cards = [card.number for card in state.cards if card.role in step.wakes]
        numbers = range(1, len(cards) + 1) if len(cards) > 1 else (0,)
        series[step.id] = tuple([_call_of(step.id, *both) for both in zip(numbers, cards, strict=False)])
    return series[step.id]


@cache
def _call_of(step: str, number: int, card: int) -> Call:
    """The call of one card: the same in every game."""
    return Call(step, number, card)


def series_of(state: State) -> dict[int, tuple[Call, ...]]:
    """Card number -> the calls with a number of their own that mean this card alone."""
    found: dict[int, tuple[Call, ...]] = {}
    for step in state.ruleset.night:
        for call in _series(state, step) if step.each else ():
            if call.number:
                found[call.card] = (*found.get(call.card, ()), call)
    return found


def _meetings(state: State, steps: list[Step]) -> list[Call]:
    """A call to open the eyes for every step that shows cards nobody has shown before it."""
    unknown = set(unidentified(state)) - {state.ruleset.citizen}
    meetings = []
    for step in steps:
        shown = unknown.intersection(step.roles())
        if shown and not step.each:
            meetings.append(Call(step.id, meeting=True))
            unknown -= shown
    return meetings


def ask(turn: Turn, call: Call) -> None:
    """Ask a group that has shown itself for its choice, or show it what it is to be shown.

    `choose`; `show` if there is nothing to choose but something to be shown; `idle` if there is nobody to answer.
    """
    state = turn.state
    place = turn.rules.at[call.step]
    ability, step = place.ability, place.step
    fields: tuple[Field, ...] = ()
    briefing: Any = NOTHING
    how = "idle"
    if not call.meeting and (not place.roles or place.actors(state, call, step)):
        briefing = ability.briefing(state, call, step) if place.briefs else NOTHING
        fields = ability.fields(state, call, step)
        how = "choose" if fields else "idle" if briefing is NOTHING else "show"
    turn.emit(ev.Asked(call, how))
    state.offered = fields
    if briefing is not NOTHING:
        turn.emit(ev.Answered(call, briefing))


def awake_in(state: State, call: Call) -> tuple[int, ...]:
    """The seats whose eyes are open in this call, ascending."""
    place = rules_of(state).at[call.step]
    acts = acting(state, call, place.step)
    joining = [card for card in awake(state, call, place.step) if card not in acts]
    return tuple(sorted({card.seat for card in (*place.actors(state, call, place.step), *joining)}))


# What happens in them


def fall(turn: Turn) -> None:
    """Let the next night fall and call its first group."""
    round_ = turn.state.round + 1
    turn.emit(ev.NightFell(round_, calls_tonight(turn.state, round_), _notices(turn.state)))
    _next_call(turn)


def _notices(state: State) -> tuple[str, ...]:
    notices = rules_of(state).notices
    if not notices:
        return ()
    return tuple([name for name, holds in notices if f"noticed.{name}" not in state.memo and holds(state)])


def _next_call(turn: Turn) -> None:
    state = turn.state
    following = state.call + 1
    if following >= len(state.calls):
        _end(turn)
        return
    call = state.calls[following]
    if not state.lives.known and to_identify(state, call):
        turn.emit(ev.CallOpened(call, "identify"))
    else:
        turn.emit(ev.CallOpened(call))
        ask(turn, call)


def identify(turn: Turn, roles: Mapping[str, tuple[int, ...]]) -> None:
    """Record who holds what (role -> cards), and ask the group for its choice."""
    turn.emit(ev.Identified(roles))
    ask(turn, turn.state.calls[turn.state.call])


def choose(turn: Turn, choice: Mapping[str, Any]) -> None:
    """Record the group's choice; show what it is to be shown, or close the call."""
    state = turn.state
    call = state.calls[state.call]
    place = turn.rules.at[call.step]
    ability, step = place.ability, place.step
    answer = ability.answer(state, call, step, choice) if place.answers else NOTHING
    effects = ability.effects(state, call, step, choice) if place.affects else ()
    turn.emit(ev.Chosen(call, choice))
    for event in effects:
        turn.emit(event)
    if answer is NOTHING:
        close(turn)
    else:
        turn.emit(ev.Answered(call, answer))


def close(turn: Turn) -> None:
    """Close the call and go on to the next, or to dawn."""
    state = turn.state
    turn.emit(ev.CallClosed(state.calls[state.call]))
    _next_call(turn)


def _end(turn: Turn) -> None:
    if not turn.state.lives.known:
        _identify_the_rest(turn)
    outcome = settle(turn.state)
    if outcome.needles:
        turn.emit(ev.Needled(outcome.needles))
    _remember_observed(turn, outcome)
    turn.emit(ev.Dawned(turn.state.round))
    _announce(turn, outcome)
    deaths.react_or_conclude(turn)


def _identify_the_rest(turn: Turn) -> None:
    """Whoever has not been woken holds the cards that are left."""
    unknown = tuple(card.number for card in turn.state.cards if card.role is None)
    if unknown:
        left = unidentified(turn.state)
        roles = [role for role, count in left.items() for _ in range(count)] or [turn.state.ruleset.citizen]
        role = roles[0] if len(set(roles)) == 1 else turn.state.ruleset.citizen
        turn.emit(ev.Identified({role: unknown}))


def _remember_observed(turn: Turn, outcome: Outcome) -> None:
    memo = turn.state.memo
    if outcome.observed is not None or memo.get("observed") is not None:
        turn.emit(ev.Remembered("observed", outcome.observed))
    if memo.get("claim") is not None:
        turn.emit(ev.Remembered("claim", None))


def _announce(turn: Turn, outcome: Outcome) -> None:
    found = deaths.dying(turn.state, outcome.deaths)
    if outcome.kinds:
        found = tuple([replace(death, kind=outcome.kinds.get(death.card, "")) for death in found])
    found = tuple(sorted(found, key=lambda death: death.card)) if len(found) > 1 else found
    turn.emit(ev.Died(found, "night"))
    deaths.reveal(turn, found, "night")
    if outcome.silenced:
        turn.emit(ev.Silenced(outcome.silenced, outcome.silenced_as))
    for event in outcome.events:
        turn.emit(event)
    deaths.succeed(turn)
