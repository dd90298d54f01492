"""Which groups are called tonight, and what each is asked."""

from __future__ import annotations

from narrator.engine.abilities import ABILITIES
from narrator.engine.abilities.base import NOTHING
from narrator.engine.cards import acting, awake, holders
from narrator.engine.conditions import holds
from narrator.engine.identifying import unidentified
from narrator.model.ruleset import Step
from narrator.model.state import Call, State


def calls_tonight(state: State, round_: int) -> tuple[Call, ...]:
    """All calls of a night, in order, whether or not anybody who would wake is alive."""
    steps = [step for step in state.ruleset.night if _is_called(state, step, round_)]
    calls = [call for step in steps for call in _calls_of(state, step)]
    if round_ == 1 and state.ruleset.identify == "first" and unidentified(state):
        meetings = _meetings(state, steps)
        met = {call.step for call in meetings}
        return (*meetings, *(call for call in calls if call.step not in met or not _only_meets(state, call)))
    return tuple(calls)


def _only_meets(state: State, call: Call) -> bool:
    step = state.ruleset.step(call.step)
    return step.ability == "meet" and not step.params


def _is_called(state: State, step: Step, round_: int) -> bool:
    if step.nights != "every" and (step.nights == "first") != (round_ == 1):
        return False
    if step.when and not holds(state, step.when):
        return False
    return bool(state.option("call_dead_roles")) or _somebody_would_wake(state, step)


def _somebody_would_wake(state: State, step: Step) -> bool:
    if not state.lives.known or not step.roles():
        return True
    wakes = step.wakes + (step.instead.wakes if step.instead else ())
    return bool(holders(state, wakes, wakes + step.anywhere))


def _calls_of(state: State, step: Step) -> list[Call]:
    return _series(state, step) if step.each else [Call(step.id)]


def _series(state: State, step: Step) -> list[Call]:
    """A call for each card that a step wakes, living or dead; each keeps its number for the whole game.

    The numbers follow the seats: were one left out, it would tell on which side of the dead the living sit.
    """
    cards = [card for card in state.cards if card.role in step.wakes]
    return [Call(step.id, number if len(cards) > 1 else 0, card.number) for number, card in enumerate(cards, 1)]


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


def asking(state: State, call: Call) -> tuple[str, object]:
    """How a call goes on once its group is identified, and what the group is shown before it chooses.

    `choose`; `show` if there is nothing to choose but something to be shown; `idle` if there is nobody to answer.
    """
    step = state.ruleset.step(call.step)
    if call.meeting or not _can_answer(state, call, step):
        return "idle", NOTHING
    ability = ABILITIES[step.ability]
    briefing = ability.briefing(state, call, step)
    if ability.fields(state, call, step):
        return "choose", briefing
    return ("idle" if briefing is NOTHING else "show"), briefing


def _can_answer(state: State, call: Call, step: Step) -> bool:
    return not step.roles() or bool(ABILITIES[step.ability].actors(state, call, step))


def awake_in(state: State, call: Call) -> tuple[int, ...]:
    """The seats whose eyes are open in this call, ascending."""
    step = state.ruleset.step(call.step)
    joining = [card for card in awake(state, call, step) if card not in acting(state, call, step)]
    return tuple(sorted({card.seat for card in (*ABILITIES[step.ability].actors(state, call, step), *joining)}))
