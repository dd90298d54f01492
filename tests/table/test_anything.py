"""Whatever the judge does, in whatever order: nothing breaks, nothing overlaps, and the table hears what is true."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from narrator.engine.seen import EVERYBODY, before
from narrator.engine.state_changes import fold
from narrator.narration.lines import lines_for
from narrator.table.setup.shelf import Shelf
from tests.table.hall import Hall

BUTTONS = ("pause", "go_on", "skip", "say_again")
EDITIONS = [ruleset.id for ruleset in Shelf().rulesets]


def do_something(hall: Hall, chance: random.Random) -> None:
    """One thing of many that a judge may do, likelier the likelier he does it."""
    act = chance.choices(("answer", "undo", "button", "language", "call", "crash"), (60, 14, 16, 3, 4, 3))[0]
    if act == "answer":
        hall.answer()
    elif act == "undo" and hall.running.entries:
        hall.undo()
    elif act == "button":
        getattr(hall.table, chance.choice(BUTTONS))()
    elif act == "language":
        hall.table.configure(hall.table.revision, {"languages": chance.choice([["en"], ["es", "zh-Hant"]])})
    elif act == "call" and hall.prompt == "vote":
        hall.table.call("abstain")
    elif act == "crash" and hall.state.winner is None:
        crash(hall)


def crash(hall: Hall) -> None:
    """The process ends, and the game is taken up again."""
    state = hall.state
    hall.table.close()
    hall.open()
    hall.table.resume(hall.table.interrupted()[0].id)
    assert hall.state == state


@pytest.mark.parametrize("edition", EDITIONS)
def test_whatever_the_judge_does(tmp_path: Path, edition: str) -> None:
    chance = random.Random(edition)
    hall = Hall(tmp_path, chance.randrange(1000))
    hall.start(ruleset=edition)
    for _ in range(150):
        with_spans = hall.speaker
        do_something(hall, chance)
        hall.run(chance.choice([0.0, 0.0, 0.3, 2.0, 7.0, 30.0]))
        spans = [span for span in with_spans.spans if len(span) == 2]
        assert all(before[1] <= after[0] for before, after in pairwise(spans))
        assert hall.state == hall.running.refold(hall.running.length)
    comes_to_rest(hall)


def comes_to_rest(hall: Hall) -> None:
    """Left alone, the voice comes to an end, and what has been heard is what is true."""
    hall.table.go_on()
    hall.run(2000)
    conductor = hall.table.stage.conductor
    assert conductor.state in ("silent", "waiting")
    assert conductor.queued == 0
    performance = hall.table.stage.performance
    assert performance is not None
    heard, seen = performance.heard, hall.running.seen
    assert all(not lines_for(event, heard.state) for event in seen[heard.number :])
    assert fold(heard.state, seen[heard.number :]) == fold(before(hall.running.setup, EVERYBODY), seen)
    assert hall.table.judge().troubles == ()
