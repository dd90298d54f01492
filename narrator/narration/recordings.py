"""Under which name a group keeps its own recording of a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.narration.keys import KEYS
from narrator.narration.lines import Line

NAMELESS = ("tally",)
"""Parameters with too many values to have recordings."""


def recording_name(line: Line) -> str:
    """The key, and the parameters behind hyphens: `night.falls`, `speech.next-5`, `role.revealed-5-killer`.

    Lists of seats are joined by hyphens; cards are called `card5`. Empty for lines that cannot be recorded as a whole.
    """
    if line.key not in KEYS or any(name in line.params for name in NAMELESS):
        return ""
    if line.key.startswith("calls."):
        number = line.params.get("number")
        return f"{line.key}-{number}" if number else line.key
    names = sorted(name for name in KEYS[line.key].params - {"count"} if name in line.params)
    return "-".join([line.key, *(_word(name, line.params) for name in names)])


def _word(name: str, params: Mapping[str, Any]) -> str:
    value = params[name]
    many = value if isinstance(value, list | tuple) else [value]
    card = "card" if name in ("place", "places") and params.get("cards") else ""
    return "-".join(f"{card}{one}" for one in many)
