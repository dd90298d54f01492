"""Cards: the deal, who lives, who holds what, who is awake, and which cards nobody has shown yet.

A *target* is a seat, or a card where cards are numbered on the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from narrator.model.errors import Refused
from narrator.model.ruleset import Step
from narrator.model.state import Call, Card, Setup, State


def deal(setup: Setup) -> State:
    """The state of a game whose cards lie before the players."""
    size = setup.ruleset.hand.cards
    seats = range(1, setup.seats + 1)
    unknown: tuple[str | None, ...] = (None,) * size
    hands = setup.hands
    roles = [(seat, role) for seat in seats for role in (unknown if hands is None else hands[seat])]
    cards = [Card(number, seat, role, role) for number, (seat, role) in enumerate(roles, 1)]
    return State(setup, tuple(cards), spare=setup.spare)


def misdealt(setup: Setup) -> tuple[int, ...]:
    """Seats whose hand the ruleset forbids."""
    pairs = setup.ruleset.hand.misdeals
    if not pairs or not setup.hands:
        return ()
    found = set()
    for one, other in pairs:
        found |= {seat for seat, roles in setup.hands.items() if not (one.isdisjoint(roles) or other.isdisjoint(roles))}
    return tuple(sorted(found))


def check_deal(state: State) -> None:
    """Refuse a misdeal, and two cards each that nobody has recorded."""
    if state.setup.hands is None and state.ruleset.hand.cards > 1:
        raise Refused("hands_first")
    seats = misdealt(state.setup)
    if seats:
        raise Refused("misdeal", seat=seats[0])


def living(state: State) -> tuple[Card, ...]:
    """Every living card."""
    return state.lives.living


def in_play(state: State) -> tuple[Card, ...]:
    """The living cards that count now: in ordered hands the front ones, else all."""
    if state.ruleset.hand.kind != "ordered":
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
    return state.on_cards


def targets(state: State) -> tuple[int, ...]:
    """Every target that exists, living or dead."""
    return _numbers(len(state.cards) if state.on_cards else state.setup.seats)


@cache
def _numbers(count: int) -> tuple[int, ...]:
    return tuple(range(1, count + 1))


def living_targets(state: State) -> tuple[int, ...]:
    """The targets that live."""
    return state.lives.targets


def dead_targets(state: State) -> tuple[int, ...]:
    """The targets that exist and do not live."""
    return state.lives.dead_targets


def card_of(state: State, target: int) -> Card:
    """The card that a target means: the card of that number, or the front card of that seat."""
    if state.on_cards:
        return state.cards[target - 1]
    return state.lives.fronts.get(target) or hand(state, target)[-1]


def target_of(state: State, card: Card) -> int:
    """The target by which a card is named."""
    return card.number if state.on_cards else card.seat


def holders(state: State, roles: tuple[str, ...], anywhere: tuple[str, ...] = ()) -> tuple[Card, ...]:
    """Cards in play that play one of `roles`, and living ones anywhere in a hand that play one of `anywhere`."""
    if len(roles) == 1 and not anywhere and state.ruleset.hand.kind != "ordered":
        return state.lives.playing.get(roles[0], ())
    known = state.lives.holders
    found = known.get((roles, anywhere))
    if found is None:
        found = known[roles, anywhere] = _find_holders(state, roles, anywhere)
    return found


def _find_holders(state: State, roles: tuple[str, ...], anywhere: tuple[str, ...]) -> tuple[Card, ...]:
    lives = state.lives
    found = {card.number: card for role in roles for card in lives.playing.get(role, ())}
    if state.ruleset.hand.kind == "ordered":
        found = {number: card for number, card in found.items() if lives.fronts[card.seat] is card}
    found |= {card.number: card for role in anywhere for card in lives.playing.get(role, ())}
    return tuple([found[number] for number in sorted(found)])


def bound(state: State) -> tuple[Card, ...]:
    """The living cards whose fates are bound together (the lovers)."""
    two = state.memo.get("bound")
    if not two:
        return ()
    return tuple([card for number in two if (card := state.cards[number - 1]).alive])


def acting(state: State, call: Call, step: Step) -> tuple[Card, ...]:
    """The cards that act in this call: those it wakes, or those who act instead when all of them are dead."""
    if call.card:
        card = state.cards[call.card - 1]
        return (card,) if card.alive and _holds(state, card, step) else ()
    if step.params and step.params.get("bound"):
        return bound(state)
    found = holders(state, step.wakes, step.anywhere)
    if not found and step.instead:
        found = holders(state, step.instead.wakes)
    return found


def _holds(state: State, card: Card, step: Step) -> bool:
    """Whether a living card is one of those that a step wakes."""
    if card.plays in step.wakes:
        return state.ruleset.hand.kind != "ordered" or front(state, card.seat) is card or card.plays in step.anywhere
    return card.plays in step.anywhere


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


# Cards dealt by hand: which ones nobody has shown to the judge yet, and when they are to be shown


def unidentified(state: State) -> dict[str, int]:
    """Role -> cards of it that nobody has shown yet; empty when every card is known, those left over included."""
    if state.lives.known and len(state.spare) >= state.setup.ruleset.hand.spare:
        return {}
    left = Counter(state.setup.counts)
    left.subtract(Counter(card.role for card in state.cards if card.role))
    left.subtract(Counter(state.spare))
    return {role: count for role, count in left.items() if count > 0}


def to_identify(state: State, call: Call) -> dict[str, int]:
    """Role -> cards that are to be shown when this call opens; what an earlier call did not show lies on the table."""
    if state.lives.known:
        return {}
    unknown, asked = unidentified(state), asked_before(state, call)
    roles = dict.fromkeys(state.ruleset.step(call.step).roles())
    return {role: unknown[role] for role in roles if role in unknown and role not in asked}


def lying(state: State, call: Call) -> dict[str, int]:
    """Role -> cards of it that lie on the table for certain, since an earlier call of the night did not show them."""
    asked = asked_before(state, call)
    return {role: count for role, count in unidentified(state).items() if role in asked}


def asked_before(state: State, call: Call) -> set[str]:
    """The roles whose holders have been asked to show themselves before this call."""
    earlier = state.calls[: state.calls.index(call)]
    return {role for one in earlier for role in state.ruleset.step(one.step).roles()}
