"""In every edition, what is said at night is the same whatever is chosen, and whoever holds what."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from narrator.table.random_players import Players
from narrator.table.setup.shelf import Shelf
from tests.table.hall import Hall

RULESETS = [ruleset.id for ruleset in Shelf().rulesets]
CALLING_THE_DEAD = [ruleset.id for ruleset in Shelf().rulesets if ruleset.options["call_dead_roles"].default]
"""Elsewhere every death reveals the card, so that the table knows whom to call."""
FALLS, BREAKS = "night.falls", "dawn.breaks"


def play_nights(home: Path, ruleset: str, players: int, most: int) -> list[list[tuple[float, str]]]:
    """What is said in each night, and when, counted from its first line; the same chance for every table."""
    hall = Hall(home, 11)
    hall.players = Players(random.Random(players))
    hall.table.dealer = random.Random(players)
    hall.start(ruleset=ruleset)
    while hall.state.winner is None and hall.state.round <= most:
        if hall.prompt == "idle" or not (hall.rests("silent") or hall.rests("waiting")):
            hall.run(0.5)
        else:
            hall.answer()
    hall.run(900)
    assert hall.table.judge().troubles == ()
    return nights_of(hall)


def nights_of(hall: Hall) -> list[list[tuple[float, str]]]:
    """The lines of each night, from the first to the one that wakes everybody."""
    nights: list[list[tuple[float, str]]] = []
    night: list[tuple[float, str]] | None = None
    for moment, key, text in hall.speaker.lines:
        if key == FALLS:
            begun, night = moment, []
        if night is not None:
            night.append((round(moment - begun, 6), text))
        if key == BREAKS and night is not None:
            nights.append(night)
            night = None
    return nights


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_first_night_sounds_the_same_to_the_millisecond(tmp_path: Path, ruleset: str) -> None:
    tables = [play_nights(tmp_path / str(players), ruleset, players, 1) for players in (1, 2, 3)]
    assert len(tables[0][0]) > 3
    assert tables[0][0] == tables[1][0] == tables[2][0]


@pytest.mark.parametrize("ruleset", CALLING_THE_DEAD)
def test_later_nights_call_the_same_groups_whoever_has_died(tmp_path: Path, ruleset: str) -> None:
    tables = [play_nights(tmp_path / str(players), ruleset, players, 3) for players in (1, 2, 3)]
    for place in range(1, 3):
        calls = {tuple(text for _, text in nights[place]) for nights in tables if len(nights) > place}
        assert len(calls) <= 1
