"""Dealing the cards: by chance through the table, or by phone, which goes round so that each player sees his own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from narrator.engine.cards import misdealt
from narrator.engine.game import new_game
from narrator.engine.night import series_of
from narrator.model.errors import Refused
from narrator.model.state import Call, Setup
from narrator.table.setup.draft import HANDS_FIRST, Draft, DraftProblem, SetupProblem
from narrator.table.stage.pauses import RandomSource

MOST_DEALS = 1000
"""Deals after which a deck is held to allow no deal without a misdeal."""


def dealt(draft: Draft, chance: RandomSource) -> Draft:
    """The draft with its cards dealt anew. SetupProblem if they do not fit, or every deal is a misdeal."""
    draft = draft.undealt()
    problems = [problem for problem in draft.problems() if problem.reason != HANDS_FIRST]
    if problems:
        raise SetupProblem(problems)
    for _ in range(MOST_DEALS):
        found = _deal(draft, chance)
        if not misdealt(Setup(found.ruleset, found.seats, found.counts, found.options, found.hands)):
            return found
    raise SetupProblem([DraftProblem("always_a_misdeal")])


def _deal(draft: Draft, chance: RandomSource) -> Draft:
    deck = shuffled([role for role, count in draft.counts.items() for _ in range(count)], chance)
    size = draft.ruleset.hand.cards
    hands = {seat: tuple(deck[(seat - 1) * size : seat * size]) for seat in range(1, draft.seats + 1)}
    return replace(draft, hands=hands, spare=tuple(deck[draft.seats * size :]))


def shuffled(cards: list[str], chance: RandomSource) -> list[str]:
    """The cards in an order of chance."""
    left, found = list(cards), []
    while left:
        found.append(left.pop(int(chance.random() * len(left))))
    return found


ORDERED, NUMBERED = "ordered", "numbered"
"""Kinds of hands: one card in front of the other, or cards with numbers."""


@dataclass(frozen=True)
class OwnCard:
    """A card as its owner sees it."""

    role: str
    number: int | None
    """Its number on the table, where cards have one."""
    place: int | None
    """1 in front, 2 behind, where hands have an order."""
    called: tuple[Call, ...]
    """The calls of the night that mean this card alone."""


def begun(draft: Draft, chance: RandomSource) -> Draft:
    """The cards dealt, and nobody's seen. SetupProblem if they do not fit."""
    return replace(dealt(draft, chance), seen=0)


def own_cards(draft: Draft, seat: int) -> tuple[OwnCard, ...]:
    """What the player whose turn it is may see. Refused for anybody else."""
    if draft.hands is None or seat != draft.turn:
        raise Refused("not_now", stage="deal")
    kind, calls = draft.ruleset.hand.kind, series_of(new_game(draft.whole()))
    first = (seat - 1) * draft.ruleset.hand.cards
    return tuple(
        OwnCard(
            role,
            first + place if kind == NUMBERED else None,
            place if kind == ORDERED else None,
            calls.get(first + place, ()),
        )
        for place, role in enumerate(draft.hands[seat], 1)
    )


def swapped(draft: Draft, seat: int) -> Draft:
    """Front and back changed by the player whose turn it is. Refused for anybody else, and where there is no order."""
    if draft.hands is None or seat != draft.turn or draft.ruleset.hand.kind != ORDERED:
        raise Refused("not_now", stage="deal")
    return replace(draft, hands={**draft.hands, seat: draft.hands[seat][::-1]})


def handed_on(draft: Draft, seat: int) -> Draft:
    """This seat has seen its cards: the next one's turn. Refused unless it was its turn."""
    if draft.seen is None or seat != draft.turn:
        raise Refused("not_now", stage="deal")
    return replace(draft, again=None) if draft.again else replace(draft, seen=draft.seen + 1)


def handed_back(draft: Draft, seat: int) -> Draft:
    """A seat that has seen its cards sees them once more; after that it goes on where it was. Refused for others."""
    if draft.seen is None or not 1 <= seat <= draft.seen:
        raise Refused("not_now", stage="deal")
    return replace(draft, again=seat)
