from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from narrator.hearing.library import RATE, sr
from narrator.hearing.takes import Take, distance, distances, is_like, raw
from tests.amounts import lanes
from tests.hearing import material
from tests.hearing.material import Mouth, Person, people
from tests.hearing.report import manner, utterances

LANGUAGES = list(material.VOICES)


def spoken(voice: Mouth, person: Person, text: str, rate: int = 160, pitch: float = 1.0) -> Take:
    """What a person says, through the gate."""
    said = material.track(1.0, voice.say(person, text, rate, pitch), 1.0)
    [found] = utterances(material.in_room(said, np.random.default_rng(2)))
    return Take(found.samples)


def takes_of(voice: Mouth, person: Person) -> list[Take]:
    word = material.CLOSING[person.language]
    return [spoken(voice, person, word, rate, pitch) for rate, pitch in ((150, 1.0), (162, 0.98), (174, 1.02))]


def recognised(take: Take, **takes: list[Take]) -> str | None:
    try:
        audio = sr.AudioData(raw(take.samples), RATE, 2)
        return str(sr.Recognizer().recognize_takes(audio, takes))
    except sr.UnknownValueError:
        return None


def manners() -> Iterator[tuple[int, float]]:
    chance = np.random.default_rng(3)
    return (manner(chance) for _ in range(100))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_player_is_known_by_his_own_takes(voice: Mouth, language: str) -> None:
    how, found = manners(), []
    for person in people(language):
        takes = takes_of(voice, person)
        found += [recognised(spoken(voice, person, material.CLOSING[language], *next(how)), it=takes) for _ in range(3)]
    assert found.count("it") >= 0.9 * len(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_word_may_be_said_twice(voice: Mouth, language: str) -> None:
    how, found = manners(), []
    for person in people(language):
        said = spoken(voice, person, material.TWICE[language], *next(how))
        found.append(recognised(said, it=takes_of(voice, person)))
    assert found.count("it") >= len(found) - 1


@pytest.mark.parametrize("language", lanes(LANGUAGES, ["zh"]))
def test_ordinary_words_are_not_taken_for_it(voice: Mouth, language: str) -> None:
    how, wrong = manners(), []
    for person in people(language, 4):
        takes = takes_of(voice, person)
        for text in material.WORDS[language]:
            if recognised(spoken(voice, person, text, *next(how)), it=takes):
                wrong.append(text)
    assert len(wrong) <= 0.02 * 4 * len(material.WORDS[language]), wrong


def test_another_word_said_twice_is_not_the_word(voice: Mouth) -> None:
    [person] = people("en", 1)
    takes = takes_of(voice, person)
    assert [recognised(spoken(voice, person, f"{word}, {word}"), it=takes) for word in ("yes", "no", "vote")] == [
        None
    ] * 3


def test_two_different_words_are_not_one_said_twice(voice: Mouth) -> None:
    [person] = people("en", 1)
    assert recognised(spoken(voice, person, "pass me"), it=takes_of(voice, person)) is None


def test_the_judges_commands_are_told_apart(voice: Mouth) -> None:
    [person] = people("en", 1)
    words = ("next", "repeat", "pause")
    takes = {word: [spoken(voice, person, word, rate) for rate in (150, 162, 174)] for word in words}
    assert [recognised(spoken(voice, person, word, 167, 1.02), **takes) for word in words] == list(words)


def test_nobody_is_known_without_takes(voice: Mouth) -> None:
    [person] = people("en", 1)
    assert recognised(spoken(voice, person, "pass"), it=[]) is None
    assert recognised(spoken(voice, person, "pass")) is None


def test_a_take_is_not_like_another_word(voice: Mouth) -> None:
    [person] = people("en", 1)
    first, *others = takes_of(voice, person)
    assert is_like(first, [])
    assert is_like(first, others)
    assert not is_like(spoken(voice, person, "because"), others)


def test_distances_to_many_are_those_to_each(voice: Mouth) -> None:
    [person] = people("en", 1)
    word, *takes = [spoken(voice, person, text).features() for text in ("pass", "because", "no", "passing")]
    assert distances(word, takes) == pytest.approx([distance(word, take) for take in takes])
    assert distance(word, word) == pytest.approx(0.0, abs=1e-2)
