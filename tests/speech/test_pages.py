"""Pages as loudspeakers: only what is being spoken, paced by the page where it is the only one, held up by none."""

from __future__ import annotations

import wave
from io import BytesIO

import pytest

from narrator.clock import FakeClock
from narrator.speech.clip import Clip
from narrator.speech.outputs.output import ClockOutput, NoSoundDeviceError, ReadyLine
from narrator.speech.outputs.pages import Beside, Broadcast, PageOutput
from tests.speech.listening import line
from tests.speech.test_clip import tone

SECONDS = 2.0


class Studio:
    """An output to pages, by a clock turned by hand."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.air = Broadcast(self.clock)
        self.output = PageOutput(self.clock, self.air, lead_in=0)
        self.endings: list[bool] = []

    def start(self, clip: Clip | None = None) -> str:
        self.output.start(ReadyLine(line(1), clip or tone(SECONDS), SECONDS), self.endings.append)
        return str(self.air.now()["name"])


@pytest.fixture
def studio() -> Studio:
    return Studio()


def test_without_pages_a_line_lasts_its_time(studio: Studio) -> None:
    studio.start()
    studio.clock.advance(1.95)
    assert not studio.endings
    studio.clock.advance(0.1)
    assert studio.endings == [True]


def test_the_next_line_waits_for_the_page_to_tell_the_end(studio: Studio) -> None:
    studio.air.join("tablet")
    name = studio.start()
    studio.clock.advance(SECONDS + 0.8)
    assert not studio.endings
    studio.air.ended("tablet", name)
    studio.clock.advance(0.15)
    assert studio.endings == [True]


def test_a_page_that_is_slow_is_waited_for_only_so_long(studio: Studio) -> None:
    studio.air.join("tablet")
    studio.start()
    studio.clock.advance(SECONDS + 2.7)
    assert studio.endings == [True]


def test_a_page_that_goes_away_holds_nothing_up(studio: Studio) -> None:
    studio.air.join("tablet")
    studio.start()
    studio.clock.advance(1.0)
    studio.air.leave("tablet")
    studio.clock.advance(SECONDS - 1.0 + 0.05)
    assert studio.endings == [True]


def test_nobody_can_end_a_line_before_its_time(studio: Studio) -> None:
    studio.air.join("tablet")
    name = studio.start()
    studio.air.ended("tablet", name)
    studio.air.ended("tablet", "another")
    studio.clock.advance(SECONDS + 0.5)
    assert not studio.endings


def test_the_slower_of_two_pages_is_waited_for(studio: Studio) -> None:
    studio.air.join("tablet")
    studio.air.join("screen")
    name = studio.start()
    studio.clock.advance(SECONDS)
    studio.air.ended("tablet", name)
    studio.clock.advance(0.5)
    assert not studio.endings
    studio.air.ended("screen", name)
    studio.clock.advance(0.15)
    assert studio.endings == [True]


def test_a_line_can_be_had_while_it_is_spoken_and_never_after(studio: Studio) -> None:
    name = studio.start()
    with wave.open(BytesIO(studio.air.wav(name) or b"")) as sound:
        assert sound.getnframes() == tone(SECONDS).frames
    assert studio.air.wav("guessed") is None
    studio.output.stop()
    assert studio.air.now()["name"] == ""
    studio.clock.advance(6)
    assert studio.air.wav(name) is None
    second = studio.start()
    assert second != name
    studio.clock.advance(SECONDS + 6)
    assert studio.air.wav(second) is None


def test_pages_hear_of_begin_stop_and_volume(studio: Studio) -> None:
    rings: list[str] = []
    stop = studio.air.listen(lambda: rings.append("ring"))
    studio.start()
    assert len(rings) == 1
    studio.output.set_volume(40)
    assert studio.air.now()["volume"] == 0.4
    studio.output.stop()
    assert len(rings) == 3
    stop()
    studio.start()
    assert len(rings) == 3
    studio.output.stop()
    studio.clock.advance(10)
    assert not studio.endings


def test_after_a_pause_a_line_begins_with_silence_here_too(studio: Studio) -> None:
    output = PageOutput(studio.clock, studio.air, lead_in=0.4)
    output.start(ReadyLine(line(1), tone(1.0), 1.0), studio.endings.append)
    wav = studio.air.wav(str(studio.air.now()["name"])) or b""
    assert not any(wav[44 : 44 + 2 * round(0.39 * 22_050)])
    studio.clock.advance(1.3)
    assert not studio.endings


class Device(ClockOutput):
    """A device that can be missing."""

    wants_clips = True
    missing = False

    def open(self) -> None:
        if self.missing:
            raise NoSoundDeviceError("none")


def test_beside_a_device_the_device_sets_the_pace(studio: Studio) -> None:
    device = Device(studio.clock)
    both = Beside(device, studio.air, studio.clock)
    both.open()
    both.start(ReadyLine(line(1), tone(SECONDS), SECONDS), studio.endings.append)
    assert studio.air.now()["name"] == "", "nothing is put on the air where nobody listens"
    studio.clock.advance(SECONDS)
    studio.air.join("tablet")
    both.start(ReadyLine(line(2), tone(SECONDS), SECONDS), studio.endings.append)
    assert studio.air.now()["name"]
    studio.clock.advance(SECONDS)
    assert studio.endings == [True, True]
    both.start(ReadyLine(line(3), tone(SECONDS), SECONDS), studio.endings.append)
    both.stop()
    assert studio.air.now()["name"] == ""
    both.close()


def test_without_a_device_pages_alone_are_enough(studio: Studio) -> None:
    device = Device(studio.clock)
    device.missing = True
    both = Beside(device, studio.air, studio.clock)
    with pytest.raises(NoSoundDeviceError):
        both.open()
    studio.air.join("tablet")
    both.open()
    both.start(ReadyLine(line(1), tone(SECONDS), SECONDS), studio.endings.append)
    assert studio.air.now()["name"]
    studio.clock.advance(6)
    assert studio.endings == [True]
