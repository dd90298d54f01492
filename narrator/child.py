"""A module of this package run as a process of its own, for what may hang or crash without taking the table along."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent


def start(command: Sequence[str], **more: Any) -> subprocess.Popen[Any]:
    """Start a command with pipes to and from it, able to import this very package. Raises OSError when it does not."""
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": _search_path()},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        **more,
    )


def module(name: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a module."""
    return (sys.executable, "-m", name, *arguments)


def _search_path() -> str:
    """Where the child finds this package, installed or not."""
    return os.pathsep.join(part for part in (str(PACKAGE.parent), os.environ.get("PYTHONPATH")) if part)
