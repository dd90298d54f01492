"""Cards dealt by hand: the judge records who woke, and only what fits the deck is taken."""

from __future__ import annotations

from typing import Any

import pytest

from narrator.engine.game import decide, fold, new_game
from narrator.engine.legal import prompt
from narrator.loading.rulesets import load, shipped
from narrator.model.errors import Refused
from narrator.model.state import Setup, State


class Judge:
    """Plays a game command by command."""

    def __init__(self, name: str, seats: int, **counts: int) -> None:
        ruleset = load(shipped()[name])
        options = {option.id: option.default for option in ruleset.options.values()}
        self.state: State = new_game(Setup(ruleset, seats, ruleset.counts(seats) | counts, options))
        self.do("begin")

    def do(self, name: str, **values: Any) -> None:
        self.state = fold(self.state, decide(self.state, {"do": name, **values}))

    def identify(self, **roles: list[int]) -> None:
        self.do("identify", roles=roles)

    def refused(self, **roles: Any) -> str:
        before = self.state
        with pytest.raises(Refused) as refusal:
            self.identify(**roles)
        assert self.state is before
        return refusal.value.reason

    @property
    def asked(self) -> dict[str, int]:
        return dict(prompt(self.state).counts)


def test_a_role_is_asked_for_at_its_first_call_and_the_rest_are_civilians() -> None:
    judge = Judge("killers-2", 8)
    assert judge.asked == {"killer": 2}
    judge.identify(killer=[7, 2])
    assert prompt(judge.state).kind == "choose"
    assert prompt(judge.state).awake == (2, 7)
    judge.do("choose", choice={"target": 5})
    assert judge.asked == {"police": 2}
    judge.identify(police=[1, 4])
    judge.do("choose", choice={"target": 2})
    judge.do("proceed")
    held = {card.seat: card.role for card in judge.state.cards}
    assert held == {1: "police", 2: "killer", 4: "police", 7: "killer", **dict.fromkeys((3, 5, 6, 8), "civilian")}
    while judge.state.stage != "night":
        judge.do("vote", totals={}) if judge.state.stage == "vote" else judge.do("proceed")
    assert prompt(judge.state).kind == "choose"


def test_counts_that_do_not_fit_the_deck_are_refused() -> None:
    judge = Judge("killers-2", 8)
    assert judge.refused(killer=[2]) == "wrong_count"
    assert judge.refused(killer=[2, 3, 4]) == "wrong_count"
    assert judge.refused() == "wrong_count"
    assert judge.refused(killer=[]) == "wrong_count"


def test_seats_that_do_not_exist_or_are_named_twice_are_refused() -> None:
    judge = Judge("killers-2", 8)
    assert judge.refused(killer=[2, 9]) == "no_such_seat"
    assert judge.refused(killer=[0, 1]) == "no_such_seat"
    assert judge.refused(killer=[2, 2]) == "twice"
    assert judge.refused(killer=[True, 2]) == "no_such_seat"
    assert judge.refused(killer=["2", 3]) == "no_such_seat"
    assert judge.refused(killer=2) == "wrong_count"


def test_roles_that_do_not_wake_now_are_refused() -> None:
    judge = Judge("killers-2", 8)
    assert judge.refused(killer=[1, 2], police=[3, 4]) == "unknown_role"
    assert judge.refused(wizard=[1, 2]) == "unknown_role"


def test_who_has_been_a_killer_cannot_be_police() -> None:
    judge = Judge("killers-2", 8)
    judge.identify(killer=[1, 2])
    judge.do("choose", choice={})
    assert judge.refused(police=[2, 3]) == "already_known"


def test_nothing_is_chosen_before_it_is_known_who_woke() -> None:
    judge = Judge("killers-2", 8)
    for command in ({"do": "choose", "choice": {"target": 3}}, {"do": "proceed"}):
        with pytest.raises(Refused):
            decide(judge.state, command)


def test_two_roles_that_wake_together_are_recorded_together() -> None:
    judge = Judge("box-undercover", 10)
    assert judge.asked == {"undercover_killer": 1, "killer_boss": 1}
    assert judge.refused(undercover_killer=[1], killer_boss=[1]) == "twice"
    judge.identify(undercover_killer=[1], killer_boss=[2])
    judge.do("proceed")
    assert judge.asked == {"undercover_police": 1, "police_boss": 1}
    judge.identify(undercover_police=[3], police_boss=[4])
    judge.do("proceed")
    assert judge.asked == {"killer": 2}
    judge.identify(killer=[5, 6])
    assert prompt(judge.state).awake == (2, 3, 5, 6)


def test_no_more_cards_stay_unshown_than_lie_on_the_table() -> None:
    judge = Judge("box-werewolf", 8)
    held = {"cupid": [1], "hunter": [2]}
    for _ in range(20):
        if not judge.asked.keys() <= held.keys() | {"thief"}:
            break
        judge.identify(**{role: held.get(role, []) for role in judge.asked})
        judge.do("proceed")
    assert judge.asked.keys() == {"seer"}
    judge.identify(seer=[])
    judge.do("proceed")
    assert judge.refused(werewolf=[3]) == "wrong_count"
    judge.identify(werewolf=[3, 4])
    judge.do("proceed")
    assert judge.refused(witch=[]) == "wrong_count"


def thief_at_work() -> Judge:
    """The seer lies on the table, and one more card that must be a villager's."""
    judge = Judge("box-werewolf", 8)
    held = {"thief": [8], "cupid": [1], "hunter": [2], "werewolf": [3, 4], "witch": [5]}
    while prompt(judge.state).kind != "choose":
        if judge.asked:
            judge.identify(**{role: held.get(role, []) for role in judge.asked})
        else:
            judge.do("proceed")
    return judge


def test_the_thiefs_two_cards_are_those_that_nobody_has_shown() -> None:
    judge = thief_at_work()
    left, taken = prompt(judge.state).fields
    assert set(left.allowed) == set(taken.allowed) == {"seer", "villager"}
    for wrong in (["villager", "villager"], ["seer", "seer"], ["seer", "witch"], ["seer"]):
        with pytest.raises(Refused):
            decide(judge.state, {"do": "choose", "choice": {"left": wrong}})
    judge.do("choose", choice={"left": ["villager", "seer"], "target": "seer"})
    assert judge.state.spare == ("villager", "seer")
    assert judge.state.cards[7].plays == "seer"


def test_where_everybody_has_shown_a_card_the_thiefs_two_are_the_rest_of_the_deck() -> None:
    judge = Judge("box-werewolf", 8, werewolf=3, villager=2)
    held = {"thief": [1], "cupid": [2], "hunter": [3], "seer": [4], "werewolf": [5, 6, 7], "witch": [8]}
    while judge.state.asking == "identify" or judge.state.asking == "idle":
        judge.identify(**{role: held[role] for role in judge.asked}) if judge.asked else judge.do("proceed")
    [left, taken] = prompt(judge.state).fields
    assert (left.name, left.allowed) == ("left", ("villager",))
    judge.do("choose", choice={"left": ["villager", "villager"], "target": "villager"})
    assert judge.state.spare == ("villager", "villager")
    assert taken.allowed == ("villager",)
