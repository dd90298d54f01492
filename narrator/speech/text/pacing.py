"""How long a line takes, told from its text alone: the pace of a game that nobody hears."""

from __future__ import annotations

import re

from narrator.language_tags import base, is_han
from narrator.speech.text.numerals import spelled
from narrator.speech.utterance import Segment, Utterance

SEGMENT_PAUSE = 0.35
"""Seconds of silence between two languages of a line."""
NAME_PAUSE = 0.15
"""Seconds of silence before a player's name."""
SHORTEST = 0.6
"""Seconds that even the shortest segment takes."""

_SYLLABLE = {"zh": 0.29, "es": 0.19, "en": 0.24}
_OTHER_SYLLABLE = 0.22
_MARK = 0.22
_VOWELS = re.compile(r"[aeiouyáéíóúüæœøåäöàèìòùâêîôû]+", re.IGNORECASE)
_MARKS = re.compile(r"[,.;:!?，。；：！？、…]+")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[A-Za-z]+")


def estimate(utterance: Utterance, rate: int = 100) -> float:
    """Seconds the utterance takes at `rate` percent of the normal speed."""
    pauses = sum(map(pause_before, utterance.segments[1:]))
    return pauses + sum(_seconds(segment) for segment in utterance.segments) * 100 / rate


def pause_before(segment: Segment) -> float:
    """Seconds of silence between a segment and the one before it."""
    return NAME_PAUSE if segment.is_name else SEGMENT_PAUSE


def syllables(text: str, language: str) -> int:
    """About how many syllables a text has, numbers included."""
    if is_han(language):
        return len(_HAN.findall(spelled(text)))
    numbers = sum(2 * len(number) for number in re.findall(r"\d+", text))
    return numbers + len(_VOWELS.findall(text)) - (_silent_ends(text) if base(language) == "en" else 0)


def _seconds(segment: Segment) -> float:
    each = _SYLLABLE.get(base(segment.language), _OTHER_SYLLABLE)
    marks = len(_MARKS.findall(segment.text))
    return max(SHORTEST, each * syllables(segment.text, segment.language) + _MARK * max(1, marks))


def _silent_ends(text: str) -> int:
    return len(re.findall(r"(?i)(?<=[aeiouy])[^aeiouy\W\d]+e(?:s|d)?\b", text))
