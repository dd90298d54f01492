"""The user's data folder: the system's usual place, or wherever NARRATOR_HOME points (a stick, a test)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from narrator.storage.problems import StorageError, reason

VARIABLE = "NARRATOR_HOME"


@dataclass(frozen=True)
class Folders:
    """The data folder and what lies in it; a folder is made when it is first asked for.

    Every property raises StorageError if its folder cannot be made.
    """

    root: Path

    @property
    def home(self) -> Path:
        """The data folder itself, where settings and paired phones are kept."""
        return made(self.root)

    @property
    def games(self) -> Path:
        """One journal per game."""
        return made(self.root / "games")

    @property
    def rules(self) -> Path:
        """The user's own rulesets."""
        return made(self.root / "rules")

    @property
    def voices(self) -> Path:
        """Voices the user has added."""
        return made(self.root / "voices")

    def check_writable(self) -> None:
        """Raise StorageError, with the cure, unless files can be written in the data folder."""
        for folder in (self.home, self.games):
            try:
                tempfile.TemporaryFile(dir=folder).close()
            except OSError as fault:
                raise not_writable(folder, fault) from fault


def user_folders(environment: Mapping[str, str] | None = None) -> Folders:
    """The folders of this user, from the environment (the process's own if not given)."""
    chosen = (os.environ if environment is None else environment).get(VARIABLE)
    if chosen:
        return Folders(Path(chosen).expanduser().absolute())
    return Folders(platformdirs.user_data_path("narrator", appauthor=False))


def made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise not_writable(folder, fault) from fault
    return folder


def not_writable(folder: Path, fault: OSError) -> StorageError:
    return StorageError(
        f"the data folder cannot be written ({reason(fault)}): make it writable, or set {VARIABLE} to one that is; "
        f"got {folder}"
    )
