"""One writer per file: a lock file beside it, held through the operating system and therefore never stale.

The system lets go of the lock when its process ends, however it ends; the number of the process is written into the
lock file only so that others can be told who holds it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 30  # the locked byte lies behind the text, because Windows keeps others from reading a locked one

    def _take(handle: int) -> None:
        os.lseek(handle, FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


LOCKLESS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""What file systems without locks answer: there the game goes on unprotected rather than not at all."""


class LockedError(Exception):
    """Somebody else holds the lock; the text says who."""


class FileLock:
    """Holds the lock from its making to `release`."""

    def __init__(self, path: Path) -> None:
        """Take the lock file `path`. Raises LockedError if it is held elsewhere, OSError if it cannot be made."""
        self.path = path
        self._handle = self._open()
        with contextlib.suppress(OSError):  # on a full disk the lock holds without its holder's number
            os.ftruncate(self._handle, 0)
            os.write(self._handle, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Let go and remove the lock file; a second call does nothing."""
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        if sys.platform == "win32":
            os.close(handle)
            with contextlib.suppress(OSError):
                self.path.unlink()
        else:
            self.path.unlink(missing_ok=True)
            os.close(handle)

    def _open(self) -> int:
        while True:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _take(handle)
            except (BlockingIOError, PermissionError):
                os.close(handle)
                raise LockedError(f"process {holder(self.path)}") from None
            except OSError as fault:
                if fault.errno not in LOCKLESS:
                    os.close(handle)
                    raise
            if same_file(handle, self.path):
                return handle
            os.close(handle)  # its last holder removed it between our opening and our locking


def same_file(handle: int, path: Path) -> bool:
    """Whether the open file is still the one of that name."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def holder(path: Path) -> str:
    """The number of the process that holds the lock, or "?"."""
    try:
        return path.read_text("ascii").strip() or "?"
    except (OSError, UnicodeDecodeError):
        return "?"
