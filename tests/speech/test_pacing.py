"""Estimates: how long a line would take if it were heard."""

from __future__ import annotations

import pytest

from narrator.speech.text.pacing import SHORTEST, estimate, syllables
from narrator.speech.utterance import Segment, Utterance
from tests.speech.listening import line


@pytest.mark.parametrize(
    ("text", "language", "count"),
    [
        ("天黑请闭眼。", "zh-Hans", 5),
        ("12号出局", "zh-Hans", 5),
        ("Cae la noche.", "es", 4),
        ("Everybody close your eyes.", "en", 7),
    ],
)
def test_syllables_are_counted(text: str, language: str, count: int) -> None:
    assert abs(syllables(text, language) - count) <= 1


def test_longer_lines_take_longer() -> None:
    assert estimate(line(1, "天黑请闭眼。大家都闭眼。", "zh-Hans")) > estimate(line(1, "天黑请闭眼。", "zh-Hans"))


def test_twice_the_rate_takes_half_the_time() -> None:
    spoken = line(1, "Killers, open your eyes.")
    assert estimate(spoken, 200) == pytest.approx(estimate(spoken, 100) / 2)


def test_an_empty_line_still_takes_a_moment() -> None:
    assert estimate(line(1, "")) == SHORTEST


def test_two_languages_take_longer_than_both_apart() -> None:
    chinese, english = Segment("天黑请闭眼。", "zh-Hans"), Segment("Close your eyes.", "en")
    both = estimate(Utterance(1, (chinese, english)))
    assert both > estimate(Utterance(1, (chinese,))) + estimate(Utterance(1, (english,)))
