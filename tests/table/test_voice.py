"""Which words are spoken: languages, their change in mid-game, the judge's buttons."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.model.errors import Refused
from tests.table.hall import Hall, ReadySpeaker, night_one


def test_two_languages_are_spoken_one_after_the_other(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12, languages=["zh-Hans", "en"])
    hall.tap("begin")
    hall.until("waiting")
    said = dict(zip(hall.keys, hall.texts, strict=True))
    assert said["night.falls"] == "天黑了，请大家闭眼。 Night falls. Everybody, close your eyes."
    assert hall.table.public().line == hall.texts[-1]


def test_a_change_of_language_counts_from_the_next_line_on(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    hall.run(1)
    hall.table.configure(hall.table.revision, {"languages": ["es"]})
    hall.run(30)
    assert hall.texts[0].startswith("Welcome")
    assert "boca abajo" in hall.texts[1]
    assert hall.table.public().language == "es"


def test_pause_and_go_on_act_at_once(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    hall.run(1)
    hall.table.pause()
    assert hall.table.judge().speech.state == "paused"
    hall.tap("begin")
    hall.run(500)
    assert hall.keys == ["welcome"]
    hall.table.go_on()
    hall.until("waiting")
    assert hall.keys[:4] == ["welcome", "welcome", "deal.single", "night.falls"]


def test_the_line_can_be_said_again_and_skipped(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    hall.run(60)
    hall.table.say_again()
    hall.run(1)
    assert hall.keys == ["welcome", "deal.single", "deal.single"]
    assert hall.table.judge().speech.state == "speaking"
    hall.table.skip()
    assert hall.table.judge().speech.state == "silent"


def test_the_sound_is_checked_before_a_game_only(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.table.configure(hall.table.revision, {"languages": ["en"]})
    hall.table.sound_check()
    hall.run(10)
    assert hall.keys == ["sound_check"]
    hall.start(seats=12)
    night_one(hall)
    with pytest.raises(Refused, match="not now"):
        hall.table.sound_check()


def test_hands_can_be_called_for_only_while_a_vote_is_taken(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    night_one(hall)
    with pytest.raises(Refused, match="not now"):
        hall.table.call("candidate", 5)
    for _ in range(2):
        hall.tap("proceed")
    hall.tap("to_vote")
    for whom, place in (("candidate", 8), ("candidate", None), ("mouse", None), ("ballot", 8), ("abstain", 3)):
        with pytest.raises(Refused):
            hall.table.call(whom, place)
    hall.until("silent")
    hall.table.call("ballot", 3)
    hall.table.call("down")
    hall.until("silent")
    assert hall.keys[-2:] == ["vote.ballot", "vote.hands_down"]


def test_what_comes_next_is_prepared(tmp_path: Path) -> None:
    hall = Hall(tmp_path, factory=ReadySpeaker)
    hall.start(seats=12)
    hall.tap("begin")
    assert "calls.killer.open" in hall.speaker.settings["prepared"]
