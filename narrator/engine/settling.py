"""What comes of a night, and the registry of the ways in which nights are settled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from narrator.model.events import Event
from narrator.model.state import Cause, State


@dataclass
class Outcome:
    """What a night has brought, before anybody is told."""

    deaths: dict[int, tuple[Cause, ...]] = field(default_factory=dict)
    """Card -> why it dies."""
    kinds: dict[int, str] = field(default_factory=dict)
    """Card -> the kind of its death, in editions that announce it: `killed`, `arrested`, `kidnapped`."""
    needles: dict[str, int] = field(default_factory=dict)
    """`card/role` -> its new total."""
    silenced: tuple[int, ...] = ()
    silenced_as: str = ""
    """Why they may not speak, in editions that announce it: `asleep`."""
    observed: int | None = None
    events: tuple[Event, ...] = ()
    """What an edition adds of its own, announced after the deaths."""


Settler = Callable[[State], Outcome]
SETTLERS: dict[str, Settler] = {}


def settler(name: str) -> Callable[[Settler], Settler]:
    """Register a way of settling nights; a name that is taken is a ValueError."""

    def register(function: Settler) -> Settler:
        if name in SETTLERS:
            raise ValueError(f"two ways of settling are called {name!r}")
        SETTLERS[name] = function
        return function

    return register
