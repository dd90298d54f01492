"""The journal of a game on disk: append-only, every record on the platter before `append` returns.

A journal is a text file (UTF-8) of one JSON object a line, each line ended by a line feed:

- the header: `{"journal": 1, "game": ID, "created": ISO TIME, "ruleset": {...}, "setup": {...}, "crc": SUM}`;
- records, each with its number `n` (1, 2, 3, ... without a gap) and its checksum, of two kinds:
  `{"n": N, "command": {...}, "events": [{...}, ...]}`: a command was accepted, and these events came of it;
  `{"n": N, "undo": K}`: of the command records effective until now only the first K stay effective (0 = the deal).

Undo records are counted in `n` but are never effective themselves, so an undone command cannot come back: what follows
an undo goes on from the K records kept. Keys not named here are kept and ignored; the table adds `"heard"`, `"auto"`,
`"took"` (the step for which a tap was awaited, and how many seconds: a resumed game keeps its pace) and `"order"`
(which time it was that a game of this folder was put on a table: it tells what came last whatever the clock says).

`"crc"` ends its line: the CRC-32 (8 hex digits) of everything before it on that line. Journals of old have none; where
one line has it, or an order, so must every line after it.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import zlib
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from narrator.storage.folders import StorageError, keep_copy, reason, sync_folder

VERSION = 1

KIND_NAMES = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}

HEADER_KEYS: dict[str, type] = {"game": str, "created": str, "ruleset": dict, "setup": dict}

GAME_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""What a game may be called, since its file has the same name."""

JournalRecord = Mapping[str, Any]


class JournalError(StorageError):
    """A journal cannot be created, opened or written."""


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
    is_summed: bool = False
    """Whether its last sound line has a checksum, so that a line without one could not follow."""

    @property
    def order(self) -> int:
        """Which time it was that a game of its folder was put on a table; 0 in journals of old."""
        return max(map(order_of, [self.header or {}, *self.records[-1:]]))


def order_of(document: Mapping[str, Any]) -> int:
    """What a line says of that."""
    found = document.get("order")
    return found if type(found) is int else 0


def encoded(document: Mapping[str, Any]) -> bytes:
    """One line of a journal, its checksum in it. Raises TypeError or ValueError if it cannot be written as JSON."""
    try:
        text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair, as a broken phone keyboard may send it
        text = json.dumps(document, allow_nan=False, separators=(",", ":")).encode("ascii")
    return b'%b,"crc":"%08x"}\n' % (text[:-1], zlib.crc32(text[:-1]))


SUM = re.compile(rb',"crc":"([0-9a-f]{8})"}\r?$')


def sum_fault(line: bytes, document: Mapping[str, Any], is_needed: bool) -> str | None:
    """What is wrong with the checksum of a line, or None; `is_needed`: whether the line before has one."""
    found = SUM.search(line)
    if found is None:
        return "the checksum is missing" if is_needed or {"crc", "order"} & document.keys() else None
    return None if int(found[1], 16) == zlib.crc32(line[: found.start()]) else "the checksum does not fit the line"


def decoded(line: bytes) -> dict[str, Any] | str:
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


def effective(records: Iterable[JournalRecord]) -> list[JournalRecord]:
    """The command records that count after all undos, in order; records must be sound."""
    kept: list[JournalRecord] = []
    for record in records:
        if "undo" in record:
            del kept[record["undo"] :]
        else:
            kept.append(record)
    return kept


def is_end(record: JournalRecord) -> bool:
    """Whether the game ended with this record."""
    return any(event.get("kind") == "game_ended" for event in record.get("events", ()) if isinstance(event, dict))


SUFFIX = ".jsonl"
BOM = b"\xef\xbb\xbf"
"""What some editors put before a text."""
LONGEST_HEADER, LONGEST_TAIL = 1 << 20, 1 << 16
"""Bytes that are read of a journal where only its first or last line is wanted."""
FLAGS = os.O_RDWR | getattr(os, "O_BINARY", 0)


def journals(folder: Path) -> list[Path]:
    """All journals in a folder, the oldest id first; copies of one that is there too are left out."""
    paths = sorted(folder.glob(f"*{SUFFIX}"))
    names = {path.stem for path in paths}
    return [path for path in paths if not is_copy(path, names)]


def is_copy(path: Path, names: Set[str]) -> bool:
    """Whether the file is a copy of one of those games, as synchronisation and file managers make them.

    It is called like the game with something behind that, and holds it, or nothing that can be read.
    """
    name = path.stem
    beginnings = (name[:end] for end, sign in enumerate(name) if not sign.isalnum())
    return any(begin in names for begin in beginnings) and game_in(path) in (names - {name}) | {None}


def game_in(path: Path) -> str | None:
    """The id of the game that stands in a journal's header, or None if it cannot be read."""
    try:
        with path.open("rb") as file:
            header = decoded(file.readline(LONGEST_HEADER).removeprefix(BOM))
    except OSError:
        return None
    found = header.get("game") if isinstance(header, dict) else None
    return found if isinstance(found, str) else None


