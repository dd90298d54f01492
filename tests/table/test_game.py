"""Whole games through the table: the voice follows, the journal is the truth, an interrupted game goes on."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from narrator.engine.game import fold, new_game
from narrator.loading.rulesets import shipped
from narrator.model.errors import Refused
from narrator.storage.journal import effective, read_journal
from narrator.table.game import Game, entry_of, setup_of
from narrator.table.setup.shelf import Shelf
from tests.table.hall import Hall, night_one

RULESETS = [ruleset.id for ruleset in Shelf().rulesets]


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_is_spoken_to_its_end(tmp_path: Path, seed: int) -> None:
    hall = Hall(tmp_path, seed)
    hall.start(seats=12)
    hall.play()
    hall.run(60)
    assert hall.table.judge().mode == hall.table.public().mode == "over"
    assert hall.keys[:3] == ["welcome", "deal.single", "night.falls"]
    assert hall.keys[-1] == "game.cards_up"
    assert hall.table.public().game.winner == hall.state.winner
    assert hall.table.judge().troubles == ()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_of_any_edition_can_be_played_through(tmp_path: Path, ruleset: str) -> None:
    hall = Hall(tmp_path, 5)
    hall.start(ruleset=ruleset)
    hall.play()
    hall.run(120)
    assert hall.table.public().game.winner == hall.state.winner
    assert hall.table.public().story
    assert hall.table.judge().troubles == ()


def test_lines_never_overlap_however_fast_the_judge_taps(tmp_path: Path) -> None:
    hall = Hall(tmp_path, 3)
    hall.start(seats=12)
    waits = random.Random(3)
    hall.play(wait=lambda: waits.choice([0.0, 0.1, 1.0, 20.0]))
    hall.run(3000)
    spans = hall.speaker.spans
    assert all(len(span) == 2 for span in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert hall.keys[-1] == "game.cards_up"


def test_a_judge_far_ahead_of_the_voice_loses_no_call_death_or_result(tmp_path: Path) -> None:
    slow, fast = Hall(tmp_path / "slow", 4), Hall(tmp_path / "fast", 4)
    for hall, wait in ((slow, 60.0), (fast, 0.0)):
        hall.start(seats=12)
        hall.play(wait=lambda wait=wait: wait)
        hall.run(5000)
    passing = {"speech.next", "speech.last", "last_words.next"}
    assert [text for _, key, text in fast.speaker.lines if key not in passing] == [
        text for _, key, text in slow.speaker.lines if key not in passing
    ]
    assert len(fast.keys) < len(slow.keys)
    assert fast.table.public().game == slow.table.public().game


@pytest.mark.parametrize("ruleset", shipped())
def test_the_journal_gives_the_very_state_of_the_game(tmp_path: Path, ruleset: str) -> None:
    hall = Hall(tmp_path, 6)
    hall.start(ruleset=ruleset)
    states = [hall.state]
    while hall.answer():
        states.append(hall.state)
    content = read_journal(hall.running.journal.path)
    assert content.header is not None
    state = new_game(setup_of(content.header))
    records = effective(content.records)
    for record, entry, played in zip(records, hall.running.entries, states[1:], strict=True):
        assert entry_of(record).events == entry.events
        state = fold(state, entry_of(record).events)
        assert state == played


def test_after_a_crash_the_game_goes_on_at_the_very_prompt(tmp_path: Path) -> None:
    hall = Hall(tmp_path, 7)
    hall.start(seats=12)
    night_one(hall)
    state, seen = hall.state, hall.table.judge().game
    hall.running.journal.close()
    hall.table.order.close()  # the process is gone: nothing more is done or said
    hall.open()
    assert hall.table.judge().mode == "resume?"
    offered = hall.table.interrupted()
    assert [(game.ruleset, game.seats, game.round, game.problem) for game in offered] == [("killers-2", 12, 1, None)]
    hall.table.resume(offered[0].id)
    assert hall.table.judge().mode == "game"
    assert hall.state == state
    assert hall.table.judge().game == seen


def test_a_resumed_game_is_silent_until_asked_and_then_says_what_stands_before_the_table(tmp_path: Path) -> None:
    hall = Hall(tmp_path, 8)
    hall.start(seats=12)
    night_one(hall)
    hall.table.close()
    hall.open()
    hall.table.resume(hall.table.interrupted()[0].id)
    hall.run(600)
    assert hall.keys == []
    hall.table.say_again()
    hall.run(60)
    assert hall.keys == ["calls.police.open", "call.partners", "calls.police.ask"]
    hall.tap("proceed")
    hall.run(60)
    assert hall.keys[3:6] == ["calls.police.close", "dawn.breaks", "deaths.night"]


def test_a_resumed_game_tells_the_public_page_only_what_had_been_heard(tmp_path: Path) -> None:
    hall = Hall(tmp_path, 9)
    hall.start(seats=12)
    night_one(hall)
    hall.tap("proceed")
    hall.table.close()
    hall.open()
    hall.table.resume(hall.table.interrupted()[0].id)
    assert hall.state.stage == "last_words"
    hall.run(60)
    assert hall.table.public().game.deaths == ()
    hall.table.say_again()
    hall.run(60)
    assert "deaths.night" in hall.keys
    assert [death.seat for death in hall.table.public().game.deaths] == [8]


def test_a_resumed_game_can_be_undone_to_the_deal(tmp_path: Path) -> None:
    hall = Hall(tmp_path, 10)
    hall.start(seats=12)
    night_one(hall)
    hall.table.close()
    hall.open()
    hall.table.resume(hall.table.interrupted()[0].id)
    for _ in range(5):
        hall.undo()
    assert hall.state == new_game(hall.running.setup)
    with pytest.raises(Refused, match="nothing to undo"):
        hall.undo()


def test_only_what_follows_the_last_finished_game_is_offered(tmp_path: Path) -> None:
    hall = Hall(tmp_path, 11)
    hall.start(seats=12)
    hall.tap("begin")
    hall.table.close()
    hall.open()
    hall.table.new(hall.table.revision)
    assert hall.table.judge().mode == "setup"
    hall.start(seats=12)
    hall.tap("abandon")
    hall.table.new(hall.table.revision)
    assert hall.table.interrupted() == []


def test_a_damaged_game_is_offered_with_what_is_wrong_and_refused(tmp_path: Path) -> None:
    hall = Hall(tmp_path, 12)
    hall.start(seats=12)
    hall.tap("begin")
    path = hall.running.journal.path
    hall.table.close()
    path.write_bytes(path.read_bytes() + b"scribble\n")
    hall.open()
    game = hall.table.interrupted()[0]
    assert "scribble" in game.problem
    with pytest.raises(Refused, match="not recorded"):
        hall.table.resume(game.id)
    assert hall.table.judge().mode == "resume?"


def test_a_game_open_elsewhere_is_refused(tmp_path: Path) -> None:
    hall = Hall(tmp_path, 13)
    hall.start(seats=12)
    path = hall.running.journal.path
    with pytest.raises(Exception, match="open in another"):
        Game.resume(path)


def test_a_game_that_is_over_makes_room_for_the_next_with_the_same_people(tmp_path: Path) -> None:
    hall = Hall(tmp_path, 14)
    hall.start(seats=10, names=["Ana", "Bo"])
    with pytest.raises(Refused, match="game running"):
        hall.table.new(hall.table.revision)
    hall.tap("abandon")
    hall.run(60)
    assert hall.keys[-1] == "game.abandoned"
    hall.table.new(hall.table.revision)
    shown = hall.table.judge()
    assert (shown.mode, shown.setup.seats, shown.names) == ("setup", 10, ("Ana", "Bo"))
    assert hall.table.public().mode == "setup"
