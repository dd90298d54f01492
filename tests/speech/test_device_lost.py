"""A loudspeaker switched off in the middle of a line: told, waited for, and the line said again from its start."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from narrator.clock import FakeClock
from narrator.speech.clip import PLAYED_RATE, Clip
from narrator.speech.outputs.mixer import MixerOutput
from narrator.speech.outputs.output import NoSoundDeviceError, ReadyLine
from tests.speech.listening import Stopwatch, line, speaking, until
from tests.speech.test_speaker import Studio

LONG = Clip(bytes(2 * 60 * PLAYED_RATE), PLAYED_RATE)
"""A minute: no device comes to its end while a test lasts."""


def started(output: MixerOutput) -> list[bool]:
    endings: list[bool] = []
    output.open()
    output.start(ReadyLine(line(1), LONG, LONG.seconds), endings.append)
    return endings


def test_a_mixer_that_stands_still_counts_as_lost_soon_after_the_line_should_be_over(dummy_driver: None) -> None:
    clock = FakeClock()
    output = MixerOutput(clock)
    endings = started(output)
    clock.advance(LONG.seconds + 1.9)  # by the clock it should be over; the device has not played a tenth of it
    assert not endings
    clock.advance(1.0)
    assert endings == [False]
    output.open()
    output.close()


def test_a_device_that_disappears_is_noticed_within_a_second(dummy_driver: None) -> None:
    clock, names = FakeClock(), ["kitchen", "built-in"]
    output = MixerOutput(clock, devices=lambda: tuple(names))
    endings = started(output)
    clock.advance(1.05)
    assert not endings
    names.remove("kitchen")
    clock.advance(1.05)
    assert endings == [False]
    output.close()


def test_a_device_that_appears_gets_the_next_line(dummy_driver: None, monkeypatch: pytest.MonkeyPatch) -> None:
    import pygame.mixer

    names, opened = ["built-in"], []
    output = MixerOutput(FakeClock(), devices=lambda: tuple(names))
    output.open()
    init = pygame.mixer.init
    monkeypatch.setattr(pygame.mixer, "init", lambda *args, **more: (opened.append(1), init(*args, **more)))
    output.open()
    assert not opened
    names.append("kitchen")
    output.open()
    output.open()
    assert opened == [1]
    output.close()


def test_the_line_is_said_from_its_beginning_when_the_device_is_back() -> None:
    clock = FakeClock()
    studio = Studio(clock)
    watch = Stopwatch(studio, clock)
    with speaking(studio, watch, clock) as (speaker, listener):
        studio.lost = ["Night falls."]
        gone = NoSoundDeviceError("gone")
        begin = studio.start

        def start(take: ReadyLine, done: Callable[[bool], None]) -> None:
            studio.trouble = gone if studio.lost else None
            begin(take, done)

        studio.start = start  # type: ignore[method-assign]
        speaker.say(line(1))
        until(lambda: "no_sound_device" in listener.kinds())
        assert speaker.settle()
        for _ in range(3):
            clock.advance(1.0)
            assert speaker.settle()
        studio.trouble = None
        for _ in range(3):
            clock.advance(1.0)
            assert speaker.settle()
        listener.wait_for("spoken", 1)
    assert listener.kinds() == ["device_lost", "no_sound_device"]
    assert [number for number, _ in watch.starts] == [1, 1]
    assert watch.starts[1][1] - watch.starts[0][1] == pytest.approx(4.0)


def test_a_device_that_stays_away_does_not_hold_the_game_up_for_long() -> None:
    clock = FakeClock()
    studio = Studio(clock)
    with speaking(studio, studio, clock) as (speaker, listener):
        studio.lost = ["Night falls."]
        begin = studio.start

        def start(take: ReadyLine, done: Callable[[bool], None]) -> None:
            studio.trouble = NoSoundDeviceError("gone")
            begin(take, done)

        studio.start = start  # type: ignore[method-assign]
        speaker.say(line(1))
        assert speaker.settle()
        for _ in range(15):
            clock.advance(1.0)
            assert speaker.settle()
        listener.wait_for("spoken", 1)
