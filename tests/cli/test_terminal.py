"""What terminals can show."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
import segno
from click.testing import CliRunner

import narrator.cli
from narrator.cli.terminal import has_colours, prints_blocks, qr_code, write_qr

LINK = "http://192.168.1.23:8765/pair/abcDEF123_-x"


class Terminal(io.TextIOWrapper):
    """A terminal, or a file, of some encoding."""

    def __init__(self, encoding: str, *, is_terminal: bool = True) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def wanted() -> list[list[int]]:
    return [list(map(int, row)) for row in segno.make(LINK, error="l", micro=False).matrix_iter(border=2)]


def test_half_blocks_are_the_code_of_the_link() -> None:
    plain = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in qr_code(LINK, blocks=True, colours=True)]
    rows: list[list[int]] = []
    for line in plain:
        rows.append([int(sign in "▀█") for sign in line])
        rows.append([int(sign in "▄█") for sign in line])
    assert rows[: len(wanted())] == wanted()
    assert all(not any(row) for row in rows[len(wanted()) :])
    assert len(plain[0]) < 60


def test_coloured_blanks_are_the_code_of_the_link() -> None:
    lines = qr_code(LINK, blocks=False, colours=True)
    assert "".join(lines).isascii()
    rows = [[int(ground == "40") for ground in re.findall(r"\x1b\[(\d+)m  \x1b\[0m", line)] for line in lines]
    assert rows == wanted()


def test_without_colours_blocks_are_plain() -> None:
    assert not any("\x1b" in line for line in qr_code(LINK, blocks=True, colours=False))


def test_where_nothing_can_show_it_there_is_no_code() -> None:
    assert qr_code(LINK, blocks=False, colours=False) == []


@pytest.mark.parametrize("encoding", ["utf-8", "cp437", "cp850", "utf-16-le"])
def test_some_encodings_have_half_blocks(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert prints_blocks(Terminal(encoding))


@pytest.mark.parametrize(
    "encoding",
    ["cp1252", "latin-1", "ascii", "gbk", "cp936", "gb18030", "big5", "cp932", "shift_jis", "euc_kr", "cp949"],
)
def test_others_have_none_or_wide_ones(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert not prints_blocks(Terminal(encoding))
    assert has_colours(Terminal(encoding))


def test_a_dumb_terminal_has_neither_blocks_nor_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert not prints_blocks(Terminal("utf-8"))
    assert not has_colours(Terminal("utf-8"))


def test_a_file_has_blocks_but_no_colours_whatever_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert prints_blocks(Terminal("utf-8", is_terminal=False))
    assert not has_colours(Terminal("utf-8", is_terminal=False))


def test_the_picture_is_a_png(tmp_path: Path) -> None:
    write_qr(LINK, tmp_path / "code")
    assert (tmp_path / "code").read_bytes().startswith(b"\x89PNG\r\n")


@pytest.mark.parametrize(("kind", "coloured"), [("dumb", False), ("xterm", True)])
def test_no_command_colours_anything_in_a_dumb_terminal(
    monkeypatch: pytest.MonkeyPatch, kind: str, coloured: bool
) -> None:
    monkeypatch.setenv("TERM", kind)

    @narrator.cli.click.command()
    def painted() -> None:
        narrator.cli.click.secho("words", fg="red")

    monkeypatch.setattr(narrator.cli, "load_command", lambda name: painted)
    shown = CliRunner().invoke(narrator.cli.main, ["play"], color=True).output
    assert ("\x1b" in shown) == coloured
