"""Roles taken over from other rulesets: they do there what a table would expect of them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from narrator.engine.players import deal, play_out
from narrator.loading.rulesets import addable, document, examine, extend, from_document, library, load, shipped
from tests.loading.house import SCRIPT, completed, played, problems, report, written

ONE_CARD = [name for name, book in library().items() if name in shipped() and "hand" not in book]


def deaths(found: Any) -> list[list[int]]:
    return [step["deaths"] for step in found.steps]


def test_a_hunter_added_to_killers_2_shoots_when_the_killers_kill_him(tmp_path: Path) -> None:
    house = written(tmp_path, "killers-2", more="add: [hunter]")
    entries: list[dict[str, Any]] = [{"night": {"killer": 5, "police": 1}}, {"react": {"hunter": 1}}]
    found = played(house, 9, {"killer": [1, 2], "police": [3, 4], "hunter": [5]}, entries)
    assert deaths(found) == [[5], [1]]


def test_he_shoots_when_he_is_voted_out(tmp_path: Path) -> None:
    house = written(tmp_path, "killers-2", more="add: [hunter]")
    entries: list[dict[str, Any]] = [{"night": {"killer": 9}}, {"vote": {5: 4}}, {"react": {"hunter": 1}}]
    found = played(house, 9, {"killer": [1, 2], "police": [3, 4], "hunter": [5]}, entries)
    assert deaths(found) == [[9], [5], [1]]


def test_he_does_not_shoot_when_a_witch_who_was_added_too_poisons_him(tmp_path: Path) -> None:
    house = written(tmp_path, "killers-2", more="add: [hunter, witch]")
    assert load(house).roles["hunter"].on_death is not None
    entries: list[dict[str, Any]] = [{"night": {"killer": 5, "witch": {"poison": 5}}}]
    found = played(house, 9, {"killer": [1, 2], "police": [3, 4], "hunter": [5], "witch": [6]}, entries)
    assert deaths(found) == [[5]]
    assert found.steps[0]["last_words"] == [5], "nothing is asked of him, so that the game is with his last words"


def test_a_witch_heals_whom_the_killers_hit(tmp_path: Path) -> None:
    house = written(tmp_path, "killers-2", more="add: [witch]")
    entries: list[dict[str, Any]] = [{"night": {"killer": 9, "witch": {"heal": True}}}]
    found = played(house, 9, {"killer": [1, 2], "police": [3, 4], "witch": [5]}, entries)
    assert (found.steps[0]["deaths"], found.steps[0]["told"]["witch"]) == ([], 9)


def test_police_in_the_werewolf_game_find_werewolves(tmp_path: Path) -> None:
    house = written(tmp_path, "box-werewolf", more="add: [police]")
    roles = {"werewolf": [1, 2], "police": [3], "seer": [4]}
    found = played(house, 10, roles, [{"night": {"werewolf": 9, "police": 1}}])
    assert found.steps[0]["told"]["police"] is True


def test_an_angel_in_the_werewolf_game_hears_of_the_seer_and_saves_from_the_werewolves(tmp_path: Path) -> None:
    house = written(tmp_path, "box-werewolf", more="add: [angel]")
    entries: list[dict[str, Any]] = [{"night": {"seer": 1, "werewolf": 9, "angel": True}}]
    found = played(house, 10, {"werewolf": [1, 2], "angel": [3], "seer": [4]}, entries)
    assert found.steps[0]["told"]["angel"] == {"seat": 1, "result": "werewolf", "hit": 9}
    assert found.steps[0]["deaths"] == []


def test_secret_police_cannot_be_killed_by_whoever_kills_here(tmp_path: Path) -> None:
    house = written(tmp_path, "box-werewolf", more="add: [secret_police]")
    roles = {"werewolf": [1, 2], "secret_police": [3]}
    found = played(house, 10, roles, [{"night": {"werewolf": 3}}, {"night": {"werewolf": 4, "secret_police": 1}}])
    assert deaths(found) == [[], [1, 4]]


def test_a_doctor_counts_beside_the_police_in_the_endings(tmp_path: Path) -> None:
    endings = completed(tmp_path, "killers-2", more="add: [doctor]")["endings"]
    assert endings[1] == {"winner": "killers", "when": {"none_alive": ["police", "doctor"]}}


def test_a_hunter_and_a_bubble_count_beside_nobody(tmp_path: Path) -> None:
    plain = document(shipped()["killers-2"])["endings"]
    assert completed(tmp_path, "killers-2", more="add: [bubble, hunter]")["endings"] == plain


def test_good_has_not_won_while_a_devil_who_was_added_lives(tmp_path: Path) -> None:
    house = written(tmp_path, "killers-2", more="add: [devil]")
    roles = {"killer": [1], "police": [2, 3], "devil": [4]}
    entries: list[dict[str, Any]] = [{"night": {"killer": 9}}, {"vote": {1: 4}}, {"night": {"devil": 8}}]
    found = played(house, 9, roles, entries)
    assert deaths(found) == [[9], [1], [8]]
    assert [step["winner"] for step in found.steps] == [None, None, None]


def test_a_mixed_pair_of_lovers_has_its_own_ending(tmp_path: Path) -> None:
    house = written(tmp_path, "killers-2", more="add: [cupid]")
    roles = {"killer": [1], "police": [2], "cupid": [3]}
    entries: list[dict[str, Any]] = [
        {"night": {"cupid": [1, 5], "killer": 2}},
        {"vote": {3: 3}},
        {"night": {"killer": 4}},
    ]
    found = played(house, 5, roles, entries)
    assert [step["winner"] for step in found.steps] == [None, None, "lovers"]


def test_the_undercover_pair_wakes_with_the_other_side(tmp_path: Path) -> None:
    steps = {step["step"]: step for step in completed(tmp_path, "killers-2", more="add: [undercover_police]")["night"]}
    assert steps["killer"]["joins"] == ["undercover_police"]
    assert steps["killer"]["with"]["bars"] == [
        {
            "roles": ["undercover_police"],
            "when": {"alive_is": {"roles": ["killer"], "number": 1}},
            "reason": "last_killer_may_not",
        }
    ]
    assert steps["police"]["with"] == {"positive": ["killer", "undercover_police"]}


def test_a_boss_wakes_with_the_killers_shows_as_one_and_can_be_shot(tmp_path: Path) -> None:
    steps = {step["step"]: step for step in completed(tmp_path, "killers-3", more="add: [killer_boss]")["night"]}
    assert steps["killer"]["wakes"] == ["killer", "killer_boss"]
    assert steps["police"]["with"]["positive"] == ["killer", "killer_boss"]
    assert steps["secret_police"]["with"]["only"] == ["killer", "killer_boss"]


@pytest.mark.parametrize(
    ("original", "role", "place"),
    [
        ("killers-2", "hunter", 0),
        ("killers-2", "sniper", 0),
        ("killers-2", "witch", 1),
        ("killers-2", "doctor", 2),
        ("killers-2", "bubble", 2),
        ("box-werewolf", "angel", 6),
        ("killers-4", "cupid", 0),
    ],
)
def test_a_role_is_called_at_its_usual_place(tmp_path: Path, original: str, role: str, place: int) -> None:
    night = completed(tmp_path, original, more=f"add: [{role}]")["night"]
    assert night[place]["step"] == role


def test_it_is_called_after_the_step_that_is_wished(tmp_path: Path) -> None:
    night = completed(tmp_path, "killers-2", more="add: [{role: sniper, after: police}]")["night"]
    assert [step["step"] for step in night] == ["killer", "police", "sniper"]


def test_the_bubble_is_called_last_wherever_it_stands_in_the_list(tmp_path: Path) -> None:
    night = completed(tmp_path, "killers-2", more="add: [bubble, doctor, elder]")["night"]
    assert [step["step"] for step in night][-1] == "bubble"


def test_what_is_said_of_an_added_role_comes_before_what_its_ruleset_says(tmp_path: Path) -> None:
    more = """
