"""What is likely to be said at a table."""

from __future__ import annotations

import pytest

from narrator.loading import rulesets
from narrator.narration.repertoire import likely, repertoire


@pytest.mark.parametrize("name", list(rulesets.shipped()))
def test_it_is_what_a_night_is_made_of_then_every_seat_alone(name: str) -> None:
    ruleset = rulesets.load(rulesets.shipped()[name])
    seats = ruleset.seats[0]
    lines = list(likely(ruleset, seats))
    keys = [line.key for line in lines]
    assert {"welcome", "night.falls", "dawn.breaks", "speech.next", "vote.begin"} <= set(keys)
    called = {line.key for line in repertoire(ruleset) if line.key.startswith("calls.")}
    assert called == {key for key in keys if key.startswith("calls.")}
    assert keys.index("night.falls") < keys.index("speech.next")
    assert {line.params["seat"] for line in lines if line.key == "speech.next"} == set(range(1, seats + 1))
    assert len(lines) < 1000
