"""Roles taken over from one ruleset into another: the card, its call at night, its options, its part in the endings."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from narrator.loading.files.problem import did_you_mean
from narrator.loading.files.yaml_lines import Document
from narrator.loading.house import own_part, shared_part
from narrator.loading.house.editions import CannotAdd, Edition, Fit, Takeover

__all__ = ["CannotAdd", "Expanded", "expand", "source_of"]

Library = Mapping[str, Document]
"""Ruleset id -> completed document."""


@dataclass
class Expanded:
    """A document with the roles of its `add` in their places."""

    document: Document
    origins: list[int | None] = field(default_factory=list)
    """For each step of the night: the index of the added role that it came with, or None."""
    notes: dict[int, list[str]] = field(default_factory=dict)
    """Index of each added role -> what it has brought, in words."""
    problems: list[tuple[int, str]] = field(default_factory=list)
    """(index of the added role, why it cannot be added)."""


def expand(document: Document, items: Sequence[Document], library: Library) -> Expanded:
    """The document with roles taken over from the rulesets of `library`; those that are called last come last."""
    found = Expanded(copy.deepcopy({key: value for key, value in document.items() if key != "add"}))
    found.origins = [None] * len(found.document["night"])
    known = {*document["roles"], *(item["role"] for item in items)}
    for index, item in sorted(enumerate(items), key=lambda pair: pair[1]["role"] in library):
        try:
            found.notes[index] = _take_over(found, index, item, library, known)
        except CannotAdd as why:
            found.problems.append((index, str(why)))
    return found


def _take_over(found: Expanded, index: int, item: Document, library: Library, known: Collection[str]) -> list[str]:
    """Change the document; what has changed, in words."""
    target = Edition(found.document)
    role = item["role"]
    if role in target.roles:
        raise CannotAdd(f"the role {role!r} is in this ruleset already; change its count under `roles`")
    source = source_of(role, target, library, item.get("from"))
    taken = Takeover(item, index, source, target, Fit(source, target, known), found.origins)
    own_part.card(taken)
    owned = [step for step in source.night if taken.owns(step)]
    for step in owned:
        own_part.call(taken, step)
    joined = [step for step in source.night if not taken.owns(step) and shared_part.join_call(taken, step)]
    if not owned and all(step["ability"] == "meet" for step in joined):
        raise own_part.nobody_calls(taken)
    shared_part.take(taken)
    return taken.notes


def source_of(role: str, target: Edition, library: Library, wished: str | None = None) -> Edition:
    """The ruleset from which a role is taken: the one wished for, else the one with the fewest roles besides.

    Raises CannotAdd if there is none.
    """
    if wished is not None and wished not in library:
        known = f"{did_you_mean(wished, library)}; there are: {', '.join(library)}"
        raise CannotAdd(f"there is no ruleset {wished!r}{known}")
    chosen = [wished] if wished is not None else list(library)
    having = [one for name in chosen if role in (one := Edition(library[name])).roles and role != one.citizen]
    if not having:
        raise CannotAdd(_nowhere(role, [library[name] for name in chosen], wished or "any shipped ruleset"))
    fitting = [one for one in having if one.lends_to(target)]
    if not fitting:
        there, here = (f"{cards} hands and {settling} nights" for cards, settling in (having[0].kind, target.kind))
        raise CannotAdd(f"{role!r} plays only in {having[0].id}, with {there}; add a role of a game with {here}")
    return min(fitting, key=lambda one: (len(one.roles), one.id))


def _nowhere(role: str, books: Iterable[Document], where: str) -> str:
    roles = sorted({name for book in books for name in book["roles"] if name != book["citizen"]})
    return (
        f"there is no role {role!r} to be taken from {where}{did_you_mean(role, roles)}; there are: {', '.join(roles)}"
    )
