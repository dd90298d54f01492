"""No change of a journal's bytes goes unnoticed; journals of old are read on; copies are no games."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from narrator.storage.journal import BOM, Journal, JournalContent, JournalError, journals, last_line, parse_journal
from tests.sums import resummed, unsummed

HEADER = {"game": "g1", "created": "2026-01-01T20:00:00", "ruleset": {"id": "r"}, "setup": {"seats": 9}, "order": 3}


def begun(folder: Path, count: int = 2, **header: Any) -> Path:
    with Journal.create(folder, {**HEADER, **header}) as journal:
        for number in range(count):
            journal.append({"command": {"do": "x", "seat": number}, "events": [{"kind": "a"}], "order": 3})
    return journal.path


def read(data: bytes) -> JournalContent:
    return parse_journal(data, "g")


def test_a_flipped_bit_anywhere_is_told_and_everything_before_it_is_kept(tmp_path: Path) -> None:
    data = begun(tmp_path).read_bytes()
    sound = read(data)
    for place in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[place] ^= 1 << bit
            found = read(bytes(flipped))
            before = data[:place].count(b"\n")
            assert found.damage or found.torn, (place, bit)
            assert found.header == (sound.header if before else None)
            assert found.records == sound.records[: max(0, before - 1)]


def test_a_line_feed_that_was_changed_at_the_very_end_is_damage_and_not_an_unfinished_line(tmp_path: Path) -> None:
    data = begun(tmp_path).read_bytes()
    found = read(data[:-1] + b"\x0b")
    assert found.damage == r"g:3: the line must end with a line feed; got b'\x0b'"
    assert read(data[:-1]).torn


def test_the_order_of_games_stands_in_every_line(tmp_path: Path) -> None:
    path = begun(tmp_path)
    assert read(path.read_bytes()).order == 3
    with Journal.open(path) as journal:
        journal.append({"undo": 0, "order": 8})
    assert read(path.read_bytes()).order == 8


def test_a_journal_of_old_is_read_and_goes_on_with_checksums(tmp_path: Path) -> None:
    path = begun(tmp_path)
    path.write_bytes(unsummed(path.read_bytes()))
    assert (read(path.read_bytes()).damage, read(path.read_bytes()).order) == (None, 0)
    with Journal.open(path) as journal:
        journal.append({"command": {}, "events": [], "order": 5})
        journal.append({"command": {}, "events": [], "order": 5})
    data = path.read_bytes()
    assert len(read(data).records) == 4
    stripped = b"\n".join([*data.split(b"\n")[:4], *unsummed(data).split(b"\n")[4:]])
    assert read(stripped).damage == "g:5: the checksum is missing"


def test_checksums_that_fit_are_what_the_tests_make() -> None:
    line = b'{"a":1,"crc":"00000000"}\n'
    assert resummed(resummed(line)) == resummed(line) != line


@pytest.mark.parametrize(
    "change", [lambda data: BOM + data, lambda data: data.replace(b"\n", b"\r\n")], ids=["BOM", "CR"]
)
def test_what_editors_do_to_a_text_changes_nothing(tmp_path: Path, change: Any) -> None:
    path = begun(tmp_path)
    records = read(path.read_bytes()).records
    path.write_bytes(change(path.read_bytes()))
    with Journal.open(path) as journal:
        assert journal.records == records
        journal.append({"command": {}, "events": []})
    assert (read(path.read_bytes()).damage, len(read(path.read_bytes()).records)) == (None, 3)


def test_a_damaged_journal_is_cut_to_what_is_sound_and_kept_as_it_was(tmp_path: Path) -> None:
    path = begun(tmp_path, 4)
    damaged = path.read_bytes().replace(b'"seat":2', b'"seat":7')
    path.write_bytes(damaged)
    for again in range(2):
        with Journal.open(path, damaged=True) as journal:
            assert journal.damage == f"{path}:4: the checksum does not fit the line"
            with pytest.raises(JournalError, match="does not fit"):
                journal.append({"command": {}, "events": []})
            copy = journal.cut_to(2)
            assert (copy.name, copy.read_bytes()) == ("g1.jsonl.damaged", damaged)
            assert journal.append({"command": {}, "events": []}) == 3
        assert read(path.read_bytes()).damage is None
        if not again:
            path.write_bytes(damaged)
    path.write_bytes(damaged[:-9] + b"zzz\n")
    with Journal.open(path, damaged=True) as journal:
        assert journal.cut_to(1).name == "g1.jsonl.damaged-2"
    assert len(read(path.read_bytes()).records) == 1


COPIES = [
    "g1.sync-conflict-20261201-203000-ABCDEFG",
    "g1 (1)",
    "g1 (conflicted copy 2026-12-01 203000)",
    "g1-LAPTOP",
    "g1 - Copy",
    "g1~",
]


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_is_no_game(tmp_path: Path, name: str) -> None:
    path = begun(tmp_path)
    copy = path.with_name(f"{name}.jsonl")
    shutil.copy(path, copy)
    assert journals(tmp_path) == [path]
    copy.write_bytes(b"\0\0")
    assert journals(tmp_path) == [path]


def test_a_game_called_like_another_with_more_behind_it_is_no_copy(tmp_path: Path) -> None:
    first, second = begun(tmp_path), begun(tmp_path, game="g1-b")
    assert journals(tmp_path) == [second, first]


def test_a_renamed_game_is_still_one(tmp_path: Path) -> None:
    path = begun(tmp_path)
    best = path.rename(path.with_name("g1 the best.jsonl"))
    assert journals(tmp_path) == [best]


def test_the_last_line_is_found_quickly_or_not_at_all(tmp_path: Path) -> None:
    path = begun(tmp_path)
    data = path.read_bytes()
    found = last_line(path)
    assert found is not None
    assert found["n"] == 2
    for changed in (data[:-1], data[:-3] + b"0}\n", b"", b"\n", b"[]\n[]\n"):
        path.write_bytes(changed)
        assert last_line(path) is None
    assert last_line(tmp_path / "none") is None
