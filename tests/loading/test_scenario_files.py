"""Scenario files: what is wrong with one is told at once, with line and cure; what happens in one is told as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.loading.rulesets import shipped
from narrator.loading.scenarios import Played, ScenarioProblems, play_scenario, read_scenario
from narrator.loading.scenarios.scenario_file import EXPECTED

GAME = """\
name: a game
ruleset: killers-2
seats: 8
options: {third_tie: nobody_out}
roles:
  killer: [1, 2]
  police: [3, 4]
play:
  - night: {killer: 5, police: 1}
    expect: {deaths: [5], told: {police: true}, winner: null}
  - vote: {1: 4}
    expect: {out: [1]}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "game.yaml"
    path.write_text(text, "utf-8")
    return path


def changed(old: str, new: str) -> str:
    assert GAME.count(old) == 1, old
    return GAME.replace(old, new)


def problems(folder: Path, text: str) -> list[str]:
    """What is wrong, as `line: what`."""
    path = written(folder, text)
    with pytest.raises(ScenarioProblems) as wrong:
        read_scenario(path)
    assert all(one.startswith(f"{path}:") for one in wrong.value.problems)
    return [one.removeprefix(f"{path}:") for one in wrong.value.problems]


def played(folder: Path, text: str) -> Played:
    return play_scenario(read_scenario(written(folder, text)))


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("name: a game\n", "", "1: name: is missing; write name: …"),
        ("name: a game", "name: [a]", "1: name: must be a text; put it in quotes if it is one; got ['a']"),
        ("ruleset: killers-2\n", "", "1: ruleset: is missing; write ruleset: …"),
        ("ruleset: killers-2", "ruleset: killers-7", "2: there is no ruleset 'killers-7'; give a path to a file, or o"),
        ("ruleset: killers-2", f"ruleset: {'x' * 5000}", "2: there is no ruleset 'xxx"),
        ("seats: 8", "seats: eight", "3: seats: must be a whole number; got 'eight'"),
        ("seats: 8", "seats: 8.0", "3: seats: must be a whole number; got 8.0"),
        ("seats: 8", "seats: 0", "3: seats: must be 1 or more; got 0"),
        ("seats: 8", "seats: 41", "3: seats: must be 40 or less; got 41"),
        ("seats: 8", "seat: 8", "3: seat: is not known here, did you mean 'seats'?; known keys: name, ruleset, seats,"),
        ("third_tie: nobody_out", "third_tei: nobody_out", "4: in killers-2 there is no option 'third_tei', did you m"),
        ("third_tie: nobody_out", "third_tie: nobody", "4: third_tie cannot be 'nobody'; it can be: nobody_out, game_"),
        ("third_tie: nobody_out", "call_dead_roles: maybe", "4: call_dead_roles cannot be 'maybe'; it can be: true, f"),
        ("third_tie: nobody_out", "third_tie: true", "4: third_tie cannot be true; it can be: nobody_out, game_drawn"),
        ("police: [3, 4]", "polise: [3, 4]", "7: in killers-2 there is no role 'polise', did you mean 'police'?; ther"),
        ("police: [3, 4]", "police: [2, 3]", "7: seat 2 is named twice, as killer and as police"),
        ("police: [3, 4]", "police: [3, 3]", "7: seat 3 is named twice, as police and as police"),
        ("police: [3, 4]", "police: [3, 9]", "7: there is no seat 9; the table has 1 to 8"),
        ("police: [3, 4]", "police: 3", "7: roles > police: must be a list: [one, another]; got 3"),
        ("police: [3, 4]", "killer: [3, 4]", "7: the key 'killer' is given twice; keep one of them"),
        ("roles:\n  killer: [1, 2]\n  police: [3, 4]", "hands: {1: [killer, police]}", "5: killers-2 has one card eac"),
        ("play:", "table: [killer]\nplay:", "8: killers-2 leaves 0 cards on the table, not 1"),
        ("play:", "looks: {boss: {look: child}}\nplay:", "8: the cards of killers-2 have no looks; leave `looks` out"),
        ("killer: 5, police: 1", "polise: 1", "9: nobody of that name acts at night; known: "),
        ("killer: 5, police: 1", "killer: 5, killer: 6", "9: the key 'killer' is given twice; keep one of them"),
        ("- night: {killer: 5, police: 1}", "- nigth: {killer: 5}", "9: play > entry 1 > nigth: is not known here"),
        ("- vote: {1: 4}", "- vote: {1: 4}\n    ballots: {}", "11: an entry has exactly one of night, vote, ballots,"),
        ("- vote: {1: 4}\n    expect: {out: [1]}", "- expect: {out: [1]}", "11: an entry has exactly one of night, vo"),
        ("- vote: {1: 4}", "- vote: {one: 4}", "11: play > entry 2 > vote > one: must be a whole number; got 'one'"),
        ("- vote: {1: 4}", "- vote: {1: many}", "11: play > entry 2 > vote > 1: must be a whole number; got 'many'"),
        ("- vote: {1: 4}", "- ballots: {1: x}", "11: play > entry 2 > ballots > 1: "),
        ("- vote: {1: 4}", "- react: {hunter: 4}", "11: in killers-2 there is no role 'hunter'"),
        ("- vote: {1: 4}", "- claim: {4: bubbel}", "11: in killers-2 there is no role 'bubbel'"),
        ("- vote: {1: 4}", "- elect: x", "11: play > entry 2 > elect: "),
        ("out: [1]", "otu: [1]", "12: play > entry 2 > expect > otu: is not known here, did you mean 'out'?"),
        ("out: [1]", "out: 1", "12: play > entry 2 > expect > out: must be a list: [one, another]; got 1"),
        ("out: [1]", "out: null", "12: play > entry 2 > expect > out: must be a list: [one, another]; got nothing"),
        ("out: [1]", "refused: no, no", "12: "),
        ("told: {police: true}", "told: {polise: true}", "10: in killers-2 there is no role 'polise', did you mean 'p"),
        ("winner: null", "winner: wolves", "10: in killers-2 there is no camp 'wolves'; there are: killers, good, dra"),
        ("winner: null", "revealed: {5: vilager}", "10: in killers-2 there is no role 'vilager', did you mean 'killer"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line_and_the_cure(tmp_path: Path, old: str, new: str, what: str) -> None:
    found = problems(tmp_path, changed(old, new))
    assert any(one.startswith(what) for one in found), found


def test_everything_wrong_is_told_at_once(tmp_path: Path) -> None:
    form = (
        GAME.replace("name: a game", "name: 3").replace("seats: 8", "seats: x").replace("expect: {out", "expct: {out")
    )
    assert [one.partition(":")[0] for one in problems(tmp_path, form)] == ["1", "3", "12"]
    words = (
        GAME.replace("third_tie", "thrid_tie")
        .replace("police: [3, 4]", "police: [3, 9]")
        .replace("{out: [1]}", "{winner: me}")
    )
    assert [one.partition(":")[0] for one in problems(tmp_path, words)] == ["7", "4", "12"]


@pytest.mark.parametrize("text", ["", "5", "[a, b]", "just words", "null", "play: []"])
def test_what_is_no_scenario_at_all_is_told(tmp_path: Path, text: str) -> None:
    assert problems(tmp_path, text)


def test_hands_are_checked(tmp_path: Path) -> None:
    text = "name: x\nruleset: killers-6\nseats: 8\nhands:\n"
    text += "  1: [killer]\n  9: [killer, police]\n  2: [x, police]\nplay: []\n"
    assert problems(tmp_path, text) == [
        "5: a hand has two cards, not 1",
        "6: there is no seat 9; the table has 1 to 8",
        "7: in killers-6 there is no role 'x'; there are: killer, police, doctor1, doctor2, sniper1, sniper2, civilian",
    ]
    assert problems(tmp_path, "name: x\nruleset: killers-6\nseats: 8\nroles: {killer: [1]}\nplay: []\n") == [
        "4: killers-6 has two cards each: give `hands`, seat -> [role, role]"
    ]


def test_cards_on_the_table_are_checked(tmp_path: Path) -> None:
    text = "name: x\nruleset: box-werewolf\nseats: 8\ntable: [witch, x, seer]\nplay: []\n"
    assert [one.partition(";")[0] for one in problems(tmp_path, text)] == [
        "4: box-werewolf leaves 2 cards on the table, not 3",
        "4: in box-werewolf there is no role 'x'",
    ]


def test_a_ruleset_may_be_a_file_beside_the_scenario(tmp_path: Path) -> None:
    source = shipped()["killers-2"].read_text("utf-8").replace("id: killers-2", "id: ours")
    (tmp_path / "ours.yaml").write_text(source, "utf-8")
    assert played(tmp_path, changed("ruleset: killers-2", "ruleset: ours.yaml")).ok
    (tmp_path / "ours.yaml").write_text(source.replace("citizen: civilian", "citizen: nobody"), "utf-8")
    with pytest.raises(ScenarioProblems) as wrong:
        read_scenario(written(tmp_path, changed("ruleset: killers-2", "ruleset: ours.yaml")))
    assert wrong.value.problems[0].startswith(f"{tmp_path / 'ours.yaml'}:")


def test_a_ruleset_may_be_a_file_named_from_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "games").mkdir()
    source = shipped()["killers-2"].read_text("utf-8").replace("id: killers-2", "id: ours")
    (tmp_path / "rules" / "ours.yaml").write_text(source, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert played(tmp_path / "games", changed("ruleset: killers-2", "ruleset: rules/ours.yaml")).ok


def test_a_bubble_among_the_roles_is_added_to_a_ruleset_that_has_none(tmp_path: Path) -> None:
    text = changed("police: [3, 4]", "police: [3, 4]\n  bubble: [8]").replace("police: 1}", "police: 1, bubble: 6}")
    assert played(tmp_path, text).ok


def test_nothing_behind_an_entry_means_nothing_chosen(tmp_path: Path) -> None:
    text = (
        GAME[: GAME.index("play:")] + "play:\n  - night:\n    expect: {deaths: []}\n  - vote:\n    expect: {out: []}\n"
    )
    assert played(tmp_path, text).ok


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("deaths: [5]", "deaths: [6]", "play[1] night deaths: expected [6], got [5]"),
        ("deaths: [5]", "deaths: []", "play[1] night deaths: expected [], got [5]"),
        ("told: {police: true}", "told: {police: false}", "play[1] night told: expected {'police': False}, got {'poli"),
        ("told: {police: true}", "told: {police: 1}", "play[1] night told: expected {'police': 1}, got {'police': Tru"),
        ("told: {police: true}", "told: {killer: null}", "play[1] night told: expected {'killer': None}, got"),
        ("winner: null", "winner: good", "play[1] night winner: expected good, got null"),
        ("winner: null", "refused: true", "play[1] night refused: expected true, got false"),
        ("winner: null", "speaking: [3, 4]", "play[1] night speaking: expected [3, 4], got [4, 3, 2, 1, 8, 7, 6]"),
        ("winner: null", "calling: [4, 3, 2, 1, 8, 7, 6]", "play[1] night calling: expected [4, 3, 2, 1, 8, 7, 6], go"),
        ("killer: 5, police", "killer: 9, police", "play[1] night: expected to be accepted, got refused (no such seat"),
        ("- vote: {1: 4}", "- vote: {5: 4}", "play[2] vote: expected to be accepted, got refused (not a candidate"),
    ],
)  # fmt: skip
def test_what_comes_out_otherwise_is_told_with_place_expected_and_got(
    tmp_path: Path, old: str, new: str, difference: str
) -> None:
    found = played(tmp_path, changed(old, new))
    assert not found.ok
    assert any(one.startswith(difference) for one in found.differences), found.differences


