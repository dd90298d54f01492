"""The hatch of a running table: words from the same computer reach it through files that only its user can write.

A table has a folder of its own (by its port) in the data folder, and holds the lock in it as long as it is open.
Whoever asks puts a file there, and waits for the answer beside it.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from narrator.storage.folders import StorageError, made, write_atomically

FOLDER = "hatch"
LOCK, QUESTION, ANSWER = "lock", ".question", ".answer"
LONGEST = 1000
"""Characters that are read of a question."""
PATIENCE = 10.0
"""Seconds that an answer is waited for."""
GLANCE = 0.1
"""Seconds between two looks for it."""


@dataclass(frozen=True)
class Answer:
    """What became of the words."""

    done: bool
    text: str


class NoAnswer(StorageError):
    """The table has not answered."""


class Hatch:
    """The table's side."""

    def __init__(self, home: Path, port: int) -> None:
        """Open the hatch of the table on that port, unless it is open already. StorageError if that cannot be."""
        self._folder = made(home / FOLDER / str(port))
        with contextlib.suppress(OSError):
            self._folder.chmod(0o700)
        self._lock = FileLock(self._folder / LOCK)
        try:
            self._lock.acquire(timeout=1)
        except (OSError, Timeout) as fault:
            raise StorageError(f"words of other programs cannot reach this table ({fault})") from fault
        self._sweep()

    def serve(self, answer: Callable[[str], Answer]) -> None:
        """Answer whatever has been asked since the last time."""
        for question in sorted(self._folder.glob(f"*{QUESTION}")):
            try:
                with question.open(encoding="utf-8", errors="replace") as file:
                    words = file.read(LONGEST)
                question.unlink()
                given = answer(words)
                write_atomically(
                    question.with_suffix(ANSWER), json.dumps({"done": given.done, "text": given.text}) + "\n"
                )
            except (OSError, StorageError):
                continue

    def close(self) -> None:
        """Close the hatch."""
        self._sweep()
        self._lock.release()

    def _sweep(self) -> None:
        for left in (*self._folder.glob(f"*{QUESTION}"), *self._folder.glob(f"*{ANSWER}")):
            with contextlib.suppress(OSError):
                left.unlink()


def open_tables(home: Path) -> list[int]:
    """The ports of the tables that are open on this data folder."""
    folders = [folder for folder in (home / FOLDER).glob("*") if folder.name.isdigit()]
    return sorted(int(folder.name) for folder in folders if is_held(folder / LOCK))


def is_held(lock: Path) -> bool:
    """Whether a program holds the lock."""
    if not lock.exists():
        return False
    try:
        with FileLock(lock, timeout=0):
            return False
    except Timeout:
        return True


def ask(home: Path, port: int, words: str, wait: Callable[[float], None] = time.sleep) -> Answer:
    """Hand words to the table on that port. NoAnswer, or StorageError if they cannot be handed in."""
    question = home / FOLDER / str(port) / f"{secrets.token_hex(8)}{QUESTION}"
    answer = question.with_suffix(ANSWER)
    write_atomically(question, words)
    for _ in range(round(PATIENCE / GLANCE)):
        with contextlib.suppress(OSError):
            given = json.loads(answer.read_text("utf-8"))
            answer.unlink()
            return Answer(bool(given["done"]), str(given["text"]))
        wait(GLANCE)
    with contextlib.suppress(OSError):
        question.unlink()
    raise NoAnswer(f"the table on port {port} has not answered within {PATIENCE:.0f} seconds")
