"""What a terminal can show: codes to scan, and colours."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import click

BLOCKS = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
"""(upper, lower) module of a code -> the sign for both."""
DUMB = ("dumb", "unknown")
"""What TERM says of terminals that know no colours and no signs of their own."""
WIDE = ("gb", "big5", "euc", "shift_jis", "cp932", "cp936", "cp949", "cp950", "hz", "iso2022", "johab")
"""How the encodings begin in which a block is as wide as two letters, if it is there at all."""
LIGHT_EDGE = 2
"""Modules of the light edge around a code."""


def is_dumb() -> bool:
    """Whether the terminal takes no escape codes."""
    return os.environ.get("TERM", "").lower() in DUMB


def has_colours(stream: IO[Any] | None = None) -> bool:
    """Whether what is printed is shown in colours."""
    stream = stream or sys.stdout
    return bool(stream and stream.isatty()) and not is_dumb()


def prints_blocks(stream: IO[Any] | None = None) -> bool:
    """Whether a half block can be printed, one letter wide."""
    stream = stream or sys.stdout
    try:
        encoding = codecs.lookup(getattr(stream, "encoding", None) or "ascii").name.replace("-", "_")
        "▀▄█".encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return not encoding.startswith(WIDE) and not (stream is not None and stream.isatty() and is_dumb())


def qr_code(link: str, *, blocks: bool | None = None, colours: bool | None = None) -> list[str]:
    """The QR code of a link, dark on light whatever the terminal's colours, in lines; none if it cannot be shown.

    With `blocks` two rows stand in a line; without, each module is two blanks on its colour. Letters instead of blocks
    are read by no phone. By default what the terminal can show.
    """
    rows = modules(link)
    colours = has_colours() if colours is None else colours
    if prints_blocks() if blocks is None else blocks:
        rows += [[0] * len(rows[0])] * (len(rows) % 2)
        lines = [half_blocks(upper, lower) for upper, lower in zip(rows[::2], rows[1::2], strict=True)]
        return [click.style(line, fg="black", bg="bright_white") for line in lines] if colours else lines
    return ["".join(map(coloured, row)) for row in rows] if colours else []


def coloured(dark: int) -> str:
    """One module as two blanks."""
    return click.style("  ", bg="black" if dark else "bright_white")


def modules(link: str) -> list[list[int]]:
    """The code's rows: 1 for dark, with a light edge."""
    import segno

    code = segno.make(link, error="l", micro=False)
    return [[int(bool(dark)) for dark in row] for row in code.matrix_iter(border=LIGHT_EDGE)]


def half_blocks(upper: Sequence[int], lower: Sequence[int]) -> str:
    """Two rows of a code as one line of text."""
    return "".join(BLOCKS[top, bottom] for top, bottom in zip(upper, lower, strict=True))


def write_qr(link: str, file: Path) -> None:
    """Write the code as a picture. OSError if that cannot be."""
    import segno

    with file.open("wb") as picture:
        segno.make(link, error="l", micro=False).save(picture, kind="png", scale=10, border=4)
