"""Outputs: the clock's, the folder's, and the mixer's, which plays into SDL's own drivers for tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from narrator.clock import FakeClock
from narrator.speech.clip import Clip
from narrator.speech.outputs.folder import FolderOutput
from narrator.speech.outputs.mixer import MixerOutput
from narrator.speech.outputs.output import ClockOutput, NoSoundDeviceError, ReadyLine
from narrator.speech.utterance import Segment, Utterance
from tests.speech.listening import PATIENCE, line, until
from tests.speech.test_clip import RATE, tone


def take(clip: Clip | None, key: str = "night.falls") -> ReadyLine:
    return ReadyLine(line(1, key=key), clip, clip.seconds if clip else 2.0)


def play_to_end(output: MixerOutput, clock: FakeClock, clip: Clip) -> None:
    """Play a clip; its end must be told at the first look after the device came to it, and as one."""
    endings: list[bool] = []
    output.start(take(clip), endings.append)
    until(lambda: not pygame.mixer.get_busy())
    clock.advance(clip.seconds)
    assert endings == [True]


def test_the_clock_lets_a_line_last_its_time() -> None:
    clock, endings = FakeClock(), list[bool]()
    ClockOutput(clock).start(take(None), endings.append)
    clock.advance(1.99)
    assert not endings
    clock.advance(0.02)
    assert endings == [True]


def test_a_stopped_line_is_not_told_by_the_clock() -> None:
    clock, endings = FakeClock(), list[bool]()
    output = ClockOutput(clock)
    output.start(take(None), endings.append)
    output.stop()
    clock.advance(5)
    assert not endings


def test_files_are_numbered_and_named_by_key(tmp_path: Path) -> None:
    output = FolderOutput(tmp_path / "new", FakeClock())
    output.open()
    for key in ("night.falls", "", "../up/and away"):
        output.start(take(tone(), key), lambda _complete: None)
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    stems = ["0001-night.falls", "0002-line", "0003-_up_and_away"]
    assert names == [f"{stem}.{ending}" for stem in stems for ending in ("txt", "wav")]


def test_numbers_go_on_after_the_files_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "0041-old.wav").write_bytes(b"")
    (tmp_path / "notes-of-mine.txt").write_text("")
    FolderOutput(tmp_path, FakeClock()).start(take(tone()), lambda _complete: None)
    assert (tmp_path / "0042-night.falls.wav").exists()


def test_the_text_beside_a_file_names_each_language(tmp_path: Path) -> None:
    both = Utterance(1, (Segment("天黑请闭眼。", "zh-Hans"), Segment("Close your eyes.", "en")), "k")
    FolderOutput(tmp_path, FakeClock()).start(ReadyLine(both, tone(), 0.5), lambda _complete: None)
    assert (tmp_path / "0001-k.txt").read_text("utf-8") == "[zh-Hans] 天黑请闭眼。\n[en] Close your eyes.\n"


def test_a_folder_is_done_when_written_unless_it_is_paced(tmp_path: Path) -> None:
    clock, endings = FakeClock(), list[bool]()
    FolderOutput(tmp_path, clock).start(take(tone()), endings.append)
    assert endings == [True]
    FolderOutput(tmp_path, clock, paced=True).start(take(tone()), endings.append)
    assert endings == [True]
    clock.advance(0.5)
    assert endings == [True, True]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def mixer(clock: FakeClock, dummy_driver: None) -> Iterator[MixerOutput]:
    """A mixer on SDL's dummy device, which looks for the end of its lines by a clock turned by hand."""
    output = MixerOutput(clock, lead_in=0)
    output.open()
    yield output
    output.close()


def test_the_mixer_tells_the_end_at_its_first_look_after_it(mixer: MixerOutput, clock: FakeClock) -> None:
    play_to_end(mixer, clock, tone(0.3))


def test_the_mixer_looks_for_the_end_just_before_it_should_come(mixer: MixerOutput, clock: FakeClock) -> None:
    endings: list[bool] = []
    mixer.start(take(tone(0.3)), endings.append)
    until(lambda: not pygame.mixer.get_busy())
    clock.advance(0.28)
    assert endings == []
    clock.advance(0.02)
    assert endings == [True]


def test_the_mixer_stops_at_once_and_tells_nothing(mixer: MixerOutput, clock: FakeClock) -> None:
    endings: list[bool] = []
    mixer.start(take(Clip(bytes(2 * RATE * 2 * round(PATIENCE)), RATE)), endings.append)
    mixer.stop()
    play_to_end(mixer, clock, tone(0.1))
    assert not endings


def test_a_clip_of_another_rate_lasts_its_time(mixer: MixerOutput, clock: FakeClock) -> None:
    mixer.start(take(tone(0.3, rate=24_000)), lambda _complete: None)
    assert pygame.mixer.Channel(0).get_sound().get_length() == pytest.approx(0.3, abs=0.001)
    mixer.stop()
    play_to_end(mixer, clock, tone(0.3, rate=24_000))


def test_a_missing_device_is_told_in_a_sentence_and_left_alone_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = FakeClock()
    output = MixerOutput(clock)
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    with pytest.raises(NoSoundDeviceError, match="loudspeaker"):
        output.open()
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    with pytest.raises(NoSoundDeviceError):
        output.open()
    clock.advance(31)
    output.open()
    output.close()


def test_the_device_gets_the_very_samples_after_the_lead_in(tmp_path: Path) -> None:
    sound = tmp_path / "clip.wav"
    sound.write_bytes(tone(0.3).wav())
    program = f"""
import threading
from pathlib import Path
from narrator.clock import SystemClock
from narrator.speech.sound_files import read_sound
from narrator.speech.outputs.mixer import MixerOutput
from narrator.speech.outputs.output import ReadyLine
from narrator.speech.utterance import Utterance
output = MixerOutput(SystemClock(), lead_in=0.4)
output.open()
clip = read_sound(Path({str(sound)!r}))
for _ in range(2):
    over = threading.Event()
    output.start(ReadyLine(Utterance(1, ()), clip, clip.seconds), lambda complete: over.set())
    assert over.wait({PATIENCE})
output.close()
"""
    raw = tmp_path / "heard.raw"
    env = {**os.environ, "SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": str(raw)}
    subprocess.run([sys.executable, "-c", program], env=env, check=True, timeout=PATIENCE)
    heard, clip = raw.read_bytes(), tone(0.3)
    first = heard.index(clip.samples.lstrip(b"\0"))
    second = heard.index(clip.samples, first + len(clip.samples))
    assert not any(heard[:first])
    assert first >= 2 * round(0.4 * RATE)
    assert second - first - len(clip.samples) < 2 * round(0.4 * RATE), "no lead-in between lines that follow closely"
