"""What happened at the door: codes tried, phones let in, refused and shown out. It holds no code and no token."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from threading import Lock

FILE = "door.log"
LARGEST = 256 * 1024
"""Bytes; then a new file is begun, and the one before is kept."""


def local_now() -> datetime:
    """The time of day here, with its zone."""
    return datetime.now().astimezone()


class DoorLog:
    """The log, a line for each thing that happened. What cannot be written is left out: no game waits for it."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = local_now) -> None:
        self._path = folder / FILE
        self._now = now
        self._lock = Lock()

    def __call__(self, text: str) -> None:
        """Write a line."""
        line = f"{self._now().isoformat(timespec='seconds')} {' '.join(text.split())}\n"
        with self._lock, contextlib.suppress(OSError):
            if self._path.exists() and self._path.stat().st_size >= LARGEST:
                self._path.replace(self._path.with_name(f"{FILE}.1"))
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with open(handle, "a", encoding="utf-8") as file:
                file.write(line)
