"""What is said where an edition announces more than others: who sleeps, whose ballot is void, who wins apart, why."""

from __future__ import annotations

import pytest

from narrator.engine.game import new_game
from narrator.engine.seen import EVERYBODY, before
from narrator.loading.rulesets import load, shipped
from narrator.model.events import Event, Left, NobodyOut, Revealed, Silenced, Voted
from narrator.model.state import Cause, Death, Setup
from narrator.narration.lines import lines_for, render_line
from narrator.narration.scripts import Script
from narrator.narration.story import explain_death, story

RULESET = load(shipped()["detective-team"])
CAST = tuple(role for role in RULESET.roles if role != RULESET.citizen)
LANGUAGES = ("en", "es", "zh-Hans", "zh-Hant")


def setup() -> Setup:
    options = {name: option.default for name, option in RULESET.options.items()}
    hands = {seat: (role,) for seat, role in enumerate(CAST, 1)}
    return Setup(RULESET, 12, RULESET.counts(12), options, hands)


def said(event: Event, language: str = "en") -> list[str]:
    script = Script.load(language)
    return [render_line(line, script, RULESET) for line in lines_for(event, before(setup(), EVERYBODY))]


def test_a_sleeper_is_said_to_sleep_rather_than_to_be_silenced() -> None:
    assert said(Silenced((2,), "asleep")) == ["Today, player 2 is fast asleep: no speech, but a vote all the same."]
    assert said(Silenced((2,))) == ["Today, player 2 may not speak."]


def test_a_win_apart_is_told_in_one_sentence() -> None:
    assert said(Revealed(12, "aoyama", "wins_apart")) == [
        "Player 12 is Aoyama, who has won and now leaves. The others play on."
    ]
    assert said(Left(12, "wins_apart")) == []


def test_a_void_ballot_is_told_apart_from_an_abstention() -> None:
    ballots = dict.fromkeys(range(3, 13), (9,))
    assert said(Voted(1, {}, ballots, (2,)))[-2:] == ["No vote from player 1.", "The vote of player 2 does not count."]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", ["tied", "spared", "void"])
def test_every_language_says_why_nobody_is_out(reason: str, language: str) -> None:
    assert len(said(NobodyOut(reason), language)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_story_tells_it_in_the_same_words(language: str) -> None:
    events = [Silenced((2,), "asleep"), Revealed(12, "aoyama", "wins_apart"), Left(12, "wins_apart")]
    told = [line.text for line in story(setup(), events, language) if line.kind in ("talk", "change")]
    assert told == [
        *said(events[0], language),
        *said(events[1], language),
    ]


def test_a_death_in_the_place_of_another_is_explained() -> None:
    death = Death(9, 9, (Cause("hit", "boss", 1),))
    told = explain_death(new_game(setup()), death, "en")
    assert told == "Player 9 (Sonoko) died: killed by the boss, in the place of player 1."
