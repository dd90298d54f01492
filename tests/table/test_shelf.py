"""The rulesets that can be chosen: shipped ones and the user's own, changed while the program runs, some broken."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from narrator.loading.rulesets import RulesetProblems, shipped
from narrator.table import SetupProblem
from narrator.table.setup.shelf import Shelf
from tests.table.hall import Hall


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    folder = tmp_path / "rules"
    folder.mkdir()
    return folder


def write(folder: Path, name: str = "our-house", *changes: tuple[str, str]) -> Path:
    """A ruleset of the user's own, written at another moment than any before."""
    text = shipped()["killers-2"].read_text("utf-8").replace("id: killers-2\n", f"id: {name}\n")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{name}.yaml"
    later = path.stat().st_mtime_ns + 1_000_000_000 if path.exists() else None
    path.write_text(text, "utf-8")
    if later:
        os.utime(path, ns=(later, later))
    return path


BROKEN = ("seats: [8, 16]", "seats: [many]")
SMALL = ("seats: [8, 16]", "seats: [8, 12]")


def ids(shelf: Shelf) -> list[str]:
    return [ruleset.id for ruleset in shelf.rulesets]


def test_the_users_own_stand_beside_the_shipped_ones(rules: Path) -> None:
    write(rules)
    assert ids(Shelf(rules)) == [*shipped(), "our-house"]


def test_a_broken_one_is_listed_as_broken_and_hides_nothing(rules: Path) -> None:
    path = write(rules, "our-house", BROKEN)
    shelf = Shelf(rules)
    assert ids(shelf) == list(shipped())
    [broken] = shelf.broken
    assert broken.id == "our-house"
    assert broken.problem.startswith(f"{path}:")
    assert "seats > entry 1: must be a whole number; got 'many'" in broken.problem


def test_what_is_impossible_makes_it_broken_too(rules: Path) -> None:
    write(rules, "our-house", ("none_alive: [police]", "any_alive: [police]"))
    [broken] = Shelf(rules).broken
    assert "true at the deal already" in broken.problem


def test_a_file_that_is_not_called_as_its_id_is_broken(rules: Path) -> None:
    write(rules).rename(rules / "other.yaml")
    [broken] = Shelf(rules).broken
    assert broken.problem.endswith("the file must be called our-house.yaml, or the id be other; got id our-house")


def test_the_next_look_takes_up_new_changed_and_removed_files(rules: Path) -> None:
    shelf = Shelf(rules)
    assert shelf.look() is False
    path = write(rules)
    assert shelf.look() is True
    assert shelf.ruleset("our-house").seats == (8, 16)
    write(rules, "our-house", SMALL)
    assert shelf.look() is True
    assert shelf.ruleset("our-house").seats == (8, 12)
    path.unlink()
    assert shelf.look() is True
    assert ids(shelf) == list(shipped())
    assert shelf.look() is False


def test_nothing_changes_between_two_looks(rules: Path) -> None:
    write(rules)
    shelf = Shelf(rules)
    before = shelf.ruleset("our-house")
    write(rules, "our-house", SMALL)
    assert shelf.ruleset("our-house") is before
    assert shelf.document("our-house")["seats"] == [8, 16]


def test_the_last_sound_version_of_one_that_is_being_edited_can_still_be_played(rules: Path) -> None:
    write(rules)
    shelf = Shelf(rules)
    before = shelf.ruleset("our-house")
    write(rules, "our-house", BROKEN)
    assert shelf.look() is True
    assert shelf.ruleset("our-house") is before
    assert [one.id for one in shelf.broken] == ["our-house"]
    write(rules, "our-house", SMALL)
    shelf.look()
    assert (shelf.ruleset("our-house").seats, shelf.broken) == ((8, 12), [])


def test_ones_own_takes_the_place_of_a_shipped_one_unless_it_is_broken(rules: Path) -> None:
    write(rules, "killers-2", SMALL)
    shelf = Shelf(rules)
    assert (ids(shelf), shelf.ruleset("killers-2").seats) == (list(shipped()), (8, 12))
    (rules / "killers-2.yaml").write_text("id: [", "utf-8")
    assert Shelf(rules).ruleset("killers-2").seats == (8, 16)


