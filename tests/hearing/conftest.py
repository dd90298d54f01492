"""What the tests of the ears share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from narrator.hearing.shelf import TakeShelf
from tests.hearing.material import Mouth, mouth


@pytest.fixture(scope="session")
def voice() -> Iterator[Mouth]:
    """People who speak, through the real engine."""
    with mouth() as opened:
        yield opened


@pytest.fixture
def shelf(tmp_path: Path) -> TakeShelf:
    """A shelf without takes."""
    return TakeShelf(lambda: tmp_path / "takes")
