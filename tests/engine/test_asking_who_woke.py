"""Who woke is asked at the first call of a role, and not again."""

from __future__ import annotations

from narrator.engine.game import decide, fold, new_game
from narrator.engine.legal import prompt
from narrator.loading.rulesets import load, shipped
from narrator.model.state import Setup, State

SEATS = 8
TABLE = {"seer": [1], "werewolf": [2], "witch": [3], "hunter": [4], "cupid": [5]}
"""A thief and one of two werewolves have stayed on the table."""


def _night_one() -> tuple[list[str], State]:
    """The roles asked for in the order of asking, and the state at dawn."""
    ruleset = load(shipped()["box-werewolf"])
    options = {name: option.default for name, option in ruleset.options.items()}
    state = new_game(Setup(ruleset, SEATS, ruleset.counts(SEATS), options))
    state = fold(state, decide(state, {"do": "begin"}))
    asked: list[str] = []
    while state.stage == "night":
        now = prompt(state)
        if now.kind == "identify":
            asked += now.counts
            roles = {role: TABLE.get(role, []) for role in now.counts}
            state = fold(state, decide(state, {"do": "identify", "roles": roles}))
        elif now.kind == "choose":
            state = fold(state, decide(state, {"do": "choose", "choice": {}}))
        else:
            state = fold(state, decide(state, {"do": "proceed"}))
    return asked, state


def test_a_role_of_which_cards_lie_on_the_table_is_asked_for_once() -> None:
    asked, _ = _night_one()
    assert sorted(asked) == ["cupid", "hunter", "seer", "thief", "werewolf", "witch"]


def test_after_the_first_night_everybody_is_known() -> None:
    _, state = _night_one()
    shown = {seats[0]: role for role, seats in TABLE.items()}
    assert {card.seat: card.role for card in state.cards} == {
        seat: shown.get(seat, "villager") for seat in range(1, SEATS + 1)
    }
