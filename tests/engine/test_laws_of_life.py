"""Who lives, who dies and why: laws of every random game of every ruleset."""

from __future__ import annotations

from typing import Any

from narrator.engine.cards import acting, living_seats
from narrator.engine.players import Deal, Move
from narrator.model import events as ev
from narrator.model.state import Card, Cause, State
from tests.engine.games import LONGEST, ONE_CARD, all_events, law, states

ALONE_THEY_ACT_ON_THE_DEAD = ("detective",)
"""Ways of settling in which active skills may point at the dead."""


def dead_cards(state: State) -> set[int]:
    return {death.card for death in state.deaths}


def seat_lives(state: State, seat: int) -> bool:
    gone = state.memo.get("left", ())
    return any(card.seat == seat and card.alive for card in state.cards) and seat not in gone


def numbers_in(value: Any) -> set[int]:
    """Every whole number in a choice."""
    if isinstance(value, bool):
        return set()
    if isinstance(value, int):
        return {value}
    if isinstance(value, dict):
        return set().union(*map(numbers_in, value.values()))
    return set().union(*map(numbers_in, value)) if isinstance(value, list | tuple) else set()


@law()
def test_the_dead_do_not_act(dealt: Deal, game: list[Move]) -> None:
    for move in game:
        for event in move.events:
            if isinstance(event, ev.Chosen):
                step = move.before.ruleset.step(event.call.step)
                actors = acting(move.before, event.call, step)
                assert actors or not step.roles()
                assert not {card.number for card in actors} & dead_cards(move.before)
            if isinstance(event, ev.Voted):
                assert all(seat_lives(move.before, voter) for voter in event.ballots)


@law()
def test_nobody_dies_twice(dealt: Deal, game: list[Move]) -> None:
    announced = [event.deaths for event in all_events(game) if isinstance(event, ev.Died)]
    deaths = [death for together in announced for death in together]
    assert len({death.card for death in deaths}) == len(deaths)
    out = [seat for together in announced for seat in {death.seat for death in together if death.out}]
    assert len(set(out)) == len(out)
    assert tuple(deaths) == game[-1].after.deaths


@law()
def test_only_deaths_and_leaving_take_lives(dealt: Deal, game: list[Move]) -> None:
    for move in game:
        before = {card.number for card in move.before.cards if card.alive}
        after = {card.number for card in move.after.cards if card.alive}
        died = {death.card for event in move.events if isinstance(event, ev.Died) for death in event.deaths}
        left = {event.seat for event in move.events if isinstance(event, ev.Left)}
        gone = {card.number for card in move.before.cards if card.seat in left and card.alive}
        assert after == before - died - gone


@law()
def test_no_death_is_without_a_cause_in_the_record(dealt: Deal, game: list[Move]) -> None:
    for move in game:
        for event in move.events:
            for death in event.deaths if isinstance(event, ev.Died) else ():
                assert death.causes
                for cause in death.causes:
                    assert_happened(move, event, death.card, cause)


def assert_happened(move: Move, died: ev.Died, card: int, cause: Cause) -> None:
    """The cause is what somebody did, was told so, or voted."""
    target = card if move.before.ruleset.hand.kind == "numbered" else move.before.cards[card - 1].seat
    if cause.kind == "vote":
        tally = next(event.tally for event in move.events if isinstance(event, ev.Voted))
        assert tally[target] > 0
    elif cause.kind == "hit":
        assert {target, cause.through} & chosen_tonight(move)
    elif cause.kind == "needle":
        assert move.after.needles[f"{card}/{cause.by}"] >= 2
        needled = next(event for event in move.events if isinstance(event, ev.Needled))
        assert f"{card}/{cause.by}" in needled.needles
    elif cause.kind == "carried":
        assert target in chosen_tonight(move)
        assert cause.because
    elif cause.kind == "bound":
        assert {card, cause.through} == set(move.after.memo["bound"])
        assert cause.through in {death.card for death in died.deaths}
    elif cause.kind == "taken":
        assert move.command == {"do": "react", "target": target}
    elif cause.kind == "lie":
        assert move.before.memo["observed"] == target
    else:
        assert move.before.ruleset.settling != "standard", f"what is {cause}?"


def chosen_tonight(move: Move) -> set[int]:
    now = {event.call.id: event.choice for event in move.events if isinstance(event, ev.Chosen)}
    return numbers_in({**move.before.choices, **now})


@law()
def test_a_spent_power_stays_spent_and_is_not_used_again(dealt: Deal, game: list[Move]) -> None:
    for move in game:
        assert move.before.spent.items() <= move.after.spent.items()
    spent = [event.power for event in all_events(game) if isinstance(event, ev.PowerSpent)]
    assert len(set(spent)) == len(spent)


@law()
def test_every_game_of_random_commands_ends(dealt: Deal, game: list[Move]) -> None:
    assert len(game) < LONGEST
    assert game[-1].after.stage == "over"
    assert game[-1].after.winner in {*dealt.setup.ruleset.camps, "draw"}


@law()
def test_who_lives_is_what_the_cards_say(dealt: Deal, game: list[Move]) -> None:
    for state in states(game):
        assert living_seats(state) == tuple(sorted({card.seat for card in state.cards if card.alive}))
        playing: dict[str | None, tuple[Card, ...]] = {}
        for card in state.cards:
            if card.alive:
                playing[card.plays] = (*playing.get(card.plays, ()), card)
        assert state.lives.playing == playing


@law()
def test_the_deaths_of_a_night_are_announced_lowest_first_and_once(dealt: Deal, game: list[Move]) -> None:
    for move in game:
        kinds = [event.kind for event in move.events]
        assert kinds.count("dawned") <= 1 or move.before.option("no_death_skips_day")
        for event in move.events:
            if isinstance(event, ev.Died) and event.how == "night":
                cards = [death.card for death in event.deaths]
                assert cards == sorted(cards)
                assert "dawned" in kinds


@law(*ONE_CARD, by_hand=True)
def test_after_the_first_night_the_judge_knows_every_card(dealt: Deal, game: list[Move]) -> None:
    for state in states(game):
        if state.phase == "day" and state.round:
            held = {card.seat: card.role for card in state.cards}
            assert held == {seat: hand[0] for seat, hand in dealt.hands.items()}
            break
