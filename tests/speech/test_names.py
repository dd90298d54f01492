"""Players' names after lines: the line in its recorded voice, the name by the engine, as loud and close behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from narrator.clock import FakeClock, SystemClock
from narrator.making.voicepacks import Wanted
from narrator.speech.backends import open_speaker
from narrator.speech.clip import Clip, silence
from narrator.speech.levelling import AFTER, BEFORE, LEVEL, frame_powers, speech_level
from narrator.speech.outputs.output import ClockOutput
from narrator.speech.packs import Head
from narrator.speech.renderers.auto import AutoRenderer
from narrator.speech.renderers.pyttsx3 import Pyttsx3Renderer
from narrator.speech.renderers.renderer import Request, TroubleListener
from narrator.speech.sound_files import read_sound
from narrator.speech.speaker import spoken_line
from narrator.speech.text.pacing import NAME_PAUSE, SEGMENT_PAUSE, estimate
from narrator.speech.troubles import Trouble
from narrator.speech.utterance import Segment, Utterance
from tests.speech.listening import Listener, Stopwatch, largest_step, speaking, until
from tests.speech.test_packs import HEAD, record, tone
from tests.speech.test_speaker import Silent, Studio, clock, playing, studio

__all__ = ("clock", "playing", "studio")

LINE = Segment("Zzz player 5, zzz.", "en")
NAME = Segment("Anna.", "en", is_name=True)
WANTED = [Wanted("zzz player 5, zzz.", "z"), Wanted("zzz player 5,", "z"), Wanted("zzz.", "z")]
ALIKE = 1.5
"""Decibels between two voices that nobody minds."""


class Overheard:
    """The real engine, and what it was asked for."""

    def __init__(self, engine: Pyttsx3Renderer) -> None:
        self.engine = engine
        self.asked: list[Segment] = []

    def warm_up(self, report: TroubleListener) -> None:
        self.engine.warm_up(report)

    def render(self, request: Request, report: TroubleListener) -> Clip:
        self.asked.append(request.segment)
        return self.engine.render(request, report)

    def close(self) -> None:
        """It is shared with other tests."""


@pytest.fixture
def overheard(engine: Pyttsx3Renderer) -> Overheard:
    return Overheard(engine)


@pytest.fixture
def auto(tmp_path: Path, overheard: Overheard) -> Iterator[AutoRenderer]:
    record(tmp_path, WANTED)
    record(tmp_path, [Wanted("噗噗。", "z")], Head("zh", "tone", "Tone", 0, "fork", "none"))
    renderer = AutoRenderer(overheard, tmp_path)
    yield renderer
    renderer.close()


def fail(trouble: Trouble) -> None:
    pytest.fail(str(trouble))


def test_the_pack_speaks_the_line_and_the_engine_only_the_name(auto: AutoRenderer, overheard: Overheard) -> None:
    watch = Stopwatch(Heard())
    with speaking(auto, watch, SystemClock()) as (speaker, listener):
        speaker.say(Utterance(1, (LINE, NAME)))
        listener.wait_for("started", 1)
    assert overheard.asked == [NAME]
    assert not listener.troubles
    clip = watch.takes[0].clip
    assert clip
    assert clip.seconds > auto.render(Request(LINE), fail).seconds + 0.2


class Heard(ClockOutput):
    """Takes sound, and is as long as it."""

    wants_clips = True

    def __init__(self) -> None:
        super().__init__(SystemClock())


@pytest.mark.parametrize(
    ("line", "name", "language"),
    [
        ("Zzz.", "Anna.", "en"),
        ("Zzz.", "安娜.", "en"),
        ("噗噗。", "安娜。", "zh-Hans"),
        ("噗噗。", "Anna。", "zh-Hant"),
        ("El jugador 5 habla.", "Íñigo.", "es"),
    ],
)
def test_both_are_as_loud_as_each_other(auto: AutoRenderer, line: str, name: str, language: str) -> None:
    of_line = auto.render(Request(Segment(line, language)), fail)
    of_name = auto.render(Request(Segment(name, language, is_name=True)), fail)
    assert speech_level(of_line) == pytest.approx(LEVEL, abs=ALIKE / 2)
    assert speech_level(of_name) == pytest.approx(LEVEL, abs=ALIKE / 2)


def test_a_name_that_a_pack_holds_is_spoken_by_the_pack(
    auto: AutoRenderer, overheard: Overheard, tmp_path: Path
) -> None:
    record(tmp_path, [*WANTED, Wanted("anna.", "z")], HEAD)
    auto.render(Request(NAME), fail)
    assert overheard.asked == []


def test_the_groups_own_recording_is_of_the_line_and_not_of_the_name(
    auto: AutoRenderer, overheard: Overheard, tmp_path: Path
) -> None:
    (tmp_path / "en" / "speech.next-5.wav").write_bytes(tone(0.7).wav())
    watch = Stopwatch(Heard())
    with speaking(auto, watch, SystemClock()) as (speaker, listener):
        speaker.say(Utterance(1, (Segment("Whatever.", "en"), NAME), "speech.next", "speech.next-5"))
        listener.wait_for("started", 1)
    assert overheard.asked == [NAME]
    clip = watch.takes[0].clip
    assert clip
    own = auto.render(Request(Segment("Whatever.", "en"), "speech.next-5"), fail)
    assert clip.samples.startswith(own.samples)
    assert own.seconds + 0.3 < clip.seconds < own.seconds + 1.2


def test_a_name_follows_closely_whatever_silence_an_engine_leaves_around_it() -> None:
    rate = tone(0.1).rate
    sound, rest = tone(0.5), silence(0.4, rate)
    loose = Clip(rest + sound.samples + rest, rate)
    bare = Clip(sound.samples + rest, rate)
    clip = spoken_line([(LINE, bare), (NAME, loose), (Segment("Zzz.", "es"), sound)])
    quiet = [power < 1e-6 for power in frame_powers(clip, 0.01)]
    gaps = "".join("." if silent else "x" for silent in quiet).strip(".").replace("x", " ").split()
    assert [len(gap) / 100 for gap in gaps] == pytest.approx(
        [AFTER + NAME_PAUSE + BEFORE, AFTER + SEGMENT_PAUSE], abs=0.02
    )
    assert largest_step(clip) <= largest_step(sound)


def test_a_line_does_not_wait_long_for_a_name_that_does_not_come(
    playing: Silent, studio: Studio, clock: FakeClock
) -> None:
    playing.speaker.say(Utterance(1, (LINE,)))
    playing.listener.wait_for("started", 1)
    playing.speaker.skip()
    playing.listener.wait_for("skipped", 1)
    studio.gate.clear()
    playing.speaker.say(Utterance(2, (LINE, NAME)))
    until(lambda: clock.waiting() > 0)
    clock.advance(1.9)
    assert ("started", 2) not in playing.listener.told
    clock.advance(0.2)
    playing.listener.wait_for("started", 2)
    [_, take] = playing.watch.takes
    assert take.clip
    assert take.clip.seconds == 1.0


def test_a_name_takes_its_time_where_nothing_is_heard() -> None:
    alone, named = (estimate(Utterance(1, segments)) for segments in ((LINE,), (LINE, NAME)))
    assert named == pytest.approx(alone + NAME_PAUSE + estimate(Utterance(1, (NAME,))))


def test_a_name_is_heard_and_not_shown() -> None:
    assert Utterance(1, (LINE, NAME, Segment("Zzz.", "es"))).text() == "Zzz player 5, zzz. Zzz."


def test_a_name_is_in_the_file_of_its_line(tmp_path: Path, dummy_driver: None) -> None:
    record(tmp_path / "voices", WANTED)
    seconds = []
    for folder, segments in (("without", (LINE,)), ("with", (LINE, NAME))):
        listener = Listener()
        speaker = open_speaker(
            f"wav:{tmp_path / folder}", SystemClock(), **listener.callbacks(), own=tmp_path / "voices"
        )
        speaker.say(Utterance(1, segments))
        listener.wait_for("spoken", 1)
        speaker.close()
        [file] = (tmp_path / folder).glob("*.wav")
        seconds.append(read_sound(file).seconds)
    assert 0.3 < seconds[1] - seconds[0] < 1.2
