"""The table with ears, in a room whose sound is made; time passes as the sound does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from narrator.hearing.comparing import raw
from narrator.hearing.ear import wav
from narrator.hearing.microphones import Opener
from narrator.hearing.trouble import no_microphone
from narrator.hearing.words import CLOSING
from narrator.model.errors import Refused
from tests.hearing.material import Mouth, Person, Sound, in_room, people, track, white
from tests.hearing.report import utterances
from tests.hearing.room import Room
from tests.table.hall import Hall, night_one

PEOPLE = people("en")
NARRATOR = 30.0
"""Seconds in which the narrator surely comes to an end."""


class Evening:
    """A hall, a room in it, and people who speak."""

    def __init__(self, home: Path, voice: Mouth) -> None:
        self.hall = Hall(home)
        self.table = self.hall.table
        self.table.configure(self.table.revision, {"languages": ["en"], "seats": 12, "ruleset": "killers-2"})
        self.room = Room(self.hall.clock.advance)
        self.table.listen_with(open_ears=self.room.open_ears)
        self.voice = voice

    @property
    def hearing(self) -> dict[str, Any]:
        found: dict[str, Any] = self.table.judge()["hearing"]
        return found

    @property
    def state(self) -> str:
        return str(self.hearing["state"])

    @property
    def speaker(self) -> int | None:
        asked = self.table.judge()["game"]["prompt"]
        return int(asked["seat"]) if asked["kind"] in ("speech", "last_words") else None

    def say(self, seat: int | None, text: str, rate: int = 165) -> Sound:
        """What whoever sits there, or the judge, says."""
        return self.voice.say(self.person(seat), text, rate)

    def person(self, seat: int | None) -> Person:
        return PEOPLE[(seat or 0) % len(PEOPLE)]

    def teach(self, seat: int | None, word: str = CLOSING, text: str = "pass") -> None:
        """Three takes on the shelf."""
        for rate in (150, 160, 170):
            [take] = utterances(in_room(track(1.0, self.say(seat, text, rate), 1.0), self.room.chance))
            owner = "judge" if seat is None else f"seat-{seat}"
            self.table._hearing.shelf.keep(owner, word, "en", wav(raw(take.samples)))

    def first_day(self) -> None:
        """To the first day, before the narrator has told of it."""
        self.hall.start()
        night_one(self.hall)
        self.hall.tap("proceed")

    def floor_is_given(self) -> None:
        """Until the narrator has called the speaker, and the turn's first seconds are over."""
        self.hear_out()
        self.room.live(3.5)

    def hear_out(self) -> None:
        for _ in range(100):
            if self.table.judge()["speech"]["state"] == "silent":
                return
            self.room.live(0.5)
        raise AssertionError("the narrator never comes to an end")


@pytest.fixture
def evening(tmp_path: Path, voice: Mouth) -> Iterator[Evening]:
    found = Evening(tmp_path, voice)
    yield found
    found.table.close()


@pytest.fixture
def speaking(evening: Evening) -> Evening:
    """Listening, and somebody who is known has the floor."""
    evening.table.listen_on()
    evening.first_day()
    assert evening.speaker is not None
    evening.teach(evening.speaker)
    evening.floor_is_given()
    assert evening.state == "listening"
    return evening


# A word and what comes of it


def test_the_closing_word_counts_down_to_what_the_tap_does(speaking: Evening) -> None:
    seat, revision = speaking.speaker, speaking.table.revision
    speaking.room.live(speaking.say(seat, "I have nothing to say today."), 0.7, speaking.say(seat, "pass"), 0.56)
    hearing = speaking.hearing
    assert (hearing["state"], hearing["word"]) == ("heard", "pass")
    assert 1.9 <= hearing["seconds_left"] <= 2.0
    assert (speaking.speaker, speaking.table.revision) == (seat, revision)
    speaking.room.live(2.0)
    assert speaking.speaker != seat
    assert speaking.table.revision == revision + 1
    assert speaking.state == "muted"


def test_it_can_be_cancelled_and_said_again(speaking: Evening) -> None:
    seat = speaking.speaker
    speaking.room.live(speaking.say(seat, "pass"), 0.6)
    speaking.table.cancel_heard()
    assert speaking.state == "listening"
    speaking.room.live(5.0)
    assert speaking.speaker == seat
    speaking.room.live(speaking.say(seat, "pass, pass"), 2.7)
    assert speaking.speaker != seat