def test_lists_are_sets_but_for_the_orders_of_speaking_and_calling(tmp_path: Path) -> None:
    more = (
        "winner: null, living: [8, 7, 6, 4, 3, 2, 1], speaking: [4, 3, 2, 1, 8, 7, 6], calling: [6, 7, 8, 1, 2, 3, 4]"
    )
    assert played(tmp_path, changed("winner: null", more)).ok


def test_a_set_names_nobody_twice_in_place_of_another(tmp_path: Path) -> None:
    assert not played(tmp_path, changed("winner: null", "living: [1, 2, 3, 4, 6, 7, 7]")).ok


def test_every_entry_tells_every_key(tmp_path: Path) -> None:
    found = played(tmp_path, changed("- vote: {1: 4}", "- vote: {5: 4}"))
    assert [set(step) - {"why"} for step in found.steps] == [set(EXPECTED)] * 2
    assert [step["refused"] for step in found.steps] == [False, True]


def test_a_refused_entry_changes_nothing_though_part_of_it_was_legal(tmp_path: Path) -> None:
    text = changed("play:", "play:\n  - night: {killer: 6, police: 9}\n    expect: {refused: true, deaths: []}")
    found = played(tmp_path, text)
    assert found.ok, found.differences
    assert found.steps[0]["living"] == [1, 2, 3, 4, 5, 6, 7, 8]


