"""What goes wrong with files, said in one plain sentence."""

from __future__ import annotations

import errno


class StorageError(Exception):
    """Something could not be kept or read; the text is a sentence for the judge, with the cure where there is one."""


class JournalError(StorageError):
    """A journal cannot be created, opened or written."""


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
