"""What went wrong with the voice, told to the judge; the game goes on all the same."""

from __future__ import annotations

from dataclasses import dataclass

NO_SOUND_DEVICE = "no_sound_device"
"""Nothing to play on: lines last their time as text."""
NO_VOICE = "no_voice"
"""A language, or a chosen voice, that no engine here has."""
ENGINE_RESTARTED = "engine_restarted"
"""The speech engine hung or died and was started anew; the line is tried again."""
ENGINE_FAILED = "engine_failed"
"""The speech engine does not work, even started anew: lines are text until it does."""
LINE_FAILED = "line_failed"
"""One line could not be made into sound; the engine is well."""
DEVICE_LOST = "device_lost"
"""The sound device went away in the middle of a line; the line is repeated where possible."""

TROUBLE_KINDS = (NO_SOUND_DEVICE, NO_VOICE, ENGINE_RESTARTED, ENGINE_FAILED, LINE_FAILED, DEVICE_LOST)


@dataclass(frozen=True)
class Trouble:
    """One thing that went wrong."""

    kind: str
    """One of TROUBLE_KINDS."""
    detail: str
    """A plain English sentence: what is wrong and what would help."""
