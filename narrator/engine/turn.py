"""A command being carried out: the events so far and the state that they make."""

from __future__ import annotations

from narrator.engine.applying import APPLY
from narrator.model.events import Event
from narrator.model.state import State


class Turn:
    """Collects events; `state` is always up to date with them."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Add an event and apply it."""
        self.events.append(event)
        self.state = APPLY[type(event)](self.state, event)
