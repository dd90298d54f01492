"""`narrator games` and `narrator replay`: what lies in the data folder, and the story of one game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from narrator.cli.words import language, language_of
from narrator.loading.files.event_records import RecordProblem, event_from_json, setup_from_json
from narrator.model.events import Event
from narrator.narration.story import StoryLine, story
from narrator.storage.folders import StorageError, user_folders
from narrator.storage.journal import SUFFIX, JournalContent, JournalError, effective, journals, read_journal
from narrator.storage.settings import load_settings

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
    for line in aligned([HEADINGS, *(game.columns for game in listed)]):
        click.echo(line)
    for game in listed:
        if game.fault:
            click.echo(game.fault, err=True)


@click.command()
@click.argument("game", metavar="GAME|FILE")
@click.option(
    "--language",
    "-l",
    type=language,
    help="Of the story (zh-Hans, zh-Hant, es, en); by default the last game's.",
)
def replay(game: str, language: str | None) -> None:
    """Tell the story of a game, secrets included, as far as its file is sound."""
    try:
        folders = user_folders()
        path = journal_of(game, folders.games)
        content = read_journal(path)
        spoken = chosen_language(language, folders.home)
    except StorageError as error:
        raise click.ClickException(str(error)) from error
    fault = content.damage or content.torn
    if content.header is None:
        raise click.ClickException(fault or f"{path}: there is no game in it")
    try:
        setup = setup_from_json(content.header["setup"], content.header["ruleset"])
    except ValueError as error:
        raise click.ClickException(f"{path}:1: {error}") from error
    events, meaningless = sound_events(content, path)
    for line in story_text(story(setup, events, spoken, names_by_seat(content.header))):
        click.echo(line)
    if fault := meaningless or fault:
        raise click.ClickException(f"the story ends here, because the rest cannot be read: {fault}")


def journal_of(game: str, folder: Path) -> Path:
    """The journal of a game's id, or the file itself. Raises ClickException if there is neither."""
    named = folder / f"{game.removesuffix(SUFFIX)}{SUFFIX}"
    for path in (Path(game), named):
        if path.is_file():
            return path
    raise click.ClickException(f"there is no such game; see 'narrator games'; got {game}")


def chosen_language(language: str | None, home: Path) -> str:
    """The language asked for, or else that of the last game. Raises ClickException if there is no script for it."""
    try:
        return language or language_of(load_settings(home)[0].languages[0])
    except ValueError as fault:
        raise click.ClickException(str(fault)) from fault


def sound_events(content: JournalContent, path: Path) -> tuple[list[Event], str | None]:
    """The events that count, up to the first that this program does not understand, and what is wrong with that one."""
    events: list[Event] = []
    for record in effective(content.records):
        try:
            events += [event_from_json(event) for event in record["events"]]
        except RecordProblem as problem:
            return events, f"{path}:{record['n'] + 1}: {problem}"
    return events, None


def names_by_seat(header: dict[str, Any]) -> dict[int, str]:
    """Seat -> name, of those that have one."""
    found = header.get("names")
    names = found if isinstance(found, list) else []
    return {seat: str(name) for seat, name in enumerate(names, 1) if name}


def story_text(lines: list[StoryLine]) -> Iterator[str]:
    """The story as text: headings at the margin, an empty line before each but the first."""
    for number, line in enumerate(lines):
        if line.kind == "heading":
            yield from [""] * (number > 0)
            yield line.text
        else:
            yield f"  {line.text}"


def listing(path: Path) -> Listed:
    """What can be told of the journal, however little of it is sound."""
    try:
        content = read_journal(path)
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


def aligned(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """The rows as lines, every column as wide as its longest entry."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
