"""The group's own recordings: sound files named by line, used wherever there is one."""

from __future__ import annotations

from pathlib import Path

from narrator.speech.clip import Clip
from narrator.speech.decoding import decode
from narrator.speech.languages import base
from narrator.speech.levelling import recorded
from narrator.speech.rendering import Request

ENDINGS = (".wav", ".ogg", ".opus", ".mp3", ".flac")


class OwnRecordings:
    """A folder with a folder for each language, such as `zh-Hans` or just `zh`, in which the files lie."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def clip(self, request: Request) -> Clip | None:
        """The recording of a line, trimmed and at the common level; None where there is none.

        Raises OSError, or ValueError for a file that is no sound.
        """
        path = self._path(request)
        if path is None:
            return None
        try:
            [clip] = decode([path.read_bytes()])
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
        return None if clip.is_silent() else recorded(clip)

    def _path(self, request: Request) -> Path | None:
        name, tag = request.recording, request.segment.language
        if not name or "/" in name or "\\" in name:
            return None
        folders = [self._root / folder for folder in dict.fromkeys((tag, base(tag)))]
        paths = (folder / f"{name}{ending}" for folder in folders for ending in ENDINGS)
        return next((path for path in paths if path.is_file()), None)
