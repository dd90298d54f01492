"""The story: who held what, what everybody did, why everybody died."""

from __future__ import annotations

import re
from typing import Any

import pytest

from narrator.engine.game import decide, fold, new_game
from narrator.model.events import Announced, Died, Event, Left, Revealed
from narrator.model.state import Call, Cause, Death, Setup, State
from narrator.narration.scripts import LANGUAGES
from narrator.narration.story import StoryLine, explain_answer, explain_death, story
from tests.narration.playing import RULESETS, play

CAUSES = (
    Cause("hit", "killer"),
    Cause("hit", "sniper"),
    Cause("needle", "doctor"),
    Cause("carried", "butterfly", 1, (Cause("hit", "sniper"),)),
    Cause("bound", through=2),
    Cause("vote"),
    Cause("taken", "hunter"),
    Cause("lie"),
    Cause("arrested"),
    Cause("kidnapped"),
    Cause("something_new"),
)


def known_setup(name: str, roles: dict[str, list[int]]) -> Setup:
    """A set-up whose roles are known; all other seats are citizens."""
    rules = RULESETS[name]
    seats = rules.seats[0]
    held = {seat: role for role, numbers in roles.items() for seat in numbers}
    hands = {seat: (held.get(seat, rules.citizen),) for seat in range(1, seats + 1)}
    counts = {role: sum(hand == (role,) for hand in hands.values()) for role in rules.roles}
    return Setup(rules, seats, counts, {key: option.default for key, option in rules.options.items()}, hands)


def night(setup: Setup, **choices: Any) -> tuple[list[Event], State]:
    """One night of a game: step -> target."""
    state, events = new_game(setup), list(decide(new_game(setup), {"do": "begin"}))
    state = fold(state, events)
    while state.stage == "night":
        step = state.calls[state.call].step
        choosing = state.asking == "choose"
        command = {"do": "choose", "choice": {"target": choices.get(step)}} if choosing else {"do": "proceed"}
        new = decide(state, command)
        events += new
        state = fold(state, new)
    return events, state


def texts(lines: list[StoryLine], *kinds: str) -> list[str]:
    return [line.text for line in lines if line.kind in kinds]


@pytest.mark.parametrize("name", sorted(RULESETS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_whole_games_are_told_in_every_language(name: str, language: str) -> None:
    for seed in (1, 2):
        played = play(RULESETS[name], seed)
        lines = story(played.setup, played.events, language)
        assert {line.kind for line in lines} >= {"heading", "deal", "death"}
        for line in lines:
            assert line.text.strip()
            assert "{" not in line.text
            assert line.kind == "heading" or line.text[-1] in "。！？.!?"


@pytest.mark.parametrize("name", sorted(RULESETS))
@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
def test_stories_in_chinese_hold_no_names_of_the_program(name: str, language: str) -> None:
    played = play(RULESETS[name], 3)
    assert [
        line.text for line in story(played.setup, played.events, language) if re.search("[A-Za-z]", line.text)
    ] == []


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_every_death_is_told_with_its_role_and_cause(name: str) -> None:
    played = play(RULESETS[name], 4)
    deaths = [death for event in played.events if isinstance(event, Died) for death in event.deaths]
    told = [text for text in texts(story(played.setup, played.events, "en"), "death") if " died: " in text]
    assert len(told) == len(deaths)
    assert not [text for text in told if text.endswith("died: .") or "see the record" in text]


def test_the_rounds_are_headed_one_by_one() -> None:
    played = play(RULESETS["killers-2"], 1)
    headings = [(line.round, line.text) for line in story(played.setup, played.events, "en") if line.kind == "heading"]
    assert headings[:4] == [(0, "The deal"), (1, "Night 1"), (1, "Day 1"), (2, "Night 2")]
    assert headings[-1][1] == "The end"


def test_a_game_that_is_not_over_is_told_as_far_as_it_went() -> None:
    events, _ = night(known_setup("killers-2", {"killer": [1, 2], "police": [3, 4]}), killer=5, police=1)
    lines = story(known_setup("killers-2", {"killer": [1, 2], "police": [3, 4]}), events, "en")
    assert texts(lines, "deal") == [
        "Killer: players 1 and 2.",
        "Police: players 3 and 4.",
        "Civilian: players 5, 6, 7 and 8.",
    ]
    assert texts(lines, "choice") == ["The killer went for player 5."]
    assert texts(lines, "answer") == ["The police checked player 1 (killer) and was told: yes."]
    assert texts(lines, "death") == ["Player 5 (civilian) died: killed by the killer."]
    assert texts(lines, "end") == []


SPECIALS = {"butterfly": [1], "sniper": [2], "killer": [3, 4, 5], "police": [6], "doctor": [7], "elder": [8]}


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Player 10 (civilian) died: carried off by the butterfly, who was shot by the sniper."),
        ("zh-Hans", "10号（平民）死亡：被花蝴蝶抱走，而花蝴蝶被狙击手打死。"),
        ("zh-Hant", "10號（平民）死亡：被花蝴蝶抱走，而花蝴蝶被狙擊手狙殺。"),
        ("es", "Murió el jugador 10 (civil). Causa: en brazos de mariposa (disparo de francotirador)."),
    ],
)
def test_a_death_through_another_is_told_back_to_its_beginning(language: str, told: str) -> None:
    setup = known_setup("killers-4", SPECIALS)
    events, state = night(setup, butterfly=10, sniper=1)
    assert told in texts(story(setup, events, language), "death")
    assert explain_death(state, state.deaths[-1], language) == told


