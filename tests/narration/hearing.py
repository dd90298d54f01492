"""Hearing what is said: of whole games, and of single public forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from narrator.narration import Line, Script, lines_for, render_line
from tests.narration.playing import RULESETS, Game, play

GAMES: dict[tuple[str, int, bool], Game] = {}


def game(name: str, seed: int = 1, by_hand: bool = False) -> Game:
    key = (name, seed, by_hand)
    if key not in GAMES:
        GAMES[key] = play(RULESETS[name], seed, by_hand)
    return GAMES[key]


def lines_of(played: Game) -> Iterator[tuple[Mapping[str, Any], Line]]:
    for form, before in played.heard:
        yield from ((form, line) for line in lines_for(form, before, played.setup.ruleset))


def said(name: str, language: str = "en", seed: int = 1) -> list[str]:
    played, script = game(name, seed), Script.load(language)
    return [render_line(line, script, played.setup.ruleset) for _, line in lines_of(played)]


def view(seats: int = 6, **changes: Any) -> dict[str, Any]:
    """A public view with living seats of one card each."""
    cards = [[{"number": seat, "alive": True, "revealed": None}] for seat in range(1, seats + 1)]
    people = [
        {"seat": seat, "alive": True, "silenced": False, "office": False, "cards": cards[seat - 1]}
        for seat in range(1, seats + 1)
    ]
    vote = {"number": 0, "candidates": [], "tally": {}, "tied": []}
    start = {"stage": "dawn", "round": 1, "phase": "day", "call": None, "seats": people, "deaths": [], "speaking": []}
    return {**start, "speaker": 0, "order": [], "vote": vote, "winner": None, "reason": "", **changes}


def heard(form: Mapping[str, Any], before: Mapping[str, Any], ruleset: str = "killers-2") -> list[str]:
    return [line.key for line in lines_for(form, before, RULESETS[ruleset])]


def words(form: Mapping[str, Any], before: Mapping[str, Any], ruleset: str = "killers-2", language: str = "en") -> str:
    rules, script = RULESETS[ruleset], Script.load(language)
    return " ".join(render_line(line, script, rules) for line in lines_for(form, before, rules))