def last_line(path: Path) -> dict[str, Any] | None:
    """The last line of a journal, quickly; None if it was not finished, is not sound, or is very long."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - LONGEST_TAIL))
            *lines, rest = file.read(LONGEST_TAIL).split(b"\n")
    except OSError:
        return None
    if rest or len(lines) < 2:
        return None
    document = decoded(lines[-1])
    if isinstance(document, str) or sum_fault(lines[-1], document, False):
        return None
    return document if isinstance(document.get("events", []), list) else None


def read_journal(path: Path) -> JournalContent:
    """Read a journal as far as it is sound; it may be open elsewhere.

    Raises JournalError if the file cannot be read at all.
    """
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise JournalError(f"{path} cannot be read: {reason(fault)}") from fault
    return parse_journal(data, str(path))


def parse_journal(data: bytes, name: str) -> JournalContent:
    """Read the bytes of a journal; `name` is what faults call the file."""
    start = len(BOM) if data.startswith(BOM) else 0
    *lines, rest = data[start:].split(b"\n")
    header: dict[str, Any] | None = None
    records: list[dict[str, Any]] = []
    count, sound, is_summed = 0, start, False
    torn, damage = rest_fault(rest, f"{name}:{len(lines) + 1}")
    for number, line in enumerate(lines, 1):
        document = decoded(line)
        fault = (
            document
            if isinstance(document, str)
            else line_fault(document, number, count) or sum_fault(line, document, is_summed)
        )
        if isinstance(document, str) or fault:
            return JournalContent(header, tuple(records), None, f"{name}:{number}: {fault}", sound, is_summed)
        is_summed = document.pop("crc", None) is not None
        if number == 1:
            header = document
        else:
            records.append(document)
            count = document.get("undo", count + 1)
        sound += len(line) + 1
    damage = damage or (None if lines or rest else f"{name}:1: the file is empty")
    return JournalContent(header, tuple(records), torn, damage, sound, is_summed)


def rest_fault(rest: bytes, where: str) -> tuple[str | None, str | None]:
    """What is wrong with what follows the last line feed: it was never finished, or its line feed was changed."""
    if SUM.search(rest[:-1]):
        return None, f"{where}: the line must end with a line feed; got {rest[-1:]!r}"
    return (f"{where}: the last line was not finished and is left out" if rest else None), None


def line_fault(document: Mapping[str, Any], number: int, effective_before: int) -> str | None:
    return header_fault(document) if number == 1 else record_fault(document, number - 1, effective_before)


class Journal:
    """A journal open for appending; no other process can append to it meanwhile. Also a context manager.

    Not for several threads at once: its owner keeps order.
    """

    path: Path
    header: dict[str, Any]
    torn: str | None
    """The sentence about a torn last line that opening cut off, or None."""
    damage: str | None
    """What is wrong behind the sound records, where it was opened all the same; None once it has been cut off."""

    def __init__(self, path: Path, lock: FileLock, handle: int, content: JournalContent) -> None:
        """For `create` and `open` only."""
        assert content.header is not None
        self.path = path
        self.header = content.header
        self.torn = content.torn
        self.damage = content.damage
        self._records: list[JournalRecord] = list(content.records)
        self._effective = len(effective(content.records))
        self._lock = lock
        self._handle = handle
        self._size = content.sound_bytes

    @classmethod
    def create(cls, folder: Path, header: Mapping[str, Any]) -> Journal:
        """Begin the journal GAME.jsonl in the folder; "journal" is filled in, the other header keys must be there.

        Raises JournalError if there is one already or it cannot be written, ValueError if the header is no header.
        """
        complete = {"journal": VERSION, **header}
        if fault := header_fault(complete):
            raise ValueError(f"a journal's header: {fault}")
        path = folder / f"{complete['game']}{SUFFIX}"
        line = encoded(complete)
        lock = locked(path)
        try:
            handle = os.open(path, FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as fault_:
            release(lock)
            raise JournalError(f"the game cannot be recorded in {path}: {reason(fault_)}") from fault_
        journal = cls(path, lock, handle, JournalContent(complete, ()))
        try:
            journal._write(line)
            sync_folder(folder)
        except (JournalError, OSError) as fault_:
            journal.close()
            with contextlib.suppress(OSError):
                path.unlink()
            if isinstance(fault_, OSError):
                raise JournalError(f"the game cannot be recorded in {path}: {reason(fault_)}") from fault_
            raise
        return journal

    @classmethod
    def open(cls, path: Path, *, damaged: bool = False) -> Journal:
        """Go on with a journal; a torn last line is cut off, and `torn` says so.

        `damaged`: whether one that is sound only up to some record is opened too; `damage` says so, and `cut_to` must
        come before the next `append`. Raises JournalError if it is damaged, from a newer Narrator, open elsewhere, or
        cannot be read or written.
        """
        if not path.is_file():
            raise JournalError(f"there is no such game; got {path}")
        lock = locked(path)
        try:
            content = read_journal(path)
            if content.header is None or (content.damage and not damaged):
                raise JournalError(f"the game cannot go on: {content.damage or content.torn}")
            journal = cls(path, lock, os.open(path, FLAGS), content)
        except OSError as fault:
            release(lock)
            raise JournalError(f"the game cannot go on in {path}: {reason(fault)}") from fault
        except BaseException:
            release(lock)
            raise
        if journal.damage is None:
            journal._mend()
        return journal

    def cut_to(self, count: int) -> Path:
        """Keep only the first `count` records, and a copy of the file as it was; gives the copy's path.

        Raises JournalError if that cannot be done: then the file stands as it was.
        """
        try:
            data = self.path.read_bytes()
            copy = keep_copy(self.path, data)
            start = len(BOM) if data.startswith(BOM) else 0
            self._size = start + sum(len(line) + 1 for line in data[start:].split(b"\n")[: count + 1])
            self._cut_back()
        except OSError as fault:
            raise JournalError(f"the game cannot go on in {self.path}: {reason(fault)}") from fault
        del self._records[count:]
        self._effective = len(effective(self._records))
        self.damage = None
        return copy

    @property
    def records(self) -> tuple[JournalRecord, ...]:
        """All records so far, undone ones and undos included."""
        return tuple(self._records)

    def append(self, record: Mapping[str, Any]) -> int:
        """Put a record on the disk and give its number "n", which is filled in; returns only once it is safe there.

        Raises JournalError if it cannot be written: then the journal stands as it was before, and the same record may
        be tried again. Raises ValueError or TypeError if it is no record.
        """
        complete = {"n": len(self._records) + 1, **record}
        if fault := record_fault(complete, len(self._records) + 1, self._effective):
            raise ValueError(f"a journal's record: {fault}")
        self._write(encoded(complete))
        self._records.append(complete)
        self._effective = complete.get("undo", self._effective + 1)
        return len(self._records)

    def close(self) -> None:
        """Let go of the file; a second call does nothing."""
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        with contextlib.suppress(OSError):
            os.close(handle)
        release(self._lock)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, line: bytes) -> None:
        if self._handle < 0:
            raise JournalError(f"the journal {self.path} is closed")
        if self.damage:
            raise JournalError(f"the game cannot go on: {self.damage}")
        try:
            self._cut_back()  # what an earlier failure may have left behind
            os.lseek(self._handle, self._size, os.SEEK_SET)
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._handle, rest) :]
            os.fsync(self._handle)
        except OSError as fault:
            with contextlib.suppress(OSError):
                self._cut_back()
            raise JournalError(f"the game cannot be recorded in {self.path}: {reason(fault)}") from fault
        self._size += len(line)

    def _mend(self) -> None:
        """Cut off a torn last line; closes the journal and raises JournalError if that cannot be done."""
        try:
            self._cut_back()
        except OSError as fault:
            self.close()
            raise JournalError(f"the game cannot go on in {self.path}: {reason(fault)}") from fault

    def _cut_back(self) -> None:
        """Cut off everything behind the last sound record."""
        if os.fstat(self._handle).st_size != self._size:
            os.ftruncate(self._handle, self._size)
            os.fsync(self._handle)


# The lock: a file beside the journal. The system lets go of it when its process ends, however it ends.

LOCKLESS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""What file systems without locks answer: there the game goes on unprotected rather than not at all."""


