from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from narrator import child
from narrator.hearing import microphones
from narrator.hearing.library import FRAME, RATE
from narrator.hearing.microphones import NoWay, SdlSource
from narrator.hearing.sdl_capture import OPEN, open_first

OFTEN = 6
"""Times that a microphone is opened and closed: each time its device might be just about to deliver."""


@pytest.fixture
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """SDL's own microphone that plays a file: samples that count from -8000 on."""
    np.arange(-8000, 24000, dtype="<i2").tofile(tmp_path / "in.raw")
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILEIN", str(tmp_path / "in.raw"))
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(tmp_path / "out.raw"))
    yield
    assert not [thread for thread in threading.enumerate() if thread.name == "microphone" and not ended(thread)]


def ended(thread: threading.Thread) -> bool:
    thread.join()
    return not thread.is_alive()


def test_it_delivers_what_the_microphone_hears_and_closes_at_any_moment(device: None) -> None:
    for once in range(OFTEN):
        with microphones.sdl_way()() as source:
            for block in range(once % 3 + 1):
                heard = np.frombuffer(source.read(FRAME), "<i2")
                assert heard.tolist() == list(range(-8000 + block * FRAME, -8000 + (block + 1) * FRAME))


def test_it_needs_no_loudspeaker(device: None) -> None:
    assert SdlSource.count() == 1


def test_a_sound_system_without_microphones_is_no_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "module", lambda *_: (sys.executable, "-c", "print(0, end='')"))
    with pytest.raises(NoWay, match="no device"):
        microphones.sdl_way()


def test_a_sound_system_that_does_not_start_is_no_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    with pytest.raises(NoWay, match="no-such-driver"):
        microphones.sdl_way()


def test_a_device_that_does_not_open_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    source = SdlSource()
    with pytest.raises(OSError, match="no-such-driver"):
        source.__enter__()
    assert source.process is None


def test_a_process_that_dies_is_a_microphone_that_has_stopped(device: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(microphones, "PATIENCE", None)  # it must not be this that ends the reading
    with SdlSource() as source:
        assert len(source.read(FRAME)) == 2 * FRAME
        assert source.process is not None
        source.process.kill()
        while source.read(FRAME):
            pass


def test_a_sound_system_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(microphones, "OPENING", 0.2)
    monkeypatch.setattr(child, "module", lambda *_: (sys.executable, "-c", "import time; time.sleep(60)"))
    with pytest.raises(NoWay, match="does not answer"):
        microphones.sdl_way()
    with pytest.raises(OSError, match="does not answer"):
        SdlSource().__enter__()


def test_one_that_crashes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "module", lambda *_: (sys.executable, "-c", ""))
    with pytest.raises(NoWay, match="crashed"):
        microphones.sdl_way()
    with pytest.raises(OSError, match="crashed"):
        SdlSource().__enter__()


def test_it_ends_with_whoever_started_it(device: None) -> None:
    process = child.start(child.module(microphones.CAPTURE, "hear", str(RATE), str(FRAME)), bufsize=0)
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdout as pipe:
        assert os.read(pipe.fileno(), len(OPEN)) == OPEN
        process.stdin.close()
        while pipe.read(2 * FRAME):
            pass
    assert process.wait() == 0


class Microphones:
    """Some that open, and some that do not."""

    AUDIO_S16 = 0
    error = RuntimeError

    def __init__(self, *opening: str | None) -> None:
        self._opening = opening

    def AudioDevice(self, devicename: str | None, **_: Any) -> str | None:  # noqa: N802 - as the library has it
        if devicename not in self._opening:
            raise RuntimeError(f"{devicename} does not open")
        return devicename


def test_the_systems_choice_is_taken_or_else_the_first_that_opens() -> None:
    names = [None, "screen", "usb", "camera"]
    assert open_first(Microphones(None, "usb"), names, RATE, FRAME) is None
    assert open_first(Microphones("usb", "camera"), names, RATE, FRAME) == "usb"
    with pytest.raises(RuntimeError, match="None does not open"):
        open_first(Microphones(), names, RATE, FRAME)
