"""The dawn: what the standard settling finds, the kinds of deaths, escapes, the deduction, and a win apart."""

from __future__ import annotations

from collections.abc import Iterable

from narrator.editions.detective.deducing import Deduction
from narrator.editions.detective.passives import (
    ESCAPES,
    escapes_left,
    is_blessed,
    skills_with,
    sleepers,
    target_of,
)
from narrator.editions.detective.searching import attacks
from narrator.editions.detective.tonight import Tonight
from narrator.engine.cards import card_of
from narrator.engine.dawn import SETTLERS, Outcome, settler
from narrator.engine.deaths import dying, victory
from narrator.engine.state_changes import apply
from narrator.model.events import Announced, Died, Event, Left, Remembered, Revealed
from narrator.model.state import Cause, State

KINDS = ("killed", "arrested", "kidnapped")
"""The kinds of death that are announced, in this order."""
APART = "wins_apart"
"""Why somebody is announced, and leaves."""


@settler("deduction")
def settle_deduction(state: State) -> Outcome:
    """Settle the night as usual; then add what this edition announces."""
    outcome = SETTLERS["standard"](state)
    tonight = Tonight(state)
    kinds = {card: _kinds(causes) for card, causes in outcome.deaths.items()}
    asleep = tuple(card.seat for card in sleepers(state) if card.number not in outcome.deaths)
    return Outcome(
        outcome.deaths,
        {card: found[0] for card, found in kinds.items()},
        outcome.needles,
        tuple(sorted({*outcome.silenced, *asleep})),
        "asleep" if asleep and not outcome.silenced else "",
        _observed(tonight, outcome.observed),
        (
            *_second_kinds(state, kinds),
            *_escapes(tonight),
            *Deduction(tonight).announcement(),
            *_wins_apart(state, outcome),
        ),
    )


def _kinds(causes: Iterable[Cause]) -> list[str]:
    """As what a death is announced: as an arrest, a kidnapping, or else as a killing."""
    found = {cause.kind if cause.kind in KINDS else KINDS[0] for cause in causes}
    return sorted(found, key=KINDS.index)


def _second_kinds(state: State, kinds: dict[int, list[str]]) -> tuple[Event, ...]:
    """Of those who died in two ways at once: the second."""
    return tuple(
        Announced(f"deaths.{kind}", {"seats": (state.cards[card - 1].seat,), "count": 1})
        for card, found in sorted(kinds.items())
        for kind in found[1:]
    )


def _observed(tonight: Tonight, seat: int | None) -> int | None:
    """The seat under observation, unless that skill has failed."""
    steps = (step for step in tonight.state.ruleset.night if step.ability == "observe")
    return None if any(tonight.fails(step) for step in steps) else seat


def _escapes(tonight: Tonight) -> tuple[Event, ...]:
    """An escape that has been used: one a night, however many blows there were."""
    state = tonight.state
    for step, skill in attacks(state):
        for blow in skill.blows(tonight, step):
            card = target_of(tonight, blow)
            if card and escapes_left(state, card) and not is_blessed(state, card):
                return (Remembered(ESCAPES, int(state.memo.get(ESCAPES, 0)) + 1),)
    return ()


def _wins_apart(state: State, outcome: Outcome) -> tuple[Event, ...]:
    """At its dawn, with the game still on: who has won by that, living or dead, and leaves."""
    after = apply(state, Died(dying(state, outcome.deaths), "night"))
    if victory(after):
        return ()
    winners = [
        card_of(state, card.seat)
        for step, skill in skills_with(state, "wins_at")
        if skill.wins_at == state.round
        for card in state.cards
        if card.plays in step.wakes
    ]
    events: list[Event] = []
    for card in winners:
        events.append(Revealed(card.seat, card.plays or state.ruleset.citizen, APART))
        if after.cards[card.number - 1].alive:
            events.append(Left(card.seat, APART))
    return tuple(events)
