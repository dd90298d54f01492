"""One ruleset seen from another: how its names are said there, and a role on its way from the one into the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from narrator.loading.files.yaml_lines import Document

LISTS = ("none_alive", "any_alive", "only_alive", "as_many_as_others", "bound_mixed")
"""Conditions that speak of roles."""


@dataclass(frozen=True)
class Group:
    """Those who kill at night for the other side."""

    step: str
    doers: tuple[str, ...]
    """The roles in whose names they hit: the first that wakes, and the first of those who act instead."""
    members: tuple[str, ...]
    """The roles that wake for it."""
    camp: str


class Edition:
    """A completed ruleset document, looked at by its parts."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.id: str = document["id"]
        self.roles: dict[str, Document] = document["roles"]
        self.night: list[Document] = document["night"]
        self.citizen: str = document["citizen"]

    @property
    def kind(self) -> tuple[str, str]:
        """What two rulesets must have in common for a role of one to play in the other."""
        return self.document.get("hand", {}).get("kind", "single"), self.document.get("settling", "standard")

    def lends_to(self, other: Edition) -> bool:
        """Whether its roles can play there: such hands, such nights (extra roles, without a citizen: any nights)."""
        return self.kind == other.kind or (not self.citizen and self.kind[0] == other.kind[0])

    def step(self, step_id: str | None) -> Document | None:
        """The step of that id, if there is one."""
        return next((step for step in self.night if step["step"] == step_id), None)

    def camp(self, role: str) -> str:
        """The camp of a role; '' if there is no such role."""
        return str(self.roles.get(role, {}).get("camp", ""))

    @property
    def killing(self) -> Group | None:
        """The group that kills every night."""
        ours = self.camp(self.citizen)
        for step in self.night:
            given, awake = step.get("with", {}), wakes(step)
            if step["ability"] != "hit" or {"once", "only"} & given.keys() or not awake:
                continue
            if self.camp(awake[0]) not in (ours, ""):
                instead = step.get("instead", {}).get("wakes", [])[:1]
                return Group(step["step"], (awake[0], *instead), tuple(awake), self.camp(awake[0]))
        return None


def wakes(step: Mapping[str, Any]) -> list[str]:
    """The roles that a step wakes to act."""
    awake = step.get("wakes")
    return [step["step"]] if awake is None else list(awake)


class Fit:
    """The words of `source` in `target`, where the roles `known` play."""

    def __init__(self, source: Edition, target: Edition, known: Collection[str]) -> None:
        self.source, self.target, self.known = source, target, known

    def doers(self, roles: Iterable[str]) -> list[str]:
        """Roles as those who do something (whose hits …); who does not play here is left out."""
        group = self.target.killing
        return self._said(roles, group.doers if group else ())

    def members(self, roles: Iterable[str]) -> list[str]:
        """Roles as those to whom something is done (who shows as …); who does not play here is left out."""
        group = self.target.killing
        return self._said(roles, group.members if group else ())

    def _said(self, roles: Iterable[str], killing: tuple[str, ...]) -> list[str]:
        return list(dict.fromkeys(name for role in roles for name in self._names(role, killing)))

    def _names(self, role: str, killing: tuple[str, ...]) -> Iterator[str]:
        group = self.source.killing
        if group and role in group.members and (role == group.members[0] or role not in self.known):
            yield from killing
        if role in self.known or role not in self.source.roles:
            yield role
        elif role == self.source.citizen:
            yield self.target.citizen

    def step(self, step_id: str) -> str | None:
        """The step here that is that step there: the one of its name, or that of those who kill; None if none."""
        if self.target.step(step_id):
            return step_id
        group, ours = self.source.killing, self.target.killing
        return ours.step if group and ours and group.step == step_id else None

    def step_like(self, step_id: str) -> str | None:
        """The same, or else the only step here that does what that step does there."""
        found, there = self.step(step_id), self.source.step(step_id)
        alike = [step["step"] for step in self.target.night if there and step["ability"] == there["ability"]]
        return found or (alike[0] if len(alike) == 1 else None)

    def camp(self, camp: str) -> str:
        """The camp that is here what `camp` is there."""
        if self.source.killing and self.target.killing and camp == self.source.killing.camp:
            return self.target.killing.camp
        if camp == self.source.camp(self.source.citizen):
            return self.target.camp(self.target.citizen)
        return camp

    def condition(self, when: Document) -> Document | bool:
        """A condition in the roles that play here; True or False where it is so whatever happens."""
        kind, value = next(iter(when.items()))
        if kind in ("all", "any", "not"):
            return _joined(kind, [self.condition(one) for one in value])
        if kind == "alive_is":
            return {kind: {**value, "roles": self.members(value["roles"])}}
        if kind not in LISTS:
            return dict(when)
        roles = self.killers() if kind == "bound_mixed" else self.members(value)
        return {kind: roles} if roles else kind == "none_alive"

    def killers(self) -> list[str]:
        """Everybody of the camp that kills, who plays here."""
        camp = self.target.killing.camp if self.target.killing else None
        return [role for role in self.target.roles if self.target.camp(role) == camp]


def _joined(kind: str, parts: list[Document | bool]) -> Document | bool:
    decisive = kind != "all"
    if any(part is decisive for part in parts):
        return kind == "any"
    open_parts = [part for part in parts if not isinstance(part, bool)]
    return {kind: open_parts} if open_parts else kind != "any"


def leaves(when: Any) -> Iterator[tuple[str, list[str]]]:
    """Every list of roles in a condition, with its kind: the very lists of the document."""
    for kind, value in when.items():
        if kind in ("all", "any", "not"):
            for part in value:
                yield from leaves(part)
        elif kind in LISTS:
            yield kind, value


class CannotAdd(ValueError):
    """A role that cannot be taken over: why, and what would be right."""


@dataclass
class Takeover:
    """Which role, from where, to where, and what it has brought so far."""

    item: Document
    """What its entry under `add` says."""
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
        return str(self.item["role"])

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
