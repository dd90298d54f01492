from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from narrator.storage.journal import Journal, effective, parse_journal, read_journal

HEADER = {"game": "g", "created": "2026-01-01T20:00:00+00:00", "ruleset": {"名": "殺人"}, "setup": {}}

scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8)
documents = st.dictionaries(st.text(max_size=5), scalars | st.lists(scalars, max_size=3), max_size=3)
commands = st.fixed_dictionaries({"command": documents, "events": st.lists(documents, max_size=3)})
undos = st.floats(0, 1)
"""An undo, as the share of the effective commands that is kept."""


def written(steps: list[Any], folder: Path) -> tuple[Path, list[dict[str, Any]], list[Any]]:
    """Write the steps; gives the file, the records as they should be read, and the commands that should count."""
    records: list[dict[str, Any]] = []
    kept: list[dict[str, Any]] = []
    with Journal.create(folder, HEADER) as journal:
        for n, step in enumerate(steps, 1):
            record = {"n": n, **({"undo": int(step * len(kept))} if isinstance(step, float) else step)}
            assert journal.append(record) == n
            records.append(record)
            kept = kept[: record["undo"]] if "undo" in record else [*kept, record]
    return journal.path, records, kept


@given(st.lists(commands | undos, max_size=12))
def test_what_was_written_is_what_is_read(steps: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, records, kept = written(steps, Path(folder))
        content = read_journal(path)
    assert content.header == {"journal": 1, **HEADER}
    assert list(content.records) == records
    assert effective(content.records) == kept
    assert (content.torn, content.damage) == (None, None)


@given(st.lists(commands | undos, max_size=5))
def test_a_journal_cut_at_any_byte_is_read_up_to_its_last_whole_line(steps: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, records, _ = written(steps, Path(folder))
        data = path.read_bytes()
    for length in range(1, len(data) + 1):
        content = parse_journal(data[:length], "g")
        whole = data[:length].count(b"\n")
        assert content.damage is None
        assert (content.header is None) == (whole == 0)
        assert list(content.records) == records[: max(0, whole - 1)]
        assert (content.torn is None) == data[:length].endswith(b"\n")
        assert content.sound_bytes == data[:length].rfind(b"\n") + 1


@given(st.lists(commands | undos, min_size=1, max_size=4), st.data())
def test_a_cut_journal_goes_on_where_it_was_cut(steps: list[Any], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, records, _ = written(steps, Path(folder))
        whole = path.read_bytes()
        header = whole.index(b"\n") + 1
        path.write_bytes(whole[: data.draw(st.integers(header, len(whole)))])
        with Journal.open(path) as journal:
            sound = len(journal.records)
            journal.append({"command": {}, "events": []})
        assert list(read_journal(path).records) == [*records[:sound], {"n": sound + 1, "command": {}, "events": []}]


@given(st.binary(max_size=200))
def test_any_bytes_are_read_without_an_exception(data: bytes) -> None:
    content = parse_journal(data, "g")
    assert content.damage or content.torn or content.header