def test_a_tap_does_the_same_at_once_and_only_once(speaking: Evening) -> None:
    seat = speaking.speaker
    speaking.room.live(speaking.say(seat, "pass"), 0.6)
    speaking.hall.tap("proceed")
    after = speaking.speaker
    assert after != seat
    assert speaking.state == "muted"
    speaking.room.live(10.0)
    assert speaking.speaker == after


def test_what_a_word_did_can_be_undone_like_a_tap(speaking: Evening) -> None:
    seat = speaking.speaker
    speaking.room.live(speaking.say(seat, "pass"), 2.7)
    assert speaking.speaker != seat
    speaking.hall.undo()
    assert speaking.speaker == seat


def test_a_pause_takes_the_word_back(speaking: Evening) -> None:
    seat = speaking.speaker
    speaking.room.live(speaking.say(seat, "pass"), 0.6)
    speaking.table.pause()
    assert speaking.state == "muted"
    speaking.room.live(5.0)
    speaking.table.go_on()
    speaking.room.live(5.0)
    assert speaking.speaker == seat


def test_the_word_inside_a_sentence_and_other_words_do_nothing(speaking: Evening) -> None:
    seat = speaking.speaker
    for text in ("you may pass the paper to the left", "because", "okay", "the police"):
        speaking.room.live(speaking.say(seat, text), 1.0)
        assert speaking.state == "listening"


def test_somebody_elses_word_is_worth_little_without_takes_of_his(speaking: Evening) -> None:
    speaking.hall.tap("proceed")
    speaking.floor_is_given()
    assert speaking.hearing["reason"] == "no_takes"
    speaking.room.live(speaking.say(speaking.speaker, "pass"), 5.0)
    assert speaking.state == "listening"


# When nothing is heard


def test_nothing_is_heard_in_the_first_seconds_of_a_turn(evening: Evening) -> None:
    evening.table.listen_on()
    evening.first_day()
    seat = evening.speaker
    evening.teach(seat)
    evening.hear_out()
    evening.room.live(1.0, evening.say(seat, "pass"), 1.0)
    assert evening.state == "listening"
    evening.room.live(1.0, evening.say(seat, "pass"), 0.6)
    assert evening.state == "heard"


def test_nothing_is_heard_while_the_narrator_speaks(speaking: Evening) -> None:
    seat = speaking.speaker
    speaking.table.say_again()
    assert speaking.state == "muted"
    speaking.room.live(speaking.say(seat, "pass"), 0.2)
    assert speaking.state == "muted"
    speaking.hear_out()
    assert speaking.state == "listening"
    speaking.room.live(0.8, speaking.say(seat, "pass"), 0.6)
    assert speaking.state == "heard"


def test_the_microphone_is_closed_at_night_and_open_from_the_first_call_on(evening: Evening) -> None:
    evening.table.listen_on()
    evening.hall.start()
    night_one(evening.hall)
    evening.room.live(5.0)
    assert (evening.state, evening.hearing["reason"], evening.room.openings) == ("closed", "night", 0)
    evening.hall.tap("proceed")
    assert evening.table.judge()["game"]["prompt"]["kind"] in ("speech", "last_words")
    evening.room.live(0.1)
    assert evening.room.openings == 0, "the table still has its eyes closed"
    evening.floor_is_given()
    assert (evening.state, evening.room.openings) == ("listening", 1)
    assert "night" not in evening.hearing["reason"]


def test_the_microphone_is_closed_when_the_vote_begins(speaking: Evening) -> None:
    while speaking.speaker is not None:
        speaking.hall.tap("proceed")
    speaking.room.live(0.1)
    assert speaking.state == "closed"
    assert speaking.room.openings == 1, "it stayed open from one speaker to the next"


def test_it_is_off_until_it_is_switched_on_and_can_be_switched_off(speaking: Evening) -> None:
    seat = speaking.speaker
    speaking.table.listen_off()
    speaking.room.live(speaking.say(seat, "pass"), 3.0)
    assert (speaking.state, speaking.speaker) == ("off", seat)
    speaking.table.listen_on()
    speaking.room.live(4.0, speaking.say(seat, "pass"), 0.6)
    assert speaking.state == "heard"


def test_a_table_begins_with_its_ears_off(evening: Evening) -> None:
    assert (evening.state, evening.hearing["on"]) == ("off", False)
    evening.first_day()
    evening.room.live(1.0)
    assert evening.room.ears is None


def test_the_public_page_does_not_tick_for_a_word(speaking: Evening) -> None:
    watch = speaking.table.watch("public")
    speaking.room.live(speaking.say(speaking.speaker, "pass"), 0.6)
    assert speaking.state == "heard"
    assert not watch.wait(0)


# Silence and noise