def locked(path: Path) -> FileLock:
    """The lock of a journal, taken. Raises JournalError if another holds it, or it cannot be made."""
    lock_path = path.with_name(path.name + ".lock")
    lock = FileLock(lock_path, timeout=0, mode=0o600, thread_local=False, on_acquired=sign)
    try:
        lock.acquire()
    except Timeout:
        who = f"process {holder(lock_path)}"
        raise JournalError(f"this game is open in another Narrator ({who}): close that one first; got {path}") from None
    except OSError as fault:
        if fault.errno not in LOCKLESS:
            raise JournalError(f"the game cannot be recorded in {path}: {reason(fault)}") from fault
    return lock


def release(lock: FileLock) -> None:
    """Let go, and leave no lock file behind. It goes first where that can be: nobody else can take it meanwhile."""
    with contextlib.suppress(OSError):
        os.unlink(lock.lock_file)
    lock.release()


def sign(handle: int) -> None:
    """Say in the lock file which process holds it; behind the first byte, which no other may read on Windows."""
    with contextlib.suppress(OSError):  # on a full disk the lock holds without its holder's number
        os.ftruncate(handle, 0)
        os.write(handle, f" {os.getpid()}\n".encode())


def holder(path: Path) -> str:
    """The number of the process that holds the lock, or "?"."""
    try:
        with path.open("rb", buffering=0) as file:
            file.seek(1)
            return file.read().decode("ascii").strip() or "?"
    except (OSError, UnicodeDecodeError):
        return "?"
