"""The small parts: pauses, the speech timer, watches."""

from __future__ import annotations

import random
import threading

import pytest

from narrator.clock import FakeClock
from narrator.narration.lines import PAUSES
from narrator.table.order import Order
from narrator.table.stage.countdown import Countdown, TimeLeft
from narrator.table.stage.pauses import OPEN, Pauses
from narrator.table.watch import Watches


def timed() -> tuple[FakeClock, Order]:
    """A clock, and the order of a table that goes by it."""
    clock = FakeClock()
    return clock, Order(clock)


@pytest.mark.parametrize("kind", PAUSES)
def test_pauses_lie_in_their_range_and_differ(kind: str) -> None:
    pauses = Pauses(random.Random(1))
    low, high = PAUSES[kind]
    drawn = [pauses.after(kind) for _ in range(50)]
    assert all(low <= seconds <= high for seconds in drawn)
    assert len(set(drawn)) == (50 if low < high else 1)


def test_an_unhurried_night_has_longer_pauses() -> None:
    assert Pauses(random.Random(1), 2.0).within(OPEN) == 2 * Pauses(random.Random(1)).within(OPEN)


def test_the_timer_marks_ten_seconds_and_the_end() -> None:
    (clock, order), marks = timed(), []
    countdown = Countdown(order, lambda mark: marks.append((clock.now(), mark)))
    countdown.start(5, 60)
    clock.advance(20)
    countdown.pause()
    clock.advance(100)
    assert countdown.view() == TimeLeft(5, 60, 40.0, running=False)
    countdown.go_on()
    clock.advance(200)
    assert marks == [(150, 10), (160, 0)]
    assert countdown.view() == TimeLeft(5, 60, 0.0, running=False)


def test_a_short_speech_is_not_warned_and_a_stopped_timer_is_silent() -> None:
    (clock, order), marks = timed(), []
    countdown = Countdown(order, marks.append)
    countdown.start(5, 20)
    clock.advance(30)
    assert marks == [0]
    countdown.start(6, 60)
    countdown.stop()
    clock.advance(100)
    assert marks == [0]
    assert countdown.view() is None


def test_a_timer_paused_between_its_marks_goes_on() -> None:
    (clock, order), marks = timed(), []
    countdown = Countdown(order, marks.append)
    countdown.start(5, 60)
    clock.advance(55)
    countdown.pause()
    countdown.go_on()
    clock.advance(10)
    assert marks == [10, 0]


def test_each_audience_hears_of_its_own_changes() -> None:
    watches = Watches()
    judge, public = watches.open("judge"), watches.open("public")
    watches.tick("judge")
    assert judge.wait(0)
    assert not public.wait(0)
    assert not judge.wait(0)
    with pytest.raises(ValueError, match="audience"):
        watches.open("everybody")


def test_what_changed_between_two_waits_is_not_lost() -> None:
    watches = Watches()
    watch = watches.open("public")
    watches.tick("public")
    watches.tick("public")
    assert watch.wait(0)
    assert not watch.wait(0)


@pytest.mark.parametrize("what", ["tick", "close", "dismiss"])
def test_who_waits_is_woken(what: str) -> None:
    watches = Watches()
    watch = watches.open("judge")
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(watch.wait()))
    thread.start()
    {"tick": lambda: watches.tick("judge"), "close": watches.close, "dismiss": watch.close}[what]()
    thread.join()
    assert found == [what == "tick"]
    assert watch.closed == (what != "tick")
