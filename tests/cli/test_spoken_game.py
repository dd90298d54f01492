"""A whole game, spoken into files by the real voice, in every language."""

from __future__ import annotations

import math
import wave
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from narrator.cli.demo import demo
from narrator.narration.scripts import LANGUAGES
from narrator.speech.text.pacing import estimate
from narrator.speech.utterance import Segment, Utterance
from tests.amounts import lanes

QUIET, LOUD = -32.0, -10.0
"""dBFS of a whole line, its silences included."""
SHORTEST, LONGEST = 0.5, 2.0
"""How far a line may be from the time that is estimated for it."""


def seconds_and_level(path: Path) -> tuple[float, float]:
    with wave.open(str(path)) as sound:
        samples = np.frombuffer(sound.readframes(sound.getnframes()), "<i2").astype(np.float32) / 32768
        rate = sound.getframerate() * sound.getnchannels()
    mean = float(np.mean(samples * samples)) if len(samples) else 0.0
    return len(samples) / rate, 10 * math.log10(mean) if mean else -math.inf


@pytest.mark.sound
@pytest.mark.parametrize("language", lanes(LANGUAGES, ["zh-Hans", "en"]))
def test_every_line_of_a_game_has_sound_of_a_likely_length_and_level(language: str, tmp_path: Path) -> None:
    words = ["--fast", "--seed", "5", "--language", language, "--speaker", f"wav:{tmp_path}"]
    played = CliRunner().invoke(demo, words, catch_exceptions=False)
    assert played.exit_code == 0, played.output
    files = sorted(tmp_path.glob("*.wav"))
    keys = [path.stem.partition("-")[2] for path in files]
    assert {"night.falls", "dawn.breaks"} <= set(keys)
    assert any(key.startswith(("won.", "draw.")) for key in keys)
    for path in files:
        tag, _, text = path.with_suffix(".txt").read_text(encoding="utf-8").strip().partition("] ")
        assert tag == f"[{language}", path.name
        seconds, level = seconds_and_level(path)
        expected = estimate(Utterance(1, (Segment(text, language),)))
        assert SHORTEST * expected - 0.5 <= seconds <= LONGEST * expected + 1.0, (text, seconds, expected)
        assert QUIET <= level <= LOUD, (text, level)
