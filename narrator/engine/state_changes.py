"""How each event changes the state: the one fold of which every game, and every view of it, consists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Literal

from narrator.engine.rules import rules_of
from narrator.model import events as ev
from narrator.model.state import NO_VOTE, Card, State, Vote

Change = Callable[[State, Any], None]
CHANGES: dict[type[ev.Event], Change] = {}


def on(kind: type[ev.Event]) -> Callable[[Change], Change]:
    """Register what an event changes; a second registration is a ValueError."""

    def register(function: Change) -> Change:
        if kind in CHANGES:
            raise ValueError(f"{kind.__name__} is applied twice")
        CHANGES[kind] = function
        return function

    return register


def apply(state: State, event: ev.Event) -> State:
    """The state after an event."""
    return fold(state, (event,))


def fold(state: State, events: Iterable[ev.Event]) -> State:
    """The state after all of these events, in order."""
    new = copied(state)
    for event in events:
        CHANGES[type(event)](new, event)
    return new


def copied(state: State) -> State:
    """The same state, to be changed."""
    return state.copied()


class Turn:
    """A command being carried out: the events so far, and a state of its own that is always up to date with them."""

    __slots__ = ("events", "next_phase", "rules", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.rules = rules_of(state)
        self.events: list[ev.Event] = []
        self.next_phase: Literal["", "day", "night"] = ""
        """What begins when this is over; "" if nothing does yet."""

    def emit(self, event: ev.Event) -> None:
        """Add an event and apply it."""
        self.events.append(event)
        CHANGES[type(event)](self.state, event)


def _set_cards(state: State, changed: dict[int, Card]) -> None:
    cards = list(state.cards)
    for number, card in changed.items():
        cards[number - 1] = card
    state.set_cards(tuple(cards))


@on(ev.NightFell)
def _night_fell(state: State, event: ev.NightFell) -> None:
    state.stage = state.phase = "night"
    state.round = event.round
    state.calls = event.calls
    state.call = -1
    state.waking = None
    state.asking = ""
    state.choices = {}
    state.answers = {}
    state.met = {}
    state.silenced = state.fresh = state.speaking = state.order = ()
    state.speaker = 0
    state.vote = NO_VOTE
    if event.notices:
        state.memo = {**state.memo, **{f"noticed.{notice}": True for notice in event.notices}}


@on(ev.CallOpened)
def _call_opened(state: State, event: ev.CallOpened) -> None:
    state.call += 1
    if state.call == len(state.calls):  # to whoever is not the judge, the calls of a night are told one by one
        state.calls += (event.call,)
    state.waking = event.call
    state.asking = event.asking


@on(ev.Identified)
def _identified(state: State, event: ev.Identified) -> None:
    changed = {}
    for role, numbers in event.roles.items():
        for number in numbers:
            card = state.cards[number - 1]
            changed[number] = Card(number, card.seat, role, role, card.alive)
    _set_cards(state, changed)


@on(ev.Asked)
def _asked(state: State, event: ev.Asked) -> None:
    state.asking = event.asking
    state.offered = None
    if event.awake:
        state.met = {**state.met, event.call.id: event.awake}


@on(ev.Chosen)
def _chosen(state: State, event: ev.Chosen) -> None:
    state.choices = {**state.choices, event.call.id: event.choice}


@on(ev.Answered)
def _answered(state: State, event: ev.Answered) -> None:
    call = event.call.id
    state.answers = {**state.answers, call: event.answer}
    if call in state.choices:
        state.asking = "show"


@on(ev.CallClosed)
def _call_closed(state: State, event: ev.CallClosed) -> None:
    state.asking = ""
    state.waking = None


@on(ev.PowerSpent)
def _power_spent(state: State, event: ev.PowerSpent) -> None:
    state.spent = {**state.spent, event.power: state.round}


@on(ev.RoleTaken)
def _role_taken(state: State, event: ev.RoleTaken) -> None:
    _set_cards(state, {event.card: replace(state.cards[event.card - 1], plays=event.plays)})


@on(ev.Remembered)
def _remembered(state: State, event: ev.Remembered) -> None:
    if event.key == "spare":
        state.spare = tuple(event.value)
    else:
        state.memo = {**state.memo, event.key: event.value}


@on(ev.Needled)
def _needled(state: State, event: ev.Needled) -> None:
    state.needles = {**state.needles, **event.needles}


@on(ev.Dawned)
def _dawned(state: State, event: ev.Dawned) -> None:
    state.stage = "dawn"
    state.phase = "day"
    state.asking = ""
    state.waking = None


@on(ev.Died)
def _died(state: State, event: ev.Died) -> None:
    if not event.deaths:
        return
    for death in event.deaths:
        state.kill(death.card)
    state.reference = state.fresh[0].seat if state.fresh else event.deaths[0].seat
    state.deaths += event.deaths
    state.announced += ((state.round, event.how),) * len(event.deaths)
    state.fresh += event.deaths


@on(ev.Left)
def _left(state: State, event: ev.Left) -> None:
    for card in state.cards:
        if card.seat == event.seat:
            state.kill(card.number)


@on(ev.Revealed)
def _revealed(state: State, event: ev.Revealed) -> None:
    """The role is that of the card which died last at the seat; of all its cards where none has died."""
    dead = next((death.card for death in reversed(state.deaths) if death.seat == event.seat), None)
    cards = [dead] if dead else [card.number for card in state.cards if card.seat == event.seat]
    state.revealed = {**state.revealed, **dict.fromkeys(cards, event.role)}


@on(ev.Announced)
@on(ev.NobodyOut)
@on(ev.DaySkipped)
def _nothing(state: State, event: ev.Event) -> None:
    """What is only said."""


@on(ev.Silenced)
def _silenced(state: State, event: ev.Silenced) -> None:
    state.silenced = event.seats


@on(ev.ReactionsDue)
def _reactions_due(state: State, event: ev.ReactionsDue) -> None:
    if event.reactions:
        state.stage = "react"
    state.reactions = event.reactions


@on(ev.Reacted)
def _reacted(state: State, event: ev.Reacted) -> None:
    state.reactions = state.reactions[1:]


@on(ev.ElectionCalled)
def _election_called(state: State, event: ev.ElectionCalled) -> None:
    state.stage = "elect"
    state.memo = {**state.memo, "elected": True}


@on(ev.OfficeGiven)
def _office_given(state: State, event: ev.OfficeGiven) -> None:
    state.memo = {**state.memo, "office": event.seat}


@on(ev.LastWordsBegan)
def _last_words_began(state: State, event: ev.LastWordsBegan) -> None:
    state.stage = "last_words"
    state.speaking = event.seats
    state.speaker = 0
    state.words += len(event.seats)
    state.fresh = ()


@on(ev.DayBegan)
def _day_began(state: State, event: ev.DayBegan) -> None:
    state.stage = "talk" if event.free else "speech"
    if event.speaking and not event.free:
        state.days_of_speech += 1
    state.order = event.order
    state.speaking = event.speaking
    state.speaker = 0
    state.vote = NO_VOTE
    state.fresh = ()


@on(ev.TurnPassed)
def _turn_passed(state: State, event: ev.TurnPassed) -> None:
    state.speaker = event.speaker


@on(ev.VoteCalled)
def _vote_called(state: State, event: ev.VoteCalled) -> None:
    state.stage = "vote"
    if event.number == 1:
        state.days_of_vote += 1
    state.vote = Vote(event.number, state.vote.tied, event.candidates)
    state.speaking = ()
    state.speaker = 0


@on(ev.Claimed)
def _claimed(state: State, event: ev.Claimed) -> None:
    state.memo = {**state.memo, "claim": event.role}


@on(ev.Voted)
def _voted(state: State, event: ev.Voted) -> None:
    vote = state.vote
    state.vote = Vote(vote.number, vote.tied, vote.candidates, event.tally)


@on(ev.Tied)
def _tied(state: State, event: ev.Tied) -> None:
    state.stage = "speech"
    state.vote = Vote(event.number, event.seats, state.vote.candidates, state.vote.tally)
    state.speaking = event.speaking
    state.speaker = 0


@on(ev.GameEnded)
def _game_ended(state: State, event: ev.GameEnded) -> None:
    state.stage = "over"
    state.winner = event.winner
    state.ended_by = event.reason
    state.asking = ""
    state.reactions = ()
