"""Who may know what: events as a viewer sees them, and the game as he sees it, folded by the one fold there is.

What an event says to whom stands beside the event, in `narrator.model.events`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from narrator.engine.cards import deal, hand
from narrator.engine.night import awake_in
from narrator.engine.state_changes import CHANGES, copied, fold
from narrator.model.events import EVERYBODY, JUDGE, Event, Viewer
from narrator.model.state import Card, Setup, State

__all__ = ["EVERYBODY", "JUDGE", "before", "seat_events", "seat_view", "seat_viewer", "seen"]


def seen(event: Event, viewer: Viewer) -> Event | None:
    """The event as the viewer may know of it: whole, without its secret parts, or None."""
    return event if viewer.kind == "judge" else event.seen(viewer)


def before(setup: Setup, viewer: Viewer) -> State:
    """The game before its first night, as the viewer sees it: of cards, and of what belongs to them, only his own."""
    if viewer.kind == "judge":
        return deal(setup)
    dealt = deal(setup)
    own = {card.number: card for card in dealt.cards if card.seat == viewer.seat}
    view = deal(replace(setup, hands=None, spare=(), extras=_own_extras(setup, own.values())))
    view.set_cards(tuple([own.get(card.number, card) for card in view.cards]))
    return view


def _own_extras(setup: Setup, own: Iterable[Card]) -> dict[str, Any]:
    """The extras of the set-up without the looks and suits of cards that are not one's own."""
    mine: dict[str, Iterable[str]] = {
        "looks": [card.role for card in own if card.role],
        "suits": [str(card.number) for card in own],
    }
    found: dict[str, Any] = {}
    for name, given in setup.extras.items():
        known = {key: value for key, value in given.items() if key in mine[name]} if name in mine else given
        if known:
            found[name] = known
    return found


def seat_viewer(state: State, seat: int) -> Viewer:
    """A player as a viewer of what happens next; `state` is the game, secrets included."""
    met = awake_in(state, state.waking) if state.waking else ()
    return Viewer("seat", seat, frozenset([card.number for card in hand(state, seat)]), met)


def seat_events(setup: Setup, events: Iterable[Event], seats: Iterable[int]) -> dict[int, list[Event]]:
    """For each of some seats: what its player may know of these events, which began with the deal."""
    state = copied(deal(setup))
    viewers = [seat_viewer(state, seat) for seat in seats]
    found: dict[int, list[Event]] = {viewer.seat: [] for viewer in viewers}
    for event in events:
        met = awake_in(state, state.waking) if state.waking else ()
        for viewer in viewers:
            shown = event.seen(Viewer("seat", viewer.seat, viewer.cards, met))
            if shown is not None:
                found[viewer.seat].append(shown)
        CHANGES[type(event)](state, event)
    return found


def seat_view(setup: Setup, events: Iterable[Event], seat: int) -> State:
    """The game as one player may know it after these events."""
    return fold(before(setup, seat_viewer(deal(setup), seat)), seat_events(setup, events, [seat])[seat])
