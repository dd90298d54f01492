"""The order of speakers on the judge's phone, and whom a voter may name."""

from __future__ import annotations

from typing import Any

from narrator.engine.game import decide, fold, new_game
from narrator.engine.views import judge_view
from narrator.loading.rulesets import load, shipped
from narrator.model.state import Setup, State
from webpanel.shape.day import DayPage


def day_page(state: State) -> DayPage:
    page = object.__new__(DayPage)
    page.__dict__.update(game=judge_view(state), prompt=judge_view(state)["prompt"])
    return page


def played(name: str, held: dict[int, str], seats: int, choices: dict[str, Any]) -> State:
    rules = load(shipped()[name])
    hands = {seat: (held.get(seat, rules.citizen),) for seat in range(1, seats + 1)}
    options = {option.id: option.default for option in rules.options.values()}
    state = new_game(Setup(rules, seats, {}, options, hands, (rules.citizen,) * rules.hand.spare))
    state = fold(state, decide(state, {"do": "begin"}))
    while state.stage == "night":
        call = state.calls[state.call]
        given = (
            {"do": "choose", "choice": choices.get(call.step, {})} if state.asking == "choose" else {"do": "proceed"}
        )
        state = fold(state, decide(state, given))
    return state


def test_a_silenced_seat_stands_in_its_place_and_is_marked() -> None:
    held = {1: "killer", 2: "elder", 3: "police", 4: "doctor", 5: "sniper", 6: "butterfly"}
    state = played("killers-4", held, 12, {"killer": {"target": 12}, "elder": {"target": 9}})
    state = fold(state, decide(state, {"do": "proceed"}))
    order = day_page(state).order
    assert [turn["seat"] for turn in order] == [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert [turn["seat"] for turn in order if turn["mute"]] == [9]
    assert [turn["seat"] for turn in order if turn["now"]] == [11]


def test_nobody_is_offered_a_candidate_for_whom_he_may_not_vote() -> None:
    held = {1: "werewolf", 2: "cupid", 3: "seer", 4: "witch"}
    state = played("box-werewolf", held, 8, {"cupid": {"target": (6, 7)}, "werewolf": {"target": 8}})
    for command in ("proceed", "elect", "to_vote"):
        state = fold(state, decide(state, {"do": command}))
    page = day_page(state)
    assert page.may_name(6) == [1, 2, 3, 4, 5, 6]
    assert page.may_name(7) == [1, 2, 3, 4, 5, 7]
    assert page.may_name(1) == [1, 2, 3, 4, 5, 6, 7]
