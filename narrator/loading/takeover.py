"""One role on its way from one ruleset into another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from narrator.loading.fitting import Document, Edition, Fit, wakes
from narrator.loading.schema import AddedFile

STEPS = ("hit_in", "news_of")
"""Parameters that name a step."""
TARGETS = ("positive", "only", "must_take")
"""Parameters that name roles to whom something is done."""
DOERS = ("saves_from",)
"""Parameters that name roles who do something."""


class CannotAdd(ValueError):
    """A role that cannot be taken over: why, and what would be right."""


@dataclass
class Takeover:
    """Which role, from where, to where, and what it has brought so far."""

    item: AddedFile
    index: int
    """Its place among the roles that are added."""
    source: Edition
    target: Edition
    fit: Fit
    origins: list[int | None]
    """For each step of the target's night: the index of the added role that it came with, or None."""
    notes: list[str] = field(default_factory=list)
    """What it has brought, in words."""

    @property
    def role(self) -> str:
        """The role."""
        return self.item.role

    def note(self, text: str) -> None:
        """Write down what it has brought."""
        self.notes.append(text)

    def owns(self, step: Document) -> bool:
        """Whether a step is the role's own: of its name, called for it, or what its own brings with it."""
        if step.get("with", {}).get("bound"):
            return any(other["ability"] == "bind" and self.owns(other) for other in self.source.night)
        return step["step"] == self.role or wakes(step)[:1] == [self.role]

    def bar(self, bar: Document) -> Document | None:
        """A bar in the words of the target; None if nothing is left of it."""
        roles, when = [role for role in bar["roles"] if role in self.target.roles], self.fit.condition(bar["when"])
        return {**bar, "roles": roles, "when": when} if roles and not isinstance(when, bool) else None


def listed(words: Any) -> str:
    """`killer, vote`."""
    return words if isinstance(words, str) else ", ".join(map(str, words))
