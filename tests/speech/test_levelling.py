"""Recordings are made alike: level, ends, speed."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from itertools import pairwise

import pytest

from narrator.speech.clip import Clip
from narrator.speech.levelling import (
    AFTER,
    BEFORE,
    LEVEL,
    PEAK,
    faded,
    levelled,
    peak,
    recorded,
    speech_level,
    stretched,
    trimmed,
)

from .listening import largest_step

RATE = 24_000


def sound(seconds: float, wave: Callable[[float], float]) -> Clip:
    return Clip(array("h", [round(32767 * wave(at / RATE)) for at in range(round(seconds * RATE))]).tobytes(), RATE)


def tone(seconds: float, amplitude: float = 0.1, hertz: float = 220.0) -> Clip:
    return sound(seconds, lambda at: amplitude * math.sin(2 * math.pi * hertz * at))


def with_silence(clip: Clip, before: float, after: float) -> Clip:
    return Clip(bytes(2 * round(before * RATE)) + clip.samples + bytes(2 * round(after * RATE)), RATE)


@pytest.mark.parametrize("amplitude", [0.01, 0.1, 0.9])
def test_speech_is_brought_to_one_level(amplitude: float) -> None:
    assert speech_level(levelled(tone(0.5, amplitude))) == pytest.approx(LEVEL, abs=0.2)


def test_silence_around_speech_does_not_count_into_its_level() -> None:
    clip = tone(0.5)
    assert speech_level(with_silence(clip, 1.0, 2.0)) == pytest.approx(speech_level(clip), abs=0.2)


def test_no_sample_goes_beyond_the_peak() -> None:
    spiky = sound(1.0, lambda at: 0.02 * math.sin(1000 * at) + (0.5 if 0.5 < at < 0.502 else 0.0))
    assert 10 ** (peak(levelled(spiky)) / 20) <= PEAK


def test_digital_silence_stays_silent() -> None:
    assert recorded(with_silence(tone(0.0), 0.5, 0.5)).is_silent()
    assert speech_level(Clip(b"", RATE)) == -math.inf


@pytest.mark.parametrize(("before", "after"), [(0.5, 0.7), (0.0, 0.0), (0.001, 0.01)])
def test_the_silence_around_speech_is_always_the_same(before: float, after: float) -> None:
    assert trimmed(with_silence(tone(0.5), before, after)).seconds == pytest.approx(0.5 + BEFORE + AFTER, abs=0.012)


def test_the_ends_rise_from_silence_and_fall_back() -> None:
    clip = sound(0.1, lambda at: 0.5)
    assert largest_step(Clip(bytes(2) + clip.samples + bytes(2), RATE)) > 16_000
    assert largest_step(Clip(bytes(2) + faded(clip).samples + bytes(2), RATE)) < 200


@pytest.mark.parametrize("percent", [50, 80, 125, 200])
def test_faster_and_slower_speech_keeps_its_pitch_and_has_no_clicks(percent: int) -> None:
    clip = tone(1.0, 0.5)
    other = stretched(clip, percent)
    assert other.seconds == pytest.approx(100 / percent, abs=0.06)
    assert crossings(other) / other.seconds == pytest.approx(220, rel=0.05)
    assert largest_step(other) < 1.5 * largest_step(clip)


def test_the_usual_speed_changes_nothing() -> None:
    assert stretched(tone(0.3), 100) == tone(0.3)


def test_what_is_too_short_to_be_stretched_stays_as_it_is() -> None:
    assert stretched(tone(0.03), 200) == tone(0.03)
    assert stretched(Clip(b"", RATE), 50) == Clip(b"", RATE)


def crossings(clip: Clip) -> int:
    values = clip.values()
    return sum(one < 0 <= other for one, other in pairwise(values))
