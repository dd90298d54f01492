"""What stands in a journal: the shape of its lines, and what a list of records amounts to.

A journal is a text file (UTF-8) of one JSON object a line, each line ended by a line feed:

- the header: `{"journal": 1, "game": ID, "created": ISO TIME, "ruleset": {...}, "setup": {...}}`;
- records, each with its number `n` (1, 2, 3, ... without a gap), of two kinds:
  `{"n": N, "command": {...}, "events": [{...}, ...]}`: a command was accepted, and these events came of it;
  `{"n": N, "undo": K}`: of the command records effective until now only the first K stay effective (0 = the deal).

Undo records are counted in `n` but are never effective themselves, so an undone command cannot come back: what follows
an undo goes on from the K records kept. Keys not named here are kept and ignored; the table adds `"heard"`, `"auto"`
and `"took"` (the step for which a tap was awaited, and how many seconds: a resumed game keeps its pace).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

VERSION = 1

KIND_NAMES = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}

HEADER_KEYS: dict[str, type] = {"game": str, "created": str, "ruleset": dict, "setup": dict}

GAME_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""What a game may be called, since its file has the same name."""

Record = Mapping[str, Any]


@dataclass(frozen=True)
class JournalContent:
    """What could be read of a journal."""

    header: dict[str, Any] | None
    """The first line; None if not even that is sound."""
    records: tuple[dict[str, Any], ...]
    """The sound records, in order, up to the first fault."""
    torn: str | None = None
    """If the last line was never finished: a sentence that says so. It was not confirmed to anybody."""
    damage: str | None = None
    """If a finished line is not what was written: `file:line: what`. Nothing after it was read."""
    sound_bytes: int = 0
    """Length of the part of the file that is sound."""


def encode(document: Mapping[str, Any]) -> bytes:
    """One line of a journal. Raises TypeError or ValueError if the document cannot be written as JSON."""
    try:
        text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8") + b"\n"
    except UnicodeEncodeError:  # half a surrogate pair, as a broken phone keyboard may send it
        return json.dumps(document, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


def decode(line: bytes) -> dict[str, Any] | str:
    """The object on one line, or what is wrong with it."""
    try:
        document = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return f"must be a JSON object; got {shortened(line)}"
    return document if isinstance(document, dict) else f"must be a JSON object; got {shortened(line)}"


def header_fault(header: Mapping[str, Any]) -> str | None:
    """What is wrong with a header, or None."""
    version = header.get("journal")
    if type(version) is not int or version < 1:
        return f'must be a journal\'s header, with "journal": {VERSION}; got "journal": {version!r}'
    if version > VERSION:
        return f"was written by a newer Narrator; this one reads journals up to version {VERSION}; got {version}"
    faults = [fault for key, kind in HEADER_KEYS.items() if (fault := kind_fault(header, key, kind))]
    if not faults and not GAME_ID.fullmatch(header["game"]):
        faults = [f'"game" must consist of letters, digits, ".", "_" and "-"; got {header["game"]!r}']
    return faults[0] if faults else None


def record_fault(record: Mapping[str, Any], n: int, effective_before: int) -> str | None:
    """What is wrong with a record that should have the number `n`, or None."""
    number = record.get("n")
    if type(number) is not int or number != n:
        return f'the record must have "n": {n}; got {number!r}'
    if ("command" in record) == ("undo" in record):
        return 'the record must have either "command" or "undo"; got ' + ", ".join(sorted(record))
    if "undo" in record:
        return undo_fault(record["undo"], effective_before)
    return kind_fault(record, "command", dict) or kind_fault(record, "events", list) or events_fault(record["events"])


def undo_fault(keep: object, effective_before: int) -> str | None:
    if type(keep) is int and 0 <= keep <= effective_before:
        return None
    return f'"undo" must be a whole number from 0 to {effective_before}; got {keep!r}'


def events_fault(events: list[object]) -> str | None:
    stray = [event for event in events if not isinstance(event, dict)]
    return f'"events" must be a list of objects; it holds {stray[0]!r}' if stray else None


def kind_fault(document: Mapping[str, Any], key: str, kind: type) -> str | None:
    if key in document and type(document[key]) is kind:
        return None
    return f'"{key}" must be {KIND_NAMES[kind]}; got {shortened(repr(document.get(key)).encode())}'


def shortened(line: bytes) -> str:
    text = line.decode("utf-8", errors="replace")
    return repr(text if len(text) <= 40 else text[:40] + "...")


def effective(records: Iterable[Record]) -> list[Record]:
    """The command records that count after all undos, in order; records must be sound."""
    kept: list[Record] = []
    for record in records:
        if "undo" in record:
            del kept[record["undo"] :]
        else:
            kept.append(record)
    return kept
