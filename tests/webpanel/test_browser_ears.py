"""Listening, on a phone in a real browser: words are recorded, heard and cancelled, and the microphone is closed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.amounts import lanes
from tests.hearing.material import Mouth, mouth
from tests.webpanel.den import Den
from tests.webpanel.phones import SMALL, USUAL, Hall, Thumb

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def voice() -> Iterator[Mouth]:
    with mouth() as opened:
        yield opened


@pytest.fixture
def den(hall: Hall, voice: Mouth) -> Den:
    return Den(hall.house, voice)


def press(judge: Thumb, what: str) -> None:
    """Tap a button of the sheet that stands open."""
    judge.page.tap(f"button[value={what}]:visible")


def open_ears(judge: Thumb) -> None:
    judge.page.tap("details#ears > summary")


def test_a_player_is_led_through_the_recording_and_can_be_forgotten(hall: Hall, den: Den) -> None:
    judge = hall.judge()
    open_ears(judge)
    judge.sees("Listening is off.")
    judge.page.tap('li:has-text("Seat 8") button[value=record]')
    judge.sees("Seat 8: please say")
    judge.sees("0 of 3")
    judge.look_over()
    den.give_takes()
    judge.page.get_by_text("Seat 8: please say").wait_for(state="hidden")
    judge.page.tap('button[aria-label="Delete the takes of Seat 8"]')
    judge.page.wait_for_selector('button[aria-label="Delete the takes of Seat 8"]', state="detached")


def test_everybody_in_turn_and_whoever_does_not_want_to_is_skipped(hall: Hall, den: Den) -> None:
    judge = hall.judge(SMALL)
    open_ears(judge)
    press(judge, "record_all")
    judge.sees("Seat 1: please say")
    press(judge, "skip")
    judge.sees("Seat 2: please say")
    judge.look_over()
    press(judge, "stop")
    judge.page.get_by_text("Seat 2: please say").wait_for(state="hidden")
    judge.look_over()


@pytest.mark.parametrize("size", lanes([USUAL, SMALL], [USUAL]), ids=["usual", "small"])
def test_a_word_that_was_heard_is_cancelled_or_goes_on_by_itself(hall: Hall, den: Den, size: tuple[int, int]) -> None:
    den.house.table.record_take(8)
    den.give_takes()
    judge = hall.judge(size)
    open_ears(judge)
    press(judge, "on")
    judge.sees("1 of 12 known")
    den.first_speech()
    judge.sees('Listening for "pass".')
    den.say("pass", 0.6)
    judge.sees('Heard "pass" · next speaker in 2 s')
    judge.look_over()
    press(judge, "cancel")
    judge.page.wait_for_selector(".heard", state="detached")
    den.room.live(5.0)
    judge.page.wait_for_selector("button[data-hint]")
    assert den.house.asked == "last_words"
    den.say("pass", 2.7)
    assert den.house.asked == "speech"
    judge.page.wait_for_selector("button[value=to_vote]")


def test_at_night_the_phone_says_that_the_microphone_is_closed(hall: Hall, den: Den) -> None:
    den.house.table.listen_on()
    den.house.start()
    den.house.tap("begin")
    judge = hall.judge()
    judge.sees("It is night: the microphone is closed.")
    judge.sheet("menu", "hearing")
    press(judge, "off")
    judge.sees("Listening is off.")
    judge.shut()
    judge.look_over()
