"""The voices that can be chosen. Asking the machine for them takes a moment: it is done aside, and only if wanted."""

from __future__ import annotations

import threading
from collections.abc import Callable

from narrator.speech.renderers.auto import offered_voices
from narrator.speech.voices import Voice, VoicesError, speaking

MOST = 30
"""Voices offered for one language."""


class VoiceList:
    """The recorded voices and those of this machine, once they have been asked for."""

    def __init__(self, ask: Callable[[], tuple[Voice, ...]] = offered_voices) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._voices: tuple[Voice, ...] = ()
        self.state = "unknown"
        """`unknown asking known`."""

    def find(self) -> None:
        """Begin to ask, unless that has been done; `state` tells when it is over."""
        with self._lock:
            if self.state != "unknown":
                return
            self.state = "asking"
        threading.Thread(target=self._find, name="voices", daemon=True).start()

    def for_language(self, language: str) -> list[tuple[str, str]]:
        """Id and name of each voice that speaks a language, the best first."""
        return [(voice.id, voice.name) for voice in speaking(language, self._voices)[:MOST]]

    def _find(self) -> None:
        try:
            self._voices = self._ask()
        except VoicesError:
            self._voices = ()
        self.state = "known"
