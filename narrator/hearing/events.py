"""What the ears tell, and what they are told to listen for. Nothing in here holds sound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


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
class Heard:
    """One of the words was spoken alone."""

    turn: int
    word: str


@dataclass(frozen=True)
class Noise:
    """It has become too noisy to tell words apart, or quiet enough again."""

    turn: int
    noisy: bool


@dataclass(frozen=True)
class Silence:
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
    """`unavailable`: a word for why, as in `narrator.hearing.trouble`."""
    text: str = ""
    """`unavailable`: a sentence that says what is missing and what to do."""


Event = Heard | Noise | Silence | Learned | Microphone
Tell = Callable[[Event], None]
