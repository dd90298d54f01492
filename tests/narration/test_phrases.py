"""Phrases: a template says where its line may be parted; numbers stand alone, and every joint falls into a pause."""

from __future__ import annotations

import re

import pytest

from narrator.narration import Line, Script, render_line
from narrator.narration.lines import line_phrases
from narrator.narration.repertoire import repertoire
from narrator.narration.scripts import CARD_JOINT, JOINT, LANGUAGES
from narrator.speech.packs import phrases
from narrator.speech.utterance import Segment
from tests.narration.playing import RULESETS


def texts(line: Line, language: str, name: str = "killers-2") -> list[str]:
    """The phrases as they are recorded."""
    pieces = line_phrases(line, Script.load(language), RULESETS[name])
    return [phrase.text for phrase in phrases(Segment("", language, phrases=pieces))]


def seats(*numbers: int, name: str = "seats", cards: bool = False) -> dict[str, object]:
    return {name: list(numbers), "count": len(numbers), "cards": cards}


def places(*numbers: int, cards: bool = False) -> dict[str, object]:
    return seats(*numbers, name="places", cards=cards)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_without_a_seat_is_one_phrase(language: str) -> None:
    for line in (Line("night.dead_close_too"), Line("welcome", {"ruleset": "box-basic"}), Line("won.draw")):
        if line.key in {found.key for found in repertoire(RULESETS["box-basic"])}:
            text = render_line(line, Script.load(language), RULESETS["box-basic"])
            sentences = re.split(r"(?<=[。！？])|(?<=[.!?])\s", text.lower())
            assert texts(line, language, "box-basic") == [sentence for sentence in sentences if sentence]


def test_sentences_are_phrases_of_their_own() -> None:
    assert texts(Line("seat.left", {"seat": 4}), "en") == ["player 4,", "leaves the game.", "the others play on."]
    assert texts(Line("vote.ballot", {"seat": 4}), "es") == ["turno del jugador 4.", "¿por quién votas?"]
    assert texts(Line("welcome", {"ruleset": "killers-2"}), "zh-Hans") == ["欢迎大家。", "今天玩的是杀人游戏 2.0。"]


def test_a_name_with_a_version_may_be_parted_behind_its_colon() -> None:
    [_, *title] = texts(Line("welcome", {"ruleset": "killers-5"}), "en", "killers-5")
    assert title == ["tonight we play killers 5.0:", "two cards each."]


def test_roles_in_a_list_are_not_parted() -> None:
    line = Line("call.joining", {"roles": ["killer", "police", "doctor"], "count": 3})
    assert len(texts(line, "en")) == 1


@pytest.mark.parametrize(
    ("line", "language", "found"),
    [
        (Line("speech.next", {"seat": 5}), "zh-Hans", ["请5号发言。"]),
        (Line("deaths.killed", seats(5)), "zh-Hans", ["昨晚，", "5号，", "被杀。"]),
        (Line("vote.invalid", seats(5)), "zh-Hant", ["5號的票無效。"]),
        (Line("deaths.night", places(3)), "zh-Hans", ["昨晚，", "3号死亡。"]),
        (Line("deaths.night", places(3, 5, 8)), "zh-Hans", ["昨晚，", "3号，", "5号，", "和8号，", "死亡。"]),
        (Line("deaths.vote", places(3)), "zh-Hans", ["3号被投票出局。"]),
        (Line("deaths.vote", places(3, cards=True)), "zh-Hans", ["3号牌，", "被投票出局。"]),
        (Line("vote.result", {"tally": {3: 5, 12: 2}}), "zh-Hant", ["投票結果：", "3號，", "5票，", "12號，", "2票。"]),
        (Line("vote.between", places(3, 5)), "zh-Hans", ["现在再投一次，", "只在3号，", "和5号之间选。"]),
        (Line("vote.for", {"place": 3, **seats(5, 6, cards=True)}), "zh-Hans", ["投3号牌的有，", "5号，", "和6号。"]),
        (Line("deaths.vote", places(3, 5)), "en", ["by your vote,", "players 3,", "and 5,", "are out."]),
        (Line("tie.nobody", places(3, 5, 8)), "en", ["players 3,", "5,", "and 8,", "are tied."]),
        (Line("vote.result", {"tally": {3: 5, 6: 1}}), "en",
         ["the result:", "5 votes,", "for player 3,", "1 vote,", "for player 6."]),
        (Line("deaths.night", places(3, 5, 8)), "es", ["anoche murieron,", "los jugadores 3,", "5,", "y 8."]),
        (Line("deaths.night", places(3)), "es", ["anoche murió el jugador 3."]),
        (Line("deaths.night", places(3, cards=True)), "es", ["anoche murió,", "la carta 3."]),
        (Line("vote.invalid", seats(4)), "es", ["no vale el voto,", "del jugador 4."]),
    ],
)  # fmt: skip
def test_numbers_are_parted_where_a_speaker_pauses(line: Line, language: str, found: list[str]) -> None:
    assert texts(line, language) == found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["killers-2", "killers-5", "dual-identity"])
def test_a_phrase_has_one_number_at_most_and_ends_in_a_mark(name: str, language: str) -> None:
    script, ruleset = Script.load(language), RULESETS[name]
    for line in repertoire(ruleset):
        for phrase in phrases(Segment("", language, phrases=line_phrases(line, script, ruleset))):
            assert len(re.findall(r"\d+(?:\.\d+)?", phrase.text)) <= 1, line
            assert phrase.text[-1] in "。，：？！.,:?!"
            assert 0 < phrase.pause < 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_a_line_is_lost_and_no_joint_is_seen(language: str) -> None:
    script, ruleset = Script.load(language), RULESETS["killers-2"]
    for line in repertoire(ruleset):
        text = render_line(line, script, ruleset)
        assert JOINT not in text
        assert CARD_JOINT not in text
        assert bare("".join(line_phrases(line, script, ruleset))) == bare(text)


def bare(text: str) -> str:
    return "".join(sign for sign in text.lower() if sign.isalnum())


def test_a_line_of_marks_only_has_no_phrases() -> None:
    assert phrases(Segment("...", "en")) == ()
    assert phrases(Segment("...", "en", phrases=("...", " "))) == ()


def test_a_bar_in_a_rulesets_own_words_is_theirs() -> None:
    script = Script.load("en")
    assert script.parted("Left | right. Go!") == "Left | right. Go!"
    assert script.jointed.parted("Left. Go!") == f"Left.{JOINT} Go!"
