"""The set-up outlives the program after every change: names, counts, options, hands, and whose turn it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from narrator.model.errors import Refused
from narrator.storage.folders import StorageError
from narrator.storage.setup_file import FILE
from narrator.table.setup.draft import Draft
from tests.table.hall import Hall


def killed(hall: Hall) -> Hall:
    """The process is gone without a word; the program is started again."""
    if hall.table.game is not None:
        hall.table.game.journal.close()
    hall.table.order.close()
    return Hall(hall.home, 99)


def configure(hall: Hall, **changes: Any) -> None:
    hall.table.configure(hall.table.revision, changes)


CHANGES: list[dict[str, Any]] = [
    {"ruleset": "killers-4"},
    {"seats": 13},
    {"names": ["Ana", "", "陈"]},
    {"counts": {"killer": 4}},
    {"ruleset": "box-werewolf", "seats": 10},
    {"extras": ["doctor@box-doctor"]},
    {"options": {}},
    {"counts": {"hunter": None}},
]


def test_every_change_of_the_set_up_is_there_again(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    for change in CHANGES:
        configure(hall, **change)
        option = next(iter(hall.table.draft.ruleset.options.values()), None)
        if "options" in change and option is not None:
            configure(hall, options={option.id: option.choices[-1]})
        draft = hall.table.draft
        hall = killed(hall)
        assert hall.table.draft == draft
        assert hall.table.judge().troubles == ()


@pytest.mark.parametrize("ruleset", ["killers-2", "dual-identity", "detective-team", "box-angel-devil"])
def test_the_dealing_by_phone_goes_on_at_the_very_seat_with_the_very_cards(tmp_path: Path, ruleset: str) -> None:
    hall = Hall(tmp_path)
    configure(hall, ruleset=ruleset)
    hall.table.deal(hall.table.revision, by_phone=True)
    seats = hall.table.draft.seats
    saw = {}
    for seat in range(1, seats + 1):
        if ruleset == "dual-identity" and seat % 2:
            hall.table.swap_cards(hall.table.revision, seat)
        saw[seat] = hall.table.own_cards(hall.table.revision, seat)
        hall.table.hand_on(hall.table.revision, seat)
        hall = killed(hall)
        assert hall.table.draft.turn == (seat + 1 if seat < seats else None)
    hall.table.hand_back(hall.table.revision, 2)
    hall = killed(hall)
    assert hall.table.own_cards(hall.table.revision, 2) == saw[2]
    hall.table.hand_on(hall.table.revision, 2)
    hall = killed(hall)
    draft = hall.table.draft
    hall.table.start(hall.table.revision)
    assert (hall.running.setup.hands, hall.running.setup.spare) == (draft.hands, draft.spare)
    hall.table.close()


def test_cards_that_were_played_are_not_dealt_again(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    configure(hall, seats=9, names=["Ana"])
    hall.table.deal(hall.table.revision)
    hall.table.start(hall.table.revision)
    hall.tap("begin")
    hall.tap("abandon")
    hall = killed(hall)
    assert hall.table.judge().mode == "setup"
    assert (hall.table.draft.hands, hall.table.draft.seats, hall.table.draft.names) == (None, 9, ("Ana",))


def test_not_even_where_the_power_went_between_the_journal_and_the_set_up(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.table.deal(hall.table.revision)
    dealt = (tmp_path / FILE).read_bytes()
    hall.table.start(hall.table.revision)
    hall.tap("begin")
    (tmp_path / FILE).write_bytes(dealt)
    hall = killed(hall)
    assert hall.table.judge().mode == "resume?"
    assert hall.table.draft.hands is None


def test_games_that_were_given_up_are_not_asked_about_again(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start()
    name = hall.running.id
    hall = killed(hall)
    assert hall.table.judge().mode == "resume?"
    hall.table.new(hall.table.revision)
    hall = killed(hall)
    assert hall.table.judge().mode == "setup"
    hall.table.resume(name)
    hall = killed(hall)
    assert [game.id for game in hall.table.interrupted()] == [name]


def test_a_change_that_cannot_be_kept_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall(tmp_path)
    configure(hall, seats=9)
    hall.table.deal(hall.table.revision, by_phone=True)
    draft = hall.table.draft

    def full(*_: object) -> None:
        raise StorageError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("narrator.table.setup.preparation.save_setup", full)
        for change in (
            lambda: configure(hall, seats=10),
            lambda: hall.table.hand_on(hall.table.revision, 1),
            lambda: hall.table.deal(hall.table.revision),
            lambda: hall.table.new(hall.table.revision),
        ):
            with pytest.raises(Refused, match="the disk is full"):
                change()
            assert hall.table.draft == draft
    assert killed(hall).table.draft == draft


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"seats": 2}, "seats"),
        ({"ruleset": "chess"}, "chess"),
        ({"counts": {"nobody": 1}}, "nobody"),
        ({"hands": {"1": ["killer"]}}, "every seat"),
        ({"extras": ["nobody"]}, "nobody"),
    ],
)
def test_what_does_not_fit_any_more_is_told_and_left_out(tmp_path: Path, changed: dict[str, Any], told: str) -> None:
    hall = Hall(tmp_path)
    configure(hall, seats=9, names=["Ana"])
    hall.table.deal(hall.table.revision)
    found = json.loads((tmp_path / FILE).read_text("utf-8"))
    found["draft"] |= changed
    (tmp_path / FILE).write_text(json.dumps(found), "utf-8")
    hall = killed(hall)
    draft: Draft = hall.table.draft
    assert (draft.hands, draft.names) == (None, ("Ana",))
    assert any(told in trouble.detail for trouble in hall.table.judge().troubles)


@pytest.mark.parametrize("text", ["", "[]", "{}x", '{"setup": 2}', '{"draft": {"ruleset": 7}}', "\0\0\0"])
def test_a_damaged_set_up_is_set_aside_and_told(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, "utf-8")
    hall = Hall(tmp_path)
    assert hall.table.judge().mode == "setup"
    assert any(f"{FILE} was damaged" in trouble.detail for trouble in hall.table.judge().troubles)
    assert (tmp_path / f"{FILE}.damaged").read_text("utf-8") == text
