"""Voices: chosen by language, on every system, and never a joke or a spelled-out script."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest
from click.testing import CliRunner

from narrator.cli.speech import say, voices
from narrator.making.voicepacks import Packing, Wanted
from narrator.speech.clip import Clip
from narrator.speech.packs import Head
from narrator.speech.renderers.auto import offered_voices
from narrator.speech.sound_files import read_sound
from narrator.speech.voices import RECORDED, Voice, best_voice, list_voices, no_engine, speaking
from narrator.speech.worker.drivers import BUNDLED


def voice(engine: str, native: str, name: str, *languages: str) -> Voice:
    return Voice(f"{engine}:{native}", name, languages, engine)


ESPEAK = (
    voice(BUNDLED, "sit/cmn-Latn-pinyin", "Chinese (Mandarin, latin as Pinyin)", "cmn-latn-pinyin"),
    voice(BUNDLED, "sit/cmn", "Chinese (Mandarin, latin as English)", "cmn"),
    voice(BUNDLED, "sit/yue", "Chinese (Cantonese)", "yue"),
    voice(BUNDLED, "roa/es", "Spanish (Spain)", "es"),
    voice(BUNDLED, "gmw/en-US", "English (America)", "en-us"),
)
APPLE = (
    voice("nsss", "com.apple.speech.synthesis.voice.Albert", "Albert", "en_US"),
    voice("nsss", "com.apple.eloquence.zh-CN.Eddy", "Eddy", "zh_CN"),
    voice("nsss", "com.apple.voice.compact.zh-HK.Sinji", "Sinji", "zh_HK"),
    voice("nsss", "com.apple.voice.compact.zh-CN.Tingting", "Tingting", "zh_CN"),
    voice("nsss", "com.apple.voice.compact.zh-TW.Meijia", "Meijia", "zh_TW"),
    voice("nsss", "com.apple.voice.compact.en-US.Samantha", "Samantha", "en_US"),
)
WINDOWS = (voice("sapi5", r"HKEY_LOCAL_MACHINE\SOFTWARE\Tokens\TTS_MS_EN-US_ZIRA_11.0", "Microsoft Zira", "en-US"),)


@pytest.mark.parametrize(
    ("language", "found", "name"),
    [
        ("zh-Hans", ESPEAK, "Chinese (Mandarin, latin as English)"),
        ("zh-Hant", ESPEAK, "Chinese (Mandarin, latin as English)"),
        ("es", ESPEAK, "Spanish (Spain)"),
        ("en", ESPEAK, "English (America)"),
        ("zh-Hans", APPLE + ESPEAK, "Tingting"),
        ("zh-Hant", APPLE + ESPEAK, "Meijia"),
        ("en", APPLE + ESPEAK, "Samantha"),
        ("es", APPLE + ESPEAK, "Spanish (Spain)"),
        ("en", WINDOWS + ESPEAK, "Microsoft Zira"),
        ("zh-Hans", WINDOWS + ESPEAK, "Chinese (Mandarin, latin as English)"),
    ],
)
def test_the_best_voice_is_chosen_by_language(language: str, found: tuple[Voice, ...], name: str) -> None:
    best = best_voice(language, found)
    assert best
    assert best.name == name


def test_a_language_nobody_speaks_has_no_voice() -> None:
    assert best_voice("xx", ESPEAK) is None


def test_an_id_with_a_colon_in_it_stays_whole() -> None:
    assert voice("nsss", "a:b", "A", "en").engine_id == "a:b"


def test_a_machine_without_engines_is_told_what_to_install() -> None:
    assert "espeakng-loader" in no_engine({"espeak": "RuntimeError: not installed"})
    assert "not installed" in no_engine({"espeak": "RuntimeError: not installed"})


@pytest.mark.sound
@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "es", "en"])
def test_every_language_of_the_scripts_has_a_voice_here(language: str) -> None:
    assert speaking(language, list_voices())


@pytest.mark.sound
def test_the_command_lists_voices_by_language() -> None:
    result = CliRunner().invoke(voices, [])
    assert result.exit_code == 0
    titles = [text for text in result.output.splitlines() if not text.startswith(" ")]
    assert titles == ["zh-Hans:", "zh-Hant:", "es:", "en:"]


@pytest.mark.sound
def test_the_command_says_when_nothing_speaks_a_language() -> None:
    result = CliRunner().invoke(voices, ["--language", "xx"])
    assert result.exit_code == 1
    assert "no voice here speaks 'xx'; there are voices for " in result.output


@pytest.mark.sound
def test_say_writes_a_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    out = tmp_path_factory.mktemp("said") / "night.wav"
    result = CliRunner().invoke(say, ["--language", "zh-Hant", "天黑請閉眼", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert 1.0 < read_sound(out).seconds < 3.0


@pytest.mark.sound
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["hello", "--speaker", "loud"], 2, "'loud'"),
        (["hello", "--rate", "10"], 2, "50<=x<=200"),
        (["...", "--out", "unused.wav"], 1, "nothing in this line can be spoken"),
        (["hello", "--out", "/no/such/folder/a.wav"], 1, "cannot be written"),
    ],
)
def test_say_explains_what_is_wrong(arguments: list[str], code: int, message: str) -> None:
    result = CliRunner().invoke(say, arguments)
    assert result.exit_code == code
    assert message in result.output


@pytest.mark.sound
def test_say_plays_through_the_device(dummy_driver: None) -> None:
    result = CliRunner().invoke(say, ["hello", "--rate", "200"])
    assert result.exit_code == 0, result.output


@pytest.mark.sound
def test_say_without_a_device_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    result = CliRunner().invoke(say, ["hi"])
    assert result.exit_code == 1
    assert "loudspeaker" in result.output
    assert "--out" in result.output


def test_recorded_voices_come_before_all_others() -> None:
    recorded = Voice("pack:someone", "Someone", ("zh",), RECORDED)
    assert speaking("zh-Hant", (*APPLE, *ESPEAK, recorded))[0] == recorded
    assert recorded not in speaking("es", (*ESPEAK, recorded))


@pytest.mark.sound
def test_voices_of_packs_are_offered(tmp_path: Path) -> None:
    Packing(tmp_path / "en" / "tone", Head("en", "tone", "Tone", 5, "", "")).tidy([])
    offered = offered_voices(tmp_path)
    assert "pack:tone" in [voice.id for voice in speaking("en", offered)]
    assert {voice.id for voice in list_voices()} < {voice.id for voice in offered}


@pytest.mark.parametrize("way", ["--out", "--speaker"])
def test_say_speaks_in_voices_that_the_user_has_recorded(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NARRATOR_HOME", str(tmp_path))
    own = Packing(tmp_path / "voices" / "en" / "af_heart", Head("en", "af_heart", "", 0, "", ""))
    tone = Clip(array("h", [9000 if at // 40 % 2 else -9000 for at in range(40_000)]).tobytes(), 20_000)
    list(own.record([Wanted("zzz.", "z")], lambda _: tone, Clip.wav))
    lines = tmp_path / "lines"
    written = lines / "1.wav" if way == "--out" else lines
    lines.mkdir()
    result = CliRunner().invoke(say, ["Zzz.", way, str(written) if way == "--out" else f"wav:{written}"])
    assert result.exit_code == 0, result.output
    [path] = lines.glob("*.wav")
    assert read_sound(path).seconds == pytest.approx(2.08, abs=0.1)