def test_three_seconds_of_silence_only_tell_of_it(speaking: Evening) -> None:
    seat = speaking.speaker
    speaking.room.live(speaking.say(seat, "I have nothing to say."), 2.8)
    assert not speaking.hearing["silence"]
    speaking.room.live(0.5)
    assert speaking.hearing["silence"]
    speaking.room.live(20.0)
    assert speaking.speaker == seat
    speaking.room.live(speaking.say(seat, "But he has."))
    assert not speaking.hearing["silence"]


def test_in_noise_nothing_is_guessed_and_that_is_told(speaking: Evening) -> None:
    seat = speaking.speaker
    speaking.room.noise = -35.0
    for _ in range(3):
        speaking.room.live(speaking.say(seat, "I have nothing at all to say about him today."), 1.0)
    assert speaking.state == "noisy"
    speaking.room.live(speaking.say(seat, "pass"), 3.0)
    assert speaking.speaker == seat
    speaking.room.noise = None
    speaking.room.live(6.0)
    for _ in range(2):
        speaking.room.live(speaking.say(seat, "That is much better now, is it not."), 1.0)
    assert speaking.state == "listening"
    speaking.room.live(speaking.say(seat, "pass"), 0.6)
    assert speaking.state == "heard"


# The judge's commands


def test_the_judge_is_obeyed_by_his_own_takes(speaking: Evening) -> None:
    seat = speaking.speaker
    for word in ("next", "repeat", "pause"):
        speaking.teach(None, word, word)
    assert speaking.hearing["judge"] == {"next": True, "repeat": True, "pause": True}
    speaking.hall.tap("proceed")
    speaking.floor_is_given()
    said = len(speaking.hall.keys)
    speaking.room.live(speaking.say(None, "repeat"), 0.6)
    assert len(speaking.hall.keys) == said + 1
    speaking.floor_is_given()
    speaking.room.live(speaking.say(None, "pause"), 0.6)
    assert speaking.table.judge()["speech"]["state"] == "paused"
    speaking.table.go_on()
    speaking.room.live(1.0)
    second = speaking.speaker
    speaking.room.live(speaking.say(None, "next"), 0.6)
    assert (speaking.state, speaking.hearing["word"]) == ("heard", "next")
    speaking.room.live(2.1)
    assert speaking.speaker not in (seat, second)


# Troubles


def nothing_there() -> Opener:
    raise no_microphone("miniaudio: no device")


def test_without_a_microphone_one_sentence_says_so_and_the_game_goes_on(evening: Evening) -> None:
    evening.room.find = nothing_there
    evening.table.listen_on()
    evening.room.live(0.1)
    hearing = evening.hearing
    assert (hearing["state"], hearing["reason"]) == ("unavailable", "no_microphone")
    assert hearing["text"].startswith("no microphone was found: plug one in")
    evening.first_day()
    evening.hear_out()
    seat = evening.speaker
    evening.hall.tap("proceed")
    assert evening.speaker != seat


@pytest.mark.parametrize(("fault", "reason"), [("broken", "no_microphone"), ("unplugged", "lost")])
def test_a_microphone_that_fails_in_the_middle_is_told_and_tried_again_on_request(
    evening: Evening, fault: str, reason: str
) -> None:
    evening.table.listen_on()
    setattr(evening.room, fault, True)
    evening.first_day()
    evening.floor_is_given()
    assert (evening.state, evening.hearing["reason"]) == ("unavailable", reason)
    setattr(evening.room, fault, False)
    evening.table.listen_on()
    evening.room.live(4.0)
    assert evening.state == "listening"


# Takes


def test_everybody_is_asked_three_times_and_thanked(evening: Evening) -> None:
    evening.table.configure(evening.table.revision, {"seats": 8})
    evening.table.record_takes()
    for seat in range(1, 9):
        assert evening.hearing["recording"]["seat"] == seat
        evening.hear_out()
        for rate in (150, 160, 170):
            evening.room.live(0.5, evening.say(seat, "pass", rate), 0.7)
    assert evening.hearing["recording"] is None
    assert [one["ready"] for one in evening.hearing["players"]] == [True] * 8
    evening.hear_out()
    assert evening.hall.keys == ["takes.ask", "takes.thanks"] * 8 + ["takes.done"]
    evening.room.live(0.1)
    assert evening.state == "off"


def test_those_who_have_takes_are_not_asked_again_and_anybody_can_be_skipped(evening: Evening) -> None:
    evening.teach(1)
    evening.table.record_takes()
    assert evening.hearing["recording"]["seat"] == 2
    evening.table.skip_takes()
    assert evening.hearing["recording"]["seat"] == 3
    evening.table.stop_takes()
    assert evening.hearing["recording"] is None
    assert [one["takes"] for one in evening.hearing["players"][:3]] == [3, 0, 0]


