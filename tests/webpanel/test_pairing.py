"""The door's memory: who was let in, for how long, and numbers that tell phones apart."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from narrator.storage.devices import DeviceStore
from webpanel.access import Guesses
from webpanel.pairing import EVENING, Pairing

SECRET = "abc"


def pairing(home: Path, now: datetime = datetime(2026, 1, 1, 20, tzinfo=UTC)) -> Pairing:
    return Pairing(DeviceStore(home), SECRET, lambda: now)


def test_every_start_has_a_secret_of_its_own(tmp_path: Path) -> None:
    first, second = Pairing(DeviceStore(tmp_path)), Pairing(DeviceStore(tmp_path))
    assert first.secret != second.secret
    assert len(first.secret) >= 12


def test_a_phone_of_this_evening_is_remembered(tmp_path: Path) -> None:
    token = pairing(tmp_path).knock(SECRET, None, "phone")
    assert pairing(tmp_path).standing(token) == "judge"


def test_a_phone_of_another_evening_is_forgotten(tmp_path: Path) -> None:
    token = pairing(tmp_path).knock(SECRET, None, "phone")
    later = pairing(tmp_path, datetime(2026, 1, 1, 20, tzinfo=UTC) + EVENING + timedelta(minutes=1))
    assert later.standing(token) is None
    assert later.knock(SECRET, token, "phone") != token


def test_waiting_phones_have_different_numbers(tmp_path: Path) -> None:
    door = pairing(tmp_path)
    for _ in range(12):
        door.knock(SECRET, None, "phone")
    numbers = [knocker.number for knocker in door.waiting()]
    assert len(set(numbers)) == len(numbers) == 11


def test_the_longest_waiting_makes_room_at_a_crowded_door(tmp_path: Path) -> None:
    door = pairing(tmp_path)
    tokens = [door.knock(SECRET, None, "phone") for _ in range(20)]
    assert door.standing(tokens[0]) == "judge"
    assert door.standing(tokens[1]) is None
    assert door.standing(tokens[-1]) == "waiting"
    assert len(door.waiting()) == 12


def test_listeners_hear_of_every_change(tmp_path: Path) -> None:
    door, heard = pairing(tmp_path), []
    door.listen(lambda: heard.append(door.changes))
    door.knock(SECRET, None, "phone")
    door.knock(SECRET, None, "phone")
    door.let_in(door.waiting()[0].number)
    assert heard == [1, 2, 3]


def test_nobody_of_that_number_is_said(tmp_path: Path) -> None:
    door = pairing(tmp_path)
    assert not door.let_in("12")
    assert not door.refuse("12")
    assert not door.dismiss("12")
    assert door.changes == 0


def test_guesses_are_counted_by_address_in_a_window() -> None:
    time = [0.0]
    guesses = Guesses(limit=2, window=60, now=lambda: time[0])
    guesses.wrong("a")
    assert guesses.may("a")
    guesses.wrong("a")
    assert not guesses.may("a")
    assert guesses.may("b")
    time[0] = 61
    assert guesses.may("a")
