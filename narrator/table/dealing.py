"""Dealing the cards through the table: a shuffled deck, hand by hand, until no hand is a misdeal."""

from __future__ import annotations

from dataclasses import replace

from narrator.engine.deal import misdealt
from narrator.model.state import Setup
from narrator.table.pauses import Chance
from narrator.table.setup import HANDS_FIRST, Draft, Problem, SetupProblem

MOST_DEALS = 1000
"""Deals after which a deck is held to allow no deal without a misdeal."""


def dealt(draft: Draft, chance: Chance) -> Draft:
    """The draft with its cards dealt anew. SetupProblem if they do not fit, or every deal is a misdeal."""
    draft = draft.undealt()
    problems = [problem for problem in draft.problems() if problem.reason != HANDS_FIRST]
    if problems:
        raise SetupProblem(problems)
    for _ in range(MOST_DEALS):
        found = _deal(draft, chance)
        if not misdealt(Setup(found.ruleset, found.seats, found.counts, found.options, found.hands)):
            return found
    raise SetupProblem([Problem("always_a_misdeal")])


def _deal(draft: Draft, chance: Chance) -> Draft:
    deck = shuffled([role for role, count in draft.counts.items() for _ in range(count)], chance)
    size = draft.ruleset.hand.cards
    hands = {seat: tuple(deck[(seat - 1) * size : seat * size]) for seat in range(1, draft.seats + 1)}
    return replace(draft, hands=hands, spare=tuple(deck[draft.seats * size :]))


def shuffled(cards: list[str], chance: Chance) -> list[str]:
    """The cards in an order of chance."""
    left, found = list(cards), []
    while left:
        found.append(left.pop(int(chance.random() * len(left))))
    return found
