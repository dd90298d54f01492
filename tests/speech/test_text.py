"""The front end: what people read becomes what an engine speaks well."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.speech.text.cleaning import parts_by_voice, respelled, speakable
from narrator.speech.text.numerals import chinese, spelled
from narrator.speech.utterance import Segment


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("3、12号出局", "三、十二号出局。"),
        ("１２号", "十二号。"),
        ("「杀手」请睁眼", "杀手请睁眼。"),
        ("“杀手”,请睁眼!", "杀手，请睁眼！"),
        ("3号（警长）发言", "三号，警长，发言。"),
        ("平安夜……", "平安夜。"),
        ("天黑了——请闭眼", "天黑了，请闭眼。"),
        ("好。请 闭眼", "好。请闭眼。"),
    ],
)
def test_chinese_lines_are_made_speakable(written: str, spoken: str) -> None:
    assert speakable(written, "zh-Hans") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("“Killers”, open your eyes", "Killers, open your eyes."),
        ("Don’t speak!", "Don't speak!"),
        ("Night falls ... close your eyes", "Night falls. close your eyes."),
        ("Seat 3 (sheriff) is out.", "Seat 3, sheriff, is out."),
        ("OK 👍 go", "OK go."),
        ("nul\x00 and \ud800 lone", "nul and lone."),
    ],
)
def test_english_lines_are_made_speakable(written: str, spoken: str) -> None:
    assert speakable(written, "en") == spoken


def test_spanish_signs_and_accents_stay() -> None:
    assert speakable("«¿Quién?», ¡dijo!", "es") == "¿Quién? ¡dijo!"


@pytest.mark.parametrize("empty", ["", "   ", "...", "「」", "👍", "——"])
@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_nothing_to_say_is_empty(empty: str, language: str) -> None:
    assert speakable(empty, language) == ""


@given(st.text(), st.sampled_from(["zh-Hans", "zh-Hant", "es", "en"]))
def test_any_text_becomes_encodable_without_control_characters(text: str, language: str) -> None:
    spoken = speakable(text, language)
    assert b"\0" not in spoken.encode()
    assert spoken.isprintable()


@pytest.mark.parametrize(
    ("digits", "words"),
    [
        ("0", "零"),
        ("2", "二"),
        ("10", "十"),
        ("12", "十二"),
        ("20", "二十"),
        ("99", "九十九"),
        ("100", "一百"),
        ("105", "一百零五"),
        ("110", "一百一十"),
        ("1001", "一千零一"),
        ("2024", "二千零二十四"),
        ("10000", "一万"),
        ("100010", "十万零一十"),
        ("007", "零零七"),
        ("123456789", "一二三四五六七八九"),
    ],
)
def test_chinese_numbers(digits: str, words: str) -> None:
    assert chinese(digits) == words


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("2票", "两票"),
        ("12票", "十二票"),
        ("第2轮", "第二轮"),
        ("2号", "二号"),
        ("3:4", "三比四"),
        ("1-3号", "一到三号"),
        ("50%", "百分之五十"),
        ("1.5票", "一点五票"),
    ],
)
def test_numbers_are_spelled_as_they_are_spoken(written: str, spoken: str) -> None:
    assert spelled(written) == spoken


def test_chinese_names_in_another_language_are_read_as_mandarin() -> None:
    parts = parts_by_voice(Segment("Seat 3, 小明, is out.", "en"))
    assert [(part.language, part.text) for part in parts] == [
        ("en", "Seat 3, "),
        ("zh-Hans", "小明"),
        ("en", ", is out."),
    ]
    assert parts_by_voice(Segment("小明。", "es")) == (Segment("小明", "zh-Hans"),)


@pytest.mark.parametrize(
    "segment", [Segment("Anna 请发言", "zh-Hans"), Segment("Ana, habla.", "es"), Segment("", "en")]
)
def test_other_texts_stay_in_one_piece(segment: Segment) -> None:
    assert parts_by_voice(segment) == (segment,)


def test_misread_words_are_respelled_in_chinese_only() -> None:
    assert respelled("警长", "zh-Hans") != "警长"
    assert respelled("警长", "ja") == "警长"
