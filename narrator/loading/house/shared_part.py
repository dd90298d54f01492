"""The part that a role takes, in its new ruleset, in what others do: their calls, lists, immunities and endings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from narrator.loading.files.ability_params import kinds_named
from narrator.loading.files.yaml_lines import Document
from narrator.loading.house.editions import Takeover, leaves, listed, wakes


def join_call(taken: Takeover, source: Document) -> bool:
    """Let it wake in the steps of others, as it does in its own ruleset; whether there was one."""
    where = [key for key in ("wakes", "anywhere", "joins") if taken.role in source.get(key, [])]
    instead = taken.role in source.get("instead", {}).get("wakes", [])
    step = _counterpart(taken, source)
    if step is None or not (where or instead):
        return False
    for key in where:
        step[key] = [*(wakes(step) if key == "wakes" else step.get(key, [])), taken.role]
        taken.note(f"{'opens its eyes' if key == 'joins' else 'wakes'} with {step['step']}")
    if instead:
        stand_in = step.setdefault("instead", {**source["instead"], "wakes": []})
        stand_in["wakes"] = [*stand_in["wakes"], taken.role]
        taken.note(f"wakes in the call of {step['step']} once nobody else is left to")
    return True


def _counterpart(taken: Takeover, source: Document) -> Document | None:
    """The step here that is that step there, and no other of its kind."""
    killing, ours = taken.source.killing, taken.target.killing
    if killing and ours and killing.step == source["step"]:
        return taken.target.step(ours.step)
    found = taken.target.step(source["step"])
    return found if found and found["ability"] == source["ability"] else None


def take(taken: Takeover) -> None:
    """Let it take part in the lists, immunities, endings and notices of the others."""
    for part in (_lists, _endings, _bound, _notices, _succession):
        part(taken)


def _lists(taken: Takeover) -> None:
    """Name it where those like it are named: who shows as a killer, who can be shot, whom nobody can kill."""
    for step in taken.target.night:
        there = next((one for one in taken.source.night if _counterpart(taken, one) is step), None)
        for key, named in step.get("with", {}).items():
            is_roles = isinstance(named, list) and kinds_named(step["ability"], key) & {"role", "doer"}
            if is_roles and taken.role not in named and _is_like(taken, step, key, there):
                step["with"] = {**step["with"], key: [*named, taken.role]}
        _bars(taken, step, there)
    for name, role in taken.target.roles.items():
        _immunities(taken, name, role)


def _is_like(taken: Takeover, step: Document, key: str, there: Document | None) -> bool:
    """Whether a list should name it: because its own ruleset does, or else because it is one of those who kill."""
    own = (there or {}).get("with", {}).get(key)
    if isinstance(own, list):
        return taken.role in own
    group, ours = taken.source.killing, taken.target.killing
    kills = (
        group is not None and ours is not None and taken.role in group.members and ours.members[0] in step["with"][key]
    )
    return kills and "role" in kinds_named(step["ability"], key)


def _bars(taken: Takeover, step: Document, there: Document | None) -> None:
    for one in (there or {}).get("with", {}).get("bars", []):
        if taken.role in one["roles"] and (bar := taken.bar(one)):
            params = step.get("with", {})
            step["with"] = {**params, "bars": [*params.get("bars", []), {**bar, "roles": [taken.role]}]}


def _immunities(taken: Takeover, name: str, role: Document) -> None:
    for immunity in taken.source.roles.get(name, {}).get("immune", []):
        if taken.role in immunity["against"] and not any(
            taken.role in one["against"] for one in role.get("immune", [])
        ):
            role["immune"] = [*role.get("immune", []), {**immunity, "against": [taken.role]}]
            taken.note(f"cannot kill {name}")


def _endings(taken: Takeover) -> None:
    """Count it in the endings next to those with whom it is counted in its own ruleset."""
    for there in taken.source.document["endings"]:
        for kind, roles in leaves(there["when"]):
            if taken.role in roles:
                _count_with(taken, taken.fit.camp(there["winner"]), kind, _neighbours(taken, roles))
    killers = taken.fit.killers()
    for ending in taken.target.document["endings"]:
        for kind, roles in leaves(ending["when"]):
            if kind == "bound_mixed" and taken.role in killers and taken.role not in roles:
                roles.append(taken.role)


def _neighbours(taken: Takeover, roles: Iterable[str]) -> set[str]:
    """Those with whom it is counted, in the words of this ruleset."""
    others = taken.fit.members(role for role in roles if role != taken.role)
    group, ours = taken.source.killing, taken.target.killing
    if not others and group and ours and taken.role in group.members:
        return set(ours.members)
    return set(others)


def _count_with(taken: Takeover, winner: str, kind: str, neighbours: set[str]) -> None:
    for ending in taken.target.document["endings"]:
        for here, roles in leaves(ending["when"]):
            if ending["winner"] == winner and here == kind and neighbours & set(roles) and taken.role not in roles:
                roles.append(taken.role)
                taken.note(f"counted in the ending of {winner}: {kind} {listed(roles)}")


def _bound(taken: Takeover) -> None:
    """With a pair that is bound together comes its own ending, and the others wait while it is mixed."""
    binds = any(step["ability"] == "bind" and taken.owns(step) for step in taken.source.night)
    if not binds or not taken.target.killing:
        return
    document, there = taken.target.document, taken.source.document
    mixed = {"bound_mixed": taken.fit.killers()}
    for ending in document["endings"]:
        ending["when"] = {"all": [ending["when"], {"not": [mixed]}]}
    for ending in there["endings"]:
        if "bound_alone" in _kinds(ending["when"]):
            winner, when = ending["winner"], taken.fit.condition(ending["when"])
            document["endings"].append({"winner": winner, "when": when})
            document["camps"].setdefault(winner, there["camps"].get(winner, {}))
            taken.note(f"camp {winner} wins if only the two live; while both do, mixed, nobody else wins")


def _notices(taken: Takeover) -> None:
    """Bring what is announced at nightfall on its account."""
    document = taken.target.document
    for notice in taken.source.document.get("notices", []):
        speaks = any(taken.role in roles for _, roles in leaves(notice["when"]))
        when = taken.fit.condition(notice["when"])
        known = [one["notice"] for one in document.get("notices", [])]
        if speaks and not isinstance(when, bool) and notice["notice"] not in known:
            document["notices"] = [*document.get("notices", []), {**notice, "when": when}]
            taken.note(f"announced at nightfall: {notice['notice']}")


def _succession(taken: Takeover) -> None:
    """Say who takes it up when its last card has died."""
    given = taken.source.document.get("succession")
    if given and given["role"] == taken.role and not taken.target.document.get("succession"):
        for heir in taken.fit.members([given["heir"]])[:1]:
            taken.target.document["succession"] = {"role": taken.role, "heir": heir}
            taken.note(f"when it dies, {heir} takes it up")


def _kinds(when: Mapping[str, Any]) -> Iterator[str]:
    for kind, value in when.items():
        yield kind
        for part in value if kind in ("all", "any", "not") else ():
            yield from _kinds(part)
