"""Listening, as the judge's phone shows and steers it: the real table and ears, in a room whose sound is made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from narrator.hearing.microphones import Opener
from narrator.hearing.words import no_microphone
from tests.hearing.material import Mouth, mouth
from tests.webpanel.den import Den
from tests.webpanel.house import House, Phone
from tests.webpanel.test_pages import faults_of
from webpanel.texts import LANGUAGES, texts


class Pages(Den):
    """The judge's pages of such a house."""

    def __init__(self, house: House, voice: Mouth) -> None:
        super().__init__(house, voice)
        self.judge: Phone = house.judge()

    def press(self, what: str, **more: str) -> str:
        answer = self.judge.act("/do/listen", what=what, **more)
        assert answer.status_code == 200, answer.text
        assert faults_of(answer.text) == []
        return answer.text

    @property
    def page(self) -> str:
        return self.judge.get("/fragment").text

    def teach(self, seat: int) -> None:
        self.press("record", seat=str(seat))
        self.give_takes()


@pytest.fixture(scope="module")
def voice() -> Iterator[Mouth]:
    with mouth() as opened:
        yield opened


@pytest.fixture
def den(house: House, voice: Mouth) -> Pages:
    return Pages(house, voice)


def test_listening_is_off_until_it_is_switched_on(den: Pages) -> None:
    assert "Listening is off." in den.page
    page = den.press("on")
    assert "Stop listening" in page
    assert "0 of 12 known" in page
    assert "Listening is off." in den.press("off")


def test_a_player_is_led_through_the_recording(den: Pages) -> None:
    page = den.press("record", seat="8")
    assert "Seat 8: please say" in page
    assert "0 of 3" in page
    den.teach(8)
    assert "Seat 8: please say" not in den.page
    assert 'aria-label="Delete the takes of Seat 8"' in den.page
    assert 'aria-label="Delete the takes of Seat 8"' not in den.press("forget", seat="8")


def test_everybody_is_asked_in_turn_and_can_be_skipped(den: Pages) -> None:
    assert "Seat 1: please say" in den.press("record_all")
    assert "Seat 2: please say" in den.press("skip")
    assert "2: please say" not in den.press("stop")


def test_the_judges_words_are_recorded_too(den: Pages) -> None:
    page = den.press("record", word="repeat")
    assert "Judge: please say" in page
    assert "<h2>repeat</h2>" in page


def test_a_word_that_was_heard_can_be_cancelled_and_next_is_hinted_at(den: Pages) -> None:
    den.teach(8)
    den.press("on")
    den.first_speech()
    assert den.house.asked == "last_words"
    assert "Listening for &#34;pass&#34;." in den.page
    den.say("pass", 0.6)
    page = den.page
    assert "Heard &#34;pass&#34; · next speaker in 2 s" in page
    assert faults_of(page) == []
    assert "Heard" not in den.press("cancel")
    assert "data-hint" not in den.page
    den.room.live(5.0)
    assert den.house.asked == "last_words"
    assert re.search(r'<button class="main tall wide" data-hint>', den.page)
    den.say("pass", 2.7)
    assert den.house.asked == "speech"
    assert "Not listening just now." in den.page or "not known" in den.page


def test_at_night_the_page_says_that_the_microphone_is_closed(den: Pages) -> None:
    den.press("on")
    den.house.start()
    den.house.tap("begin")
    assert "It is night: the microphone is closed." in den.page


def nothing_there() -> Opener:
    raise no_microphone("no device")


def test_what_is_missing_is_said_in_the_judges_language(tmp_path: Path, voice: Mouth) -> None:
    for number, language in enumerate(LANGUAGES):
        house = House(tmp_path / str(number), language=language)
        den = Pages(house, voice)
        den.room.find = nothing_there
        den.press("on")
        den.room.live(0.1)
        assert texts(language)("ears.no_microphone") in den.page
        assert faults_of(den.page) == []
        house.close()


def test_a_button_that_does_not_exist_does_nothing(den: Pages) -> None:
    assert den.judge.act("/do/listen", what="shout").status_code == 400
    assert den.judge.act("/do/listen", what="record", seat="x").status_code == 400
    assert den.judge.act("/do/listen", what="record", seat="40").status_code == 422


def test_nobody_but_those_who_were_let_in_can_use_it(den: Pages) -> None:
    stranger = den.house.phone()
    assert stranger.post("/do/listen", {"what": "on"}).status_code in (401, 403)
    assert "Listening is off." in den.page
