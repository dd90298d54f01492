"""Dealing by phone: each player in turn sees his own cards, nobody another's, and the game begins when all have."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from narrator.engine.game import new_game
from narrator.engine.night import calls_tonight
from narrator.model.errors import Refused
from narrator.table import SetupProblem
from narrator.table.setup.dealing import begun, handed_back, handed_on, own_cards, swapped
from narrator.table.setup.draft import Draft
from narrator.table.setup.shelf import Shelf

SHELF = Shelf()
ALL = [ruleset.id for ruleset in SHELF.rulesets]


def passing(ruleset: str, seed: int = 1) -> Draft:
    return begun(Draft.of(SHELF.ruleset(ruleset)), random.Random(seed))


def all_seen(draft: Draft) -> Draft:
    while draft.turn is not None:
        draft = handed_on(draft, draft.turn)
    return draft


@pytest.mark.parametrize("ruleset", ALL)
def test_every_player_of_every_edition_sees_exactly_his_own_cards(ruleset: str) -> None:
    draft = passing(ruleset)
    seen: dict[int, tuple[str, ...]] = {}
    while (seat := draft.turn) is not None:
        seen[seat] = tuple(card.role for card in own_cards(draft, seat))
        for other in range(1, draft.seats + 1):
            if other != seat:
                with pytest.raises(Refused):
                    own_cards(draft, other)
        draft = handed_on(draft, seat)
    assert seen == draft.setup().hands
    assert list(seen) == list(range(1, draft.seats + 1))


def test_the_game_cannot_begin_before_everybody_has_seen_his_cards() -> None:
    draft = passing("killers-2")
    with pytest.raises(SetupProblem, match="cards go round"):
        draft.setup()
    assert all_seen(draft).setup().hands == draft.hands


def test_a_seat_looks_once_more_and_it_goes_on_where_it_was() -> None:
    draft = handed_on(handed_on(passing("killers-2"), 1), 2)
    back = handed_back(draft, 1)
    assert back.turn == 1
    assert own_cards(back, 1)[0].role == draft.whole().hands[1][0]  # type: ignore[index]
    assert handed_on(back, 1).turn == 3


def test_a_seat_that_has_not_seen_its_cards_cannot_be_gone_back_to() -> None:
    with pytest.raises(Refused):
        handed_back(handed_on(passing("killers-2"), 1), 2)


def test_ordered_cards_may_be_swapped_in_ones_own_turn_only() -> None:
    draft = passing("killers-6", seed=3)
    front, back = own_cards(draft, 1)
    assert (front.place, back.place) == (1, 2)
    assert [card.role for card in own_cards(swapped(draft, 1), 1)] == [back.role, front.role]
    for wrong in (2, 12):
        with pytest.raises(Refused):
            swapped(draft, wrong)
    with pytest.raises(Refused):
        swapped(passing("killers-5"), 1)


def test_numbered_cards_tell_their_numbers_and_by_which_call_they_are_woken() -> None:
    draft = passing("killers-5")
    shown = {}
    while (seat := draft.turn) is not None:
        shown |= {card.number: card for card in own_cards(draft, seat)}
        draft = handed_on(draft, seat)
    assert sorted(number for number in shown if number) == list(range(1, 2 * draft.seats + 1))
    for call in calls_tonight(new_game(draft.setup()), 1):
        if call.number:
            assert call in shown[call.card].called


def test_a_series_is_called_whole_until_its_last_card_is_dead_so_that_no_number_tells_on_its_neighbours() -> None:
    draft = all_seen(passing("dual-identity", seed=2))
    setup = replace(draft.setup(), options={**draft.options, "call_dead_roles": False})
    state = new_game(setup)
    calls = [call for call in calls_tonight(state, 2) if call.number]
    for dead in range(len(calls) + 1):
        gone = [call.card for call in calls[:dead]]
        cards = tuple(card.dead() if card.number in gone else card for card in state.cards)
        left = [call for call in calls_tonight(state.evolve(cards=cards), 2) if call.number]
        assert left == (calls if dead < len(calls) else [])


def test_a_change_of_the_deck_takes_the_cards_back() -> None:
    draft = all_seen(passing("killers-2"))
    for change in ({"seats": draft.seats + 1}, {"counts": {"killer": 1}}, {"hands": None}):
        changed = draft.changed(change, SHELF.ruleset)
        assert (changed.hands, changed.seen, changed.turn) == (None, None, None)
    assert draft.changed({"names": ["Ada"]}, SHELF.ruleset).hands == draft.hands
