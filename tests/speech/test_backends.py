"""Backends by name, and whole lines through the real engine and SDL's drivers for tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from narrator.clock import FakeClock, SystemClock
from narrator.speech.backends import backend, backend_names, open_speaker
from narrator.speech.outputs.mixer import MixerOutput
from narrator.speech.renderers.pyttsx3 import Pyttsx3Renderer
from narrator.speech.sound_files import read_sound
from narrator.speech.speaker import Speaker
from narrator.speech.utterance import Segment, Utterance
from tests.speech.listening import Listener, Stopwatch, line, speaking, until

Playing = tuple[Speaker, Listener, Stopwatch]


@pytest.fixture
def playing(renderer: Pyttsx3Renderer, dummy_driver: None) -> Iterator[Playing]:
    """The real engine, into SDL's dummy device."""
    watch = Stopwatch(MixerOutput(SystemClock(), lead_in=0.1))
    with speaking(renderer, watch, SystemClock()) as (speaker, listener):
        yield speaker, listener, watch


def test_the_names_are_listed() -> None:
    assert backend_names() == ("pyttsx3", "silent", "wav:FOLDER", "page")


@pytest.mark.parametrize("name", ["", "loud", "wav", "wav:", "silent:yes", "silent:", "pyttsx3:x"])
def test_another_name_is_refused_with_the_list(name: str) -> None:
    with pytest.raises(ValueError, match="pyttsx3, silent, wav:FOLDER") as refused:
        open_speaker(name, FakeClock(), **Listener().callbacks())
    assert str(refused.value).endswith(repr(name))


def test_a_name_is_registered_once() -> None:
    with pytest.raises(ValueError, match="'silent'"):
        backend("silent")(lambda _settings: (None, MixerOutput(FakeClock())))
    assert backend_names().count("silent") == 1


def test_silent_starts_no_process_and_lasts_by_the_clock() -> None:
    clock, listener = FakeClock(), Listener()
    speaker = open_speaker("silent", clock, **listener.callbacks())
    speaker.say(line(1))
    assert speaker.settle()
    clock.advance(10)
    assert speaker.settle()
    assert listener.told == [("started", 1), ("spoken", 1)]
    assert not listener.troubles
    speaker.close()


@pytest.mark.sound
def test_wav_writes_every_line_with_its_text_and_bad_text_does_not_stop_it(tmp_path: Path) -> None:
    listener = Listener()
    speaker = open_speaker(f"wav:{tmp_path}/lines", FakeClock(), **listener.callbacks())
    speaker.say(line(7, "众人请闭眼。", "zh-Hans"))
    speaker.say(line(8, "...", "en", "odd"))
    both = (Segment("眾人請閉眼。", "zh-Hant"), Segment("Close your eyes.", "en"))
    speaker.say(Utterance(9, both, "night.falls"))
    listener.wait_for("spoken", 9)
    speaker.close()
    assert [ending for ending in listener.told if ending[0] != "started"] == [
        ("spoken", 7),
        ("failed", 8),
        ("spoken", 9),
    ]
    folder = tmp_path / "lines"
    assert sorted(path.name for path in folder.glob("*.wav")) == ["0001-night.falls.wav", "0003-night.falls.wav"]
    first, last = (read_sound(folder / f"{number}-night.falls.wav") for number in ("0001", "0003"))
    assert last.seconds > first.seconds + 0.35 + 0.6
    text = (folder / "0003-night.falls.txt").read_text("utf-8")
    assert text == "[zh-Hant] 眾人請閉眼。\n[en] Close your eyes.\n"
    assert (folder / "0002-odd.txt").exists()


@pytest.mark.sound
def test_real_lines_are_played_one_after_the_other(playing: Playing) -> None:
    speaker, listener, watch = playing
    speaker.set_rate(200)
    for number in (1, 2):
        speaker.say(line(number, "Night falls."))
    listener.wait_for("spoken", 2)
    assert [what for what, _ in listener.told] == ["started", "spoken", "started", "spoken"]
    assert watch.order == ["start 1", "end 1", "start 2", "end 2"]
    for take in watch.takes:
        assert take.clip
        assert take.clip.seconds == take.seconds


@pytest.mark.sound
def test_a_hanging_engine_delays_a_line_but_does_not_lose_it(playing: Playing, renderer: Pyttsx3Renderer) -> None:
    speaker, listener, watch = playing
    speaker.say(line(1, "One."))
    listener.wait_for("started", 1)
    assert renderer.worker_pid
    os.kill(renderer.worker_pid, signal.SIGSTOP)
    speaker.say(line(2, "Two."))
    listener.wait_for("spoken", 2)
    assert listener.kinds() == ["engine_restarted"]
    assert watch.takes[1].clip


@pytest.mark.sound
def test_a_real_line_is_skipped_and_paused_at_once(playing: Playing) -> None:
    speaker, listener, watch = playing
    speaker.say(line(1, "This is quite a long line that nobody wants to hear to its end."))
    listener.wait_for("started", 1)
    speaker.pause()
    assert watch.order == ["start 1", "end 1"]
    speaker.resume()
    assert speaker.settle()
    assert watch.order[2:] == ["start 1"]
    speaker.skip()
    assert watch.order[3:] == ["end 1"]
    listener.wait_for("skipped", 1)
    assert [what for what, _ in listener.told] == ["started", "skipped"]


@pytest.mark.sound
def test_a_prepared_line_needs_no_engine_any_more(playing: Playing, renderer: Pyttsx3Renderer) -> None:
    speaker, listener, watch = playing
    speaker.expect([line(1, "Prepared.")])
    until(lambda: speaker.progress == (1, 1))
    speaker.say(line(2, "First."))
    listener.wait_for("spoken", 2)
    assert renderer.worker_pid
    os.kill(renderer.worker_pid, signal.SIGSTOP)
    speaker.say(line(1, "Prepared."))
    listener.wait_for("spoken", 1)
    assert listener.kinds() == []
    assert watch.takes[-1].clip
