"""The repertoire: whatever is said in a game can be recorded before it."""

from __future__ import annotations

from functools import cache

import pytest

from narrator.narration import Line, Script, render_line
from narrator.narration.keys import SPOKEN
from narrator.narration.lines import line_phrases
from narrator.narration.repertoire import recording_name, repertoire
from narrator.speech.packs import phrases
from narrator.speech.utterance import Segment
from tests.narration.hearing import game, lines_of
from tests.narration.playing import RULESETS

SEEDS = (1, 2)


@cache
def known(name: str, language: str) -> frozenset[str]:
    return frozenset(text for line in repertoire(RULESETS[name]) for text in cut(line, name, language))


def cut(line: Line, name: str, language: str) -> list[str]:
    pieces = line_phrases(line, Script.load(language), RULESETS[name])
    return [phrase.text for phrase in phrases(Segment("", language, phrases=pieces))]


@pytest.mark.parametrize("name", sorted(RULESETS))
@pytest.mark.parametrize("language", ["zh-Hans", "es", "en"])
def test_every_phrase_of_whole_games_is_in_the_repertoire(name: str, language: str) -> None:
    lines = [line for seed in SEEDS for _, line in lines_of(game(name, seed))]
    missing = {text for line in lines for text in cut(line, name, language) if text not in known(name, language)}
    assert missing == set()


def test_every_spoken_key_is_in_some_repertoire_but_for_general_words() -> None:
    said = {line.key for ruleset in RULESETS.values() for line in repertoire(ruleset)}
    by_night = ("calls.", "call.", "asks.")
    assert {key for key in said ^ SPOKEN if not key.startswith(by_night)} == {"won.other"}


def test_seats_go_as_far_as_the_ruleset_does() -> None:
    numbers = {line.params["seat"] for line in repertoire(RULESETS["killers-2"]) if line.key == "speech.next"}
    assert numbers == set(range(1, RULESETS["killers-2"].seats[1] + 1))


def test_numbered_cards_are_called_by_their_numbers() -> None:
    name = next(name for name, ruleset in RULESETS.items() if ruleset.hand.kind == "numbered")
    places = {line.params["place"] for line in repertoire(RULESETS[name]) if line.key == "vote.candidate"}
    assert max(places) == 2 * RULESETS[name].seats[1]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (Line("night.falls"), "night.falls"),
        (Line("speech.next", {"seat": 5}), "speech.next-5"),
        (Line("deaths.night", {"places": [3, 8], "cards": False, "count": 2}), "deaths.night-3-8"),
        (Line("deaths.night", {"places": [3], "cards": True, "count": 1}), "deaths.night-card3"),
        (Line("role.revealed", {"seat": 5, "role": "killer"}), "role.revealed-killer-5"),
        (Line("calls.killer.open", {"step": "killer", "role": "killer", "count": 3}), "calls.killer.open"),
        (Line("calls.killer.open_numbered", {"step": "killer", "role": "killer", "number": 2}),
         "calls.killer.open_numbered-2"),
        (Line("welcome", {"ruleset": "killers-2"}), "welcome-killers-2"),
        (Line("vote.result", {"tally": {3: 5}, "cards": False}), ""),
    ],
)  # fmt: skip
def test_a_recording_is_named_by_key_and_parameters(line: Line, name: str) -> None:
    assert recording_name(line) == name


def test_two_lines_of_one_name_say_the_same_but_for_the_edition() -> None:
    script = Script.load("zh-Hans")
    texts: dict[str, str] = {}
    for line in repertoire(RULESETS["killers-2"]):
        if name := recording_name(line):
            text = render_line(line, script, RULESETS["killers-2"])
            assert texts.setdefault(name, text) == text
