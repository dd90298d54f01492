"""What the tests of the table share."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that need not be safe: nothing waits until it is written."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)
