"""A believable value for every parameter of a script."""

from __future__ import annotations

from typing import Any

from narrator.narration.keys import KEYS
from narrator.narration.scripts import Script

WORDS = (
    *("role", "roles", "doer", "camp", "office", "look", "plays", "taken", "because", "causes", "answer", "label"),
    *("value", "choice", "name", "ruleset"),
)
"""Parameters that are words already."""


def samples(script: Script, count: int) -> dict[str, Any]:
    """Parameter -> value, for `count` seats, cards or votes."""
    numbers = [3, 12, 5][:count]
    role = "杀手" if script.language == "zh-Hans" else "殺手" if script.language == "zh-Hant" else "killer"
    words = dict.fromkeys(WORDS, role)
    return words | {
        "n": 5,
        "number": 2,
        "count": count,
        "seconds": count,
        "given": 1,
        "game": "2026-11-30 1",
        "least": 2,
        "most": 3,
        "list": script.seats(numbers),
        "seat": 5,
        "place": 5,
        "target": 8,
        "voter": 1,
        "seats": numbers,
        "places": numbers,
        "named": script.seats(numbers),
        "votes": script.phrase("words.votes", count=count),
        "tally": script.seats(numbers),
    }


def rendered(script: Script, key: str, count: int) -> str:
    """The text of a key with sample values."""
    values = samples(script, count)
    return script.render(key, **{name: values[name] for name in KEYS[key].params})
