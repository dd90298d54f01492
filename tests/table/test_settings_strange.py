"""Settings with values that nothing here knows: each is told with its file, and gives way to its default."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from narrator.speech.backends import open_speaker
from narrator.storage.folders import Folders
from narrator.storage.settings import FILE, Settings
from narrator.table import Table
from tests.table.hall import Hall


def kept(home: Path, **changes: object) -> None:
    (home / FILE).write_text(json.dumps(Settings().model_dump(mode="json") | changes), "utf-8")


@pytest.mark.parametrize(
    ("changes", "name", "expected"),
    [
        ({"languages": ["tlh"]}, "languages", ("zh-Hans",)),
        ({"languages": ["es", "tlh"]}, "languages", ("es",)),
        ({"panel_language": "tlh"}, "panel_language", None),
    ],
)
def test_an_unknown_language_is_told_and_replaced(
    tmp_path: Path, changes: dict[str, object], name: str, expected: object
) -> None:
    kept(tmp_path, **changes)
    hall = Hall(tmp_path)
    assert getattr(hall.table.settings, name) == expected
    told = [trouble.detail for trouble in hall.table.judge().troubles]
    assert any(str(tmp_path / FILE) in text and "tlh" in text and name in text for text in told)
    hall.table.close()


@pytest.mark.parametrize("speaker", ["megaphone", "wav:", "silent:loud"])
def test_an_unknown_speaker_is_told_and_replaced(tmp_path: Path, speaker: str) -> None:
    kept(tmp_path, speaker=speaker)
    table = Table(Folders(tmp_path), speaker_factory=open_speaker)
    assert table.settings.speaker == Settings().speaker
    assert any(str(tmp_path / FILE) in trouble.detail for trouble in table.judge().troubles)
    table.close()
