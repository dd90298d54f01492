"""Hearing what is said: of whole games, and of single events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from narrator.engine.cards import deal
from narrator.model.events import Event
from narrator.model.ruleset import Ruleset
from narrator.model.state import Setup, State
from narrator.narration import Line, Script, lines_for, render_line
from tests.narration.playing import RULESETS, Game, play

GAMES: dict[tuple[str, int, bool], Game] = {}


def game(name: str, seed: int = 1, by_hand: bool = False) -> Game:
    key = (name, seed, by_hand)
    if key not in GAMES:
        GAMES[key] = play(RULESETS[name], seed, by_hand)
    return GAMES[key]


def lines_of(played: Game) -> Iterator[tuple[Event, Line]]:
    for event, before in played.heard:
        yield from ((event, line) for line in lines_for(event, before))


def said(name: str, language: str = "en", seed: int = 1) -> list[str]:
    played, script = game(name, seed), Script.load(language)
    return [render_line(line, script, played.setup.ruleset) for _, line in lines_of(played)]


def view(seats: int = 6, **changes: Any) -> State:
    """A game on its first day as everybody sees it: living seats, and what is changed."""
    return under(RULESETS["killers-2"], replace(deal(Setup(RULESETS["killers-2"], seats, {}, {})), **DAY | changes))


DAY = {"stage": "dawn", "round": 1, "phase": "day"}


def under(ruleset: Ruleset, state: State, counts: dict[str, int] | None = None) -> State:
    """The same moment in another edition; `counts` are the cards of its deck, as it suggests them if left out."""
    deck = ruleset.counts(state.seats) if counts is None else counts
    setup = Setup(ruleset, state.seats, deck, {})
    return replace(state, setup=setup, cards=state.cards if ruleset.hand.cards == 1 else deal(setup).cards)


def heard(event: Event, before: State, ruleset: str = "killers-2") -> list[str]:
    return [line.key for line in lines_for(event, under(RULESETS[ruleset], before))]


def words(event: Event, before: State, ruleset: str = "killers-2", language: str = "en") -> str:
    rules, script = RULESETS[ruleset], Script.load(language)
    return " ".join(render_line(line, script, rules) for line in lines_for(event, under(rules, before)))
