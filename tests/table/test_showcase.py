"""Whoever looks at what everybody may see waits for nothing, and learns nothing from how long it takes."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.table.hall import Hall, night_one


@contextmanager
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, threading.Event]]:
    """A disk that is asked to keep something, and does so only when it is let: (asked, let)."""
    asked, let = threading.Event(), threading.Event()
    real = os.fsync

    def fsync(handle: int) -> None:
        asked.set()
        assert let.wait(20)
        real(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        yield asked, let
        let.set()


def test_it_is_shown_while_a_tap_is_being_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    night_one(hall)
    shown = hall.table.public()
    with slow_disk(monkeypatch) as (asked, let):
        tap = threading.Thread(target=lambda: hall.tap("proceed"), daemon=True)
        tap.start()
        assert asked.wait(20)
        seen: list[object] = []
        looker = threading.Thread(target=lambda: seen.append(hall.table.public()), daemon=True)
        looker.start()
        looker.join(20)
        assert seen == [shown]
        assert tap.is_alive()
        let.set()
        tap.join(20)
    assert hall.state.stage == "last_words"


def test_whoever_is_told_of_news_finds_them(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    told: list[object] = []
    before = hall.table.public()
    watch = hall.table.watch("public", lambda: told.append(hall.table.public()))
    night_one(hall)
    hall.tap("proceed")
    hall.until("silent")
    watch.close()
    assert told
    assert all(one != other for one, other in zip([before, *told], told, strict=False))
    assert told[-1] == hall.table.public()


def test_what_cannot_be_shown_does_not_stop_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall(tmp_path)

    def broken(*given: object) -> object:
        raise KeyError("no such word")

    with monkeypatch.context() as patch:
        patch.setattr("narrator.table.showcase.RulesetWords.of", broken)
        hall.start(seats=12)
        with pytest.raises(KeyError, match="no such word"):
            hall.table.public()
        night_one(hall)
    hall.tap("proceed")
    hall.until("silent")
    assert hall.table.public().game.stage == "last_words"