def test_a_sign_withheld_is_told_with_its_reason() -> None:
    events, state = night(known_setup("killers-4", SPECIALS), butterfly=6, police=3)
    told = "The police checked player 3, but had been carried off and was shown no sign."
    assert told in texts(story(state.setup, events, "en"), "answer")
    assert explain_answer(state, Call("police"), "en") == told


def test_who_was_shown_nothing_has_no_answer_to_explain() -> None:
    _, state = night(known_setup("killers-4", SPECIALS), police=3)
    assert explain_answer(state, Call("police"), "en").endswith("was told: yes.")
    with pytest.raises(KeyError):
        explain_answer(state, Call("sniper"), "en")


def test_needles_are_counted() -> None:
    events, state = night(known_setup("killers-4", SPECIALS), doctor=9)
    assert texts(story(state.setup, events, "en"), "change") == ["Player 9 has 1 needle from the doctor."]


def test_news_told_to_a_role_is_spelled_out() -> None:
    setup = known_setup("box-angel-devil", {"killer": [1, 2], "police": [3, 4], "angel": [5], "devil": [6]})
    events, _ = night(setup, killer=7, police=1)
    assert texts(story(setup, events, "en"), "answer")[1:] == [
        "The devil was told: seat: player 1, result: yes.",
        "The angel was told: seat: player 1, result: yes, victim: player 7.",
    ]


def test_ordered_hands_are_told_seat_by_seat() -> None:
    played = play(RULESETS["killers-6"], 1)
    deal = texts(story(played.setup, played.events, "en"), "deal")
    assert len(deal) == played.setup.seats
    assert deal[0].startswith("Player 1: ")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.kind)
def test_every_kind_of_cause_has_words(language: str, cause: Cause) -> None:
    _, state = night(known_setup("killers-4", SPECIALS))
    text = explain_death(state, Death(9, 9, (cause,)), language)
    assert "_" not in text
    assert "{" not in text


def test_two_causes_are_both_told() -> None:
    _, state = night(known_setup("killers-4", SPECIALS))
    causes = (Cause("hit", "killer"), Cause("hit", "sniper"))
    told = explain_death(state, Death(9, 9, causes), "en")
    assert told == "Player 9 (civilian) died: killed by the killer, shot by the sniper."


def test_names_of_players_are_used_where_they_are_known() -> None:
    _, state = night(known_setup("killers-4", SPECIALS))
    told = explain_death(state, Death(9, 9, (Cause("vote"),)), "en", {9: "Ana"})
    assert told == "Player 9 Ana (civilian) died: voted out."


def test_what_an_edition_announces_of_its_own_is_told_in_the_words_spoken() -> None:
    setup = known_setup("killers-4", SPECIALS)
    events: list[Event] = [
        Revealed(3, "killer"),
        Left(9, "won"),
        Announced("asleep", {"seat": 5}),
        Announced("deduction.look", {"seat": 5, "look": "child"}),
    ]
    assert texts(story(setup, events, "en"), "talk", "change") == [
        "Player 3 turns the card over: killer.",
        "Player 9 leaves the game. The others play on.",
        "Today, player 5 is fast asleep: no speech, but a vote all the same.",
        "Kogoro's deduction: player 5 has the look of a child.",
    ]
