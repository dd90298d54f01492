"""The user's data folder (where the system has it, or NARRATOR_HOME points), and how files in it are written."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import platformdirs


class StorageError(Exception):
    """Something could not be kept or read; the text is a sentence for the judge, with the cure where there is one."""


REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT if hasattr(errno, "EDQUOT") else errno.ENOSPC: "the disk is full",
    errno.EFBIG: "the file is as large as it may be",
    errno.EROFS: "the disk is write-protected",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOENT: "there is no such file",
    errno.ENOTDIR: "a file stands where a folder is needed",
    errno.EEXIST: "there is such a file already",
    errno.EIO: "the disk reports a fault",
}


def reason(fault: OSError) -> str:
    """The system's complaint in words."""
    return REASONS.get(fault.errno or 0) or fault.strerror or str(fault)


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


def write_atomically(path: Path, text: str) -> None:
    """Replace the file by `text` (UTF-8) in one step; only the user can read it (mode 0600) where modes exist.

    Raises StorageError if it cannot be written; then the old file stands as it was, or, if only the folder could not be
    brought onto the disk, the new one.
    """
    try:
        write_whole(path, text.encode("utf-8"))
    except OSError as fault:
        raise StorageError(f"{path} cannot be written: {reason(fault)}") from fault


def write_whole(path: Path, data: bytes) -> None:
    """The same for bytes; raises OSError."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    sync_folder(path.parent)


NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EBADF, errno.EACCES, errno.EPERM)
"""What systems answer that do not let a folder be brought onto the disk by itself."""


def sync_folder(folder: Path) -> None:
    """Bring the folder's list of names onto the disk, where the system lets a folder be opened for that; or OSError."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError as fault:
        if fault.errno not in NO_FOLDER_SYNC:
            raise
    finally:
        os.close(handle)


def keep_copy(path: Path, data: bytes) -> Path:
    """Keep a file's bytes beside it as NAME.damaged, NAME.damaged-2, ...; one that is there already serves. OSError."""
    for number in count(1):
        copy = path.with_name(f"{path.name}.damaged" + (f"-{number}" if number > 1 else ""))
        if not copy.exists():
            write_whole(copy, data)
            return copy
        if copy.read_bytes() == data:
            return copy
    raise AssertionError


def set_aside(path: Path, what: str) -> str:
    """Rename a damaged file to NAME.damaged (replacing an older one) and give the sentence that says so."""
    aside = path.with_name(path.name + ".damaged")
    try:
        os.replace(path, aside)
    except OSError as fault:
        return f"{path} is damaged ({what}) and could not be set aside: {reason(fault)}"
    return f"{path.name} was damaged ({what}); it has been set aside as {aside}"