add:
  - role: doctor
    from: killers-3
    count: {8-11: 1, 12-16: 2}
    name: {en: healer}
    with: {own: false, needles: true}
    lines: {ask: {en: "Healer, whom do you heal?"}}
"""
    found = load(written(tmp_path, "killers-2", more=more))
    assert [found.roles["doctor"].dealt(seats) for seats in (11, 12)] == [1, 2]
    assert found.roles["doctor"].name["en"] == "healer"
    assert found.step("doctor").params == {"own": False, "needles": True}
    assert found.step("doctor").lines == {"ask": {"en": "Healer, whom do you heal?"}}


def test_the_document_that_a_journal_keeps_speaks_of_no_other_ruleset(tmp_path: Path) -> None:
    house = written(tmp_path, "killers-2", more="add: [hunter, doctor, bubble]")
    found = document(house)
    assert "add" not in found
    assert from_document(found) == load(house)


def test_its_options_come_along_unless_the_ruleset_has_them(tmp_path: Path) -> None:
    assert completed(tmp_path, "killers-2", more="add: [doctor]")["options"]["needles"]["default"] is True
    assert completed(tmp_path, "killers-3", more="add: [witch]")["options"]["needles"]["default"] is False


def test_it_is_told_what_each_role_has_brought() -> None:
    assert report("killers-2", more="add: [bubble, hunter]").brought == (
        ("bubble, from bubble: 1 card for camp good, in place of civilian", "called as bubble after police"),
        (
            "hunter, from box-werewolf: 1 card for camp good, in place of civilian",
            "may take one along when it dies by killer, vote",
            "called as hunter (first night only) first of all",
        ),
    )


@pytest.mark.parametrize(
    ("original", "added", "what"),
    [
        ("killers-2", "huntr", "there is no role 'huntr' to be taken from any shipped ruleset, did you mean 'hunter'?"),
        ("killers-2", "police", "the role 'police' is in this ruleset already; change its count under `roles`"),
        ("killers-2", "villager", "there is no role 'villager' to be taken from any shipped ruleset"),
        ("killers-2", "thief", "no cards are left over for 'thief' to see; give `hand: {spare: 2}` before adding it"),
        ("killers-2", "undercover", "'undercover' plays only in killers-5, with numbered hands"),
        ("killers-2", "gin", "'gin' plays only in detective-team, with single hands and deduction nights"),
        ("box-werewolf", "police_boss", "'police_boss' acts in the call of police of box-undercover"),
        ("killers-2", "{role: hunter, from: box-wolf}", "there is no ruleset 'box-wolf'"),
        ("killers-2", "{role: hunter, from: killers-4}", "there is no role 'hunter' to be taken from killers-4"),
        (
            "killers-2",
            "{role: hunter, after: polise}",
            "there is no step 'polise' to come after, did you mean 'police'?",
        ),
    ],
)
def test_what_cannot_be_added_is_told_with_the_line_and_the_cure(original: str, added: str, what: str) -> None:
    [problem] = problems(original, more=f"add:\n  - {added}")
    assert problem.startswith(f"- {added}: {what}")


def test_problems_keep_their_lines_where_steps_have_been_put_before_them() -> None:
    wrong = ("ability: check", "ability: chekc")
    [problem] = problems("killers-2", wrong, more="add: [sniper]")
    assert problem.startswith("- {step: police, ability: chekc,")


def test_a_thief_can_be_added_where_cards_are_left_over(tmp_path: Path) -> None:
    spare = ("citizen: civilian\n", "citizen: civilian\nhand: {spare: 2}\n")
    steps = completed(tmp_path, "killers-2", spare, more="add: [thief]")["night"]
    assert steps[0]["with"] == {"must_take": ["killer"]}


def test_a_role_is_dealt_wherever_that_leaves_a_plain_card(tmp_path: Path) -> None:
    found = load(written(tmp_path, "box-angel-devil", more="add: [hunter, doctor, seer]"))
    dealt = {seats: {role for role, count in found.counts(seats).items() if count} for seats in range(8, 17)}
    assert {"hunter", "doctor", "seer"} & dealt[8] == {"hunter"}
    assert found.counts(8)["civilian"] == 1
    assert {"hunter", "doctor", "seer"} <= dealt[16]


def test_a_count_that_is_given_is_taken_as_it_is() -> None:
    first, *_ = problems("box-angel-devil", more="add: [{role: hunter, count: 9}]")
    assert first.endswith("15 cards are dealt to 8 seats, which have 8; deal fewer")


@pytest.mark.parametrize("original", ONE_CARD)
def test_every_role_that_is_offered_can_be_added_and_is_sound(tmp_path: Path, original: str) -> None:
    for role in addable(document(shipped()[original])):
        house = written(tmp_path, original, more=f"add: [{role}]")
        found = examine(house, SCRIPT)
        assert (found.problems, found.warnings) == ((), ()), role


@pytest.mark.parametrize("original", [name for name in ONE_CARD if addable(library()[name])])
def test_games_with_several_added_roles_end(original: str) -> None:
    base = document(shipped()[original])
    chance = random.Random(f"house {original}")
    for by_hand in (True, False, True):
        roles = chance.sample([role for role in addable(base) if role != "police_boss"], 3)
        ruleset = from_document(extend(base, roles))
        dealt = deal(ruleset, ruleset.seats[1], chance, by_hand=by_hand)
        assert play_out(dealt, chance).winner in (*ruleset.camps, "draw"), roles
