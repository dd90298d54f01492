"""Before the game: a suggestion, the judge's changes, and everything that is wrong at once."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from narrator.engine.cards import misdealt
from narrator.table import SetupProblem
from narrator.table.setup.dealing import dealt
from narrator.table.setup.draft import Draft
from narrator.table.setup.shelf import Shelf
from tests.table.hall import Hall

SHELF = Shelf()


def draft(**changes: Any) -> Draft:
    return Draft.of(SHELF.ruleset("killers-2")).changed(changes, SHELF.ruleset)


def reasons(setup: Draft) -> list[str]:
    return [problem.reason for problem in setup.problems()]


@pytest.mark.parametrize("ruleset", [ruleset.id for ruleset in SHELF.rulesets])
def test_every_suggestion_can_be_played(ruleset: str) -> None:
    found = SHELF.ruleset(ruleset)
    for seats in range(found.seats[0], found.seats[1] + 1):
        suggestion = Draft.of(found, seats)
        assert suggestion.seats == seats
        assert set(reasons(suggestion)) <= {"hands_first"}
        assert sum(suggestion.counts.values()) == suggestion.cards


def test_the_plain_citizens_take_what_is_left() -> None:
    assert draft(seats=12).counts == {"killer": 3, "police": 3, "civilian": 6}
    assert draft(seats=12, counts={"killer": 2}).counts == {"killer": 2, "police": 3, "civilian": 7}


def test_a_number_taken_back_is_the_suggested_one_again() -> None:
    changed = draft(seats=12, counts={"killer": 2})
    assert changed.changed({"counts": {"killer": None}}, SHELF.ruleset).counts["killer"] == 3


def test_another_table_begins_with_its_own_suggestion() -> None:
    changed = draft(seats=12, counts={"killer": 5}).changed({"seats": 16}, SHELF.ruleset)
    assert changed.counts["killer"] == 4


def test_cards_that_do_not_fit_are_told() -> None:
    assert reasons(draft(seats=12, counts={"civilian": 9})) == ["cards_do_not_fit"]
    assert "cards_do_not_fit" in reasons(draft(seats=8, counts={"killer": 9}))


def test_an_empty_camp_and_a_game_won_beforehand_are_told() -> None:
    assert set(reasons(draft(seats=12, counts={"killer": 0}))) == {"camp_is_empty", "over_before_it_begins"}
    assert reasons(draft(seats=12, counts={"police": 0})) == ["over_before_it_begins"]


def test_everything_that_makes_no_sense_is_told_at_once() -> None:
    with pytest.raises(SetupProblem) as found:
        draft(seats=1, counts={"dragon": 1, "killer": -1}, options={"third_tie": "maybe", "moon": True}, names=7)
    assert [problem.reason for problem in found.value.problems] == [
        "seats_out_of_range",
        "names_are_a_list",
        "unknown_role",
        "count_out_of_range",
        "unknown_option",
        "not_a_choice",
    ]
    assert str(found.value.problems[0]) == "seats out of range: least 3, most 60, given 1"


def test_options_have_their_defaults_until_they_are_set() -> None:
    assert draft().options["third_tie"] == "game_drawn"
    assert draft(options={"third_tie": "nobody_out"}).setup().options["third_tie"] == "nobody_out"


def test_an_extra_role_joins_a_one_card_edition_only() -> None:
    joined = draft(seats=12, extras=["bubble"])
    assert joined.counts == {"killer": 3, "police": 3, "civilian": 5, "bubble": 1}
    assert joined.changed({"extras": []}, SHELF.ruleset).counts["civilian"] == 6
    with pytest.raises(SetupProblem, match="unknown extra role"):
        Draft.of(SHELF.ruleset("killers-5")).changed({"extras": ["bubble"]}, SHELF.ruleset)


def test_a_game_with_an_extra_role_is_played_and_resumed(tmp_path: Path) -> None:
    hall = Hall(tmp_path, 3)
    hall.start(seats=12, extras=["bubble"])
    for _ in range(8):
        hall.answer()
        hall.run(60)
    state = hall.state
    hall.table.close()
    hall.open()
    hall.table.resume(hall.table.interrupted()[0].id)
    assert hall.state == state


def test_two_cards_each_are_dealt_before_the_game() -> None:
    two = Draft.of(SHELF.ruleset("killers-6"))
    assert reasons(two) == ["hands_first"]
    known = dealt(two, random.Random(1))
    assert reasons(known) == []
    assert known.hands is not None
    assert Counter(card for hand in known.hands.values() for card in hand) == Counter(two.counts)
    assert misdealt(known.setup()) == ()
    assert known.changed({"seats": 9}, SHELF.ruleset).hands is None


def test_hands_that_the_judge_records_must_be_of_this_deck() -> None:
    four = draft(seats=4, counts={"killer": 1, "police": 1})
    hands = {"1": ["police"], "2": ["killer"], "3": ["civilian"], "4": ["civilian"]}
    assert four.changed({"hands": hands}, SHELF.ruleset).setup().hands == {
        1: ("police",),
        2: ("killer",),
        3: ("civilian",),
        4: ("civilian",),
    }
    for wrong, told in (
        ({**hands, "3": ["killer"]}, "not in the deck: role killer"),
        ({"1": ["police"]}, "every seat has its cards"),
        ({**hands, "3": ["dragon"]}, "not in the deck: role dragon"),
        ([1], "hands are by seat"),
    ):
        with pytest.raises(SetupProblem, match=told):
            four.changed({"hands": wrong}, SHELF.ruleset)


def test_names_are_tidied() -> None:
    assert draft(names=["  Ana  María ", "", "Bo", ""]).names == ("Ana María", "", "Bo")


def test_the_judge_sees_the_set_up_in_his_language(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.table.configure(hall.table.revision, {"panel_language": "es", "seats": 9})
    shown = hall.table.judge()
    assert shown.setup.ruleset == "killers-2"
    assert shown.words.roles["killer"] == "asesino"
    assert shown.setup.seats == 9
    assert shown.setup.problems == ()
    assert len(shown.setup.rulesets) >= 14
    assert all(line.id and line.name and line.about and line.seats for line in shown.setup.rulesets)


def test_settings_are_remembered_and_wrong_ones_told(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.table.configure(hall.table.revision, {"languages": ["es"], "volume": 33, "speed": 120})
    assert hall.speaker.settings["volume"] == 33
    assert hall.speaker.settings["rate"] == 120
    for wrong in ({"volume": 300}, {"languages": ["tlh"]}, {"panel_language": "xx"}, {"moon": 1}):
        with pytest.raises(SetupProblem):
            hall.table.configure(hall.table.revision, wrong)
    hall.open()
    assert (hall.table.settings.languages, hall.table.settings.volume) == (("es",), 33)


def test_a_faulty_house_ruleset_is_left_out_and_told(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "house.yaml").write_text("id: house\nseats: many\n", "utf-8")
    hall = Hall(tmp_path)
    shown = hall.table.judge()
    assert "house" not in [ruleset.id for ruleset in shown.setup.rulesets]
    assert any("house.yaml" in trouble.detail for trouble in shown.troubles)
