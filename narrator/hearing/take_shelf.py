"""Where the takes lie: a folder per person, a WAV file per take. Loads nothing of sound, so that it can be asked."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from narrator.hearing.words import no_files

_NAME = re.compile(r"[a-z0-9-]+")


class TakeShelf:
    """The takes of everybody, in the user's own folder, which is made when the first one is kept."""

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder

    def paths(self, owner: str, word: str, language: str) -> list[Path]:
        """The takes there are of somebody's word, the oldest first."""
        return sorted(self._of(owner).glob(f"{_checked(base_language(language))}-{_checked(word)}-*.wav"))

    def keep(self, owner: str, word: str, language: str, wav: bytes) -> Path:
        """Keep a take, readable by the user alone. Raises Unavailable if it cannot be written."""
        folder = self._of(owner)
        numbers = [int(path.stem.rpartition("-")[2]) for path in self.paths(owner, word, language)]
        path = folder / f"{base_language(language)}-{_checked(word)}-{max(numbers, default=0) + 1}.wav"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=".take-", dir=folder)
            with open(handle, "wb") as file:
                file.write(wav)
            os.replace(name, path)
        except OSError as fault:
            raise no_files(str(folder), fault.strerror or str(fault)) from fault
        return path

    def drop(self, path: Path) -> None:
        """Delete one take."""
        with contextlib.suppress(FileNotFoundError):
            path.unlink()

    def forget(self, owner: str) -> None:
        """Delete everything of somebody. Raises Unavailable if that cannot be."""
        self._remove(self._of(owner))

    def forget_all(self) -> None:
        """Delete everybody's takes. Raises Unavailable if that cannot be."""
        self._remove(self._folder())

    def _of(self, owner: str) -> Path:
        return self._folder() / _checked(owner)

    def _remove(self, folder: Path) -> None:
        try:
            shutil.rmtree(folder)
        except FileNotFoundError:
            return
        except OSError as fault:
            raise no_files(str(folder), fault.strerror or str(fault)) from fault


def base_language(language: str) -> str:
    """The language whose words sound the same: `zh` for both ways of writing Chinese."""
    return language.partition("-")[0]


def _checked(name: str) -> str:
    """Names become files: nothing but small letters, digits and dashes."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"a name here has small letters, digits and dashes; got {name!r}")
    return name
