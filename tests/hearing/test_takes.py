"""Takes before the game, asked for by the narrator."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.model.errors import Refused
from tests.hearing.evening import Evening


def test_everybody_is_asked_three_times_and_thanked(evening: Evening) -> None:
    evening.table.configure(evening.table.revision, {"seats": 8})
    evening.table.record_takes()
    for seat in range(1, 9):
        assert evening.hearing.recording.seat == seat
        evening.hear_out()
        for rate in (150, 160, 170):
            evening.room.live(0.5, evening.say(seat, "pass", rate), 0.7)
    assert evening.hearing.recording is None
    assert [one.ready for one in evening.hearing.players] == [True] * 8
    evening.hear_out()
    assert evening.hall.keys == ["takes.ask", "takes.thanks"] * 8 + ["takes.done"]
    evening.room.live(0.1)
    assert evening.state == "off"


def test_those_who_have_takes_are_not_asked_again_and_anybody_can_be_skipped(evening: Evening) -> None:
    evening.teach(1)
    evening.table.record_takes()
    assert evening.hearing.recording.seat == 2
    evening.table.skip_takes()
    assert evening.hearing.recording.seat == 3
    evening.table.stop_takes()
    assert evening.hearing.recording is None
    assert [one.takes for one in evening.hearing.players[:3]] == [3, 0, 0]


def test_who_says_nothing_is_passed_over(evening: Evening) -> None:
    evening.table.record_take(4)
    evening.room.live(25.0)
    assert evening.hearing.recording is None


def test_a_take_unlike_the_others_is_asked_for_again(evening: Evening) -> None:
    evening.table.record_take(4)
    evening.hear_out()
    for rate in (150, 160):
        evening.room.live(0.5, evening.say(4, "pass", rate), 0.7)
    evening.room.live(evening.say(4, "because"), 0.7)
    assert (evening.hearing.recording.kept, evening.hearing.recording.verdict) == (2, "unlike")
    assert evening.hall.keys[-1] == "takes.unlike"
    evening.hear_out()
    evening.room.live(0.5, evening.say(4, "pass", 170), 0.7)
    assert evening.hearing.players[3].ready


def test_a_first_take_that_was_wrong_gives_way(evening: Evening) -> None:
    evening.table.record_take(4)
    evening.hear_out()
    evening.room.live(0.5, evening.say(4, "because"), 0.7)
    assert evening.hearing.recording.kept == 1
    evening.room.live(0.5, evening.say(4, "pass", 150), 0.7)
    assert (evening.hearing.recording.kept, evening.hearing.recording.verdict) == (1, "unlike")
    evening.hear_out()
    for rate in (160, 170):
        evening.room.live(0.5, evening.say(4, "pass", rate), 0.7)
    assert evening.hearing.players[3].ready


def test_a_sentence_is_no_take(evening: Evening) -> None:
    evening.table.record_take(4)
    evening.hear_out()
    evening.room.live(0.5, evening.say(4, "what am I supposed to say here then"), 0.7)
    assert (evening.hearing.recording.kept, evening.hearing.recording.verdict) == (0, "long")
    assert evening.hall.keys[-1] == "takes.once_more"


def test_a_name_keeps_its_takes_at_every_seat(evening: Evening) -> None:
    evening.table.configure(evening.table.revision, {"names": ["", "", "", "Lin"]})
    evening.table.record_take(4)
    evening.hear_out()
    for rate in (150, 160, 170):
        evening.room.live(0.5, evening.say(4, "pass", rate), 0.7)
    evening.table.configure(evening.table.revision, {"names": ["Lin", "", "", "Mo"]})
    assert [one.ready for one in evening.hearing.players[:4]] == [True, False, False, False]


def test_takes_are_deleted_on_request(evening: Evening, tmp_path: Path) -> None:
    for seat in (1, 2):
        evening.teach(seat)
    evening.table.forget_takes(1)
    assert [one.takes for one in evening.hearing.players[:2]] == [0, 3]
    evening.table.forget_takes()
    assert not (tmp_path / "takes").exists()


def test_takes_are_recorded_before_a_game_only(evening: Evening) -> None:
    evening.table.record_take(4)
    evening.hall.start()
    evening.hall.tap("begin")
    assert evening.hearing.recording is None
    with pytest.raises(Refused, match="not now"):
        evening.table.record_take(4)


@pytest.mark.parametrize(("seat", "word"), [(13, "closing"), (0, "closing"), (1, "next"), (None, "closing")])
def test_only_those_who_are_there_are_asked_for_their_own_words(evening: Evening, seat: int | None, word: str) -> None:
    with pytest.raises(Refused):
        evening.table.record_take(seat, word)
    assert evening.hearing.recording is None
