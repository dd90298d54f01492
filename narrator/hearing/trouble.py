"""Why there may be no ears, in plain sentences with the cure."""

from __future__ import annotations

NO_LIBRARY, NO_MICROPHONE, NO_MODEL, NO_FILES, LOST = "no_library", "no_microphone", "no_model", "no_files", "lost"


class Unavailable(Exception):
    """The ears cannot listen; `reason` is one word for why, `str()` a sentence with the cure."""

    def __init__(self, reason: str, text: str) -> None:
        self.reason = reason
        super().__init__(text)


def no_library(missing: str) -> Unavailable:
    """A library that is not there."""
    return Unavailable(
        NO_LIBRARY,
        f"listening needs the library {missing}, which is not installed here (there may be no ready-made one for this "
        f"computer): install it with 'pip install {missing}', or use the taps",
    )


def no_microphone(tried: str) -> Unavailable:
    """Nothing to listen through."""
    return Unavailable(
        NO_MICROPHONE, f"no microphone was found: plug one in and switch listening on again, or use the taps ({tried})"
    )


def lost() -> Unavailable:
    """A microphone that has stopped."""
    return Unavailable(
        LOST, "the microphone has stopped: plug it in again and switch listening on again, or use the taps"
    )


def no_model(folder: str) -> Unavailable:
    """No folder with a model in it."""
    return Unavailable(
        NO_MODEL, f"the whisper engine needs the folder of a faster-whisper model: give it with --model; got {folder!r}"
    )


def no_files(place: str, why: str) -> Unavailable:
    """Takes that cannot be kept."""
    return Unavailable(NO_FILES, f"takes cannot be kept in {place} ({why}): make it writable, or use the taps")
