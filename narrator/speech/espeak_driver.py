"""A driver for pyttsx3 on the espeak-ng library from a wheel.

pyttsx3's own espeak driver lets a line end before it is rendered and mixes up lines that follow each other; this one
renders where it is called, so `runAndWait()` returns when the file is written. It never plays.
"""

from __future__ import annotations

import sys
import types
import wave
from typing import Any, Protocol

from narrator.speech.espeak_library import Espeak

NAME = "narrator_espeak"
"""For `pyttsx3.init`, once `register` was called."""

DEFAULT_VOICE = "gmw/en-US"
DEFAULT_RATE = 165
_MODULE = "pyttsx3.drivers." + NAME


class Proxy(Protocol):
    """What pyttsx3 hands to its drivers."""

    def setBusy(self, busy: bool) -> None: ...  # noqa: N802 - pyttsx3 names it

    def notify(self, topic: str, **details: Any) -> None: ...


class Driver:
    """What pyttsx3 calls; the names are pyttsx3's."""

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
    return NAME


def _known(table: dict[str, Any], name: str) -> Any:
    if name not in table:
        raise KeyError(f"properties are voices, {', '.join(table)}: {name!r}")
    return table[name]
