from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from narrator.storage.journal import Journal, JournalError, effective, journals, read_journal

HEADER = {"game": "g1", "created": "2026-01-01T20:00:00+00:00", "ruleset": {"id": "r"}, "setup": {"seats": 12}}


def command(name: str) -> dict[str, Any]:
    return {"command": {"kind": name}, "events": [{"kind": name + "_happened"}]}


def begun(folder: Path, *names: str) -> Path:
    with Journal.create(folder, HEADER) as journal:
        for name in names:
            journal.append(command(name))
    return journal.path


def test_a_new_journal_holds_its_header_with_the_version(tmp_path: Path) -> None:
    content = read_journal(begun(tmp_path))
    assert content.header == {"journal": 1, **HEADER}
    assert (content.records, content.torn, content.damage) == ((), None, None)


def test_appended_records_are_numbered_and_read_back(tmp_path: Path) -> None:
    path = begun(tmp_path, "a", "b")
    assert read_journal(path).records == ({"n": 1, **command("a")}, {"n": 2, **command("b")})


def test_chinese_text_stands_readable_in_the_file(tmp_path: Path) -> None:
    path = begun(tmp_path, "天黑請閉眼")
    assert "天黑請閉眼" in path.read_text("utf-8")


def test_half_a_surrogate_pair_survives(tmp_path: Path) -> None:
    path = begun(tmp_path, "\ud83d")
    assert read_journal(path).records[0]["command"] == {"kind": "\ud83d"}


def test_appending_goes_on_after_opening_again(tmp_path: Path) -> None:
    path = begun(tmp_path, "a")
    with Journal.open(path) as journal:
        assert journal.torn is None
        assert journal.append(command("b")) == 2
    assert [record["n"] for record in read_journal(path).records] == [1, 2]


def test_an_undo_keeps_the_first_effective_commands() -> None:
    a, b, c = command("a"), command("b"), command("c")
    assert effective([a, b, {"undo": 1}, c]) == [a, c]
    assert effective([a, b, {"undo": 0}, c, {"undo": 1}]) == [c]


def test_an_undo_cannot_keep_more_than_is_effective(tmp_path: Path) -> None:
    with Journal.create(tmp_path, HEADER) as journal:
        journal.append(command("a"))
        journal.append({"undo": 0})
        with pytest.raises(ValueError, match=r'"undo" must be a whole number from 0 to 0; got 1'):
            journal.append({"undo": 1})


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"command": {}},
        {"command": {}, "events": {}},
        {"command": {}, "events": [1]},
        {"command": "a", "events": []},
        {"undo": True},
        {"undo": -1},
        {"undo": 0, "command": {}, "events": []},
        {"n": 2, "undo": 0},
    ],
)
def test_what_is_no_record_is_refused_and_leaves_the_file_alone(tmp_path: Path, record: dict[str, Any]) -> None:
    with Journal.create(tmp_path, HEADER) as journal:
        before = journal.path.read_bytes()
        with pytest.raises(ValueError, match="a journal's record"):
            journal.append(record)
        assert journal.path.read_bytes() == before


@pytest.mark.parametrize("game", ["", "../up", "a/b", ".hidden", "天黑", 7])
def test_a_game_must_have_a_name_that_a_file_can_have(tmp_path: Path, game: object) -> None:
    with pytest.raises(ValueError, match='"game"'):
        Journal.create(tmp_path, {**HEADER, "game": game})
    assert list(tmp_path.iterdir()) == []


def test_a_game_is_not_begun_over_another(tmp_path: Path) -> None:
    begun(tmp_path, "a")
    with pytest.raises(JournalError, match="there is such a file already"):
        Journal.create(tmp_path, HEADER)


def test_a_torn_last_line_is_cut_off_and_told(tmp_path: Path) -> None:
    path = begun(tmp_path, "a")
    sound = path.read_bytes()
    path.write_bytes(sound + b'{"n": 2, "comm')
    with Journal.open(path) as journal:
        assert journal.torn == f"{path}:3: the last line was not finished and is left out"
        assert path.read_bytes() == sound
        assert journal.append(command("b")) == 2
    assert read_journal(path).torn is None


def test_damage_in_the_middle_is_told_by_line_and_read_up_to_there(tmp_path: Path) -> None:
    path = begun(tmp_path, "a", "b", "c")
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = b"\0" * 20 + b"\n"
    path.write_bytes(b"".join(lines))
    content = read_journal(path)
    assert [record["n"] for record in content.records] == [1]
    assert content.damage is not None
    assert content.damage.startswith(f"{path}:3: must be a JSON object; got ")


def test_a_missing_line_is_told(tmp_path: Path) -> None:
    path = begun(tmp_path, "a", "b")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[2])
    assert read_journal(path).damage == f'{path}:2: the record must have "n": 1; got 2'


def test_a_damaged_journal_does_not_go_on(tmp_path: Path) -> None:
    path = begun(tmp_path, "a")
    path.write_bytes(path.read_bytes() + b"[]\n")
    with pytest.raises(JournalError, match=r"the game cannot go on: .*:3: must be a JSON object; got '\[\]'"):
        Journal.open(path)
    assert journals(tmp_path) == list(tmp_path.iterdir())


def test_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = begun(tmp_path)
    path.write_text(path.read_text("utf-8").replace('"journal":1', '"journal":2'), "utf-8")
    assert read_journal(path).header is None
    with pytest.raises(JournalError, match="newer Narrator; this one reads journals up to version 1; got 2"):
        Journal.open(path)


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    path.touch()
    assert read_journal(path).damage == f"{path}:1: the file is empty"


def test_a_missing_game_is_told(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no such game; got "):
        Journal.open(tmp_path / "g.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_closed_journal_takes_nothing_and_leaves_no_lock(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, HEADER)
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="is closed"):
        journal.append(command("a"))
    assert list(tmp_path.iterdir()) == [journal.path]


def test_a_game_open_here_cannot_be_opened_twice(tmp_path: Path) -> None:
    with Journal.create(tmp_path, HEADER) as journal:
        with pytest.raises(JournalError, match=rf"open in another Narrator \(process {os.getpid()}\)"):
            Journal.open(journal.path)
        journal.append(command("a"))
    Journal.open(journal.path).close()


HOLD = """
import sys
from pathlib import Path
from narrator.storage.journal import Journal
journal = Journal.open(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


def test_another_process_keeps_the_game_until_it_is_killed(tmp_path: Path) -> None:
    path = begun(tmp_path, "a")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(JournalError, match=rf"\(process {other.pid}\)"):
            Journal.open(path)
        other.kill()
    Journal.open(path).close()


FILL = """
import resource, sys
from pathlib import Path
from narrator.storage.journal import Journal, JournalError, read_journal
journal = Journal.open(Path(sys.argv[1]))
sound = journal.path.read_bytes()
resource.setrlimit(resource.RLIMIT_FSIZE, (len(sound) + 50, resource.RLIM_INFINITY))
try:
    journal.append({"command": {"kind": "x" * 200}, "events": []})
except JournalError as error:
    print(error)
assert journal.path.read_bytes() == sound
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(journal.append({"command": {"kind": "y"}, "events": []}))
assert read_journal(journal.path).damage is None
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on a file's size to run into")
def test_a_record_that_does_not_fit_leaves_the_journal_sound_and_usable(tmp_path: Path) -> None:
    path = begun(tmp_path, "a")
    ran = subprocess.run([sys.executable, "-c", FILL, str(path)], capture_output=True, text=True, check=True)
    assert ran.stdout == f"the game cannot be recorded in {path}: the file is as large as it may be\n2\n"
