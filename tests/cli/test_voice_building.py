"""`narrator voices build` and `narrator voices template`."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from narrator.cli.speech import voices
from narrator.language_tags import base
from narrator.making.voicepacks import phrasebook, pronounced_alike, shipped_rulesets, sounds
from narrator.narration.scripts import languages


def rows(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row["file"]: row["text"] for row in csv.DictReader(file)}


def test_the_template_lists_every_line_of_a_language_with_the_name_of_its_file(tmp_path: Path) -> None:
    result = CliRunner().invoke(voices, ["template", str(tmp_path), "-l", "es"])
    assert result.exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["es"]
    texts = rows(tmp_path / "es" / "lines.csv")
    assert texts["night.falls"].startswith("Cae la noche")
    assert "5" in texts["speech.next-5"]
    assert all(name and text for name, text in texts.items())


def test_the_template_says_where_recordings_belong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NARRATOR_HOME", str(tmp_path / "home"))
    result = CliRunner().invoke(voices, ["template", str(tmp_path / "lists"), "-l", "en"])
    assert f"Recordings are looked for in {tmp_path / 'home' / 'voices' / 'LANGUAGE'}." in result.output


def test_the_template_gives_both_texts_where_editions_differ(tmp_path: Path) -> None:
    CliRunner().invoke(voices, ["template", str(tmp_path), "-l", "zh-Hans"])
    texts = rows(tmp_path / "zh-Hans" / "lines.csv")
    assert "杀手请睁眼。" in texts["calls.killer.open"].split(" / ")
    assert len(texts["calls.killer.open"].split(" / ")) > 1


def test_a_template_for_an_unknown_language_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(voices, ["template", str(tmp_path), "-l", "tlh"])
    assert result.exit_code == 1
    assert "zh-Hans" in result.output
    assert "tlh" in result.output


def test_a_language_that_cannot_be_recorded_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(voices, ["build", "fr", "--voices", str(tmp_path)])
    assert result.exit_code == 2
    assert "zh, es, en; got fr" in result.output


def test_what_recording_lacks_is_told_in_a_sentence_and_nothing_is_left_behind(tmp_path: Path) -> None:
    files, folder = tmp_path / "voices", tmp_path / "packs"
    files.mkdir()
    arguments = ["build", "en", "--voice", "nobody", "--voices", str(files), "--folder", str(folder)]
    result = CliRunner().invoke(voices, arguments)
    assert result.exit_code == 1
    assert "killer-narrator[voices]" in result.output or "package/voices" in result.output
    assert not folder.exists()


@pytest.mark.parametrize("language", ["zh", "es", "en"])
def test_a_phrasebook_has_each_phrase_once(language: str) -> None:
    wanted = phrasebook(language, shipped_rulesets())
    texts = [phrase.text for phrase in wanted] + [text for phrase in wanted for text in phrase.also]
    assert len(texts) == len(set(texts)) > 800


def test_traditional_characters_are_another_writing_of_the_same_phrase() -> None:
    wanted = {phrase.text: phrase.also for phrase in phrasebook("zh", shipped_rulesets())}
    assert wanted["杀手请睁眼。"] == ("殺手請睜眼。",)
    assert wanted["请5号发言。"] == ("請5號發言。",)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("天亮了，请大家睁眼。", "天亮了，請大家睜眼。", True),
        ("天黑了，请大家闭眼。", "天黑請閉眼。", False),
        ("请5号接着发言。", "請5號繼續發言。", False),
        ("还有3号，也死了。", "還有，3號也死了。", False),
        ("2票", "兩票", True),
        ("警长由3号接任。", "警長由3號接任。", True),
    ],
)
def test_a_recording_serves_another_writing_only_if_it_is_pronounced_alike(one: str, other: str, alike: bool) -> None:
    assert pronounced_alike(one, other) is alike


def test_no_phrase_shares_a_recording_with_one_that_is_pronounced_otherwise() -> None:
    shared = [(phrase.text, text) for phrase in phrasebook("zh", shipped_rulesets()) for text in phrase.also]
    assert len(shared) > 500
    assert [pair for pair in shared if sounds(pair[0]) != sounds(pair[1])] == []
    texts = {phrase.text for phrase in phrasebook("zh", shipped_rulesets())}
    assert {"天黑了，请大家闭眼。", "天黑請閉眼。"} <= texts


def test_every_language_of_the_scripts_can_be_recorded() -> None:
    from narrator.making.voicepacks import PACK_VOICES

    assert {base(tag) for tag in languages()} == set(PACK_VOICES)
