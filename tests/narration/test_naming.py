"""Whose names are said after which lines."""

from __future__ import annotations

from typing import Any

import pytest

from narrator.model.events import Asked, CallClosed, CallOpened, NightFell
from narrator.narration import Line, Script
from narrator.narration.keys import KEYS, SPOKEN
from narrator.narration.lines import ballot_line, candidate_line, named_seats, names_after
from narrator.narration.repertoire import repertoire
from tests.narration.hearing import game, lines_of
from tests.narration.playing import RULESETS

NAMES = {3: "Anna", 5: "小明", 6: "", 8: "Íñigo"}
SEATS = {"seat", "seats", "place", "places"}


def named(key: str, language: str = "en", **params: Any) -> tuple[str, ...]:
    return names_after(Line(key, params), Script.load(language), NAMES)


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "Anna."), ("es", "Anna."), ("zh-Hans", "Anna。"), ("zh-Hant", "Anna。")]
)
def test_a_name_is_a_short_sentence_in_every_language(language: str, sentence: str) -> None:
    assert named("speech.next", language, seat=3) == (sentence,)


@pytest.mark.parametrize(
    "line",
    [
        *(Line(f"speech.{key}", {"seat": 3}) for key in ("first_day", "begin", "next", "last", "again")),
        *(Line(f"last_words.{key}", {"seat": 3}) for key in ("one", "next")),
        *(Line(f"deaths.{key}", {"places": [3], "cards": False, "count": 1}) for key in ("night", "vote", "more")),
        *(Line(f"deaths.{key}", {"seats": [3], "count": 1}) for key in ("killed", "arrested", "kidnapped", "out")),
        Line("tie.tied", {"places": [3], "cards": False, "count": 1}),
        Line("office.elected", {"seat": 3, "office": "sheriff", "votes": 2}),
        Line("office.successor", {"seat": 3, "office": "sheriff"}),
        candidate_line(3),
        ballot_line(3),
    ],
    ids=lambda line: line.key,
)
def test_lines_of_the_day_that_tell_of_a_seat_or_speak_to_it_have_its_name(line: Line) -> None:
    assert names_after(line, Script.load("en"), NAMES) == ("Anna.",)


def test_several_seats_are_named_in_their_order_and_those_without_a_name_left_out() -> None:
    assert named("tie.tied", places=[8, 5, 6, 3, 1], cards=False, count=5) == ("Íñigo.", "小明.", "Anna.")
    assert named("speech.next", seat=6) == named("speech.next", seat=1) == ()


def test_tallies_and_ballots_are_not_lengthened() -> None:
    assert named("vote.result", tally={3: 4, 5: 1}, cards=False) == ()
    assert named("vote.for", place=3, seats=[5, 8], count=2, cards=False) == ()
    assert named("vote.abstained", seats=[3], count=1) == ()


def test_the_numbers_of_cards_are_no_seats() -> None:
    assert named("vote.candidate", place=3, cards=True) == ()
    assert named("deaths.night", places=[3, 5], cards=True, count=2) == ()


def test_every_line_that_names_seats_was_decided_on() -> None:
    telling = {key for key in SPOKEN if KEYS[key].params & SEATS}
    without = {key for key in telling if not named_seats(Line(key, dict.fromkeys(KEYS[key].params & SEATS, 3)))}
    assert without == {"takes.ask", "vote.for", "vote.abstained", "vote.invalid"}


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_no_call_of_the_night_has_a_name(name: str) -> None:
    by_night = ("calls.", "call.", "asks.", "night.", "correction.")
    assert not [line for line in repertoire(RULESETS[name]) if line.key.startswith(by_night) and named_seats(line)]


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_in_whole_games_names_are_of_seats_at_the_table_and_never_said_while_it_sleeps(name: str) -> None:
    played = game(name)
    for event, line in lines_of(played):
        assert set(named_seats(line)) <= set(range(1, played.setup.seats + 1))
        assert not (named_seats(line) and isinstance(event, NightFell | CallOpened | Asked | CallClosed))
