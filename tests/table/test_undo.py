"""Anything can be taken back, step by step; the table hears a correction only of what it had heard."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.engine.game import new_game
from narrator.engine.legal import prompt
from tests.table.hall import Hall, night_one


@pytest.mark.parametrize("seed", range(2))
def test_undo_restores_the_exact_state_at_every_point(tmp_path: Path, seed: int) -> None:
    hall = Hall(tmp_path, seed)
    hall.start(seats=12)
    states = [hall.state]
    for turn in range(60):
        if not hall.answer():
            break
        hall.run([0.0, 3.0, 40.0][turn % 3])
        after = hall.state
        hall.undo()
        assert hall.state == states[-1]
        hall.players.answer(hall.state)
        command = hall.running.journal.records[-2]["command"]
        hall.table.submit(hall.table.revision, command)
        assert hall.state == after
        states.append(after)
    for state in reversed(states[:-1]):
        hall.undo()
        assert hall.state == state
    assert hall.state == new_game(hall.running.setup)


def test_what_nobody_heard_is_taken_back_without_a_word(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    hall.tap("begin")
    hall.until("waiting")
    hall.identify(killer=[1, 2, 3])
    hall.until("waiting")
    keys, public = list(hall.keys), hall.table.public()
    hall.choose(8)
    hall.run(1.0)
    hall.undo()
    hall.run(120)
    assert hall.keys == keys
    assert hall.table.public() == public
    hall.choose(9)
    hall.run(10)
    assert hall.keys == [*keys, "calls.killer.close", "calls.police.open", "call.partners"]
    assert not any(key.startswith("correction") for key in hall.keys)


def test_at_night_everybody_closes_their_eyes_and_the_call_is_made_again(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    hall.tap("begin")
    hall.until("waiting")
    hall.identify(killer=[1, 2, 3])
    hall.until("waiting")
    hall.choose(8)
    hall.until("waiting")
    spoken = len(hall.keys)
    hall.undo()
    hall.run(60)
    assert hall.keys[spoken:] == [
        "correction.eyes_closed",
        "calls.killer.open",
        "call.partners",
        "calls.killer.ask",
    ]
    assert hall.prompt == "choose"
    hall.choose(9)
    hall.until("waiting")
    assert hall.keys[spoken + 4 :] == ["calls.killer.close", "calls.police.open", "call.partners"]


def test_deaths_already_announced_are_taken_back_into_the_night(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    night_one(hall)
    hall.tap("proceed")
    hall.until("silent")
    assert [death.seat for death in hall.table.public().game.deaths] == [8]
    spoken = len(hall.keys)
    hall.undo()
    hall.run(2)
    view = hall.table.public().game
    assert (view.deaths, view.phase) == ((), "night")
    hall.run(60)
    assert hall.keys[spoken:] == [
        "correction.to_night",
        "calls.police.open",
        "call.partners",
        "calls.police.ask",
    ]
    assert hall.prompt == "show"


def test_a_vote_already_announced_is_taken_again(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    night_one(hall)
    hall.tap("proceed")
    hall.tap("proceed")
    hall.tap("to_vote")
    hall.until("silent")
    hall.tap("vote", totals={"9": 5, "10": 5})
    hall.until("silent")
    spoken = len(hall.keys)
    hall.undo()
    hall.until("silent")
    assert hall.keys[spoken:] == ["correction.vote", "speech.over", "vote.begin"]
    assert hall.table.public().game.vote.tally == {}
    assert hall.table.public().game.stage == "vote"


def test_the_next_speaker_called_by_mistake_is_corrected(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    night_one(hall)
    for _ in range(3):
        hall.tap("proceed")
        hall.until("silent")
    spoken = len(hall.keys)
    hall.undo()
    hall.until("silent")
    assert hall.keys[spoken:] == ["correction.day", "speech.first_day"]


def test_an_end_already_announced_is_taken_back(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    night_one(hall)
    hall.tap("proceed")
    hall.tap("abandon")
    hall.until("silent")
    assert hall.table.public().story
    hall.undo()
    hall.until("silent")
    assert "correction.over" in hall.keys
    assert (hall.table.public().mode, hall.table.public().story) == ("game", None)


def test_back_at_the_deal_everything_begins_anew(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    hall.tap("begin")
    hall.until("waiting")
    hall.undo()
    hall.until("silent")
    assert hall.keys[-1] == "correction.deal"
    assert hall.table.public().game.stage == "dealt"


def test_several_undos_in_a_row_are_corrected_once(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    night_one(hall)
    hall.tap("proceed")
    hall.until("silent")
    spoken = len(hall.keys)
    for _ in range(4):
        hall.undo()
    hall.run(60)
    assert [key for key in hall.keys[spoken:] if key.startswith("correction")] == ["correction.to_night"]
    assert hall.prompt == "choose"
    assert hall.keys[-1] == "calls.killer.ask"


def test_calls_that_ended_by_themselves_are_undone_with_the_choice_before_them(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=14, ruleset="killers-3")
    holders = {"killer": [1, 2, 3, 4], "police": [5, 6], "doctor": [7], "secret_police": [8]}
    hall.night({"killer": {"target": 7}}, holders)
    hall.day()
    hall.until("waiting")
    hall.choose(9)
    hall.until("waiting")
    before = hall.state
    hall.tap("choose", choice={})
    assert prompt(hall.state).kind == "idle"
    hall.until("waiting")
    hall.run(30)
    assert prompt(hall.state).kind == "choose"
    assert hall.running.entries[-1].auto
    hall.undo()
    assert hall.state == before


def test_the_judge_reads_what_an_undo_takes_back_in_his_language(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12, panel_language="es")
    assert hall.table.judge().undo is None
    labels = []
    hall.tap("begin")
    for command in ("killer", "choose"):
        labels.append(hall.table.judge().undo)
        hall.identify(killer=[1, 2, 3]) if command == "killer" else hall.choose(8)
    labels.append(hall.table.judge().undo)
    assert "Asesino" in labels[1]
    assert "8" in labels[2]
    assert all(labels)
    assert len(set(labels)) == 3
