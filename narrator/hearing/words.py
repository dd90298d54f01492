"""What can be heard: a closing word for everybody, a few commands for the judge; what the ears are told and tell.

Nothing in here holds sound, and nothing of the libraries of listening is loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

CLOSING = "closing"
"""The word with which a speaker ends."""
COMMANDS = ("next", "repeat", "pause")
"""What the judge may say."""
WORDS = (CLOSING, *COMMANDS)
JUDGE = "judge"
"""Whose takes the commands are."""
ENGINES = ("takes", "whisper")
"""The names of the engines that tell words apart."""
TAKES = 3
"""How often each word is said before the game."""

SAID = {
    "zh-Hans": {"next": "下一个", "repeat": "重复", "pause": "暂停"},
    "zh-Hant": {"next": "下一個", "repeat": "重複", "pause": "暫停"},
    "es": {"next": "siguiente", "repeat": "repetir", "pause": "pausa"},
    "en": {"next": "next", "repeat": "repeat", "pause": "pause"},
}
"""Language -> command -> the word for it."""


def said(word: str, language: str) -> str:
    """The word for a command in that language, in English where there is none."""
    return SAID.get(language, SAID["en"])[word]


@dataclass(frozen=True)
class Listen:
    """Listen for words during one turn."""

    turn: int
    """Goes up with every turn: what was heard in an earlier one counts for nothing."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Word -> whose takes of it are compared."""
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Word -> how it is written, for engines that write down what they hear."""
    language: str = "en"
    """The language that is spoken."""


@dataclass(frozen=True)
class Learn:
    """Take the next short utterances as takes of a word."""

    turn: int
    owner: str
    """Whose takes they are."""
    word: str
    language: str


Task = Listen | Learn


@dataclass(frozen=True)
class WordHeard:
    """One of the words was spoken alone."""

    turn: int
    word: str


@dataclass(frozen=True)
class RoomNoise:
    """It has become too noisy to tell words apart, or quiet enough again."""

    turn: int
    noisy: bool


@dataclass(frozen=True)
class RoomSilence:
    """Nobody has spoken for a while (`silent`), or somebody does again."""

    turn: int
    silent: bool


@dataclass(frozen=True)
class Learned:
    """An utterance was looked at as a take."""

    turn: int
    kept: int
    """How many takes of the word there are now."""
    verdict: str
    """`kept`; or why it was not: `unlike` its siblings, `long`, `noisy`."""


@dataclass(frozen=True)
class Microphone:
    """What the microphone is: `open`, `closed`, `ready` (there is one), or `unavailable`."""

    state: str
    reason: str = ""
    """`unavailable`: a word for why, as in `narrator.hearing.words`."""
    text: str = ""
    """`unavailable`: a sentence that says what is missing and what to do."""


EarEvent = WordHeard | RoomNoise | RoomSilence | Learned | Microphone
Tell = Callable[[EarEvent], None]


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
