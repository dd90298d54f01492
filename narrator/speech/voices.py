"""The voices of this machine, and which of them is taken for a language."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from narrator.language_tags import rank
from narrator.speech.worker.drivers import BUNDLED
from narrator.speech.worker.process import WorkerLostError, WorkerProcess, WorkerRefusedError

START_SECONDS = 20.0
"""How long the engines may take to start and list their voices."""

RECORDED = "recorded"
"""What stands for the engine of voices whose lines were recorded beforehand."""

_GOOD = re.compile(
    "ting-?ting|mei-?jia|m[oó]nica|paulina|samantha|alex|daniel|huihui|hanhan|yaoyao|zira|david|helena|sabina"
    "|premium|enhanced"
)
_TOYS = re.compile(
    "albert|bad news|bahh|bells|boing|bubbles|cellos|deranged|fred|good news|hysterical|jester|junior|kathy|organ"
    "|princess|ralph|superstar|trinoids|whisper|wobble|zarvox|eloquence"
)
_AWKWARD = ("latn", "pinyin")


@dataclass(frozen=True)
class Voice:
    """A voice that can be chosen."""

    id: str
    """Engine and the engine's own id, as 'narrator_espeak:sit/cmn'."""
    name: str
    """What the engine calls it."""
    languages: tuple[str, ...]
    """Tags as the engine gives them."""
    engine: str
    """Name of the pyttsx3 driver."""

    @property
    def engine_id(self) -> str:
        """The engine's own id, without the engine."""
        return self.id.partition(":")[2]

    @classmethod
    def from_answer(cls, answer: Mapping[str, Any]) -> Voice:
        """A voice from what the worker told of it."""
        languages = tuple(str(tag) for tag in answer["languages"] if tag)
        return cls(f"{answer['engine']}:{answer['id']}", str(answer["name"]), languages, str(answer["engine"]))

    def rank(self, language: str) -> int | None:
        """How well its languages serve this one: 0 is best, None not at all."""
        if any(word in self.id.lower() for word in _AWKWARD):
            return None
        ranks = [place for tag in self.languages if (place := rank(language, tag)) is not None]
        return min(ranks, default=None)


class VoicesError(Exception):
    """No engine could be asked for its voices; the message says why and what would help."""


def list_voices(language: str | None = None) -> tuple[Voice, ...]:
    """Every voice of this machine, or those that speak a language, the best first. Starts and ends a worker.

    Raises VoicesError when there is none at all.
    """
    try:
        with contextlib.closing(WorkerProcess()) as worker:
            answer = worker.ask({"do": "voices"}, START_SECONDS)
    except (WorkerLostError, WorkerRefusedError) as error:
        raise VoicesError(str(error)) from error
    voices = voices_from(answer)
    if not voices:
        raise VoicesError(no_engine(answer["problems"]))
    return voices if language is None else speaking(language, voices)


def best_voice(language: str, voices: Iterable[Voice] | None = None) -> Voice | None:
    """The voice taken for a language when none was chosen; None when nothing here speaks it."""
    found = speaking(language, list_voices() if voices is None else voices)
    return found[0] if found else None


def speaking(language: str, voices: Iterable[Voice]) -> tuple[Voice, ...]:
    """The voices that speak a language, the best first: recorded ones, the system's own, the bundled one."""
    ranked = [(voice, place) for voice in voices if (place := voice.rank(language)) is not None]
    ranked.sort(key=lambda pair: (_merit(pair[0]), _charm(pair[0]), pair[1]))
    return tuple(voice for voice, _ in ranked)


def voices_from(answer: Mapping[str, Any]) -> tuple[Voice, ...]:
    """The voices in a worker's answer."""
    return tuple(Voice.from_answer(voice) for voice in answer["voices"])


def no_engine(problems: Mapping[str, str]) -> str:
    """What to say when there is no voice at all."""
    reasons = "; ".join(f"{engine}: {reason}" for engine, reason in problems.items()) or "no engine has any"
    return (
        "no voice on this machine; 'pip install espeakng-loader' brings one, "
        f"on a 32-bit Raspberry Pi 'sudo apt install espeak-ng' does ({reasons})"
    )


def _merit(voice: Voice) -> int:
    """The order of the engines."""
    return {RECORDED: 0, BUNDLED: 2}.get(voice.engine, 1)


def _charm(voice: Voice) -> int:
    """-1 for voices known to speak clearly, 1 for jokes, 0 for the rest."""
    words = f"{voice.name} {voice.id}".lower()
    if _TOYS.search(words):
        return 1
    return -1 if _GOOD.search(words) else 0
