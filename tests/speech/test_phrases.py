"""Phrases: whole sentences stay whole, numbers stand alone, and no joint falls into speech."""

from __future__ import annotations

import re

import pytest

from narrator.speech.text.phrases import phrases


def texts(line: str, language: str) -> list[str]:
    return [phrase.text for phrase in phrases(line, language)]


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("天黑了，请大家闭眼。", "zh-Hans"),
        ("今天玩的是杀人游戏 4.0。", "zh-Hans"),
        ("请看法官给你看的；再告诉法官，你今天是什么外形、什么性别。", "zh-Hans"),
        ("se acabó la partida, y nadie gana.", "es"),
        ("that is the third tie, and it is a draw.", "en"),
    ],
)
def test_a_sentence_without_a_seat_is_one_phrase(line: str, language: str) -> None:
    assert texts(line, language) == [line]


def test_sentences_are_phrases_of_their_own() -> None:
    assert texts("Still a tie. Nobody is out today.", "en") == ["still a tie.", "nobody is out today."]
    assert texts("现在投票。每人只有一票，也可以弃权。", "zh-Hans") == ["现在投票。", "每人只有一票，也可以弃权。"]
    assert texts("¿Me oyen todos? Bien.", "es") == ["¿me oyen todos?", "bien."]


@pytest.mark.parametrize(
    ("line", "language", "found"),
    [
        ("请5号发言。", "zh-Hans", ["请5号发言。"]),
        ("昨晚，5号被杀。", "zh-Hans", ["昨晚，", "5号，", "被杀。"]),
        ("5号的票无效。", "zh-Hant", ["5号的票无效。"]),
        ("昨晚死的是3号、5号和8号。", "zh-Hans", ["昨晚死的是，", "3号，", "5号，", "和8号。"]),
        ("投票結果：3號5票，12號2票。", "zh-Hant", ["投票結果：", "3號，", "5票，", "12號，", "2票。"]),
        ("现在再投一次，只在3号和5号之间选。", "zh-Hans", ["现在再投一次，", "只在3号，", "和5号之间选。"]),
        ("投3号牌的有5号和6号。", "zh-Hans", ["投3号牌的有，", "5号，", "和6号。"]),
        ("By your vote, players 3 and 5 are out.", "en", ["by your vote,", "players 3,", "and 5,", "are out."]),
        ("Players 3, 5 and 8 are tied.", "en", ["players 3,", "5,", "and 8,", "are tied."]),
        ("The result: 5 votes for player 3, 1 vote for player 6.", "en",
         ["the result:", "5 votes,", "for player 3,", "1 vote,", "for player 6."]),
        ("Anoche murieron los jugadores 3, 5 y 8.", "es", ["anoche murieron,", "los jugadores 3,", "5,", "y 8."]),
        ("No vale el voto del jugador 4.", "es", ["no vale el voto,", "del jugador 4."]),
    ],
)  # fmt: skip
def test_numbers_are_parted_where_a_speaker_pauses(line: str, language: str, found: list[str]) -> None:
    assert texts(line, language) == found


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("昨晚死的是1号、2号、3号、4号和5号。", "zh-Hans"),
        ("第2位杀手请睁眼。", "zh-Hans"),
        ("投票结果：3号牌5票，12号牌2票，30号牌1票。", "zh-Hans"),
        ("The votes of players 1, 2, 3 and 4 do not count.", "en"),
        ("El resultado: 4 votos para la carta 31, 1 voto para la carta 2.", "es"),
    ],
)
def test_a_phrase_has_one_number_at_most_and_ends_in_a_mark(line: str, language: str) -> None:
    for phrase in phrases(line, language):
        assert len(re.findall(r"\d+", phrase.text)) <= 1
        assert phrase.text[-1] in "。，：？！.,:?!"
        assert 0 < phrase.pause < 1


def test_nothing_of_a_line_is_lost() -> None:
    line = "By your vote, players 3, 5 and 8 are out. Still a tie: card 4 and card 5."
    bare = re.sub(r"[^a-z0-9]", "", line.lower())
    assert re.sub(r"[^a-z0-9]", "", "".join(texts(line, "en"))) == bare


def test_a_line_of_marks_only_has_no_phrases() -> None:
    assert phrases("...", "en") == ()
