"""What can be said against a ruleset, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass

Where = tuple[str | int, ...]


@dataclass(frozen=True)
class Problem:
    """A problem and the path of keys where it stands."""

    path: Where
    what: str
    mild: bool = False
    """A warning: it can be played like this, but is perhaps not what was meant."""


@dataclass(frozen=True)
class Script:
    """What the narrator's scripts have words for."""

    languages: tuple[str, ...]
    keys: frozenset[str]
    """The keys that every script has; those of calls are `calls.STEP.open` and so on."""
