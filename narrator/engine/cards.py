"""Who lives, who holds what, who is awake. A *target* is a seat, or a card where cards are numbered on the table."""

from __future__ import annotations

from collections.abc import Iterable

from narrator.model.errors import Refused
from narrator.model.ruleset import Step
from narrator.model.state import Call, Card, State


def living(state: State) -> tuple[Card, ...]:
    """Every living card."""
    return state.lives.living


def in_play(state: State) -> tuple[Card, ...]:
    """The living cards that count now: in ordered hands the front ones, else all."""
    if state.setup.ruleset.hand.kind != "ordered":
        return state.lives.living
    return tuple(state.lives.fronts.values())


def living_seats(state: State) -> tuple[int, ...]:
    """Seats with a living card, ascending."""
    return state.lives.seats


def hand(state: State, seat: int) -> tuple[Card, ...]:
    """The cards of a seat, dead ones included."""
    size = state.setup.ruleset.hand.cards
    return state.cards[(seat - 1) * size : seat * size]


def front(state: State, seat: int) -> Card | None:
    """The first living card of a seat; None if the seat is out."""
    return state.lives.fronts.get(seat)


def is_alive(state: State, seat: int) -> bool:
    """Whether a seat that exists has a living card."""
    return seat in state.lives.fronts


def on_cards(state: State) -> bool:
    """Whether targets are numbered cards rather than seats."""
    return state.setup.ruleset.hand.kind == "numbered"


def targets(state: State) -> tuple[int, ...]:
    """Every target that exists, living or dead."""
    count = len(state.cards) if on_cards(state) else state.seats
    return tuple(range(1, count + 1))


def living_targets(state: State) -> tuple[int, ...]:
    """The targets that live."""
    if on_cards(state):
        return tuple(card.number for card in living(state))
    return living_seats(state)


def dead_targets(state: State) -> tuple[int, ...]:
    """The targets that exist and do not live."""
    if on_cards(state):
        return tuple(card.number for card in state.cards if not card.alive)
    return state.lives.dead_seats


def card_of(state: State, target: int) -> Card:
    """The card that a target means: the card of that number, or the front card of that seat."""
    if on_cards(state):
        return state.cards[target - 1]
    return state.lives.fronts.get(target) or hand(state, target)[-1]


def target_of(state: State, card: Card) -> int:
    """The target by which a card is named."""
    return card.number if on_cards(state) else card.seat


def check_target(state: State, target: object) -> int:
    """`target` as a living target; Refused if it is dead or does not exist."""
    if not isinstance(target, int) or isinstance(target, bool) or target not in targets(state):
        raise Refused("no_such_seat", seat=target)
    if not card_of(state, target).alive:
        raise Refused("dead_seat", seat=target)
    return target


def holders(state: State, roles: tuple[str, ...], anywhere: tuple[str, ...] = ()) -> tuple[Card, ...]:
    """Cards in play that play one of `roles`, and living ones anywhere in a hand that play one of `anywhere`."""
    known = state.lives.holders
    found = known.get((roles, anywhere))
    if found is None:
        found = known[roles, anywhere] = _find_holders(state, roles, anywhere)
    return found


def _find_holders(state: State, roles: tuple[str, ...], anywhere: tuple[str, ...]) -> tuple[Card, ...]:
    found = tuple(card for card in in_play(state) if card.plays in roles)
    if not anywhere:
        return found
    return tuple(card for card in living(state) if card in found or card.plays in anywhere)


def bound(state: State) -> tuple[Card, ...]:
    """The living cards whose fates are bound together (the lovers)."""
    if "bound" not in state.memo:
        return ()
    return tuple(card for number in state.memo["bound"] if (card := state.cards[number - 1]).alive)


def acting(state: State, call: Call, step: Step) -> tuple[Card, ...]:
    """The cards that act in this call: those it wakes, or those who act instead when all of them are dead."""
    if call.card:
        return tuple(card for card in holders(state, step.wakes, step.anywhere) if card.number == call.card)
    if step.params.get("bound"):
        return bound(state)
    found = holders(state, step.wakes, step.anywhere)
    if not found and step.instead:
        found = holders(state, step.instead.wakes)
    return found


def awake(state: State, call: Call, step: Step) -> tuple[Card, ...]:
    """Everybody whose eyes are open in this call."""
    found = acting(state, call, step)
    if step.instead and not holders(state, step.wakes, step.anywhere):
        return found
    joined = holders(state, step.joins) if step.joins else ()
    return found + tuple(card for card in joined if card not in found)


def key_of(state: State, call: Call, step: Step) -> str:
    """The word for the choice of this call: the role's own in a series, else the step's (or its stand-in's)."""
    if call.card:
        return state.cards[call.card - 1].plays or step.id
    if step.instead and step.wakes and not holders(state, step.wakes, step.anywhere):
        return step.instead.key
    return step.key or step.id


def seats_of(cards: Iterable[Card]) -> tuple[int, ...]:
    """The seats of some cards, ascending, each once."""
    return tuple(sorted({card.seat for card in cards}))
