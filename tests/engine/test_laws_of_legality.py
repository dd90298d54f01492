"""What may be done, what may not, and that neither asking nor refusing changes anything."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.engine.cards import living_seats
from narrator.engine.game import HANDLERS, decide, fold, play
from narrator.engine.legal import prompt
from narrator.engine.players import Deal, Move
from narrator.model import events as ev
from narrator.model.errors import Refused
from narrator.model.prompts import Field, Prompt
from narrator.model.state import State
from tests.engine.games import DEPTH, NAMES, PHASES, law, play_on, states, tables

FEW = max(1, DEPTH // 4)
"""Games for a law that tries many commands at every state."""
MANY = 150
"""Moves of a game that such a law looks at."""
CAN_CHANGE = ("choices", "answers", "spent", "needles", "memo", "deaths", "cards", "reactions")


def snapshot(state: State) -> str:
    """Everything of a state that could be changed behind its back."""
    return repr([getattr(state, name) for name in CAN_CHANGE])


def refused(state: State, command: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        decide(state, command)
    return caught.value


@law()
def test_deciding_neither_changes_the_state_nor_the_command_and_says_the_same_twice(
    dealt: Deal, game: list[Move]
) -> None:
    for move in game[:MANY]:
        before, command = snapshot(move.before), deepcopy(move.command)
        assert decide(move.before, move.command) == move.events
        assert snapshot(move.before) == before
        assert move.command == command


@law()
def test_the_events_make_the_state(dealt: Deal, game: list[Move]) -> None:
    for move in game[:MANY]:
        assert fold(move.before, move.events) == move.after


@law()
def test_a_prompt_is_never_empty_of_possibilities(dealt: Deal, game: list[Move]) -> None:
    for state in states(game)[:MANY]:
        asked = prompt(state)
        assert asked.kind == (state.asking if state.stage == "night" else NEEDED.get(state.stage, state.stage))
        for field in asked.fields:
            assert field.optional or len(field.allowed) >= (field.least if field.kind == "seats" else 1)
            assert not set(field.allowed) & set(field.barred)
        if asked.kind == "choose":
            assert asked.fields
        if asked.kind == "vote":
            assert set(asked.votes) <= set(living_seats(state))
            assert asked.candidates
        if asked.kind == "identify":
            assert asked.counts
            assert all(count > 0 for count in asked.counts.values())
        if asked.kind in ("speech", "last_words", "react"):
            assert asked.seat in range(1, state.seats + 1)


NEEDED = {"dealt": "begin"}


@law(depth=FEW)
def test_what_a_prompt_allows_is_accepted_and_what_it_bars_is_refused(dealt: Deal, game: list[Move]) -> None:
    for state in states(game)[:MANY]:
        asked = prompt(state)
        for command in allowed(state, asked):
            assert decide(state, command), command
        for field in asked.fields:
            for value in field.allowed:
                assert any(accepted(state, command) for command in ways_to_give(asked, field, value)), (field, value)
        for command, reason in barred(asked):
            assert refused(state, command).reason == reason, command


def allowed(state: State, asked: Prompt) -> Iterator[dict[str, Any]]:
    """What must be accepted whatever else is given: nothing chosen, votes one by one."""
    if asked.fields and all(field.optional for field in asked.fields):
        yield command_for(asked, asked.fields[0], {field.name: None for field in asked.fields})
    if asked.kind == "vote":
        yield {"do": "ballots", "ballots": {}}
        yield from ({"do": "ballots", "ballots": {voter: None}} for voter in asked.votes)
        if not state.ruleset.day.ballots_only:
            yield from ({"do": "vote", "totals": {str(candidate): 1}} for candidate in asked.candidates)


def accepted(state: State, command: dict[str, Any]) -> bool:
    try:
        return bool(decide(state, command))
    except Refused:
        return False


def outcome(state: State, command: dict[str, Any]) -> tuple[tuple[ev.Event, ...], State] | Refused:
    try:
        return play(state, command)
    except Refused as refusal:
        return refusal


def ways_to_give(asked: Prompt, field: Field, value: Any) -> Iterator[dict[str, Any]]:
    """Commands that give this value: alone where that may be, or with one other field given too."""
    others = [other for other in asked.fields if other != field]
    for whole in filled(field, value):
        for needed in product(*(every_value(other) for other in others if not other.optional)):
            names = [other.name for other in others if not other.optional]
            choice = {field.name: whole, **dict(zip(names, needed, strict=True))}
            yield command_for(asked, field, choice)
            for other in others:
                for beside in every_value(other) if other.optional else ():
                    yield command_for(asked, field, {**choice, other.name: beside})


def every_value(field: Field) -> Iterator[Any]:
    return (whole for value in field.allowed for whole in filled(field, value))


def filled(field: Field, value: Any) -> Iterator[Any]:
    """A value, with others beside it where the field wants several: one of them may be there twice if it is a role."""
    if field.kind not in ("seats", "roles"):
        yield value
        return
    rest = [one for one in field.allowed if field.kind == "roles" or one != value]
    yield from ([value, *beside] for beside in product(rest, repeat=field.least - 1) if len({*beside}) == len(beside))


def barred(asked: Prompt) -> Iterator[tuple[dict[str, Any], str]]:
    for field in asked.fields:
        for value, reason in field.barred.items():
            others = {other.name: next(every_value(other)) for other in asked.fields if not other.optional}
            yield command_for(asked, field, {**others, field.name: value}), reason


def command_for(asked: Prompt, field: Field, choice: dict[str, Any]) -> dict[str, Any]:
    if asked.kind == "choose":
        return {"do": "choose", "choice": choice}
    return {"do": asked.kind, field.name: choice[field.name]}


@law(depth=FEW)
def test_seats_that_do_not_live_are_neither_chosen_nor_voted_for(dealt: Deal, game: list[Move]) -> None:
    for state in states(game)[:MANY]:
        asked = prompt(state)
        dead = set(range(1, state.seats + 1)) - set(living_seats(state))
        if asked.kind == "vote":
            on_cards = state.ruleset.hand.kind == "numbered"
            for seat in () if on_cards else dead:
                assert refused(state, {"do": "vote", "totals": {seat: 1}})
                assert refused(state, {"do": "ballots", "ballots": {living_seats(state)[0]: seat}})
            for seat in dead:
                assert refused(state, {"do": "ballots", "ballots": {seat: asked.candidates[0]}})
        for field in asked.fields:
            if field.kind == "seat" and asked.kind in ("elect", "react"):
                assert all(refused(state, command_for(asked, field, {field.name: seat})) for seat in (*dead, 0, 99))


@law(depth=FEW)
def test_commands_out_of_place_are_refused_and_change_nothing(dealt: Deal, game: list[Move]) -> None:
    for state in states(game)[:MANY]:
        before = snapshot(state)
        for name in HANDLERS:
            accepted(state, {"do": name})
        assert snapshot(state) == before


FITTING = {
    "dealt": {"begin"},
    "night": {"identify", "choose", "proceed"},
    "react": {"react"},
    "last_words": {"proceed", "back", "claim"},
    "elect": {"elect", "claim"},
    "speech": {"proceed", "back", "to_vote", "claim"},
    "talk": {"proceed", "to_vote", "claim"},
    "vote": {"vote", "ballots", "claim"},
    "over": set(),
}
"""Stage -> the commands that may be given in it, besides giving the game up."""


@law(depth=FEW)
def test_every_stage_has_its_commands_and_no_others(dealt: Deal, game: list[Move]) -> None:
    for state in states(game)[:MANY]:
        for name in set(HANDLERS) - FITTING[state.stage] - {"abandon"}:
            assert refused(state, {"do": name, "seat": 1, "target": 1, "totals": {}, "ballots": {}, "choice": {}})


@law(depth=FEW)
def test_a_game_can_be_given_up_until_it_is_over(dealt: Deal, game: list[Move]) -> None:
    for state in states(game)[:-1][:MANY]:
        (event,) = decide(state, {"do": "abandon"})
        assert event == ev.GameEnded("abandoned", "abandoned")
        assert fold(state, (event,)).stage == "over"
    assert refused(game[-1].after, {"do": "abandon"}).reason == "game_over"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 30) | st.sampled_from([1.5, "", "x", "3", "killer"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["1", "3", "target", "killer"]), inner),
    max_leaves=6,
)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=DEPTH, phases=PHASES)
@given(data=st.data())
def test_whatever_is_sent_is_carried_out_or_refused(name: str, data: st.DataObject) -> None:
    """Any JSON at all: it has a reason to be refused for, or makes events that lead to the state after them."""
    values = data.draw(st.lists(JSON, min_size=8, max_size=8), label="values")
    dealt, chance = data.draw(tables(name), label="table").deal()
    for state in states(play_on(dealt, chance))[:MANY]:
        for command_name in FITTING[state.stage]:
            for value in values:
                command = {"do": command_name, NAMED.get(command_name, "seat"): value}
                done = outcome(state, command)
                assert done.reason if isinstance(done, Refused) else fold(state, done[0]) == done[1]


NAMED = {
    "identify": "roles",
    "choose": "choice",
    "vote": "totals",
    "ballots": "ballots",
    "elect": "seat",
    "react": "target",
    "claim": "role",
}
