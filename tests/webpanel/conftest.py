"""What tests of the pages share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.webpanel.house import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A table with its pages, in English."""
    found = House(tmp_path)
    yield found
    found.close()
