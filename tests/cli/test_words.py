"""Languages and rulesets on the command line: any usual form of a tag, and what there is where one is unknown."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from narrator.cli import main
from narrator.cli.play import system_language
from narrator.cli.words import language_of, spoken_languages

FORMS = {
    "zh-Hans": ("zh-CN", "zh_CN", "ZH-hans", "zh", "zh_Hans_SG", "zh_CN.UTF-8", "zh-hans", "cmn-Hans-CN"),
    "zh-Hant": ("zh-TW", "zh_TW", "zh_Hant_HK", "zh-HK", "zh_TW.UTF-8", "zh-Hant-MO", "ZH-HANT"),
    "es": ("ES", "es-419", "es_MX", "es_AR.UTF-8", "spa", "es_ES@euro"),
    "en": ("EN", "en_US.UTF-8", "en-GB", "eng", "en_AU"),
}
EVERY_FORM = [(form, language) for language, forms in FORMS.items() for form in (language, *forms)]


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.mark.parametrize(("form", "language"), EVERY_FORM)
def test_every_usual_form_of_a_tag_means_its_language(form: str, language: str) -> None:
    assert language_of(form) == language
    assert spoken_languages(f"{form},en") == f"{language},en"


@pytest.mark.parametrize(
    ("form", "language"), [("zh_CN", "zh-Hans"), ("zh_Hant_HK", "zh-Hant"), ("es-419", "es"), ("en_US.UTF-8", "en")]
)
def test_every_command_takes_it(form: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NARRATOR_HOME", str(tmp_path))
    for words in (("rules", "show", "killers-2"), ("rules", "roles", "killers-2")):
        said = run(*words, "--language", form)
        assert said.exit_code == 0, said.output
        assert said.output == run(*words, "--language", language).output
    assert run("voices", "template", str(tmp_path), "--language", form).exit_code == 0
    assert (tmp_path / language).is_dir()
    made = run("rules", "new", "ours", "--from", "killers-2", "--language", form)
    assert made.exit_code == 0, made.output
    assert f"{{{language}: " in (tmp_path / "rules" / "ours.yaml").read_text("utf-8")


@pytest.mark.parametrize(("form", "language"), [("en, zh_CN.UTF-8", "en,zh-Hans")])
def test_a_game_is_spoken_in_what_the_tags_mean(form: str, language: str) -> None:
    told = run("demo", "--fast", "--seed", "3", "--language", form)
    plain = run("demo", "--fast", "--seed", "3", "--language", language)
    assert told.exit_code == 0, told.output
    assert told.output == plain.output


@pytest.mark.parametrize(
    ("variable", "language"),
    [
        *((form, language) for form, language in EVERY_FORM if "_" in form or "." in form),
        *[("Chinese (Traditional)_Taiwan.950", "zh-Hant"), ("Chinese (Simplified)_China.936", "zh-Hans")],
        *[("Spanish_Mexico.1252", "es"), ("English_United States.1252", "en"), ("C", ""), ("fr_FR.UTF-8", "")],
    ],
)
def test_the_systems_language_is_found_in_any_form(
    variable: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", variable)
    assert system_language() == language


@pytest.mark.parametrize(
    "words",
    [
        ("rules", "list", "--language"),
        ("rules", "show", "killers-2", "--language"),
        ("rules", "roles", "--language"),
        ("rules", "new", "ours", "--from", "killers-2", "--language"),
        ("voices", "template", "x", "--language"),
        ("replay", "x", "--language"),
        ("demo", "--fast", "--language"),
        ("play", "--language"),
        ("bench", "--voice", "--language"),
    ],
)
def test_an_unknown_language_is_told_with_those_there_are_the_nearest_first(words: tuple[str, ...]) -> None:
    for tag, there in (("fr", "zh-Hans, zh-Hant, es, en"), ("enn", "en, zh-Hans, zh-Hant, es")):
        said = run(*words, tag)
        assert said.exit_code == 1
        assert f"there is no script for this language; there are {there}; got {tag}" in said.output


def test_a_language_that_no_voice_speaks_is_told_with_some_that_are_spoken() -> None:
    assert "no voice here speaks 'enx'; there are voices for en, " in run("voices", "--language", "enx").output


@pytest.mark.parametrize("words", [("demo", "--fast", "--ruleset"), ("bench", "--ruleset"), ("play", "--ruleset")])
def test_an_unknown_ruleset_is_told_with_those_there_are_the_nearest_first(words: tuple[str, ...]) -> None:
    said = run(*words, "Box-wolfwere")
    assert said.exit_code == 1
    assert "there is no such ruleset; there are box-werewolf, " in said.output


def test_an_unknown_ruleset_to_be_shown_is_told_likewise() -> None:
    assert "there are box-werewolf, " in run("rules", "show", "box-werwolf").output
