"""SpeechRecognition, imported in one place: as it loads, it warns of modules that it will have to do without."""

from __future__ import annotations

import warnings
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import speech_recognition

sr: Any = speech_recognition
"""The library, which comes without types."""

RATE = 16000
"""HeardSamples per second everywhere in here."""
WIDTH = 2
"""Bytes per sample."""
FRAME = 320
"""HeardSamples per frame: 20 ms."""
SECONDS = FRAME / RATE
"""Length of a frame."""
