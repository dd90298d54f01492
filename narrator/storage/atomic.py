"""Small files that are either wholly old or wholly new, whatever happens in between."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from narrator.storage.problems import StorageError, reason


def write_atomically(path: Path, text: str) -> None:
    """Replace the file by `text` (UTF-8) in one step; only the user can read it (mode 0600) where modes exist.

    Raises StorageError if it cannot be written; then the old file stands as it was.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with open(handle, "wb") as file:
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as fault:
        raise StorageError(f"{path} cannot be written: {reason(fault)}") from fault
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Bring the folder's list of names onto the disk, where the system lets a folder be opened for that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def set_aside(path: Path, what: str) -> str:
    """Rename a damaged file to NAME.damaged (replacing an older one) and give the sentence that says so."""
    aside = path.with_name(path.name + ".damaged")
    try:
        os.replace(path, aside)
    except OSError as fault:
        return f"{path} is damaged ({what}) and could not be set aside: {reason(fault)}"
    return f"{path.name} was damaged ({what}); it has been set aside as {aside}"
