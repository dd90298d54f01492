from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from narrator.hearing.take_shelf import TakeShelf
from narrator.hearing.words import Unavailable


def test_takes_are_found_again_by_person_word_and_language(shelf: TakeShelf) -> None:
    paths = [shelf.keep("seat-1", "closing", "zh-Hans", b"RIFF") for _ in range(2)]
    assert shelf.paths("seat-1", "closing", "zh-Hant") == paths
    assert shelf.paths("seat-1", "closing", "en") == shelf.paths("seat-2", "closing", "zh-Hans") == []
    assert shelf.paths("seat-1", "next", "zh-Hans") == []
    assert paths[0].read_bytes() == b"RIFF"


def test_a_take_after_a_dropped_one_takes_no_other_ones_place(shelf: TakeShelf) -> None:
    first, second = (shelf.keep("judge", "next", "en", b"1") for _ in range(2))
    shelf.drop(first)
    assert shelf.keep("judge", "next", "en", b"2") != second
    assert len(shelf.paths("judge", "next", "en")) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="files have no modes there")
def test_only_the_user_can_read_them(shelf: TakeShelf) -> None:
    path = shelf.keep("seat-1", "closing", "en", b"1")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_one_person_or_everybody_can_be_forgotten(shelf: TakeShelf, tmp_path: Path) -> None:
    for owner in ("seat-1", "seat-2", "judge"):
        shelf.keep(owner, "closing", "en", b"1")
    shelf.forget("seat-1")
    assert shelf.paths("seat-1", "closing", "en") == []
    assert len(shelf.paths("seat-2", "closing", "en")) == 1
    shelf.forget_all()
    shelf.forget_all()
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_kept_is_said_with_the_cure(tmp_path: Path) -> None:
    (tmp_path / "takes").write_text("no folder")
    with pytest.raises(Unavailable, match="make it writable") as found:
        TakeShelf(lambda: tmp_path / "takes").keep("seat-1", "closing", "en", b"1")
    assert found.value.reason == "no_files"


@pytest.mark.parametrize("name", ["../seat-1", "Seat 1", ""])
def test_names_cannot_lead_elsewhere(shelf: TakeShelf, name: str) -> None:
    with pytest.raises(ValueError, match="small letters"):
        shelf.keep(name, "closing", "en", b"1")
