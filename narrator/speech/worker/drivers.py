"""The speech engines of this machine, behind pyttsx3. Lives in the worker process."""

from __future__ import annotations

import sys
import threading
import types
import wave
from pathlib import Path
from typing import Any, Protocol

from narrator.speech.worker.espeak import Espeak, is_installed

BUNDLED = "narrator_espeak"
"""Engine that comes with Python wheels; for `pyttsx3.init`, once `register` was called."""
STOCK_ESPEAK = "espeak"
"""pyttsx3's own driver on a system's espeak: it ends its loop before the line is rendered."""

DEFAULT_VOICE = "gmw/en-US"
DEFAULT_RATE = 165
_MODULE = "pyttsx3.drivers." + BUNDLED
_OF_SYSTEM = {"darwin": "nsss", "win32": "sapi5"}
_LOUDNESS = {BUNDLED: 0.9}
_FINISH_SECONDS = 20.0


def engine_names() -> tuple[str, ...]:
    """Names for `pyttsx3.init` worth trying on this machine, the preferred one first.

    On Linux the bundled espeak is taken even where the system has one: older ones misread Chinese.
    """
    system = _OF_SYSTEM.get(sys.platform)
    bundled = (BUNDLED,) if is_installed() else ()
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

        engine = pyttsx3.init(register() if name == BUNDLED else name)
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


class Proxy(Protocol):
    """What pyttsx3 hands to its drivers."""

    def setBusy(self, busy: bool) -> None: ...  # noqa: N802 - pyttsx3 names it

    def notify(self, topic: str, **details: Any) -> None: ...


class Driver:
    """A driver for pyttsx3 on the espeak-ng library from a wheel: what pyttsx3 calls, under its names.

    pyttsx3's own espeak driver lets a line end before it is rendered and mixes up lines that follow each other; this
    one renders where it is called, so `runAndWait()` returns when the file is written. It never plays.
    """

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy
        self._espeak = Espeak()
        for name, value in (("voice", DEFAULT_VOICE), ("rate", DEFAULT_RATE), ("volume", 1.0)):
            self.setProperty(name, value)

    def destroy(self) -> None:
        """Nothing to give back: the library lives as long as its process."""

    def getProperty(self, name: str) -> Any:  # noqa: N802
        """Value of 'voices', 'voice', 'rate' or 'volume'; KeyError for others."""
        if name == "voices":
            return self._voices()
        espeak = self._espeak
        read = {"voice": espeak.voice, "rate": espeak.rate, "volume": lambda: espeak.volume() / 100}
        return _known(read, name)()

    def setProperty(self, name: str, value: Any) -> None:  # noqa: N802
        """Set 'voice', 'rate' (words per minute) or 'volume' (0 to 1); KeyError for others."""
        espeak = self._espeak
        write = {
            "voice": lambda: espeak.set_voice(str(value)),
            "rate": lambda: espeak.set_rate(round(value)),
            "volume": lambda: espeak.set_volume(round(100 * value)),
        }
        _known(write, name)()

    def save_to_file(self, text: str, filename: str) -> None:
        """Render the text into a WAV file, here and now."""
        self._proxy.notify("started-utterance")
        samples = self._espeak.render(text)
        with wave.open(filename, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(self._espeak.samples_per_second)
            file.writeframes(samples)
        self._proxy.notify("finished-utterance", completed=True)

    def say(self, text: str) -> None:
        """Refused: the narrator plays the files itself."""
        raise NotImplementedError("this driver renders with save_to_file and never plays")

    def stop(self) -> None:
        """Nothing runs in the background that could be stopped."""

    def startLoop(self) -> None:  # noqa: N802
        """Work off pyttsx3's queue; everything in it is done when this returns."""
        self._proxy.setBusy(False)

    def endLoop(self) -> None:  # noqa: N802
        """The loop ends by itself."""

    def iterate(self) -> Any:
        """Work off the queue from a foreign loop."""
        self._proxy.setBusy(False)
        yield

    def _voices(self) -> list[Any]:
        from pyttsx3.voice import Voice

        return [Voice(voice.identifier, voice.name, [voice.language]) for voice in self._espeak.voices()]


def register() -> str:
    """Make the driver known to pyttsx3, and return its name for `pyttsx3.init`."""
    module = types.ModuleType(_MODULE)
    module.__dict__["buildDriver"] = Driver
    sys.modules.setdefault(_MODULE, module)
    return BUNDLED


def _known(table: dict[str, Any], name: str) -> Any:
    if name not in table:
        raise KeyError(f"properties are voices, {', '.join(table)}: {name!r}")
    return table[name]
