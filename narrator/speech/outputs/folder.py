"""Writes every line as a numbered WAV with its text beside it."""

from __future__ import annotations

import re
from pathlib import Path

from narrator.clock import Clock
from narrator.speech.outputs.output import ClockOutput, Done, ReadyLine

_DIGITS = 4


class FolderOutput:
    """Numbers go on where the folder's files end, in the order in which lines were begun."""

    wants_clips = True

    def __init__(self, folder: Path, clock: Clock, *, paced: bool = False) -> None:
        """Where to write. `paced` lets each line last its time; otherwise it is over when it is written."""
        self._folder = folder
        self._pace = ClockOutput(clock) if paced else None
        self._next: int | None = None

    def open(self) -> None:
        """Make the folder where there is none. Raises OSError."""
        self._folder.mkdir(parents=True, exist_ok=True)

    def start(self, take: ReadyLine, done: Done) -> None:
        """Write the line."""
        stem = self._folder / f"{self._number():0{_DIGITS}d}-{_file_name(take.utterance.key)}"
        _beside(stem, ".txt").write_text(_text(take), encoding="utf-8")
        if take.clip:
            _beside(stem, ".wav").write_bytes(take.clip.wav())
        if self._pace:
            self._pace.start(take, done)
        else:
            done(True)

    def stop(self) -> None:
        """The file stays as it was written."""
        if self._pace:
            self._pace.stop()

    def set_volume(self, percent: int) -> None:
        """Files are written at full volume."""

    def close(self) -> None:
        """Nothing to give back."""
        self.stop()

    def _number(self) -> int:
        number = self._next or 1 + max((int(path.name[:_DIGITS]) for path in self._numbered()), default=0)
        self._next = number + 1
        return number

    def _numbered(self) -> list[Path]:
        return [path for path in self._folder.glob("*-*.*") if path.name[:_DIGITS].isdecimal()]


def _text(take: ReadyLine) -> str:
    lines = [f"[{segment.language}] {segment.text}\n" for segment in take.utterance.segments]
    return "".join(lines) if take.clip else "".join([*lines, "(no sound could be rendered)\n"])


def _file_name(key: str) -> str:
    return re.sub(r"[^\w.-]+", "_", key).strip(".") or "line"


def _beside(stem: Path, ending: str) -> Path:
    return stem.with_name(stem.name + ending)
