"""What a role that is taken over brings with it: its card, its own calls at night, the options these refer to."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Mapping
from typing import Any

from narrator.loading.files.ability_params import kinds_named
from narrator.loading.files.problem import did_you_mean, ranges
from narrator.loading.files.yaml_lines import Document
from narrator.loading.house.editions import CannotAdd, Takeover, listed, wakes
from narrator.model.ruleset import Count, count_table

OWN = ("name", "task", "on_death", "immune")
"""What may be said of a role that is added, instead of what its ruleset says."""


def card(taken: Takeover) -> None:
    """Put its card into the deck."""
    role = copy.deepcopy(taken.source.roles[taken.role])
    role["camp"] = _camp(taken, role["camp"])
    role["immune"] = [
        {**one, "against": against} for one in role.get("immune", []) if (against := taken.fit.doers(one["against"]))
    ]
    if "on_death" in role:
        role["on_death"] = _on_death(taken, role["on_death"])
    given = {key: taken.item[key] for key in OWN if key in taken.item}
    role |= {"count": _count(taken), **given}
    taken.target.roles[taken.role] = {key: value for key, value in role.items() if value != []}
    _note_card(taken, taken.target.roles[taken.role])


def _camp(taken: Takeover, camp: str) -> str:
    fitted = taken.item.get("camp") or taken.fit.camp(camp)
    winners = dict.fromkeys(ending["winner"] for ending in taken.target.document["endings"])
    if fitted not in winners:
        known = ", ".join(winners)
        raise CannotAdd(
            f"{taken.role!r} is of the camp {fitted!r}, which cannot win here; give `camp:`, one of: {known}"
        )
    return fitted


def _on_death(taken: Takeover, source: Document) -> Document:
    fitted = {key: taken.fit.doers(value) if isinstance(value, list) else value for key, value in source.items()}
    return {key: value for key, value in fitted.items() if value != []}


def _count(taken: Takeover) -> Count:
    """One card, wherever that leaves a plain one; or as wished."""
    wished: Count | None = taken.item.get("count")
    if wished is not None:
        return wished
    fewest, most = taken.target.document["seats"]
    fits = [seats for seats in range(fewest, most + 1) if plain_cards(taken.target.document, seats) > 1]
    if len(fits) == most - fewest + 1:
        return 1
    others = [seats for seats in range(fewest, most + 1) if seats not in fits]
    return dict.fromkeys(_runs(others), 0) | dict.fromkeys(_runs(fits), 1)


def plain_cards(found: Document, seats: int) -> int:
    """How many plain cards a table of so many seats has."""
    hand = found.get("hand", {})
    cards: int = seats * hand.get("cards", 1) + hand.get("spare", 0)
    for role in found["roles"].values():
        with contextlib.suppress(ValueError):
            table = count_table(role.get("count"))
            cards -= next((count for low, high, count in table if low <= seats <= high), 0)
    return cards


def _runs(seats: list[int]) -> list[str]:
    return ranges(seats).split(", ") if seats else []


def _note_card(taken: Takeover, role: Document) -> None:
    place = f"for camp {role['camp']}, in place of {taken.target.citizen}"
    taken.note(f"{taken.role}, from {taken.source.id}: {_cards(role['count'])} {place}")
    if "on_death" in role:
        causes = role["on_death"].get("killed_by")
        taken.note(f"may take one along when it dies{f' by {listed(causes)}' if causes else ''}")
    for immunity in role.get("immune", []):
        unspent = " while its power is unspent" if immunity.get("while_unspent") else ""
        taken.note(f"cannot be killed by {listed(immunity['against'])}{unspent}")


def _cards(count: Count) -> str:
    if isinstance(count, int):
        return f"{count} card{'' if count == 1 else 's'}"
    dealt = [f"{_cards(number)} at {seats}" for seats, number in count.items() if number]
    return f"{', '.join(dealt)} seats" if dealt else "no card, as no plain one would be left,"


def call(taken: Takeover, source: Document) -> None:
    """Put one of its own steps into the night. Raises CannotAdd if it has no place or no sense here."""
    if taken.target.step(source["step"]):
        raise CannotAdd(f"a step {source['step']!r} is in this night already; rename it, or leave {taken.role} out")
    if source["ability"] == "take_card" and not taken.target.document.get("hand", {}).get("spare"):
        raise CannotAdd(f"no cards are left over for {taken.role!r} to see; give `hand: {{spare: 2}}` before adding it")
    step = _peopled(taken, source)
    step["with"] = _params(taken, step)
    if taken.item.get("lines") is not None:
        step["lines"] = taken.item["lines"]
    if step.get("when"):
        bring_options(taken, step["when"])
    place = max(_place(taken, source), _earliest(taken, step))
    taken.target.night.insert(place, {key: value for key, value in step.items() if value != {}})
    taken.origins.insert(place, taken.index)
    _note_call(taken, step, place)


def _peopled(taken: Takeover, source: Document) -> Document:
    """A copy of a step that wakes only who plays here."""
    step = copy.deepcopy(source)
    groups = [(step, key) for key in ("wakes", "anywhere", "joins") if key in step]
    groups += [(step["instead"], "wakes")] if "instead" in step else []
    for group, key in groups:
        group[key] = [role for role in group[key] if role in taken.target.roles]
    if "instead" in step and not step["instead"]["wakes"]:
        del step["instead"]
    return step


def _note_call(taken: Takeover, step: Document, place: int) -> None:
    night = {"first": " (first night only)", "later": " (from the second night on)"}.get(step.get("nights", ""), "")
    where = f"after {taken.target.night[place - 1]['step']}" if place else "first of all"
    taken.note(f"called as {step['step']}{night} {where}")


def _params(taken: Takeover, step: Document) -> Document:
    given: Document = dict(step.get("with", {}))
    own: Document = {} if step["ability"] == "meet" else taken.item.get("with", {})
    fitted = {key: _param(taken, step, key, value) for key, value in given.items() if key not in own}
    return {key: value for key, value in fitted.items() if value is not None} | own


def _param(taken: Takeover, step: Document, key: str, value: Any) -> Any:
    """A parameter in the words of this ruleset; None where nothing is left of it."""
    if isinstance(value, dict) and set(value) == {"option"}:
        bring_options(taken, value)
    kinds = kinds_named(step["ability"], key)
    if "earlier step" in kinds:
        return taken.fit.step_like(value) or _lost(taken, step, key, value)
    if "role" in kinds and isinstance(value, list):
        return taken.fit.members(value) or _lost(taken, step, key, value)
    if "doer" in kinds:
        return taken.fit.doers(value) or _lost(taken, step, key, value)
    if key == "bars":
        return [bar for one in value if (bar := taken.bar(one))] or None
    return copy.deepcopy(value)


def _lost(taken: Takeover, step: Document, key: str, value: Any) -> Any:
    raise CannotAdd(
        f"the step {step['step']!r} of {taken.source.id} goes by {key}: {listed(value)}, which has nobody like it "
        f"here; give `with: {{{key}: …}}` with {'roles' if isinstance(value, list) else 'a step'} of this ruleset"
    )


def _place(taken: Takeover, source: Document) -> int:
    """Where in the night: as wished, else next to the step to which it stands did_you_mean in its own ruleset."""
    here = [step["step"] for step in taken.target.night]
    if taken.item.get("after") is not None:
        return _after(taken, taken.item["after"], here)
    order = [taken.fit.step(step["step"]) if step is not source else None for step in taken.source.night]
    at = taken.source.night.index(source)
    before = next((step for step in reversed(order[:at]) if step in here), None)
    after = next((step for step in order[at:] if step in here), None)
    killing = taken.target.killing
    if before is None and killing and taken.source.killing and taken.source.killing.step == source["step"]:
        before = killing.step
    if before is not None:
        return here.index(before) + 1
    if source.get("nights") == "first":
        return next(
            (index for index, step in enumerate(taken.target.night) if step.get("nights") != "first"), len(here)
        )
    return here.index(after) if after is not None else len(here)


def _earliest(taken: Takeover, step: Document) -> int:
    """After every step of which it hears."""
    here = [one["step"] for one in taken.target.night]
    heard = [value for key, value in step["with"].items() if "earlier step" in kinds_named(step["ability"], key)]
    return max((here.index(earlier) + 1 for earlier in heard if earlier in here), default=0)


def _after(taken: Takeover, step: str, here: list[str]) -> int:
    if step not in here:
        known = f"{did_you_mean(step, here)}; there are: {', '.join(here)}"
        raise CannotAdd(f"there is no step {step!r} to come after{known}")
    return here.index(step) + 1 + taken.origins.count(taken.index)


def bring_options(taken: Takeover, value: Mapping[str, Any]) -> None:
    """Take over the options that a value refers to."""
    options = taken.target.document["options"]
    for key, inner in value.items():
        if key == "option" and inner not in options:
            options[inner] = copy.deepcopy(taken.source.document["options"][inner])
            taken.note(f"brings the option {inner}")
        for one in inner if isinstance(inner, list) else [inner]:
            if isinstance(one, Mapping):
                bring_options(taken, one)


def nobody_calls(taken: Takeover) -> CannotAdd:
    """Why a role that acts only in the calls of others cannot be added where these are not called."""
    calls = [step["step"] for step in taken.source.night if taken.role in _named(step) and step["ability"] != "meet"]
    return CannotAdd(
        f"{taken.role!r} acts in the call of {listed(calls)} of {taken.source.id}, which is not called here; "
        "add that role first"
    )


def _named(step: Mapping[str, Any]) -> list[str]:
    instead = step.get("instead", {}).get("wakes", [])
    return [*wakes(step), *step.get("anywhere", []), *step.get("joins", []), *instead]
