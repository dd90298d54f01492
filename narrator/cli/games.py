"""`narrator games`: what lies in the data folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from narrator.storage.folders import user_folders
from narrator.storage.journal import JournalContent, JournalError, effective, journals, read
from narrator.storage.problems import StorageError

HEADINGS = ("GAME", "BEGUN", "RULESET", "SEATS", "ROUND", "STATE")


@dataclass(frozen=True)
class Listed:
    """One game as the list shows it."""

    columns: tuple[str, str, str, str, str, str]
    """As in HEADINGS."""
    fault: str | None
    """What is wrong with its file, if anything."""


@click.command()
def games() -> None:
    """List the games in the data folder, the oldest first."""
    try:
        folder = user_folders().games
    except StorageError as error:
        raise click.ClickException(str(error)) from error
    listed = [listing(path) for path in journals(folder)]
    if not listed:
        click.echo(f"No games yet in {folder}")
        return
    for line in table([HEADINGS, *(game.columns for game in listed)]):
        click.echo(line)
    for game in listed:
        if game.fault:
            click.echo(game.fault, err=True)


def listing(path: Path) -> Listed:
    """What can be told of the journal, however little of it is sound."""
    try:
        content = read(path)
    except JournalError as error:
        return Listed((path.stem, "?", "?", "?", "?", "unreadable"), str(error))
    header = content.header or {}
    events = list(effective_events(content))
    return Listed(
        (
            path.stem,
            local_time(header.get("created", "")),
            str(header.get("ruleset", {}).get("id", "?")),
            str(header.get("setup", {}).get("seats", "?")),
            str(max((event["round"] for event in events if type(event.get("round")) is int), default=0)),
            state(content, events),
        ),
        content.damage or content.torn,
    )


def effective_events(content: JournalContent) -> Iterator[dict[str, Any]]:
    """The events of all commands that have not been undone."""
    for record in effective(content.records):
        yield from record["events"]


def state(content: JournalContent, events: list[dict[str, Any]]) -> str:
    """Whether the game is over, and who won; whether it can go on."""
    if content.damage or content.header is None:
        return "damaged"
    ended = next((event for event in reversed(events) if event.get("kind") == "game_ended"), None)
    return f"ended: {ended.get('winner', '?')}" if ended else "not ended"


def local_time(iso: str) -> str:
    """Date and time to the minute, on this machine's clock."""
    try:
        return datetime.fromisoformat(iso).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return "?"


def table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """The rows as lines, every column as wide as its longest entry."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
