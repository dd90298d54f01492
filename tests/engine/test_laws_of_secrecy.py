"""Nobody learns from what is public which seat holds what."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from narrator.engine.cards import is_alive
from narrator.engine.game import new_game, play
from narrator.engine.players import Deal, Move
from narrator.engine.seen import EVERYBODY, before, seen
from narrator.engine.state_changes import apply
from narrator.model import events as ev
from narrator.model.events import Event
from narrator.model.state import Setup, State
from tests.engine.games import DEPTH, NAMES, ONE_CARD, PHASES, Drawn, all_events, law, play_on, ruleset, tables

SINGLE_CHARACTERS = ("detective-team",)
"""Editions in which every role acts on its own: a swap changes nearly everything."""


def heard_of(events: list[Event] | tuple[Event, ...]) -> list[Event]:
    """The events as everybody may know of them."""
    return [shown for event in events if (shown := seen(event, EVERYBODY)) is not None]


def views(setup: Setup, events: list[Event]) -> list[State]:
    """The game as everybody sees it, after each of the events that everybody may know of."""
    view, found = before(setup, EVERYBODY), []
    for event in heard_of(events):
        view = apply(view, event)
        found.append(view)
    return found


def nights_heard(game: list[Move]) -> dict[int, list[Event]]:
    """Round -> what everybody hears from nightfall to dawn."""
    found: dict[int, list[Event]] = {}
    night: list[Event] | None = None
    for event in all_events(game):
        if isinstance(event, ev.NightFell):
            night = found.setdefault(event.round, [])
        if isinstance(event, ev.Dawned):
            night = None
        if night is not None:
            night += heard_of((event,))
    return found


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=2 * DEPTH, phases=PHASES)
@given(data=st.data())
def test_nights_sound_the_same_whoever_holds_what_and_whatever_is_chosen(name: str, data: st.DataObject) -> None:
    """With dead roles called, nothing said at night depends on anything but the ruleset, the round and its options."""
    one = data.draw(tables(name, by_hand=False, call_dead_roles=True), label="one")
    other = Drawn(name, one.seats, one.options, False, data.draw(st.integers(0, 2**32), label="other seed"))
    nights = nights_heard(play_on(*one.deal())), nights_heard(play_on(*other.deal()))
    for round_ in nights[0].keys() & nights[1].keys():
        fell, *heard = nights[0][round_]
        also_fell, *also_heard = nights[1][round_]
        assert heard == also_heard
        if not ruleset(name).notices:
            assert fell == also_fell


@pytest.mark.parametrize("name", [name for name in ONE_CARD if ruleset(name).identify != "first"])
@settings(max_examples=DEPTH, phases=PHASES)
@given(data=st.data())
def test_nights_sound_the_same_whether_the_judge_deals_or_the_panel(name: str, data: st.DataObject) -> None:
    """A round of identification before the first night's acts is another matter."""
    one = data.draw(tables(name, by_hand=False, call_dead_roles=True), label="one")
    by_hand = Drawn(name, one.seats, one.options, True, data.draw(st.integers(0, 2**32), label="other seed"))
    nights = nights_heard(play_on(*one.deal())), nights_heard(play_on(*by_hand.deal()))
    for round_ in nights[0].keys() & nights[1].keys():
        assert nights[0][round_][1:] == nights[1][round_][1:]


@pytest.mark.parametrize("name", [name for name in ONE_CARD if name not in SINGLE_CHARACTERS])
@settings(max_examples=3 * DEPTH, phases=PHASES)
@given(data=st.data())
def test_two_games_that_differ_in_a_secret_are_the_same_in_public(name: str, data: st.DataObject) -> None:
    """Two seats change hands, and everybody does the same: until one of the two is touched, nobody can tell."""
    dealt, chance = data.draw(tables(name, by_hand=False, call_dead_roles=True), label="table").deal()
    game = play_on(dealt, chance)
    one, other = Random(data.draw(st.integers(0, 2**32), label="seats")).sample(range(1, dealt.setup.seats + 1), 2)
    assume(dealt.hands[one] != dealt.hands[other])
    untouched = game[: first_touch(game, {one, other})]
    swapped = replace(dealt.setup, hands=swap(dealt.hands, one, other))
    state, events = new_game(swapped), []
    for move in untouched:
        news, state = play(state, move.command)
        events += news
    heard = all_events(untouched)
    assert heard_of(events) == heard_of(heard)
    assert views(swapped, events) == views(dealt.setup, heard)


