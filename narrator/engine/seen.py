"""Who may know what: events as a viewer sees them, and the game as he sees it, folded by the one fold there is.

What an event says to whom stands beside the event, in `narrator.model.events`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from narrator.engine.cards import deal, hand
from narrator.engine.night import awake_in
from narrator.engine.state_changes import apply, fold
from narrator.model.events import EVERYBODY, JUDGE, Event, Viewer
from narrator.model.state import Setup, State

__all__ = ["EVERYBODY", "JUDGE", "before", "seat_view", "seat_viewer", "seen"]


def seen(event: Event, viewer: Viewer) -> Event | None:
    """The event as the viewer may know of it: whole, without its secret parts, or None."""
    return event if viewer.kind == "judge" else event.seen(viewer)


def before(setup: Setup, viewer: Viewer) -> State:
    """The game before its first night, as the viewer sees it: nobody's cards but his own."""
    if viewer.kind == "judge":
        return deal(setup)
    extras = {name: given for name, given in setup.extras.items() if name not in ("looks", "suits")}
    view = deal(replace(setup, hands=None, spare=(), extras=extras))
    if viewer.kind == "seat" and setup.hands is not None:
        dealt = deal(setup)
        view.set_cards(
            tuple([dealt.cards[card.number - 1] if card.seat == viewer.seat else card for card in view.cards])
        )
    return view


def seat_viewer(state: State, seat: int) -> Viewer:
    """A player as a viewer of what happens next; `state` is the game, secrets included."""
    met = awake_in(state, state.waking) if state.waking and not state.waking.meeting else ()
    return Viewer("seat", seat, frozenset(card.number for card in hand(state, seat)), met)


def seat_view(setup: Setup, events: Iterable[Event], seat: int) -> State:
    """The game as one player may know it after these events."""
    true = deal(setup)
    view = before(setup, seat_viewer(true, seat))
    for event in events:
        shown = event.seen(seat_viewer(true, seat))
        if shown is not None:
            view = apply(view, shown)
        true = fold(true, (event,))
    return view
