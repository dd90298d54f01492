"""The deal: cards on the table, and hands that may not be."""

from __future__ import annotations

from narrator.model.errors import Refused
from narrator.model.state import Card, Setup, State


def deal(setup: Setup) -> State:
    """The state of a game whose cards lie before the players."""
    size = setup.ruleset.hand.cards
    cards = tuple(
        Card(number, seat, role, role)
        for seat in range(1, setup.seats + 1)
        for number, role in _hand(setup, seat, size)
    )
    return State(setup, cards, spare=setup.spare)


def _hand(setup: Setup, seat: int, size: int) -> list[tuple[int, str | None]]:
    roles: tuple[str | None, ...] = setup.hands[seat] if setup.hands is not None else (None,) * size
    return [((seat - 1) * size + place, role) for place, role in enumerate(roles, 1)]


def misdealt(setup: Setup) -> tuple[int, ...]:
    """Seats whose hand the ruleset forbids."""
    hands = setup.hands or {}
    return tuple(
        seat
        for seat, roles in sorted(hands.items())
        if any(set(roles) & one and set(roles) & other for one, other in setup.ruleset.hand.misdeals)
    )


def check_deal(state: State) -> None:
    """Refuse a misdeal, and two cards each that nobody has recorded."""
    if state.setup.hands is None and state.ruleset.hand.cards > 1:
        raise Refused("hands_first")
    seats = misdealt(state.setup)
    if seats:
        raise Refused("misdeal", seat=seats[0])
