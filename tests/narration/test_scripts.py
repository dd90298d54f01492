"""The scripts: every key in every language, written for the ear, and their faults told with file and line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from narrator.narration.keys import KEYS, SPOKEN
from narrator.narration.scripts import LANGUAGES, Script, ScriptProblems, languages, localized
from narrator.places import data_folder
from tests.narration.samples import rendered

PAIRS = (
    "杀殺 请請 闭閉 睁睜 医醫 验驗 卧臥 观觀 说說 话話 发發 过過 这這 个個 们們 还還 没沒 会會 对對 号號"
    " 张張 间間 时時 现現 从從 来來 为為 谁誰 让讓 两兩 记記 给給 认認 识識 关關 开開 听聽 声聲 乱亂 规規"
    " 则則 释釋 权權 弃棄 选選 胜勝 负負 败敗 组組 织織 侦偵 侣侶 猎獵 盗盜 贼賊 预預 药藥 无無 终終 结結"
    " 遗遺 离離 场場 页頁 数數 据據 错錯 误誤 总總 应應 该該 轮輪 转轉 继繼 续續 边邊 传傳 递遞 动動 点點"
    " 头頭 举舉 么麼 别別 刚剛 备備 齐齊 团團 体體 双雙 后後 达達 标標 执執 证證 击擊 狱獄 绑綁 试試 谢謝"
    " 亲親 欢歡 戏戲 违違 审審 报報 纪紀 录錄 讲講 议議 论論 办辦 义義 难難 兰蘭 铃鈴 贝貝 尔爾 饰飾 资資"
    " 网網 输輸 隐隱 师師 长長 东東 车車 书書 门門 问問 闻聞 马馬 鸟鳥 鱼魚 龙龍 里裡 着著 觉覺 类類 换換"
    " 夺奪"
)
"""Signs that the two ways of writing have apart: simplified, traditional."""

SIMPLIFIED, TRADITIONAL = ({pair[side] for pair in PAIRS.split()} for side in (0, 1))
SHARED = frozenset("里着后")
"""Signs of the simplified side that traditional writing has as well."""

LONGEST = {"zh-Hans": 60, "zh-Hant": 60, "es": 160, "en": 160}
"""Characters of a spoken line; the ear does not follow longer ones."""


def spoken(language: str) -> list[tuple[str, str]]:
    script = Script.load(language)
    return [(key, rendered(script, key, count)) for key in sorted(SPOKEN) for count in (1, 3)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_renders_with_one_and_with_several(language: str) -> None:
    script = Script.load(language)
    for key in KEYS:
        for count in (1, 2, 3):
            text = rendered(script, key, count)
            assert text.strip() or key.startswith("words."), key
            assert "{" not in text, key


def test_all_languages_have_the_declared_keys_and_no_others() -> None:
    for language in LANGUAGES:
        document = yaml.safe_load((data_folder("scripts") / f"{language}.yaml").read_text("utf-8"))
        assert set(flat(document)) == set(KEYS), language


def flat(document: dict[str, object]) -> list[str]:
    keys: list[str] = []
    for section, value in document.items():
        if isinstance(value, dict) and section != "contractions":
            keys += names(value, "" if section == "lines" else f"{section}.")
    return keys


def names(section: dict[str, object], prefix: str) -> list[str]:
    found: list[str] = []
    for key, value in section.items():
        if isinstance(value, dict) and set(value) != {"one", "other"}:
            found += names(value, f"{prefix}{key}.")
        else:
            found.append(f"{prefix}{key}")
    return found


def test_the_four_shipped_languages_are_offered_in_their_order() -> None:
    assert languages()[:4] == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_script_knows_its_own_name_and_the_word_that_ends_a_speech(language: str) -> None:
    script = Script.load(language)
    assert script.name
    assert script.spoken
    assert len(script.closing_words) >= 3
    assert script.closing_words[0] in {"过", "過", "paso", "pass"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_word_that_ends_a_speech_is_taught_on_the_first_day(language: str) -> None:
    script = Script.load(language)
    assert script.closing_words[0] in script.render("speech.first_day", seat=5)


@pytest.mark.parametrize(("language", "foreign"), [("zh-Hans", TRADITIONAL), ("zh-Hant", SIMPLIFIED - SHARED)])
def test_neither_chinese_script_uses_the_signs_of_the_other(language: str, foreign: set[str]) -> None:
    text = (data_folder("scripts") / f"{language}.yaml").read_text("utf-8")
    assert sorted(set(text) & foreign) == []


def test_the_two_chinese_scripts_differ_where_their_writing_does() -> None:
    simplified, traditional = Script.load("zh-Hans"), Script.load("zh-Hant")
    assert simplified.render("calls.killer.open") == "杀手请睁眼。"
    assert traditional.render("calls.killer.open") == "殺手請睜眼。"


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
def test_chinese_lines_hold_no_latin_letters_and_no_spaces(language: str) -> None:
    assert [pair for pair in spoken(language) if re.search(r"[A-Za-z ]", pair[1])] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_spoken_lines_end_with_a_mark_so_that_the_voice_falls(language: str) -> None:
    marks = "。？！" if language.startswith("zh") else ".?!"
    assert [pair for pair in spoken(language) if pair[1][-1] not in marks] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_spoken_lines_are_short_enough_for_the_ear(language: str) -> None:
    assert [pair for pair in spoken(language) if len(pair[1]) > LONGEST[language]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_spoken_lines_hold_nothing_a_voice_cannot_read(language: str) -> None:
    assert [pair for pair in spoken(language) if re.search(r"[()\[\]\"“”「」/\\_*#…—]", pair[1])] == []


@pytest.mark.parametrize("language", ["es", "en"])
def test_sentences_begin_with_a_capital(language: str) -> None:
    assert [
        pair for pair in spoken(language) if not pair[1].lstrip("¡¿")[0].isupper() and not pair[1][0].isdigit()
    ] == []


def test_spanish_questions_and_exclamations_are_opened() -> None:
    for key, text in spoken("es"):
        assert text.count("?") == text.count("¿"), key
        assert text.count("!") == text.count("¡"), key


@pytest.mark.parametrize(
    ("language", "one", "several"),
    [
        ("zh-Hans", "5号", "3号、5号和8号"),
        ("zh-Hant", "5號", "3號、5號和8號"),
        ("en", "player 5", "players 3, 5 and 8"),
        ("es", "el jugador 5", "los jugadores 3, 5 y 8"),
    ],
)
def test_seats_are_spoken_naturally(language: str, one: str, several: str) -> None:
    script = Script.load(language)
    assert script.seats([5]) == script.seat(5) == one
    assert script.seats([3, 5, 8]) == several


def test_names_follow_the_numbers_where_they_are_known() -> None:
    script = Script.load("en")
    assert script.seats([3, 5], {3: "Ana"}) == "players 3 Ana and 5"
    assert script.render("speech.next", {5: "Luis"}, seat=5) == "Player 5 Luis, please speak."


def test_the_form_follows_the_number() -> None:
    script = Script.load("es")
    assert script.render("calls.killer.open", count=1) == "Asesino, abre los ojos."
    assert script.render("calls.killer.open", count=3) == "Asesinos, abran los ojos."


def test_spanish_contracts_where_it_must() -> None:
    script = Script.load("es")
    assert script.render("deaths.killed", seats=[5]) == "Anoche mataron al jugador 5."
    assert script.render("role.revealed", seat=5, role="civil") == "La carta del jugador 5 era: civil."


def test_a_missing_and_a_superfluous_parameter_are_errors() -> None:
    script = Script.load("en")
    with pytest.raises(TypeError, match="are seat; got none"):
        script.render("speech.next")
    with pytest.raises(TypeError, match="got role, seat"):
        script.render("speech.next", seat=5, role="killer")
    with pytest.raises(KeyError, match="no such key"):
        script.render("speech.sing")


def test_names_are_looked_for_in_the_kin_and_then_in_english() -> None:
    texts = {"en": "killer", "zh-Hant": "殺手"}
    assert localized(texts, "zh-Hans", "?") == "殺手"
    assert localized(texts, "es", "?") == "killer"
    assert localized({}, "es", "?") == "?"


# Faulty scripts


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    file = tmp_path / "xx.yaml"
    file.write_text((data_folder("scripts") / "en.yaml").read_text("utf-8"), "utf-8")
    return file


def change(file: Path, old: str, new: str) -> int:
    """Put `new` for the only `old`; returns the line on which it stands."""
    text = file.read_text("utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), "utf-8")
    return text[: text.index(old)].count("\n") + 1


def problems(file: Path) -> list[str]:
    with pytest.raises(ScriptProblems) as caught:
        Script.from_file(file)
    return caught.value.problems


def test_one_more_file_is_one_more_language(faulty: Path) -> None:
    change(faulty, "language: en", "language: xx")
    assert Script.from_file(faulty).language == "xx"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('over: "Everybody has spoken."', 'ovre: "Everybody has spoken."', "no such key is declared; got speech.ovre"),
        ('over: "Everybody has spoken."', 'over: ""', "speech.over must have words"),
        ('over: "Everybody has spoken."', "over: [a]", "speech.over must be a text"),
        ('over: "Everybody has spoken."', 'over: {one: "a", other: "b"}', "speech.over has no count"),
        ('over: "Everybody has spoken."', 'over: "{seat} was last."', "has the parameters none; got {seat}"),
        ('over: "Everybody has spoken."', 'over: "a { b"', "braces must hold the name of a parameter"),
        ('left: "{seat} |leaves', 'left: "Somebody leaves', "seat.left must use the parameter {seat}"),
        ("asks:", "akss:", "no such section"),
        ("closing_words: [pass, pass pass, I pass]", "closing_words: pass", "closing_words must be a list"),
    ],
)
def test_a_fault_is_told_with_its_file_and_line(faulty: Path, old: str, new: str, told: str) -> None:
    line = change(faulty, old, new)
    found = [problem for problem in problems(faulty) if told in problem]
    assert len(found) == 1
    assert found[0].startswith(f"{faulty}:{line}:")


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ("over: {? [a] : b}", "a key must be a word; got a list or other keys"),
        ("over: &a {over: *a}", "speech.over must be a text"),
        ("ovre: &a {over: *a}", "no such key is declared; got speech.ovre"),
        ("over: {one: [a], other: b}", "speech.over must be a text"),
        ('over: "{}"', "speech.over: braces must hold the name of a parameter and nothing else; got '{}'"),
        ('over: "{seat!x}"', "speech.over: braces must hold the name of a parameter and nothing else"),
        ('over: "{seat:>9}"', "speech.over: braces must hold the name of a parameter and nothing else"),
        ("over: @all", "is not YAML: this line has a text that begins with '@'; put it in quotes"),
    ],
)
def test_what_makes_no_text_is_told_and_ends_nothing(faulty: Path, new: str, told: str) -> None:
    line = change(faulty, 'over: "Everybody has spoken."', new)
    assert any(problem.startswith(f"{faulty}:{line}: {told}") for problem in problems(faulty))


@pytest.mark.parametrize("written", ["010", "1:30", "yes", "2026-01-02", "1_000", "null", "0x1F"])
def test_whatever_stands_there_is_spoken_as_it_is_written(faulty: Path, written: str) -> None:
    change(faulty, 'over: "Everybody has spoken."', f"over: {written}")
    assert Script.from_file(faulty).phrase("speech.over") == written


def test_a_text_that_a_comment_cuts_short_is_doubted(faulty: Path) -> None:
    assert Script.from_file(faulty).doubts == ()
    line = change(faulty, 'over: "Everybody has spoken."', "over: All spoke #1 to 9.")
    [doubt] = Script.from_file(faulty).doubts
    assert doubt.startswith(f"{faulty}:{line}: '#1 to 9.' behind 'All spoke' is a comment and is left out; put the wh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_shipped_script_is_doubted(language: str) -> None:
    assert Script.load(language).doubts == ()


def test_a_missing_key_is_named(faulty: Path) -> None:
    change(faulty, '    over: "Everybody has spoken."\n', "")
    assert problems(faulty) == [f"{faulty}:5: every key must have a text; missing are speech.over"]


def test_a_key_given_twice_is_told(faulty: Path) -> None:
    line = change(faulty, '    over: "Everybody has spoken."\n', '    over: "a."\n    over: "b."\n')
    assert problems(faulty) == [f"{faulty}:{line + 1}: a key must stand only once; got over again"]


def test_all_faults_are_told_at_once(faulty: Path) -> None:
    change(faulty, 'over: "Everybody has spoken."', 'ovre: "Everybody has spoken."')
    change(faulty, 'left: "{seat} |leaves', 'left: "Somebody leaves')
    assert len(problems(faulty)) == 3


@pytest.mark.parametrize("text", ["a: [b", "- a", "", "\x00"])
def test_what_is_no_script_at_all_is_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "xx.yaml"
    file.write_text(text, "utf-8")
    assert re.match(rf"{re.escape(str(file))}:[12]: ", problems(file)[0])


def test_what_is_not_utf8_or_not_there_is_told(tmp_path: Path) -> None:
    file = tmp_path / "xx.yaml"
    assert "readable file" in problems(file)[0]
    file.write_bytes(b"\xff\xfe\xff")
    assert "UTF-8" in problems(file)[0]


def test_a_language_without_a_script_is_told() -> None:
    with pytest.raises(ScriptProblems, match="got tlh"):
        Script.load("tlh")
