"""What is said when something is undone that the table has heard: a short line without a secret, then the prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from narrator.narration.lines import Line
from narrator.table.items import Form

OPENING: Mapping[str, tuple[str, ...]] = {
    "night": ("call_opened",),
    "elect": ("election_called",),
    "last_words": ("last_words_began", "turn_passed"),
    "speech": ("day_began", "tied", "turn_passed"),
    "talk": ("day_began",),
    "vote": ("vote_called",),
}
"""Stage -> the kinds of form that bring its prompts before the table."""


def correction(heard: Mapping[str, Any], true: Mapping[str, Any], undone: Sequence[Form]) -> Line:
    """The line for going back from what was heard to what is true; `undone` are the public forms that fall away."""
    return Line(f"correction.{_which(heard, true, {form['kind'] for form in undone})}", pause_after="call")


def _which(heard: Mapping[str, Any], true: Mapping[str, Any], undone: set[str]) -> str:
    if true["stage"] == "dealt":
        return "deal"
    if heard["stage"] == "over":
        return "over" if true["phase"] == "day" else "to_night"
    was, now = heard["phase"], true["phase"]
    if now == "night":
        return "to_night" if was == "day" else "eyes_closed" if heard["call"] else "night"
    if was == "night":
        return "to_day"
    if "voted" in undone:
        return "vote"
    return "deaths" if "died" in undone else "day"


def opening(stage: str, forms: Sequence[tuple[int, Form]]) -> int:
    """Where, among all public forms, those begin that brought the present prompt before the table."""
    kinds = OPENING.get(stage, ())
    return max((place for place, (_, form) in enumerate(forms) if form["kind"] in kinds), default=len(forms))
