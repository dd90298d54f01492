"""What the tests of the ears share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from narrator.hearing.take_shelf import TakeShelf
from tests.hearing.evening import Evening
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


@pytest.fixture
def evening(tmp_path: Path, voice: Mouth) -> Iterator[Evening]:
    found = Evening(tmp_path, voice)
    yield found
    found.table.close()


@pytest.fixture
def speaking(evening: Evening) -> Evening:
    """Listening, and somebody who is known has the floor."""
    evening.table.listen_on()
    evening.first_day()
    assert evening.speaker is not None
    evening.teach(evening.speaker)
    evening.floor_is_given()
    assert evening.state == "listening"
    return evening
