"""Real speech: every language sounds, lasts as long as speech does, is loud enough, and stays itself."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from narrator.clock import SystemClock
from narrator.speech import troubles
from narrator.speech.renderers.pyttsx3 import Pyttsx3Renderer, engine_text, engine_voice, words_per_minute
from narrator.speech.renderers.renderer import RenderError, Request
from narrator.speech.troubles import Trouble
from narrator.speech.utterance import Segment
from narrator.speech.voices import Voice
from narrator.speech.worker.drivers import BUNDLED
from narrator.speech.worker.espeak import LONGEST_PATH, Espeak
from tests.speech.listening import PATIENCE, active_level
from tests.speech.test_worker import DYING_PROGRAM

pytestmark = pytest.mark.sound

LINES = {
    "zh-Hans": [
        ("天黑了，请大家闭眼。", 9),
        ("3、12号出局，请发表遗言。", 11),
        ("杀手请睁眼，请选择你们要杀的人。", 15),
    ],
    "zh-Hant": [
        ("天黑了，請大家閉眼。", 9),
        ("3、12號出局，請發表遺言。", 11),
        ("殺手請睜眼，請選擇你們要殺的人。", 15),
    ],
    "es": [("Cae la noche, cierren los ojos.", 10), ("Asesinos, abran los ojos y elijan una víctima.", 16)],
    "en": [("Night falls. Everybody, close your eyes.", 10), ("Killers, open your eyes and choose your victim.", 12)],
}
SECONDS_A_SYLLABLE = {"zh-Hans": (0.28, 0.42), "zh-Hant": (0.28, 0.42), "es": (0.17, 0.28), "en": (0.22, 0.36)}
CHINESE = [(language, text) for language in ("zh-Hans", "zh-Hant") for text, _ in LINES[language]]
CHINESE += [("zh-Hans", f"{number}号得{number}票，警长是{number}号。") for number in (1, 2, 12, 20, 105)]


def request(text: str, language: str = "en", **manner: object) -> Request:
    return Request(Segment(text, language), **manner)  # type: ignore[arg-type]


def voice(engine: str = BUNDLED) -> Voice:
    return Voice(f"{engine}:any", "any", ("zh",), engine)


@pytest.mark.parametrize(
    ("language", "text", "syllables"), [(k, *line) for k, lines in LINES.items() for line in lines]
)
def test_a_line_has_a_plausible_length_and_level(
    engine: Pyttsx3Renderer, language: str, text: str, syllables: int
) -> None:
    told: list[Trouble] = []
    clip = engine.render(request(text, language), told.append)
    shortest, longest = SECONDS_A_SYLLABLE[language]
    assert shortest <= clip.seconds / syllables <= longest
    assert -24 <= active_level(clip) <= -15
    assert max(map(abs, clip.values())) < 32_700, "clipped"
    assert not told


def test_the_rate_changes_the_length(engine: Pyttsx3Renderer) -> None:
    text = LINES["zh-Hans"][2][0]
    normal, slow, fast = (engine.render(request(text, "zh-Hans", rate=rate), print).seconds for rate in (100, 50, 200))
    assert slow > 1.5 * normal > 1.5 * 1.5 * fast


@pytest.fixture(scope="module")
def espeak() -> Espeak:
    return Espeak()


@pytest.mark.parametrize(("language", "text"), CHINESE)
def test_a_chinese_line_never_changes_into_english(espeak: Espeak, language: str, text: str) -> None:
    espeak.set_voice("sit/cmn")
    assert "(en)" not in espeak.phonemes(engine_text(request(text, language), voice()))


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
def test_no_line_of_the_chinese_scripts_changes_into_english(espeak: Espeak, language: str) -> None:
    espeak.set_voice("sit/cmn")
    texts = [re.sub(r"\{[^{}]*\}", "12", text) for text in _texts(_script(language)["lines"])]
    heard = {text: espeak.phonemes(engine_text(request(text, language), voice())) for text in texts}
    assert len(heard) > 50
    assert not [text for text, phonemes in heard.items() if "(en)" in phonemes]


def test_a_latin_name_does_change_into_english(espeak: Espeak) -> None:
    """Without this the test above could not fail."""
    espeak.set_voice("sit/cmn")
    assert "(en)" in espeak.phonemes(engine_text(request("Anna请睁眼", "zh-Hans"), voice()))


@pytest.mark.parametrize(
    ("written", "alike"),
    [
        ("警长", "井掌"),
        ("警長", "井掌"),
        ("闭着眼睛", "闭这眼睛"),
        ("12号", "十二号"),
        ("2票", "两票"),
        ("３号", "三号"),
    ],
)
def test_easily_misread_words_sound_as_they_should(espeak: Espeak, written: str, alike: str) -> None:
    espeak.set_voice("sit/cmn")
    heard = espeak.phonemes(engine_text(request(written, "zh-Hans"), voice()))
    assert _sounds(heard) == _sounds(espeak.phonemes(alike))


def test_other_engines_get_the_words_as_they_are_written() -> None:
    assert engine_text(request("警长", "zh-Hans"), voice("sapi5")) == "警长。"


def test_only_bundled_mandarin_has_a_timbre_of_its_own() -> None:
    assert engine_voice(request("好", "zh-Hant"), voice()) == "any+Annie"
    assert engine_voice(request("hola", "es"), voice()) == "any"
    assert engine_voice(request("好", "zh-Hant"), voice("sapi5")) == "any"


def test_rates_stay_within_what_engines_take() -> None:
    assert words_per_minute(request("a", "en", rate=50), voice()) == 80
    assert words_per_minute(request("a", "en", rate=200), voice("nsss")) == 350


@pytest.mark.parametrize("text", ["...", "「」", "", "x" * 2001])
def test_a_line_that_cannot_be_spoken_is_refused_and_the_next_one_is_spoken(engine: Pyttsx3Renderer, text: str) -> None:
    told: list[Trouble] = []
    with pytest.raises(RenderError) as refused:
        engine.render(request(text), told.append)
    assert refused.value.final
    assert [what.kind for what in told] == [troubles.LINE_FAILED]
    assert engine.render(request("Hello."), told.append).seconds > 0.3


@pytest.mark.parametrize(
    "text", ["<speak>Hi</speak> & [[h@l'oU]]", "a\x00b", "\ud800 lone", "🙂 ok", "'; drop", "-5 %s %n"]
)
def test_odd_texts_are_spoken(engine: Pyttsx3Renderer, text: str) -> None:
    assert engine.render(request(text), print).seconds > 0.2


def test_a_language_without_a_voice_is_told_once(renderer: Pyttsx3Renderer) -> None:
    told: list[Trouble] = []
    for _ in range(2):
        with pytest.raises(RenderError):
            renderer.render(request("nuqneH", "xx"), told.append)
    assert [what.kind for what in told] == [troubles.NO_VOICE]


def test_an_unknown_voice_is_told_and_another_one_speaks(renderer: Pyttsx3Renderer) -> None:
    told: list[Trouble] = []
    assert renderer.render(request("Hello.", voice="nobody:at/all"), told.append).seconds > 0.3
    assert [what.kind for what in told] == [troubles.NO_VOICE]
    assert "'nobody:at/all'" in told[0].detail


def test_a_chinese_name_in_an_english_line_is_spoken_in_mandarin(engine: Pyttsx3Renderer) -> None:
    mixed = engine.render(request("Seat 3, 小明, is out."), print).seconds
    apart = [
        engine.render(request(text, language), print).seconds
        for text, language in (("Seat 3,", "en"), ("小明", "zh-Hans"), ("is out.", "en"))
    ]
    assert 0.6 * sum(apart) < mixed < sum(apart)


def test_a_chosen_voice_is_used(engine: Pyttsx3Renderer) -> None:
    text = LINES["es"][0][0]
    spain, america = (
        engine.render(request(text, "es", voice=f"{BUNDLED}:roa/{voice}"), print) for voice in ("es", "es-419")
    )
    assert spain.samples != america.samples


def test_a_hanging_worker_is_replaced_and_the_line_still_rendered(renderer: Pyttsx3Renderer) -> None:
    told: list[Trouble] = []
    renderer.warm_up(told.append)
    hanging = renderer.worker_pid
    assert hanging
    os.kill(hanging, signal.SIGSTOP)
    assert renderer.render(request("Hello."), told.append).seconds > 0.3
    assert [what.kind for what in told] == [troubles.ENGINE_RESTARTED]
    assert renderer.worker_pid != hanging


def test_a_worker_that_dies_in_the_middle_is_replaced(renderer: Pyttsx3Renderer) -> None:
    told: list[Trouble] = []
    renderer.warm_up(told.append)
    dying = renderer.worker_pid
    assert dying
    os.kill(dying, signal.SIGSTOP)
    threading.Timer(0.1, os.kill, (dying, signal.SIGKILL)).start()
    assert renderer.render(request("Hello."), told.append).seconds > 0.3
    assert "ended" in told[0].detail, "death is noticed before the time-out"
    assert [what.kind for what in told] == [troubles.ENGINE_RESTARTED]


def test_an_engine_that_never_works_fails_the_line_but_not_for_good() -> None:
    told: list[Trouble] = []
    renderer = Pyttsx3Renderer(SystemClock(), command=DYING_PROGRAM)
    renderer.warm_up(told.append)
    with pytest.raises(RenderError) as failed:
        renderer.render(request("Hello."), told.append)
    assert not failed.value.final
    assert [what.kind for what in told] == [troubles.ENGINE_RESTARTED, troubles.ENGINE_FAILED]
    renderer.close()


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    renderer = Pyttsx3Renderer(SystemClock())
    renderer.render(request("Hello."), print)
    pid, [folder] = renderer.worker_pid, tmp_path.iterdir()
    assert not list(folder.iterdir())
    renderer.close()
    assert not folder.exists()
    assert pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_data_in_a_place_with_a_long_path_is_found(tmp_path: Path) -> None:
    """In a process of its own: espeak starts once, and ends the process when it finds no data."""
    deep = tmp_path / ("d" * 100) / ("e" * 100)
    assert len(os.fsencode(deep)) > LONGEST_PATH
    program = f"""
import shutil, sys
from pathlib import Path
import espeakng_loader
from narrator.speech.worker.espeak import Espeak
deep = Path({str(deep)!r})
shutil.copytree(espeakng_loader.get_data_path(), deep)
espeak = Espeak(deep)
espeak.set_voice("sit/cmn")
print(len(espeak.render("天黑请闭眼。")))
"""
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "LOCALAPPDATA": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50_000


def _script(language: str) -> dict[str, Any]:
    path = Path(__file__).parents[2] / "scripts" / f"{language}.yaml"
    return dict(yaml.safe_load(path.read_text("utf-8")))


def _texts(node: object) -> Iterator[str]:
    """Every text in a script's branch."""
    if isinstance(node, dict):
        for child in node.values():
            yield from _texts(child)
    elif isinstance(node, str):
        yield node


def _sounds(phonemes: str) -> str:
    return re.sub(r"[ˈˌ| ]", "", phonemes)