def swap(hands: Any, one: int, other: int) -> dict[int, tuple[str, ...]]:
    return {**hands, one: hands[other], other: hands[one]}


def first_touch(game: list[Move], seats: set[int]) -> int:
    """How many moves go by before one of the seats is dead, or chosen for more than a look at it."""
    for count, move in enumerate(game):
        if any(not is_alive(move.after, seat) for seat in seats) or touched(move, seats):
            return count
    return len(game)


def touched(move: Move, seats: set[int]) -> bool:
    """Whether the move chooses one of these seats, or may be made only by one role (an exchange of cards)."""
    chosen = [event for event in move.events if isinstance(event, ev.Chosen)]
    looks = ("check",)
    steps = [move.before.ruleset.step(event.call.step) for event in chosen]
    if any(isinstance(event, ev.RoleTaken) for event in move.events):
        return True
    return any(
        step.ability not in looks and seats & set(flat(event.choice)) for step, event in zip(steps, chosen, strict=True)
    )


def flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [one for part in value.values() for one in flat(part)]
    return [one for part in value for one in flat(part)] if isinstance(value, list | tuple) else [value]


@law()
def test_the_public_view_names_no_role_but_those_announced(dealt: Deal, game: list[Move]) -> None:
    roles = set(dealt.setup.ruleset.roles)
    announced: set[str] = set()
    view = before(dealt.setup, EVERYBODY)
    for event in all_events(game):
        if isinstance(event, ev.Revealed):
            announced.add(event.role)
        shown = seen(event, EVERYBODY)
        if shown is not None:
            view = apply(view, shown)
        told = {word for name in ROLELESS for word in words_in(getattr(view, name))}
        assert told & roles <= announced


ROLELESS = {field.name for field in fields(State) if field.compare} - {"setup", "calls", "waking", "winner"}
"""What of a state says nothing of roles as everybody sees it; calls bear the names of steps, camps those of roles."""


def words_in(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    if is_dataclass(value) and not isinstance(value, type):
        value = [getattr(value, field.name) for field in fields(value)]
    if isinstance(value, dict):
        return set().union(*map(words_in, [*value, *value.values()]))
    return set().union(*map(words_in, value)) if isinstance(value, list | tuple) else set()


SECRET = (
    ev.Identified,
    ev.Chosen,
    ev.Answered,
    ev.PowerSpent,
    ev.RoleTaken,
    ev.Remembered,
    ev.Needled,
    ev.Claimed,
    ev.ReactionsDue,
    ev.Reacted,
)
"""What nobody but the judge and, of some, a player may know of."""


@law()
def test_everybody_hears_of_no_secret_event_and_of_others_without_causes(dealt: Deal, game: list[Move]) -> None:
    for event in all_events(game):
        shown = seen(event, EVERYBODY)
        assert (shown is None) == isinstance(event, SECRET)
        if isinstance(shown, ev.Died):
            assert {cause.kind for death in shown.deaths for cause in death.causes} <= {"lie"}
            assert all(death.last_words for death in shown.deaths)
        if isinstance(shown, ev.CallOpened | ev.Asked):
            assert not shown.asking
        if isinstance(shown, ev.CallOpened | ev.Asked | ev.CallClosed):
            assert not shown.call.card
        if isinstance(shown, ev.Asked):
            assert not shown.awake
        if isinstance(shown, ev.NightFell):
            assert not shown.calls
        if isinstance(shown, ev.Voted):
            assert not set(shown.invalid) & shown.ballots.keys()


@law()
def test_the_public_view_agrees_with_what_has_happened(dealt: Deal, game: list[Move]) -> None:
    view = before(dealt.setup, EVERYBODY)
    for move in game:
        for event in heard_of(move.events):
            view = apply(view, event)
        assert_agrees(view, move.after)


def assert_agrees(view: State, state: State) -> None:
    assert view.round == state.round
    assert [card.alive for card in view.cards] == [card.alive for card in state.cards]
    assert {card.role for card in view.cards} | {card.plays for card in view.cards} == {None}
    assert view.silenced == state.silenced
    assert [(death.card, death.seat) for death in view.deaths] == [(death.card, death.seat) for death in state.deaths]
    assert view.memo.get("office") == state.memo.get("office")
    if state.stage != "react":
        assert view.stage == state.stage
        assert view.phase == state.phase
        assert (view.speaking, view.speaker) == (state.speaking, state.speaker)
        assert view.order == state.order
    if state.stage == "vote":
        assert (view.vote.number, view.vote.candidates) == (state.vote.number, state.vote.candidates)
    assert view.winner == state.winner
