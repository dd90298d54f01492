"""What is no text of usual size is told at once, and neither read to its end nor waited for."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from narrator.loading.files.problem import FileProblems
from narrator.loading.files.yaml_lines import LARGEST, read_text, read_yaml


def test_a_file_that_is_far_too_large_is_told(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(FileProblems, match=r"large.yaml:1: is larger than any such file \(512 KiB at most\)"):
        read_yaml(path)
    path.write_bytes(b"#" * LARGEST)
    assert len(read_text(path)) == LARGEST


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_a_device_and_a_pipe_are_no_texts(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), tmp_path):
        with pytest.raises(FileProblems, match=":1: "):
            read_yaml(path)


def test_line_ends_of_every_system_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\rc: 3\n")
    assert read_text(path) == "a: 1\nb: 2\nc: 3\n"
