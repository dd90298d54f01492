"""What is heard behind the narrator: seamless, lowered while he speaks, and never before it may be."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from narrator.cli.sounds import sounds
from narrator.clock import FakeClock
from narrator.making.opus import same_again
from narrator.making.scenes import MAKERS
from narrator.places import data_folder
from narrator.speech.clip import Clip
from narrator.speech.outputs.ambience import DAWN, DUCKED, OVERLAP_SECONDS, SCENES, Ambience, hum, scene_clip, seamless
from narrator.speech.outputs.mixer import MixerOutput
from narrator.speech.outputs.output import ReadyLine, Surroundings
from tests.speech.listening import line, until
from tests.speech.test_clip import tone

NIGHT = Surroundings("night", night=40, day=20)
DAY = Surroundings("day", night=40, day=20)


HALF_A_MINUTE = Clip(60 * tone(0.5).samples, 22_050)


class Room:
    """A mixer on SDL's dummy device, whose sounds are fetched at once, by a clock turned by hand."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.output = MixerOutput(self.clock)
        self.ambience = self.output.ambience = Ambience(self.clock, lambda scene: HALF_A_MINUTE)
        self.output.open()

    def be(self, around: Surroundings, seconds: float = 0.0) -> None:
        self.output.surround(around)
        until(lambda: not around.level or self.ambience.scene in self.ambience.audible)
        self.run(seconds)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.05)):
            self.clock.advance(0.05)


@pytest.fixture
def room(dummy_driver: None) -> Iterator[Room]:
    found = Room()
    yield found
    found.output.close()


def step_largest(clip: Clip) -> int:
    values = clip.values()
    return max(abs(one - other) for one, other in pairwise(values))


def test_it_grows_to_its_level_and_is_lowered_smoothly_while_a_line_is_spoken(room: Room) -> None:
    room.be(NIGHT, 10)
    assert room.ambience.volume("night") == pytest.approx(0.4)
    room.output.start(ReadyLine(line(1), tone(1.0), 1.0), lambda complete: None)
    seen = []
    for _ in range(20):
        room.clock.advance(0.05)
        seen.append(room.ambience.volume("night"))
    assert seen[-1] == pytest.approx(0.4 * DUCKED)
    assert max(abs(one - other) for one, other in pairwise(seen)) < 0.12
    room.output.stop()
    room.run(0.6)
    assert room.ambience.volume("night") == pytest.approx(0.4 * DUCKED), "lines that follow closely do not pump"
    room.run(8)
    assert room.ambience.volume("night") == pytest.approx(0.4)


def test_dawn_comes_once_between_night_and_day(room: Room) -> None:
    room.be(NIGHT, 5)
    room.be(DAY, 3)
    assert room.ambience.scene == "dawn"
    assert room.ambience.volume("night") == 0
    assert room.ambience.volume("dawn") > 0.2
    room.run(20)
    until(lambda: "day" in room.ambience.audible)
    room.run(10)
    assert room.ambience.volume("day") == pytest.approx(0.2)
    assert room.ambience.volume("dawn") == 0


def test_nothing_is_heard_at_no_loudness_or_outside_a_game(room: Room) -> None:
    room.be(Surroundings("night", night=0), 2)
    assert not room.ambience.audible
    room.be(NIGHT, 5)
    room.be(Surroundings("", night=40), 5)
    assert not room.ambience.audible
    assert room.ambience.scene == ""


def test_it_comes_back_when_the_stream_is_opened_anew(room: Room) -> None:
    room.be(NIGHT, 5)
    room.output.close()
    assert not room.ambience.audible
    room.output.open()
    room.be(NIGHT, 10)
    assert room.ambience.volume("night") == pytest.approx(0.4)


def test_a_sound_that_is_missing_silences_nothing_else(dummy_driver: None, caplog: pytest.LogCaptureFixture) -> None:
    def missing(scene: str) -> Clip:
        raise FileNotFoundError(scene)

    clock, fetched = FakeClock(), Ambience(FakeClock(), missing)
    output = MixerOutput(clock)
    output.ambience = fetched
    output.open()
    output.surround(NIGHT)
    until(lambda: "night" in caplog.text)
    output.start(ReadyLine(line(1), tone(0.1), 0.1), lambda complete: None)
    output.close()


def test_the_faint_noise_plays_only_when_wanted(room: Room) -> None:
    import pygame.mixer

    assert not pygame.mixer.Channel(3).get_busy()
    room.output.surround(Surroundings(awake=True))
    assert pygame.mixer.Channel(3).get_busy()
    room.output.surround(Surroundings())
    assert not pygame.mixer.Channel(3).get_busy()
    assert -70 < Clip(hum(), 22_050).level() < -62


def test_shipped_sounds_are_small_and_have_no_seam() -> None:
    files = {scene: data_folder("sounds") / f"{scene}.ogg" for scene in SCENES}
    assert sum(path.stat().st_size for path in files.values()) < 1_000_000
    for scene in SCENES:
        clip = scene_clip(scene)
        assert not clip.is_silent()
        if scene != DAWN:
            values = clip.values()
            assert abs(values[0] - values[-1]) <= step_largest(clip)
            ends = Clip(values[-4000:].tobytes() + values[:4000].tobytes(), clip.rate)
            assert step_largest(ends) <= step_largest(clip)


def test_the_end_of_a_loop_is_blended_into_its_beginning() -> None:
    circle = tone(1.0).samples
    clip = Clip(circle + circle[: 2 * round(OVERLAP_SECONDS * 22_050)], 22_050)
    blended = seamless(clip, OVERLAP_SECONDS)
    assert blended.frames == 22_050
    assert max(abs(a - b) for a, b in zip(blended.values(), tone(1.0).values(), strict=True)) <= 1


def test_the_same_program_makes_the_same_sounds() -> None:
    program = "import hashlib; from narrator.making.scenes import day; print(hashlib.sha256(day().samples).hexdigest())"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    assert ran.stdout.strip() == hashlib.sha256(MAKERS["day"]().samples).hexdigest()


def test_a_file_loses_only_the_number_its_maker_drew() -> None:
    shipped = (data_folder("sounds") / "day.ogg").read_bytes()
    marked = bytearray(shipped)
    marked[14:18] = b"\1\2\3\4"
    assert same_again(bytes(marked)) == same_again(shipped) == shipped


def test_without_its_library_building_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "soundfile", None)
    told = CliRunner().invoke(sounds, ["build", "--folder", str(tmp_path)])
    assert told.exit_code == 1
    assert "soundfile" in told.output
