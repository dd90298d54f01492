from __future__ import annotations

import numpy as np
import pytest

from narrator.hearing.endpointing import LONG, SHORT, SpeechBurst
from tests.hearing import material
from tests.hearing.material import Mouth, Sound, people
from tests.hearing.report import utterances


def tone(seconds: float) -> Sound:
    """A steady tone as loud as speech."""
    places = np.arange(round(seconds * 16000))
    return (0.1 * np.sin(places * 0.2)).astype(np.float32)


def gate(*parts: Sound | float, noise: float | None = None) -> list[SpeechBurst]:
    chance = np.random.default_rng(1)
    sound = material.track(*parts)
    return utterances(
        material.in_room(sound, chance, None if noise is None else material.white(len(sound), noise, chance))
    )


def test_a_short_sound_alone_gets_through_with_its_times() -> None:
    [found] = gate(1.0, tone(0.4), 1.0)
    assert found.is_word
    assert found.begin == pytest.approx(1.0, abs=0.041)
    assert found.seconds == pytest.approx(0.4, abs=0.05)
    assert len(found.samples) / 16000 == pytest.approx(0.52, abs=0.05)


def test_it_gets_through_half_a_second_after_it_ended() -> None:
    assert gate(1.0, tone(0.4), 0.44) == []
    assert len(gate(1.0, tone(0.4), 0.56)) == 1


@pytest.mark.parametrize(("pause", "word"), [(0.3, False), (0.7, True)])
def test_what_follows_too_soon_belongs_to_what_came_before(pause: float, word: bool) -> None:
    assert gate(1.0, tone(2.0), pause, tone(0.4), 1.0)[-1].is_word is word


def test_a_pause_that_ends_an_utterance_can_be_the_silence_before_the_next() -> None:
    assert [found.is_word for found in gate(1.0, tone(2.0), 0.6, tone(0.4), 1.0)] == [False, True]


@pytest.mark.parametrize(("seconds", "word"), [(0.04, False), (0.9, True), (LONG + 0.2, False)])
def test_clicks_and_sentences_are_no_words(seconds: float, word: bool) -> None:
    found = gate(1.0, tone(seconds), 1.0)
    assert any(one.is_word for one in found) is word


def test_a_sentence_keeps_no_sound() -> None:
    [found] = gate(1.0, tone(3.0), 1.0)
    assert len(found.samples) == 0


@pytest.mark.parametrize("language", list(material.VOICES))
def test_not_one_word_gets_through_in_running_speech(voice: Mouth, language: str) -> None:
    for person in people(language, 3):
        spoken = [voice.say(person, text) for text in material.SENTENCES[language]]
        found = gate(1.0, *(part for sentence in spoken for part in (sentence, 0.3)), 1.0)
        assert found
        assert not [one for one in found if one.is_word and one.seconds <= SHORT]


@pytest.mark.parametrize("over", [10, 20, 30])
def test_how_far_speech_lies_above_the_noise_is_measured(voice: Mouth, over: int) -> None:
    [person] = people("en", 1)
    sentence = voice.say(person, material.SENTENCES["en"][0])
    found = max(gate(3.0, sentence, 1.0, noise=material.LOUD - over), key=lambda one: one.seconds)
    assert found.clarity == pytest.approx(over, abs=2.5)
