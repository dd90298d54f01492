"""How each event changes the state: the fold of which every game consists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from narrator.model import events as ev
from narrator.model.state import Card, Reaction, State, Vote

Apply = Callable[[State, Any], State]
APPLY: dict[type[ev.Event], Apply] = {}


def on(kind: type[ev.Event]) -> Callable[[Apply], Apply]:
    """Register what an event does; a second registration is a ValueError."""

    def register(function: Apply) -> Apply:
        if kind in APPLY:
            raise ValueError(f"{kind.__name__} is applied twice")
        APPLY[kind] = function
        return function

    return register


def apply(state: State, event: ev.Event) -> State:
    """The state after an event."""
    return APPLY[type(event)](state, event)


def fold(state: State, events: Iterable[ev.Event]) -> State:
    """The state after all of these events, in order."""
    for event in events:
        state = apply(state, event)
    return state


def _with_cards(state: State, changed: dict[int, Card]) -> tuple[Card, ...]:
    cards = list(state.cards)
    for number, card in changed.items():
        cards[number - 1] = card
    return tuple(cards)


@on(ev.NightFell)
def _night_fell(state: State, event: ev.NightFell) -> State:
    noted = {f"noticed.{notice}": True for notice in event.notices}
    return state.evolve(
        stage="night",
        phase="night",
        round=event.round,
        calls=event.calls,
        call=-1,
        asking="",
        choices={},
        answers={},
        silenced=(),
        fresh=(),
        speaking=(),
        speaker=0,
        order=(),
        vote=Vote(0),
        memo={**state.memo, **noted} if noted else state.memo,
    )


@on(ev.CallOpened)
def _call_opened(state: State, event: ev.CallOpened) -> State:
    return state.evolve(call=state.call + 1, asking=event.asking)


@on(ev.Identified)
def _identified(state: State, event: ev.Identified) -> State:
    changed = {
        number: replace(state.cards[number - 1], role=role, plays=role)
        for role, numbers in event.roles.items()
        for number in numbers
    }
    return state.evolve(cards=_with_cards(state, changed))


@on(ev.Asked)
def _asked(state: State, event: ev.Asked) -> State:
    return state.evolve(asking=event.asking)


@on(ev.Chosen)
def _chosen(state: State, event: ev.Chosen) -> State:
    return state.evolve(choices={**state.choices, event.call.id: event.choice})


@on(ev.Answered)
def _answered(state: State, event: ev.Answered) -> State:
    asking = "show" if event.call.id in state.choices else state.asking
    return state.evolve(answers={**state.answers, event.call.id: event.answer}, asking=asking)


@on(ev.CallClosed)
def _call_closed(state: State, event: ev.CallClosed) -> State:
    return state.evolve(asking="")


@on(ev.PowerSpent)
def _power_spent(state: State, event: ev.PowerSpent) -> State:
    return state.evolve(spent={**state.spent, event.power: state.round})


@on(ev.RoleTaken)
def _role_taken(state: State, event: ev.RoleTaken) -> State:
    card = replace(state.cards[event.card - 1], plays=event.plays)
    return state.evolve(cards=_with_cards(state, {event.card: card}))


@on(ev.Remembered)
def _remembered(state: State, event: ev.Remembered) -> State:
    if event.key == "spare":
        return state.evolve(spare=tuple(event.value))
    return state.evolve(memo={**state.memo, event.key: event.value})


@on(ev.Needled)
def _needled(state: State, event: ev.Needled) -> State:
    return state.evolve(needles={**state.needles, **event.needles})


@on(ev.Dawned)
def _dawned(state: State, event: ev.Dawned) -> State:
    return state.evolve(stage="dawn", phase="day", asking="")


@on(ev.Died)
def _died(state: State, event: ev.Died) -> State:
    if not event.deaths:
        return state
    changed = {death.card: state.cards[death.card - 1].dead() for death in event.deaths}
    first = state.fresh[0].seat if state.fresh else event.deaths[0].seat
    return state.evolve(
        cards=_with_cards(state, changed),
        deaths=state.deaths + event.deaths,
        fresh=state.fresh + event.deaths,
        reference=first,
    )


@on(ev.Left)
def _left(state: State, event: ev.Left) -> State:
    changed = {card.number: card.dead() for card in state.cards if card.seat == event.seat}
    return state.evolve(cards=_with_cards(state, changed))


@on(ev.Revealed)
@on(ev.Announced)
@on(ev.NobodyOut)
@on(ev.DaySkipped)
def _nothing(state: State, event: ev.Event) -> State:
    return state


@on(ev.Silenced)
def _silenced(state: State, event: ev.Silenced) -> State:
    return state.evolve(silenced=event.seats)


@on(ev.ReactionsDue)
def _reactions_due(state: State, event: ev.ReactionsDue) -> State:
    return state.evolve(stage="react" if event.reactions else state.stage, reactions=event.reactions)


@on(ev.Reacted)
def _reacted(state: State, event: ev.Reacted) -> State:
    left: tuple[Reaction, ...] = state.reactions[1:]
    return state.evolve(reactions=left)


@on(ev.ElectionCalled)
def _election_called(state: State, event: ev.ElectionCalled) -> State:
    return state.evolve(stage="elect", memo={**state.memo, "elected": True})


@on(ev.OfficeGiven)
def _office_given(state: State, event: ev.OfficeGiven) -> State:
    return state.evolve(memo={**state.memo, "office": event.seat})


@on(ev.LastWordsBegan)
def _last_words_began(state: State, event: ev.LastWordsBegan) -> State:
    return state.evolve(
        stage="last_words", speaking=event.seats, speaker=0, words=state.words + len(event.seats), fresh=()
    )


@on(ev.DayBegan)
def _day_began(state: State, event: ev.DayBegan) -> State:
    stage = "talk" if event.free else "speech"
    return state.evolve(stage=stage, order=event.order, speaking=event.speaking, speaker=0, vote=Vote(0), fresh=())


@on(ev.TurnPassed)
def _turn_passed(state: State, event: ev.TurnPassed) -> State:
    return state.evolve(speaker=event.speaker)


@on(ev.VoteCalled)
def _vote_called(state: State, event: ev.VoteCalled) -> State:
    return state.evolve(stage="vote", vote=Vote(event.number, state.vote.tied), speaking=(), speaker=0)


@on(ev.Claimed)
def _claimed(state: State, event: ev.Claimed) -> State:
    return state.evolve(memo={**state.memo, "claim": event.role})


@on(ev.Voted)
def _voted(state: State, event: ev.Voted) -> State:
    return state


@on(ev.Tied)
def _tied(state: State, event: ev.Tied) -> State:
    return state.evolve(stage="speech", vote=Vote(event.number, event.seats), speaking=event.speaking, speaker=0)


@on(ev.GameEnded)
def _game_ended(state: State, event: ev.GameEnded) -> State:
    return state.evolve(stage="over", winner=event.winner, ended_by=event.reason, asking="", reactions=())
