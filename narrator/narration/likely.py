"""The lines that are likely to be said at a table: what a voice should have ready before the game begins."""

from __future__ import annotations

from collections.abc import Iterator

from narrator.model.ruleset import Ruleset
from narrator.narration.lines import Line
from narrator.narration.repertoire import repertoire

_NIGHT = ("sound_check", "welcome", "deal.", "night.", "call", "dawn.", "deaths.")
"""How the keys of the first lines of an evening begin."""
_ELSEWHERE = ("takes.", "deal.again")


def likely(ruleset: Ruleset, seats: int) -> Iterator[Line]:
    """Every line with one seat of the table at most, those of a night first; nothing of it depends on a game."""
    lines = [line for line in repertoire(ruleset) if not line.key.startswith(_ELSEWHERE)]
    for of_night in (True, False):
        for line in lines:
            if line.key.startswith(_NIGHT) == of_night and all(_is_small(it, seats) for it in line.params.values()):
                yield line


def _is_small(value: object, seats: int) -> bool:
    if isinstance(value, list | tuple):
        return len(value) <= 1 and all(_is_small(one, seats) for one in value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value <= seats
    return not isinstance(value, dict)
