"""The speech engines of this machine, behind pyttsx3. Lives in the worker process."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

from narrator.speech import espeak_driver, espeak_library

BUNDLED = espeak_driver.NAME
"""Engine that comes with Python wheels."""
STOCK_ESPEAK = "espeak"
"""pyttsx3's own driver on a system's espeak: it ends its loop before the line is rendered."""

_OF_SYSTEM = {"darwin": "nsss", "win32": "sapi5"}
_LOUDNESS = {BUNDLED: 0.9}
_FINISH_SECONDS = 20.0


def engine_names() -> tuple[str, ...]:
    """Names for `pyttsx3.init` worth trying on this machine, the preferred one first.

    On Linux the bundled espeak is taken even where the system has one: older ones misread Chinese.
    """
    system = _OF_SYSTEM.get(sys.platform)
    bundled = (BUNDLED,) if espeak_library.is_installed() else ()
    return (system, *bundled) if system else (bundled or (STOCK_ESPEAK,))


class Engines:
    """Engines opened when first needed, and kept: a second instance of one would disturb the first."""

    def __init__(self) -> None:
        self._open: dict[str, Any] = {}
        self._errors: list[str] = []
        self._finished = threading.Event()

    def voices(self, name: str) -> list[dict[str, Any]]:
        """Voices of one engine as {id, name, languages}. Raises whatever the engine raises when it cannot start."""
        return [
            {"id": voice.id, "name": voice.name or voice.id, "languages": [_tag(tag) for tag in voice.languages]}
            for voice in self._engine(name).getProperty("voices")
        ]

    def render(self, name: str, voice: str, text: str, rate: int, path: Path) -> None:
        """Speak the text into a file. Raises RuntimeError with the engine's own words when it reports an error."""
        engine = self._engine(name)
        self._errors.clear()
        self._finished.clear()
        for key, value in (("voice", voice), ("rate", rate), ("volume", _LOUDNESS.get(name, 1.0))):
            engine.setProperty(key, value)
        engine.save_to_file(text, str(path))
        engine.runAndWait()
        if name == STOCK_ESPEAK and not self._errors:
            self._finished.wait(_FINISH_SECONDS)
        if self._errors:
            raise RuntimeError("; ".join(self._errors))

    def _engine(self, name: str) -> Any:
        if name not in self._open:
            self._open[name] = self._opened(name)
        return self._open[name]

    def _opened(self, name: str) -> Any:
        import pyttsx3

        engine = pyttsx3.init(espeak_driver.register() if name == BUNDLED else name)
        engine.connect("error", self._on_error)
        engine.connect("finished-utterance", self._on_finished)
        return engine

    def _on_error(self, name: str | None = None, exception: BaseException | None = None) -> None:
        self._errors.append(str(exception) or type(exception).__name__)

    def _on_finished(self, name: str | None = None, completed: bool = True) -> None:
        self._finished.set()


def _tag(tag: object) -> str:
    """A language tag as text; some drivers hand out bytes with a priority before them."""
    text = tag.decode("utf-8", "ignore") if isinstance(tag, bytes) else str(tag)
    return text.strip("\x00\x01\x02\x03\x04\x05\x06\x07\x08\t ")