def test_who_says_nothing_is_passed_over(evening: Evening) -> None:
    evening.table.record_take(4)
    evening.room.live(25.0)
    assert evening.hearing["recording"] is None


def test_a_take_unlike_the_others_is_asked_for_again(evening: Evening) -> None:
    evening.table.record_take(4)
    evening.hear_out()
    for rate in (150, 160):
        evening.room.live(0.5, evening.say(4, "pass", rate), 0.7)
    evening.room.live(evening.say(4, "because"), 0.7)
    assert (evening.hearing["recording"]["kept"], evening.hearing["recording"]["verdict"]) == (2, "unlike")
    assert evening.hall.keys[-1] == "takes.unlike"
    evening.hear_out()
    evening.room.live(0.5, evening.say(4, "pass", 170), 0.7)
    assert evening.hearing["players"][3]["ready"]


def test_a_first_take_that_was_wrong_gives_way(evening: Evening) -> None:
    evening.table.record_take(4)
    evening.hear_out()
    evening.room.live(0.5, evening.say(4, "because"), 0.7)
    assert evening.hearing["recording"]["kept"] == 1
    evening.room.live(0.5, evening.say(4, "pass", 150), 0.7)
    assert (evening.hearing["recording"]["kept"], evening.hearing["recording"]["verdict"]) == (1, "unlike")
    evening.hear_out()
    for rate in (160, 170):
        evening.room.live(0.5, evening.say(4, "pass", rate), 0.7)
    assert evening.hearing["players"][3]["ready"]


def test_a_sentence_is_no_take(evening: Evening) -> None:
    evening.table.record_take(4)
    evening.hear_out()
    evening.room.live(0.5, evening.say(4, "what am I supposed to say here then"), 0.7)
    assert (evening.hearing["recording"]["kept"], evening.hearing["recording"]["verdict"]) == (0, "long")
    assert evening.hall.keys[-1] == "takes.once_more"


def test_a_name_keeps_its_takes_at_every_seat(evening: Evening) -> None:
    evening.table.configure(evening.table.revision, {"names": ["", "", "", "Lin"]})
    evening.table.record_take(4)
    evening.hear_out()
    for rate in (150, 160, 170):
        evening.room.live(0.5, evening.say(4, "pass", rate), 0.7)
    evening.table.configure(evening.table.revision, {"names": ["Lin", "", "", "Mo"]})
    assert [one["ready"] for one in evening.hearing["players"][:4]] == [True, False, False, False]


def test_takes_are_deleted_on_request(evening: Evening, tmp_path: Path) -> None:
    for seat in (1, 2):
        evening.teach(seat)
    evening.table.forget_takes(1)
    assert [one["takes"] for one in evening.hearing["players"][:2]] == [0, 3]
    evening.table.forget_takes()
    assert not (tmp_path / "takes").exists()


def test_takes_are_recorded_before_a_game_only(evening: Evening) -> None:
    evening.table.record_take(4)
    evening.hall.start()
    evening.hall.tap("begin")
    assert evening.hearing["recording"] is None
    with pytest.raises(Refused, match="not now"):
        evening.table.record_take(4)


@pytest.mark.parametrize(("seat", "word"), [(13, "closing"), (0, "closing"), (1, "next"), (None, "closing")])
def test_only_those_who_are_there_are_asked_for_their_own_words(evening: Evening, seat: int | None, word: str) -> None:
    with pytest.raises(Refused):
        evening.table.record_take(seat, word)
    assert evening.hearing["recording"] is None


def test_nothing_of_what_was_heard_is_kept_but_the_takes(speaking: Evening, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*.wav"))
    seat = speaking.speaker
    speaking.room.live(speaking.say(seat, "I am the one."), 1.0, speaking.say(seat, "pass"), 2.7)
    assert speaking.speaker != seat
    assert sorted(tmp_path.rglob("*.wav")) == before
    last = json.loads(next(tmp_path.rglob("*.jsonl")).read_text("utf-8").splitlines()[-1])
    assert (last["command"], last.keys()) == ({"do": "proceed"}, {"n", "command", "events", "heard"})


def test_an_engine_must_exist(evening: Evening) -> None:
    with pytest.raises(ValueError, match=r"one of takes, whisper; got 'ears'"):
        evening.table.listen_with("ears")


def test_room_noise_alone_is_nothing(speaking: Evening) -> None:
    speaking.room.live(white(16000 * 20, -60.0, speaking.room.chance))
    assert speaking.state == "listening"
