"""Random legal games of every shipped ruleset, for the laws that must hold in all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from narrator.engine.players import Deal, Move, deal, moves
from narrator.loading.rulesets import load, shipped
from narrator.model import events as ev
from narrator.model.ruleset import Ruleset
from narrator.model.state import State
from tests.amounts import amount

DEPTH = amount("NARRATOR_LAWS", 2, 3)
"""Games played for each law and ruleset; set the variable for more."""
PHASES = (Phase.explicit, Phase.generate)
"""Nothing is made smaller: a smaller seed makes no smaller game."""
LONGEST = 4000
"""Moves within which a random game has ended."""
WITH_BUBBLE = ("killers-2", "killers-4", "box-angel-devil", "box-werewolf")
NAMES = (*shipped(), *(f"{name}+bubble" for name in WITH_BUBBLE))


@cache
def ruleset(name: str) -> Ruleset:
    """A shipped ruleset, `+bubble` with that role added."""
    plain, _, extra = name.partition("+")
    return load(shipped()[plain], [extra] if extra else [])


ONE_CARD = tuple(name for name in NAMES if ruleset(name).hand.cards == 1)


@dataclass(frozen=True)
class Drawn:
    """A table that has been drawn, written so that a failure can be played again."""

    name: str
    seats: int
    options: dict[str, bool | str]
    by_hand: bool
    seed: int

    def deal(self) -> tuple[Deal, Random]:
        """The dealt table, and the chance that plays on."""
        chance = Random(self.seed)
        return deal(ruleset(self.name), self.seats, chance, self.options, self.by_hand), chance


@st.composite
def tables(draw: st.DrawFn, name: str, by_hand: bool | None = None, **fixed: bool | str) -> Drawn:
    """A table of the ruleset with drawn seats, options and hands.

    With two cards each nights may come in which nobody can kill any more; if quiet nights had no days, none would end.
    """
    rules = ruleset(name)
    options = {option.id: draw(st.sampled_from(option.choices)) for option in rules.options.values()}
    if rules.hand.cards == 2:
        options["no_death_skips_day"] = False
    if by_hand is None:
        by_hand = rules.hand.cards == 1 and draw(st.booleans())
    return Drawn(name, draw(st.integers(*rules.seats)), options | fixed, by_hand, draw(st.integers(0, 2**32)))


def play_on(dealt: Deal, chance: Random, most: int = LONGEST) -> list[Move]:
    """The game as it goes, speakers called back and skipped and claims recorded now and then."""
    return list(islice(moves(dealt, chance, wander=0.05), most))


def all_events(game: list[Move]) -> list[ev.Event]:
    return [event for move in game for event in move.events]


def states(game: list[Move]) -> list[State]:
    return [move.before for move in game] + [game[-1].after]


Law = Callable[[Deal, list[Move]], None]


def law(*names: str, depth: int = DEPTH, **fixed: Any) -> Callable[[Law], Any]:
    """Make a test of a law: it is checked against whole random games of each ruleset (all, if none is named)."""

    def decorate(check: Law) -> Any:
        @pytest.mark.parametrize("name", names or NAMES)
        @settings(max_examples=depth, phases=PHASES)
        @given(data=st.data())
        def test(name: str, data: st.DataObject) -> None:
            dealt, chance = data.draw(tables(name, **fixed), label="table").deal()
            check(dealt, play_on(dealt, chance))

        test.__doc__ = check.__doc__
        return test

    return decorate
