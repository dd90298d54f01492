"""What the judge is asked: the one description of what can be done now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from narrator.model.state import Call
from narrator.model.values import value


@value
class Field:
    """One value that a choice consists of."""

    name: str
    kind: str
    """`seat card seats role flag word`"""
    allowed: tuple[Any, ...] = ()
    """Every value that may be given (for `seats`: every seat that may be among them)."""
    barred: Mapping[Any, str] = field(default_factory=dict)
    """Values that exist but may not be given now -> the reason (`refused.<reason>` in the script)."""
    warned: Mapping[Any, str] = field(default_factory=dict)
    """Values with a surprising effect -> the warning (`warning.<key>` in the script)."""
    least: int = 1
    most: int = 1
    optional: bool = True
    """Whether none may be given."""


@value
class Prompt:
    """What is asked now."""

    kind: str
    """`begin identify choose show idle react last_words elect speech talk vote over`"""
    call: Call | None = None
    roles: tuple[str, ...] = ()
    """The roles that are awake, or whose choice it is."""
    awake: tuple[int, ...] = ()
    """Seats whose eyes should be open."""
    fields: tuple[Field, ...] = ()
    answer: Any = None
    """`show`: what is shown."""
    seat: int | None = None
    """`react`, `last_words`, `speech`: whose turn it is."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """`identify`: role -> how many must be named."""
    candidates: tuple[int, ...] = ()
    """`vote`: in calling order."""
    votes: Mapping[int, int] = field(default_factory=dict)
    """`vote`: seat -> its votes."""
    barred_votes: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """`vote`: seat -> candidates for whom it may not vote; seats that may vote for all are left out."""
    claim: bool = False
    """By day: whether a claim is to be recorded (`claim`)."""
