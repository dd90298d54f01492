"""What a ruleset file may leave out because it is usual: names, texts, options that every edition has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.loading.files.yaml_lines import Document

USUAL_OPTIONS = ("call_dead_roles", "no_death_skips_day")
"""Options that every ruleset has."""


def complete(data: Mapping[str, Any], common: Mapping[str, Any]) -> Document:
    """The document with usual names and texts filled in where it gives none of its own."""
    found = dict(data)
    found["roles"] = _roles(data.get("roles"), common["roles"])
    found["options"] = _options(data.get("options"), common["options"])
    found["camps"] = _camps(found, common["camps"])
    return found


def _roles(given: Any, usual: Mapping[str, Any]) -> Any:
    if not isinstance(given, Mapping):
        return given
    return {
        role_id: {**usual.get(role_id, {}), **role} if isinstance(role, Mapping) else role
        for role_id, role in given.items()
    }


def _options(given: Any, usual: Mapping[str, Any]) -> Any:
    if given is not None and not isinstance(given, Mapping):
        return given
    named = {name: usual[name]["default"] for name in USUAL_OPTIONS} | dict(given or {})
    return {
        name: {**usual[name], "default": value} if name in usual and not isinstance(value, Mapping) else value
        for name, value in named.items()
    }


def _camps(found: Document, usual: Mapping[str, Any]) -> Any:
    given = found.get("camps")
    if given is not None and not isinstance(given, Mapping):
        return given
    roles = found["roles"].values() if isinstance(found["roles"], Mapping) else ()
    needed = dict.fromkeys(str(role.get("camp")) for role in roles if isinstance(role, Mapping))
    return {camp: usual[camp] for camp in needed if camp in usual} | dict(given or {})
