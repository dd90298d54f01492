"""The public page shows what has been spoken, when it is spoken, and nothing else."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from tests.table.hall import Hall, night_one


@pytest.mark.parametrize("ruleset", ["killers-2", "killers-4"])
def test_it_changes_only_when_a_line_starts(tmp_path: Path, ruleset: str) -> None:
    hall = Hall(tmp_path, 2)
    hall.start(ruleset=ruleset)
    hall.run(0.01)
    watches, shown, ticks = hall.table.order.watches, hall.table.public(), hall.table.order.watches.count("public")
    for step in range(60):
        if hall.prompt != "idle" and not hall.answer():
            break
        assert (hall.table.public(), watches.count("public")) == (shown, ticks)
        for _ in range([8, 120, 200][step % 3]):
            begun = len(hall.speaker.lines)
            hall.run(0.25)
            if len(hall.speaker.lines) == begun:
                assert (hall.table.public(), watches.count("public")) == (shown, ticks)
            shown, ticks = hall.table.public(), watches.count("public")


def test_a_tap_shows_nowhere_until_it_is_spoken(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    night_one(hall)
    shown = hall.table.public()
    hall.tap("proceed")
    assert hall.state.stage == "last_words"
    assert hall.table.public() == shown
    hall.until("silent")
    assert hall.table.public().game.stage == "last_words"


def test_no_role_and_no_choice_is_in_it_before_the_end(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    night_one(hall)
    hall.tap("proceed")
    hall.until("silent")
    shown = hall.table.public()
    assert shown.story is None
    assert all(seat.revealed == () for seat in shown.game.seats)
    assert all(death.causes == () for death in shown.game.deaths)
    told = replace(shown, words=None, ruleset=None, game=replace(shown.game, deaths=()))
    words = json.dumps(asdict(told)).lower()
    assert "cause" not in words
    assert "plays" not in words
    assert '"choice"' not in words


def test_two_games_that_differ_only_in_secrets_look_the_same(tmp_path: Path) -> None:
    pages: list[list[Any]] = []
    for place, (killers, police) in enumerate((([1, 2, 3], [4, 5, 6]), ([9, 10, 11], [1, 2, 12]))):
        hall = Hall(tmp_path / str(place), 4)
        hall.start(seats=12)
        hall.night({"killer": {"target": 8}, "police": {"target": 9}}, {"killer": killers, "police": police})
        pages.append([hall.table.public(), hall.speaker.lines])
    assert pages[0] == pages[1]


def test_the_story_with_the_roles_comes_after_the_end_has_been_told(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    night_one(hall)
    hall.tap("abandon")
    assert hall.table.public().story is None
    hall.run(120)
    story = hall.table.public().story
    assert any(line.kind == "choice" for line in story)
    assert "players 1, 2 and 3" in " ".join(line.text for line in story)


def test_the_speaker_and_his_time_are_shown(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12, speech_seconds=60)
    night_one(hall)
    hall.tap("proceed")
    hall.until("silent")
    hall.tap("proceed")
    hall.run(21)
    timer = hall.table.public().timer
    assert (timer.seat, timer.seconds, timer.running) == (7, 60, True)
    assert timer.left == pytest.approx(39, abs=1)
    hall.table.pause()
    hall.run(100)
    assert hall.table.public().timer.left == timer.left
    hall.table.go_on()
    hall.run(45)
    assert hall.keys[-2:] == ["speech.time_short", "speech.time_up"]
    hall.tap("proceed")
    hall.run(1)
    assert hall.table.public().timer.seat == 6


def test_candidates_are_called_aloud_and_shown(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    night_one(hall)
    for _ in range(2):
        hall.tap("proceed")
    hall.tap("to_vote")
    hall.until("silent")
    hall.table.call("candidate", 5)
    hall.run(1)
    assert hall.keys[-1] == "vote.candidate"
    assert hall.table.public().calling.place == 5
    hall.table.call("abstain")
    hall.until("silent")
    assert hall.keys[-1] == "vote.abstain"
