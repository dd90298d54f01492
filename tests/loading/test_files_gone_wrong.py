"""Shipped files with something wrong put into them: they are refused in words, or they can be played."""

from __future__ import annotations

import copy
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from narrator.engine.players import deal, moves
from narrator.loading.files.problem import FileProblems
from narrator.loading.rulesets import load, shipped
from narrator.loading.scenarios import play_scenario, read_scenario
from narrator.model.ruleset import Ruleset
from tests.amounts import amount

DEPTH = amount("NARRATOR_LAWS", 2, 3)
PHASES = (Phase.explicit, Phase.generate)
MANY_MOVES = 120
SCENARIOS = Path(__file__).parent.parent / "scenarios"
WORDS = (
    "killer", "civilian", "doctor", "good", "draw", "hit", "meet", "carry", "true", "null", "0", "1", "2", "99", "-1",
    "[]", "{}", "''", "every", "first", "all", "none", "numbered", "ordered", "third_tie", "target", "x", "法", "1.5",
    "&a", "*a", "- ",
)  # fmt: skip
"""What takes the place of something in a file."""


def wrong_texts(source: str, chance: Random) -> str:
    """The text with up to three lines left out, doubled, exchanged, shifted, or a word in them replaced."""
    lines = source.splitlines()
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        words = lines[at].split(" ")
        change = chance.choice(["out", "twice", "swap", "in", "word", "word", "word", "cut"])
        if change == "out" and len(lines) > 1:
            del lines[at]
        elif change == "twice":
            lines.insert(at, lines[at])
        elif change == "swap":
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif change == "in":
            lines[at] = "  " + lines[at]
        elif change == "word":
            words[chance.randrange(len(words))] = chance.choice(WORDS)
            lines[at] = " ".join(words)
        else:
            lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
    return "\n".join(lines)


def wrong_values(document: Any, chance: Random) -> Any:
    """The document with one or two of its values replaced, or left out, anywhere."""
    found = copy.deepcopy(document)
    for _ in range(chance.randint(1, 2)):
        places = list(places_in(found))
        holder, key = chance.choice(places)
        if isinstance(holder, dict) and chance.random() < 0.3:
            del holder[key]
        else:
            values = [yaml.safe_load(word) for word in WORDS if word[0] not in "&*-"]
            values += [inner[other] for inner, other in chance.sample(places, min(5, len(places)))]
            holder[key] = copy.deepcopy(chance.choice(values))
    return found


def places_in(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, dict):
        return [place for key, one in value.items() for place in ((value, key), *places_in(one))]
    if isinstance(value, list):
        return [place for index, one in enumerate(value) for place in ((value, index), *places_in(one))]
    return []


def gone_wrong(source: str, values: bool, chance: Random) -> str:
    """The text of a file with its values, or its lines, changed."""
    if not values:
        return wrong_texts(source, chance)
    return str(yaml.safe_dump(wrong_values(yaml.safe_load(source), chance), allow_unicode=True, sort_keys=False))


def can_be_played(ruleset: Ruleset, chance: Random) -> None:
    """Random games at the smallest and the largest table get on; the judge need not know who holds what."""
    for seats in ruleset.seats:
        counts = ruleset.counts(seats)
        if all(count >= 0 for count in counts.values()):
            by_hand = ruleset.hand.cards == 1 and chance.random() < 0.5
            for move in islice(moves(deal(ruleset, seats, chance, by_hand=by_hand), chance), MANY_MOVES):
                assert move.events


@pytest.mark.parametrize("name", shipped())
@settings(max_examples=6 * DEPTH, phases=PHASES)
@given(seed=st.integers(0, 2**32), values=st.booleans())
def test_a_ruleset_gone_wrong_is_refused_in_words_or_can_be_played(
    name: str, seed: int, values: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    chance = Random(seed)
    path = tmp_path_factory.mktemp("rules") / "house.yaml"
    path.write_text(gone_wrong(shipped()[name].read_text("utf-8"), values, chance), "utf-8")
    try:
        ruleset = load(path)
    except FileProblems as wrong:
        problems = wrong.problems
    else:
        problems = [f"{path}:"]
        can_be_played(ruleset, chance)
    assert problems
    assert all(problem.startswith(f"{path}:") for problem in problems)


@settings(max_examples=60 * DEPTH, phases=PHASES)
@given(seed=st.integers(0, 2**32), values=st.booleans())
def test_a_scenario_gone_wrong_is_refused_in_words_or_can_be_played(
    seed: int, values: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    chance = Random(seed)
    source = chance.choice(sorted(SCENARIOS.rglob("*.yaml"))).read_text("utf-8")
    path = tmp_path_factory.mktemp("games") / "game.yaml"
    path.write_text(gone_wrong(source, values, chance), "utf-8")
    try:
        scenario = read_scenario(path)
    except FileProblems as wrong:
        problems = wrong.problems
    else:
        problems = [f"{path}:"]
        assert len(play_scenario(scenario).steps) == len(scenario.play)
    assert problems
    assert all(problem.startswith(f"{path}:") for problem in problems)
