"""A module of this package run as a process of its own, for what may hang or crash without taking the table along."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent

_environment = threading.Lock()
_started: weakref.WeakSet[subprocess.Popen[Any]] = weakref.WeakSet()


def start(command: Sequence[str], **more: Any) -> subprocess.Popen[Any]:
    """Start a command with pipes to and from it, able to import this very package. Raises OSError when it does not."""
    with _environment:
        environment = {**os.environ, "PYTHONPATH": _search_path()}
    process: subprocess.Popen[Any] = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        **more,
    )
    _started.add(process)
    return process


def running() -> frozenset[subprocess.Popen[Any]]:
    """The children that have been started and have not ended, as far as is known."""
    return frozenset(process for process in list(_started) if process.returncode is None)


def end_all(but: Collection[subprocess.Popen[Any]] = ()) -> None:
    """End every child at once, but for these."""
    for process in running() - set(but):
        with contextlib.suppress(OSError):
            process.kill()


def module(name: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a module."""
    return (sys.executable, "-m", name, *arguments)


@contextlib.contextmanager
def variable(name: str, value: str) -> Iterator[None]:
    """Set an environment variable for a moment: for a library of this process, and for no child that is started now."""
    with _environment:
        kept = os.environ.get(name)
        os.environ[name] = value
        try:
            yield
        finally:
            del os.environ[name]
            if kept is not None:
                os.environ[name] = kept


def _search_path() -> str:
    """Where the child finds this package, installed or not."""
    return os.pathsep.join(part for part in (str(PACKAGE.parent), os.environ.get("PYTHONPATH")) if part)
