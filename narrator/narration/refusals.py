"""Why something cannot be done, in the judge's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.model.ruleset import Ruleset
from narrator.narration.keys import KEYS
from narrator.narration.lines import role_name
from narrator.narration.scripts import Names, Script


def refusal(
    script: Script,
    reason: str,
    values: Mapping[str, Any] | None = None,
    ruleset: Ruleset | None = None,
    names: Names | None = None,
) -> str:
    """The sentence for a `Refused` reason and its values, or for the reason of a barred value, which has none.

    A reason that no script knows, or one that comes without the values its sentence needs, becomes a general sentence.
    """
    key, given = f"refused.{reason}", values or {}
    if key not in KEYS or not KEYS[key].needs <= given.keys():
        return script.render("refused.other")
    worded = {name: value for name, value in given.items() if name in KEYS[key].params}
    if ruleset is not None and "role" in worded:
        worded["role"] = role_name(str(worded["role"]), script, ruleset)
    return script.render(key, names, **worded)


def warning(script: Script, key: str) -> str:
    """The sentence for the warning of a value with a surprising effect."""
    return script.render(f"warning.{key}")
