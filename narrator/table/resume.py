"""Games that were interrupted and can be gone on with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from narrator.storage.journal import JournalContent, JournalError, effective, journals, read

MOST_OFFERED = 3


def interrupted(folder: Path) -> list[dict[str, Any]]:
    """The games that began after the last one that ended, the latest first, at most MOST_OFFERED.

    Each as `{"id", "created", "ruleset", "seats", "round", "phase", "problem"}`; `problem` is a sentence if the game
    cannot be gone on with, else None.
    """
    found: list[dict[str, Any]] = []
    for path in reversed(journals(folder)):
        told = described(path)
        if told is None or len(found) == MOST_OFFERED:
            break
        found.append(told)
    return found


def described(path: Path) -> dict[str, Any] | None:
    """What can be told of an interrupted game; None if it has ended."""
    try:
        content = read(path)
    except JournalError as fault:
        return _entry(path, {}, [], str(fault))
    events = _events(content)
    if any(event.get("kind") == "game_ended" for event in events):
        return None
    problem = content.damage or (None if content.header else content.torn)
    return _entry(path, content.header or {}, events, problem)


def _events(content: JournalContent) -> list[dict[str, Any]]:
    return [event for record in effective(content.records) for event in record["events"]]


def _entry(path: Path, header: dict[str, Any], events: list[dict[str, Any]], problem: str | None) -> dict[str, Any]:
    nights = [event for event in events if event.get("kind") == "night_fell"]
    last: dict[str, Any] = next(
        (event for event in reversed(events) if event.get("kind") in ("night_fell", "dawned")), {}
    )
    return {
        "id": path.stem,
        "created": header.get("created", ""),
        "ruleset": header.get("ruleset", {}).get("id", ""),
        "seats": header.get("setup", {}).get("seats"),
        "round": nights[-1].get("round", 0) if nights else 0,
        "phase": "day" if last.get("kind") == "dawned" else "night",
        "problem": problem,
    }
