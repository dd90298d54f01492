"""The table with ears: words, and what comes of them; when nothing is heard; troubles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from narrator.hearing.microphones import Opener
from narrator.hearing.words import no_microphone
from tests.hearing.evening import Evening
from tests.hearing.material import white
from tests.table.hall import night_one

# A word and what comes of it


def test_the_closing_word_counts_down_to_what_the_tap_does(speaking: Evening) -> None:
    seat, revision = speaking.speaker, speaking.table.revision
    speaking.room.live(speaking.say(seat, "I have nothing to say today."), 0.7, speaking.say(seat, "pass"), 0.56)
    hearing = speaking.hearing
    assert (hearing.state, hearing.word) == ("heard", "pass")
    assert 1.9 <= hearing.seconds_left <= 2.0
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
    assert speaking.hearing.reason == "no_takes"
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
    assert (evening.state, evening.hearing.reason, evening.room.openings) == ("closed", "night", 0)
    evening.hall.tap("proceed")
    assert evening.table.judge().game.prompt.kind in ("speech", "last_words")
    evening.room.live(0.1)
    assert evening.room.openings == 0, "the table still has its eyes closed"
    evening.floor_is_given()
    assert (evening.state, evening.room.openings) == ("listening", 1)
    assert "night" not in evening.hearing.reason


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
    assert (evening.state, evening.hearing.on) == ("off", False)
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
    assert not speaking.hearing.silence
    speaking.room.live(0.5)
    assert speaking.hearing.silence
    speaking.room.live(20.0)
    assert speaking.speaker == seat
    speaking.room.live(speaking.say(seat, "But he has."))
    assert not speaking.hearing.silence


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
    assert speaking.hearing.judge == {"next": True, "repeat": True, "pause": True}
    speaking.hall.tap("proceed")
    speaking.floor_is_given()
    said = len(speaking.hall.keys)
    speaking.room.live(speaking.say(None, "repeat"), 0.6)
    assert len(speaking.hall.keys) == said + 1
    speaking.floor_is_given()
    speaking.room.live(speaking.say(None, "pause"), 0.6)
    assert speaking.table.judge().speech.state == "paused"
    speaking.table.go_on()
    speaking.room.live(1.0)
    second = speaking.speaker
    speaking.room.live(speaking.say(None, "next"), 0.6)
    assert (speaking.state, speaking.hearing.word) == ("heard", "next")
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
    assert (hearing.state, hearing.reason) == ("unavailable", "no_microphone")
    assert hearing.text.startswith("no microphone was found: plug one in")
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
    assert (evening.state, evening.hearing.reason) == ("unavailable", reason)
    setattr(evening.room, fault, False)
    evening.table.listen_on()
    evening.room.live(4.0)
    assert evening.state == "listening"


def test_nothing_of_what_was_heard_is_kept_but_the_takes(speaking: Evening, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*.wav"))
    seat = speaking.speaker
    speaking.room.live(speaking.say(seat, "I am the one."), 1.0, speaking.say(seat, "pass"), 2.7)
    assert speaking.speaker != seat
    assert sorted(tmp_path.rglob("*.wav")) == before
    last = json.loads(next(tmp_path.rglob("*.jsonl")).read_text("utf-8").splitlines()[-1])
    assert (last["command"], last.keys()) == ({"do": "proceed"}, {"n", "command", "events", "heard", "order", "crc"})


def test_an_engine_must_exist(evening: Evening) -> None:
    with pytest.raises(ValueError, match=r"one of takes, whisper; got 'ears'"):
        evening.table.listen_with("ears")


def test_room_noise_alone_is_nothing(speaking: Evening) -> None:
    speaking.room.live(white(16000 * 20, -60.0, speaking.room.chance))
    assert speaking.state == "listening"
