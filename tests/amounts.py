"""How much is tried: less where somebody waits, all of it in CI, and whatever the environment says."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from typing import Any

import pytest

IN_CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")


def amount(variable: str, waiting: int, whole: int) -> int:
    """The number in an environment variable, else `waiting`, in CI `whole`."""
    return int(os.environ.get(variable, whole if IN_CI else waiting))


def lanes(values: Iterable[Any], fast: Collection[Any]) -> list[Any]:
    """Parameters of a test: those in `fast` as they are, the others in the slow lane."""
    return [value if value in fast else pytest.param(value, marks=pytest.mark.slow) for value in values]
