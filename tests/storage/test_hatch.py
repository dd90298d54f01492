from __future__ import annotations

from pathlib import Path

import pytest

from narrator.storage import hatch
from narrator.storage.door_log import FILE, LARGEST, DoorLog
from narrator.storage.folders import StorageError
from narrator.storage.hatch import Answer, Hatch, NoAnswer, ask, open_tables


def test_words_reach_the_table_and_an_answer_comes_back(tmp_path: Path) -> None:
    table = Hatch(tmp_path, 8765)
    heard: list[str] = []

    def answer(words: str) -> Answer:
        heard.append(words)
        return Answer(words != "12 no", f"说 {words}")

    for words, done in (("12 judge", True), ("12 no", False)):
        assert ask(tmp_path, 8765, words, lambda seconds: table.serve(answer)) == Answer(done, f"说 {words}")
    assert heard == ["12 judge", "12 no"]
    assert [left.name for left in (tmp_path / hatch.FOLDER / "8765").iterdir()] == [hatch.LOCK]
    table.close()


def test_a_table_that_does_not_answer_leaves_nothing_behind(tmp_path: Path) -> None:
    table = Hatch(tmp_path, 8765)
    with pytest.raises(NoAnswer, match="has not answered"):
        ask(tmp_path, 8765, "reset", lambda seconds: None)
    heard: list[str] = []
    table.serve(lambda words: heard.append(words) or Answer(True, ""))
    assert heard == []
    table.close()


def test_open_tables_are_told_by_their_locks(tmp_path: Path) -> None:
    assert open_tables(tmp_path) == []
    tables = [Hatch(tmp_path, port) for port in (9001, 8765)]
    assert open_tables(tmp_path) == [8765, 9001]
    tables[0].close()
    assert open_tables(tmp_path) == [8765]
    tables[1].close()
    assert open_tables(tmp_path) == []


def test_questions_of_an_earlier_run_are_not_answered(tmp_path: Path) -> None:
    Hatch(tmp_path, 8765).close()
    (tmp_path / hatch.FOLDER / "8765" / "old.question").write_text("reset", "utf-8")
    table = Hatch(tmp_path, 8765)
    heard: list[str] = []
    table.serve(lambda words: heard.append(words) or Answer(True, ""))
    assert heard == []
    table.close()


def test_a_hatch_that_cannot_be_opened_is_said(tmp_path: Path) -> None:
    (tmp_path / hatch.FOLDER).write_text("in the way", "utf-8")
    with pytest.raises(StorageError):
        Hatch(tmp_path, 8765)


def test_the_log_of_the_door_stays_small_and_in_lines(tmp_path: Path) -> None:
    log = DoorLog(tmp_path)
    log("one\nline")
    assert (tmp_path / FILE).read_text("utf-8").endswith(" one line\n")
    (tmp_path / FILE).write_text("x" * LARGEST, "utf-8")
    log("another")
    assert (tmp_path / FILE).read_text("utf-8").count("\n") == 1
    assert (tmp_path / f"{FILE}.1").stat().st_size == LARGEST
    DoorLog(tmp_path / "nowhere")("lost")
