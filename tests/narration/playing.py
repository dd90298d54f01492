"""Whole games played by chance, for the tests of what is said about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from narrator.engine.game import decide, fold, new_game
from narrator.engine.legal import prompt
from narrator.engine.seen import EVERYBODY, before, seen
from narrator.engine.state_changes import apply
from narrator.loading.rulesets import load, shipped
from narrator.model.errors import Refused
from narrator.model.events import Event
from narrator.model.prompts import Field, Prompt
from narrator.model.ruleset import Ruleset
from narrator.model.state import Setup, State

RULESETS = {name: load(path) for name, path in shipped().items()}
LEFT = 0
"""The place, among the hands, of the cards left over."""
LONGEST = 400
"""Commands after which a game is given up."""


@dataclass
class Game:
    """A game, and what the table heard of it."""

    setup: Setup
    state: State
    events: list[Event] = field(default_factory=list)
    heard: list[tuple[Event, State]] = field(default_factory=list)
    """Each event as everybody sees it, with the game before it as everybody sees it."""


def set_up(ruleset: Ruleset, chance: Random, by_hand: bool = False) -> tuple[Setup, dict[int, tuple[str, ...]]]:
    """A set-up with the fewest seats the ruleset takes, and what everybody holds."""
    seats = ruleset.seats[0]
    counts = ruleset.counts(seats)
    deck = [role for role, count in counts.items() for _ in range(count)]
    options = {name: option.default for name, option in ruleset.options.items()}
    size = ruleset.hand.cards
    while True:
        chance.shuffle(deck)
        hands = {seat: tuple(deck[(seat - 1) * size : seat * size]) for seat in range(1, seats + 1)}
        spare = () if by_hand else tuple(deck[seats * size :])
        setup = Setup(ruleset, seats, counts, options, None if by_hand else hands, spare)
        if not _misdealt(ruleset, hands):
            return setup, {**hands, LEFT: tuple(deck[seats * size :])}


def _misdealt(ruleset: Ruleset, hands: dict[int, tuple[str, ...]]) -> bool:
    return any(set(hand) & one and set(hand) & other for hand in hands.values() for one, other in ruleset.hand.misdeals)


def play(ruleset: Ruleset, seed: int, by_hand: bool = False) -> Game:
    """A whole game, or its first few hundred commands."""
    chance = Random(seed)
    setup, hands = set_up(ruleset, chance, by_hand)
    game = Game(setup, new_game(setup))
    view = before(setup, EVERYBODY)
    for _ in range(LONGEST):
        if game.state.stage == "over":
            break
        events = _step(game.state, hands, chance)
        game.state = fold(game.state, events)
        game.events += events
        for shown in [shown for event in events if (shown := seen(event, EVERYBODY)) is not None]:
            game.heard.append((shown, view))
            view = apply(view, shown)
    return game


def _step(state: State, hands: dict[int, tuple[str, ...]], chance: Random) -> tuple[Event, ...]:
    asked = prompt(state)
    for _ in range(50):
        try:
            return decide(state, _command(state, asked, hands, chance))
        except Refused:
            continue
    return decide(state, {"do": "choose", "choice": {}})


def _command(state: State, asked: Prompt, hands: dict[int, tuple[str, ...]], chance: Random) -> dict[str, Any]:
    if asked.kind == "identify":
        return {"do": "identify", "roles": _holders(asked, hands)}
    if asked.kind == "choose":
        picks = {field.name: _pick(field, chance) for field in asked.fields}
        return {"do": "choose", "choice": picks | ({"left": hands[LEFT]} if "left" in picks else {})}
    if asked.kind == "vote":
        return {"do": "vote", "totals": _totals(asked, chance)}
    if asked.kind == "elect":
        return {"do": "elect", "seat": _pick(asked.fields[0], chance)}
    if asked.kind == "react":
        return {"do": "react", "target": _pick(asked.fields[0], chance)}
    return {"do": "begin" if asked.kind == "begin" else "proceed"}


def _holders(asked: Prompt, hands: dict[int, tuple[str, ...]]) -> dict[str, list[int]]:
    held = {
        role: [seat for seat, hand in hands.items() if seat != LEFT for one in hand if one == role]
        for role in asked.counts
    }
    return {role: seats[: asked.counts[role]] for role, seats in held.items()}


def _pick(field: Field, chance: Random) -> Any:
    if not field.allowed or (field.optional and chance.random() < 0.15):
        return None
    if field.kind in ("seats", "roles"):
        return chance.sample(list(field.allowed), min(field.least, len(field.allowed)))
    return chance.choice(list(field.allowed))


def _totals(asked: Prompt, chance: Random) -> dict[int, int]:
    votes = sum(asked.votes.values())
    totals: dict[int, int] = {}
    for _ in range(chance.randint(0, votes)):
        candidate = chance.choice(list(asked.candidates[:3]))
        totals[candidate] = totals.get(candidate, 0) + 1
    return totals
