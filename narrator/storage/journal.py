"""The journal of a game on disk: append-only, every record on the platter before `append` returns.

The shape of its lines is told in `narrator.storage.records`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from narrator.storage.atomic import sync_folder
from narrator.storage.lock import FileLock, LockedError
from narrator.storage.problems import JournalError, reason
from narrator.storage.records import (
    VERSION,
    JournalContent,
    Record,
    decode,
    effective,
    encode,
    header_fault,
    record_fault,
)

__all__ = ["SUFFIX", "Journal", "JournalContent", "JournalError", "Record", "effective", "journals", "read"]

SUFFIX = ".jsonl"
FLAGS = os.O_RDWR | getattr(os, "O_BINARY", 0)


def journals(folder: Path) -> list[Path]:
    """All journals in a folder, the oldest id first."""
    return sorted(folder.glob(f"*{SUFFIX}"))


def read(path: Path) -> JournalContent:
    """Read a journal as far as it is sound; it may be open elsewhere.

    Raises JournalError if the file cannot be read at all.
    """
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise JournalError(f"{path} cannot be read: {reason(fault)}") from fault
    return parse(data, str(path))


def parse(data: bytes, name: str) -> JournalContent:
    """Read the bytes of a journal; `name` is what faults call the file."""
    *lines, rest = data.split(b"\n")
    torn = f"{name}:{len(lines) + 1}: the last line was not finished and is left out" if rest else None
    header: dict[str, Any] | None = None
    records: list[dict[str, Any]] = []
    count = sound = 0
    for number, line in enumerate(lines, 1):
        document = decode(line)
        fault = document if isinstance(document, str) else line_fault(document, number, count)
        if isinstance(document, str) or fault:
            return JournalContent(header, tuple(records), None, f"{name}:{number}: {fault}", sound)
        if number == 1:
            header = document
        else:
            records.append(document)
            count = document.get("undo", count + 1)
        sound += len(line) + 1
    damage = None if lines or rest else f"{name}:1: the file is empty"
    return JournalContent(header, tuple(records), torn, damage, sound)


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

    def __init__(self, path: Path, lock: FileLock, handle: int, content: JournalContent) -> None:
        """For `create` and `open` only."""
        assert content.header is not None
        self.path = path
        self.header = content.header
        self.torn = content.torn
        self._records: list[Record] = list(content.records)
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
        line = encode(complete)
        lock = locked(path)
        try:
            handle = os.open(path, FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as fault_:
            lock.release()
            raise JournalError(f"the game cannot be recorded in {path}: {reason(fault_)}") from fault_
        journal = cls(path, lock, handle, JournalContent(complete, ()))
        try:
            journal._write(line)
        except JournalError:
            journal.close()
            with contextlib.suppress(OSError):
                path.unlink()
            raise
        sync_folder(folder)
        return journal

    @classmethod
    def open(cls, path: Path) -> Journal:
        """Go on with a journal; a torn last line is cut off, and `torn` says so.

        Raises JournalError if it is damaged, from a newer Narrator, open elsewhere, or cannot be read or written.
        """
        lock = locked(path, must_exist=True)
        try:
            content = read(path)
            if content.damage or content.header is None:
                raise JournalError(f"the game cannot go on: {content.damage or content.torn}")
            journal = cls(path, lock, os.open(path, FLAGS), content)
        except OSError as fault:
            lock.release()
            raise JournalError(f"the game cannot go on in {path}: {reason(fault)}") from fault
        except JournalError:
            lock.release()
            raise
        journal._mend()
        return journal

    @property
    def records(self) -> tuple[Record, ...]:
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
        self._write(encode(complete))
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
        self._lock.release()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, line: bytes) -> None:
        if self._handle < 0:
            raise JournalError(f"the journal {self.path} is closed")
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


def locked(path: Path, must_exist: bool = False) -> FileLock:
    """The lock of a journal. Raises JournalError if it cannot be had."""
    if must_exist and not path.is_file():
        raise JournalError(f"there is no such game; got {path}")
    try:
        return FileLock(path.with_name(path.name + ".lock"))
    except LockedError as who:
        raise JournalError(f"this game is open in another Narrator ({who}): close that one first; got {path}") from who
    except OSError as fault:
        raise JournalError(f"the game cannot be recorded in {path}: {reason(fault)}") from fault