def test_roles_of_other_editions_are_added_and_kept_in_the_document(rules: Path) -> None:
    shelf = Shelf(rules)
    assert shelf.addable("killers-2")["hunter"] == "box-werewolf"
    ruleset = shelf.ruleset("killers-2", ("hunter", "doctor@killers-3"))
    assert [step.id for step in ruleset.night] == ["hunter", "killer", "police", "doctor"]
    assert list(shelf.document("killers-2", ("hunter", "doctor@killers-3"))["roles"])[-2:] == ["hunter", "doctor"]
    with pytest.raises(RulesetProblems, match="did you mean 'hunter'"):
        shelf.ruleset("killers-2", ("huntr",))
    with pytest.raises(KeyError):
        shelf.ruleset("no-such")


# At the table


def test_the_set_up_lists_ones_own_those_that_are_broken_and_roles_to_add(tmp_path: Path, rules: Path) -> None:
    write(rules)
    write(rules, "worse-house", BROKEN)
    setup = Hall(tmp_path).table.judge().setup
    assert [ruleset.id for ruleset in setup.rulesets][-1] == "our-house"
    assert [broken.id for broken in setup.broken] == ["worse-house"]
    hunter = next(role for role in setup.addable if role.id == "hunter")
    assert (hunter.name, hunter.edition) == ("猎人", "box-werewolf")


def test_a_file_that_is_edited_while_the_table_is_set_up_is_taken_up_when_the_judge_looks(
    tmp_path: Path, rules: Path
) -> None:
    write(rules)
    table = Hall(tmp_path).table
    table.configure(table.revision, {"ruleset": "our-house", "seats": 12, "counts": {"killer": 4}})
    before = table.revision
    write(rules, "our-house", ("8-10: 2, 11-14: 3", "8-14: 2"))
    setup = table.judge().setup
    assert table.revision == before + 1
    assert (setup.counts, setup.suggested["killer"]) == ({"killer": 4, "police": 2, "civilian": 6}, 2)
    assert table.judge().revision == table.revision == before + 1


def test_a_ruleset_that_breaks_while_it_is_chosen_stays_as_it_was(tmp_path: Path, rules: Path) -> None:
    write(rules)
    hall = Hall(tmp_path)
    hall.table.configure(hall.table.revision, {"ruleset": "our-house", "seats": 12})
    write(rules, "our-house", BROKEN)
    setup = hall.table.judge().setup
    assert (setup.ruleset, setup.seats) == ("our-house", 12)
    assert [broken.id for broken in setup.broken] == ["our-house"]
    hall.start()
    assert hall.state.ruleset.id == "our-house"


def test_a_ruleset_that_is_removed_while_it_is_chosen_makes_room_for_another(tmp_path: Path, rules: Path) -> None:
    path = write(rules)
    table = Hall(tmp_path).table
    table.configure(table.revision, {"ruleset": "our-house"})
    path.unlink()
    assert table.judge().setup.ruleset == "killers-2"


def test_a_game_keeps_its_rules_when_their_file_changes(tmp_path: Path, rules: Path) -> None:
    write(rules)
    hall = Hall(tmp_path)
    hall.start(ruleset="our-house", seats=12)
    write(rules, "our-house", SMALL)
    before = hall.table.revision
    hall.table.judge()
    assert (hall.table.revision, hall.state.ruleset.seats) == (before, (8, 16))


def test_a_hunter_is_added_in_the_set_up_and_played(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=9, extras=["hunter"])
    assert hall.state.setup.counts == {"killer": 2, "police": 2, "civilian": 4, "hunter": 1}
    hall.tap("begin")
    assert hall.state.calls[0].step == "hunter"
    hall.play()
    assert hall.state.winner


def test_roles_that_cannot_be_added_are_refused_with_the_reason(tmp_path: Path) -> None:
    table = Hall(tmp_path).table
    with pytest.raises(SetupProblem, match="no cards are left over for 'thief' to see"):
        table.configure(table.revision, {"extras": ["thief"]})
    with pytest.raises(SetupProblem, match="unknown extra role"):
        table.configure(table.revision, {"extras": "hunter"})
    assert table.judge().setup.extras == ()
