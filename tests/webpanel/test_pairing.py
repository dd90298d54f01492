"""The door's memory: who was let in, for how long, and numbers that tell phones apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from narrator.storage.devices import DeviceStore
from webpanel.access import Guesses
from webpanel.pairing import EVENING, Pairing, number_of

SECRET = "abc"


START = datetime(2026, 1, 1, 20, tzinfo=UTC)


class Watch:
    """The two clocks of a door, turned by hand."""

    def __init__(self) -> None:
        self.now, self.elapsed = START, 0.0

    def passes(self, hours: float) -> None:
        self.now += timedelta(hours=hours)
        self.elapsed += hours * 3600


def pairing(home: Path, now: datetime = START) -> Pairing:
    return Pairing(DeviceStore(home), SECRET, lambda: now, lambda: 0.0)


def watched(home: Path, watch: Watch, log: Callable[[str], None] = lambda text: None) -> Pairing:
    return Pairing(DeviceStore(home), SECRET, lambda: watch.now, lambda: watch.elapsed, log)


def judge_seen(door: Pairing) -> str:
    """The token of a judge who has come back with it."""
    token = door.knock(SECRET, None, "phone")
    assert token
    door.see(token)
    return token


def test_a_phone_in_use_is_known_as_long_as_it_is_used(tmp_path: Path) -> None:
    watch = Watch()
    door = watched(tmp_path, watch)
    token = judge_seen(door)
    for _ in range(10):
        watch.passes(15)
        assert watched(tmp_path, watch).standing(token) == "judge"
        door.see(token)
        assert door.standing(token) == "judge"


def test_a_table_that_stays_open_forgets_after_an_evening_without_use(tmp_path: Path) -> None:
    watch, told = Watch(), []
    door = watched(tmp_path, watch)
    token = judge_seen(door)
    door.listen(lambda: told.append(door.changes))
    watch.passes(15.9)
    assert door.standing(token) == "judge"
    watch.passes(0.2)
    assert door.judge() is None
    assert door.standing(token) is None
    assert told == [2]
    assert DeviceStore(tmp_path).devices == ()
    assert door.standing(door.knock(SECRET, token, "phone")) == "judge"


def test_a_clock_that_is_put_right_costs_nobody_his_place(tmp_path: Path) -> None:
    watch = Watch()
    door = watched(tmp_path, watch)
    token = judge_seen(door)
    watch.now += timedelta(days=700)
    door.see(token)
    watch.now -= timedelta(days=900)
    assert door.standing(token) == "judge"


def test_a_judge_never_seen_again_gives_way(tmp_path: Path) -> None:
    watch = Watch()
    door = watched(tmp_path, watch)
    ghost = door.knock(SECRET, None, "scanner")
    early = door.knock(SECRET, None, "phone")
    assert door.standing(early) == "waiting"
    watch.passes(0.01)
    assert door.judge() is None
    late = door.knock(SECRET, early, "phone")
    assert door.standing(late) == "judge"
    assert door.standing(ghost) is None
    assert door.waiting() == []
    door.see(late)
    watch.passes(1)
    assert door.standing(door.knock(SECRET, None, "phone")) == "waiting"


def test_a_judge_never_seen_again_gives_way_after_a_restart_too(tmp_path: Path) -> None:
    watch = Watch()
    watched(tmp_path, watch).knock(SECRET, None, "scanner")
    watch.passes(0.1)
    door = watched(tmp_path, watch)
    assert door.standing(door.knock(SECRET, None, "phone")) == "judge"


def test_a_phone_that_is_shown_out_is_not_brought_back_by_its_use(tmp_path: Path) -> None:
    store = DeviceStore(tmp_path)
    door = Pairing(store, SECRET, elapsed=lambda: 0.0)
    judge_seen(door)
    helper = door.knock(SECRET, None, "phone")
    door.let_in(door.waiting()[0].number)
    [known] = [device for device in store.devices if device.role == "helper"]
    door.dismiss(number_of(known.token_hash))
    store.saw(known.token_hash, START.isoformat())
    door.see(helper)
    assert door.standing(helper) is None


# The computer's last word


def numbers(door: Pairing) -> list[str]:
    return [knocker.number for knocker in (*door.waiting(), *door.refused())]


def test_a_script_that_refuses_every_knock_does_not_win(tmp_path: Path) -> None:
    door = pairing(tmp_path)
    stranger = judge_seen(door)
    door.listen(lambda: [door.refuse(knocker.number) for knocker in door.waiting()] and None)
    host = door.knock(SECRET, None, "phone")
    assert door.standing(host) == "refused"
    assert door.overrule(numbers(door)[0], "judge")
    assert (door.standing(host), door.standing(stranger)) == ("judge", None)


def test_a_script_that_knocks_again_and_again_does_not_crowd_others_out(tmp_path: Path) -> None:
    door = pairing(tmp_path)
    judge_seen(door)
    host = door.knock(SECRET, None, "phone", "192.168.1.5")
    for _ in range(40):
        door.knock(SECRET, None, "script", "192.168.1.66")
    assert door.standing(host) == "waiting"
    assert len(door.waiting()) == 12


def test_a_helper_is_made_the_judge_and_the_judge_before_is_out(tmp_path: Path) -> None:
    door = pairing(tmp_path)
    judge = judge_seen(door)
    helper = door.knock(SECRET, None, "phone")
    [number] = numbers(door)
    assert door.overrule(number, "helper")
    assert door.overrule(number, "judge")
    assert not door.overrule(number, "helper")
    assert (door.standing(helper), door.standing(judge)) == ("judge", None)


def test_out_with_the_judge_closes_the_old_code(tmp_path: Path) -> None:
    door = pairing(tmp_path)
    stranger = judge_seen(door)
    waiting = door.knock(SECRET, None, "phone")
    judge = door.judge()
    assert judge
    assert door.show_out(number_of(judge.token_hash))
    assert door.knock(SECRET, stranger, "phone") is None
    assert (door.standing(stranger), door.standing(waiting), door.judge()) == (None, None, None)
    assert door.standing(door.knock(door.secret, None, "phone")) == "judge"


def test_a_reset_shows_everybody_out_for_good(tmp_path: Path) -> None:
    door = pairing(tmp_path)
    tokens = [judge_seen(door), door.knock(SECRET, None, "phone")]
    door.overrule(numbers(door)[0], "helper")
    door.reset()
    assert [door.standing(token) for token in tokens] == [None, None]
    assert DeviceStore(tmp_path).devices == ()
    assert not door.knows_secret(SECRET)


def test_the_log_tells_what_happens_and_no_secret(tmp_path: Path) -> None:
    said: list[str] = []
    door = watched(tmp_path, Watch(), said.append)
    tokens = [judge_seen(door), door.knock(SECRET, None, "Android", "192.168.1.66")]
    [number] = numbers(door)
    door.refuse(number)
    door.overrule(number, "helper")
    door.show_out(number)
    door.reset()
    assert [re.sub(r"phone \d\d", "phone NN", line) for line in said] == [
        "phone NN (phone) is the judge now",
        "phone NN (Android, 192.168.1.66) waits at the door",
        "phone NN (Android, 192.168.1.66) was refused",
        "phone NN (Android, 192.168.1.66) was let in from the computer: helper",
        "phone NN was shown out from the computer",
        "every phone was shown out from the computer",
    ]
    assert not [secret for secret in (*tokens, SECRET, door.secret) if secret and secret in "\n".join(said)]


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