SLIPS = ('"5"', "'5'", "５", '"05"', "' 5'", '"-5"', "٥", "5.0")
"""A seat that is no number, as people write it."""


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("expect", ["{deaths: [5]}", "{refused: true}"])
def test_a_seat_that_is_no_number_is_told_wherever_it_stands(tmp_path: Path, slip: str, expect: str) -> None:
    told = GAME.replace("{deaths: [5], told: {police: true}, winner: null}", expect)
    keys = () if slip == "5.0" else ("killer: {{{}: 1}}",)
    for night in ("killer: {}, police: 1", "killer: [{}]", "killer: {{1: {}}}", *keys):
        found = problems(tmp_path, told.replace("killer: 5, police: 1", night.format(slip)))
        assert [one.split("; got")[0] for one in found] == [
            "9: must be a seat's number, in the digits 0 to 9 and without quotes"
        ]
    for entry in ("vote: {{{}: 4}}", "vote: {{1: {}}}", "ballots: {{1: {}}}", "elect: {}", "react: {{killer: {}}}"):
        found = problems(tmp_path, told.replace("vote: {1: 4}", entry.format(slip)))
        assert found
        assert all(one.startswith("11: ") for one in found)


def test_a_seat_that_is_no_number_is_told_in_what_is_told_too(tmp_path: Path) -> None:
    found = problems(tmp_path, changed("told: {police: true}", "told: {police: ['5']}"))
    assert found == ["10: must be a seat's number, in the digits 0 to 9 and without quotes; got '5'"]


def test_zeros_before_a_seat_are_told_or_doubted(tmp_path: Path) -> None:
    assert problems(tmp_path, changed("[3, 4]", "[03, 010]")) == [
        "7: 010 is no plain number; write 10, or put it in quotes if it is a text"
    ]
    scenario = read_scenario(written(tmp_path, changed("[3, 4]", "[03, 04]")))
    assert play_scenario(scenario).ok
    assert scenario.warnings == tuple(
        f"{tmp_path / 'game.yaml'}:7: {text} is read as {text[1]}; write it so" for text in ("03", "04")
    )


@pytest.mark.parametrize("path", sorted((Path(__file__).parent.parent / "scenarios").rglob("*.yaml"))[::7], ids=str)
def test_scenarios_that_are_sound_are_not_doubted(path: Path) -> None:
    assert read_scenario(path).warnings == ()
