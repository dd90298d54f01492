"""What happens by itself when somebody is struck: guarding, standing in, being blessed, escaping; and who sleeps."""

from __future__ import annotations

from typing import Any

from narrator.editions.detective.tonight import Tonight
from narrator.engine.cards import card_of, holders
from narrator.engine.dawn import SETTLERS
from narrator.engine.rules import rules_of
from narrator.model.ruleset import Step
from narrator.model.state import Card, State
from narrator.model.values import value

ASLEEP = "asleep"
ESCAPES = "escapes"


@value
class Blow:
    """Something that kills, unless a passive skill is in the way."""

    kind: str
    """`hit`, `arrested` or `kidnapped`."""
    by: str
    """The role that strikes."""
    seat: int


def skills_with(state: State, param: str) -> list[tuple[Step, Any]]:
    """The steps whose role has a passive skill, by its parameter, each with its ability."""
    return [(place.step, place.ability) for place in rules_of(state).those_giving(param)]


def has_found(state: State, step_id: str) -> bool:
    """Whether a search has ever found whom it looks for."""
    return f"found.{step_id}" in state.memo


def target_of(tonight: Tonight, blow: Blow) -> Card | None:
    """The card that a blow would take, were nobody blessed and no escape left; None if it takes nobody."""
    card = card_of(tonight.state, blow.seat)
    if not card.alive or _guarded(tonight.state, card, blow):
        return None
    return _stand_in(tonight.state, card) or card


def struck(tonight: Tonight, blow: Blow) -> Card | None:
    """The card that a blow kills; None if it kills nobody."""
    card = target_of(tonight, blow)
    if card is None or is_blessed(tonight.state, card) or escapes_left(tonight.state, card):
        return None
    return card


def _guarded(state: State, card: Card, blow: Blow) -> bool:
    """Whether one who has found this card, and lives, keeps the blows of some roles from it."""
    return any(
        blow.by in skill.guards_from
        and card.plays in skill.sought
        and has_found(state, step.id)
        and bool(holders(state, step.wakes))
        for step, skill in skills_with(state, "guards_from")
    )


def _stand_in(state: State, card: Card) -> Card | None:
    """Whoever dies in this card's place, as long as a search has not ended it."""
    for step, skill in skills_with(state, "dies_for"):
        living = holders(state, step.wakes)
        over = bool(skill.until_found) and has_found(state, skill.until_found)
        if living and not over and card.plays in skill.dies_for:
            return living[0]
    return None


def is_blessed(state: State, card: Card) -> bool:
    """Whether this card cannot be killed tonight, which somebody is told of."""
    skills = skills_with(state, "blessed_nights")
    return any(card.plays in step.wakes and state.round <= skill.blessed_nights for step, skill in skills)


def escapes_left(state: State, card: Card) -> int:
    """How often this card can still escape from leaving the game."""
    for step, skill in skills_with(state, ESCAPES):
        if card.plays in step.wakes:
            return max(0, int(skill.escapes) - int(state.memo.get(ESCAPES, 0)))
    return 0


# --- sleep


def sleepers(state: State) -> tuple[Card, ...]:
    """The living cards that have been put to sleep."""
    asleep = state.memo.get(ASLEEP)
    return tuple([card for number in asleep if (card := state.cards[number - 1]).alive]) if asleep else ()


def survivors(state: State, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Those of some living cards that nothing chosen so far tonight kills."""
    dying = SETTLERS["standard"](state).deaths if cards else {}
    return tuple(card for card in cards if card.number not in dying)
