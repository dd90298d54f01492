"""The speaker: one line at a time, whatever is pressed meanwhile. Without sound, by a clock turned by hand."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator

import pytest

from narrator.clock import FakeClock
from narrator.speech.clip import Clip
from narrator.speech.outputs.output import ClockOutput, Done, NoSoundDeviceError, ReadyLine
from narrator.speech.preparer import ClipCache
from narrator.speech.renderers.renderer import RenderError, Request, TroubleListener
from narrator.speech.speaker import Speaker
from narrator.speech.text.pacing import estimate
from narrator.speech.troubles import Trouble
from narrator.speech.utterance import Segment, Utterance
from tests.speech.listening import PATIENCE, Listener, Stopwatch, line, speaking, until
from tests.speech.test_clip import tone

LENGTH = estimate(line(1))


class Silent:
    """A silent speaker on a clock turned by hand."""

    def __init__(self, speaker: Speaker, listener: Listener, clock: FakeClock, watch: Stopwatch) -> None:
        self.speaker, self.listener, self.clock, self.watch = speaker, listener, clock, watch

    def say(self, *numbers: int) -> None:
        for number in numbers:
            self.speaker.say(line(number))
        assert self.speaker.settle()

    def advance(self, seconds: float) -> None:
        """In small steps, so that lines follow each other as they do in life."""
        for _ in range(round(seconds / 0.05)):
            self.clock.advance(0.05)
            assert self.speaker.settle()

    def told(self) -> list[tuple[str, int]]:
        assert self.speaker.settle()
        return self.listener.told


@pytest.fixture
def silent() -> Iterator[Silent]:
    clock = FakeClock()
    watch = Stopwatch(ClockOutput(clock), clock)
    with speaking(None, watch, clock) as (speaker, listener):
        yield Silent(speaker, listener, clock, watch)


class Studio:
    """A renderer whose lines a test releases or spoils, on an output that plays for the clock's time."""

    wants_clips = True

    def __init__(self, clock: FakeClock) -> None:
        self.rendered: list[str] = []
        self.spoiled: set[str] = set()
        self.trouble: NoSoundDeviceError | None = None
        self.lost: list[str] = []
        self.gate = threading.Event()
        self.gate.set()
        self._playing = ClockOutput(clock)

    def warm_up(self, report: TroubleListener) -> None:
        return None

    def render(self, request: Request, report: TroubleListener) -> Clip:
        assert self.gate.wait(PATIENCE)
        self.rendered.append(request.segment.text)
        if request.segment.text in self.spoiled:
            report(Trouble("line_failed", request.segment.text))
            raise RenderError("spoiled", final=True)
        return tone(1.0)

    def open(self) -> None:
        if self.trouble:
            raise self.trouble

    def start(self, take: ReadyLine, done: Done) -> None:
        if self.lost and self.lost[0] == take.utterance.text():
            self.lost.pop(0)
            done(False)
        else:
            self._playing.start(take, done)

    def stop(self) -> None:
        self._playing.stop()

    def set_volume(self, percent: int) -> None:
        return None

    def close(self) -> None:
        self.gate.set()
        self.stop()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def studio(clock: FakeClock) -> Studio:
    return Studio(clock)


@pytest.fixture
def playing(studio: Studio, clock: FakeClock) -> Iterator[Silent]:
    watch = Stopwatch(studio, clock)
    with speaking(studio, watch, clock) as (speaker, listener):
        yield Silent(speaker, listener, clock, watch)


def test_lines_follow_each_other_and_last_their_time(silent: Silent) -> None:
    silent.say(1, 2)
    assert silent.told() == [("started", 1)]
    silent.advance(LENGTH - 0.1)
    assert silent.told() == [("started", 1)]
    silent.advance(0.15)
    assert silent.told() == [("started", 1), ("spoken", 1), ("started", 2)]
    silent.advance(LENGTH + 0.05)
    assert silent.told()[3:] == [("spoken", 2)]


def test_lines_never_overlap(silent: Silent) -> None:
    silent.say(1, 2, 3, 4)
    silent.speaker.skip()
    silent.advance(LENGTH / 2)
    silent.speaker.pause()
    silent.speaker.resume()
    silent.advance(4 * LENGTH)
    assert len(silent.watch.order) == 10
    assert silent.watch.is_in_turns()


def test_skip_ends_the_line_at_once_and_goes_on(silent: Silent) -> None:
    silent.say(1, 2)
    silent.speaker.skip()
    assert silent.told() == [("started", 1), ("skipped", 1), ("started", 2)]


def test_skip_without_a_line_does_nothing_to_the_next(silent: Silent) -> None:
    silent.speaker.skip()
    silent.say(1)
    assert silent.told() == [("started", 1)]


def test_clear_drops_what_has_not_begun(silent: Silent) -> None:
    silent.say(1, 2, 3)
    silent.speaker.clear()
    assert silent.told() == [("started", 1), ("skipped", 2), ("skipped", 3)]
    silent.advance(LENGTH + 0.1)
    assert silent.told()[3:] == [("spoken", 1)]


def test_a_paused_line_is_repeated_without_a_second_beginning(silent: Silent) -> None:
    silent.say(1)
    silent.advance(LENGTH / 2)
    silent.speaker.pause()
    assert silent.speaker.settle()
    silent.advance(60)
    assert silent.told() == [("started", 1)]
    silent.speaker.resume()
    assert silent.speaker.settle()
    silent.advance(LENGTH - 0.1)
    assert silent.told() == [("started", 1)]
    silent.advance(0.2)
    assert silent.told() == [("started", 1), ("spoken", 1)]


def test_nothing_begins_while_paused(silent: Silent) -> None:
    silent.speaker.pause()
    silent.say(1)
    silent.advance(5)
    assert silent.told() == []
    silent.speaker.resume()
    assert silent.told() == [("started", 1)]


def test_a_paused_line_can_be_skipped(silent: Silent) -> None:
    silent.say(1, 2)
    silent.speaker.pause()
    silent.speaker.skip()
    assert silent.told() == [("started", 1), ("skipped", 1)]
    silent.speaker.resume()
    assert silent.told()[2:] == [("started", 2)]


def test_a_callback_may_call_the_speaker(silent: Silent) -> None:
    def go_on(what: str, number: int) -> None:
        if what == "started" and number < 5:
            silent.speaker.say(line(number + 1))
            silent.speaker.skip()

    silent.listener.on_event = go_on
    silent.say(1)
    assert ("started", 5) in silent.told()
    assert silent.listener.threads == {"speaker"}


def test_a_callback_holds_no_lock_that_another_thread_needs(silent: Silent) -> None:
    def from_elsewhere(what: str, number: int) -> None:
        if what == "started":
            other = threading.Thread(target=silent.speaker.set_volume, args=(50,))
            other.start()
            other.join(PATIENCE)
            assert not other.is_alive()

    silent.listener.on_event = from_elsewhere
    silent.say(1)
    assert silent.told() == [("started", 1)]


def test_a_failing_callback_does_not_silence_the_speaker(silent: Silent, caplog: pytest.LogCaptureFixture) -> None:
    def fail(what: str, number: int) -> None:
        raise RuntimeError(what)

    silent.listener.on_event = fail
    silent.say(1, 2)
    silent.speaker.skip()
    assert ("started", 2) in silent.told()
    assert "listener" in caplog.text


@pytest.mark.parametrize(
    ("setting", "value"), [("set_volume", -1), ("set_volume", 101), ("set_rate", 49), ("set_rate", 201)]
)
def test_settings_out_of_range_are_refused(silent: Silent, setting: str, value: int) -> None:
    with pytest.raises(ValueError, match=str(value)):
        getattr(silent.speaker, setting)(value)


def test_the_rate_changes_how_long_silent_lines_last(silent: Silent) -> None:
    silent.speaker.set_rate(200)
    silent.say(1)
    silent.advance(LENGTH / 2 + 0.1)
    assert silent.told() == [("started", 1), ("spoken", 1)]


def test_a_closed_speaker_tells_nothing_more(silent: Silent) -> None:
    silent.say(1, 2)
    silent.speaker.close()
    silent.speaker.say(line(3))
    silent.clock.advance(60)
    assert silent.told() == [("started", 1)]
    silent.speaker.close()


def test_a_line_of_two_languages_is_one_take_with_a_pause(playing: Silent) -> None:
    playing.speaker.say(Utterance(1, (Segment("天黑请闭眼。", "zh-Hans"), Segment("Close your eyes.", "en"))))
    assert playing.told() == [("started", 1)]
    assert playing.watch.takes[0].seconds == pytest.approx(2.35, abs=0.001)


def test_the_next_line_is_rendered_while_this_one_plays(playing: Silent, studio: Studio) -> None:
    for number, text in enumerate(("one", "two")):
        playing.speaker.say(line(number, text))
    until(lambda: studio.rendered == ["one", "two"])
    assert playing.told() == [("started", 0)]


def test_saying_does_not_wait_for_a_cold_engine(playing: Silent, studio: Studio) -> None:
    studio.gate.clear()
    playing.speaker.say(line(1))
    playing.speaker.say(line(2))
    playing.speaker.skip()
    playing.listener.wait_for("skipped", 1)
    studio.gate.set()
    playing.listener.wait_for("started", 2)
    assert ("started", 1) not in playing.told()


def test_prepared_lines_wait_for_those_that_were_said(playing: Silent, studio: Studio) -> None:
    studio.gate.clear()
    playing.speaker.prepare([line(0, f"later {number}") for number in range(3)])
    playing.speaker.say(line(1, "now"))
    studio.gate.set()
    until(lambda: len(studio.rendered) == 4)
    assert studio.rendered.index("now") <= 1, "only the one under way comes before"


def test_a_prepared_line_is_not_rendered_again(playing: Silent, studio: Studio) -> None:
    playing.speaker.prepare([line(1), line(2)])
    until(lambda: len(studio.rendered) == 1)
    playing.say(3)
    assert playing.told() == [("started", 3)]
    assert len(studio.rendered) == 1


def test_another_rate_is_another_clip(playing: Silent, studio: Studio) -> None:
    playing.say(1)
    playing.speaker.set_rate(80)
    playing.speaker.set_voice("en", "any:voice")
    playing.say(2)
    playing.advance(1.1)
    assert len(studio.rendered) == 2


def test_a_line_that_fails_is_shown_for_its_time_and_told_as_failed(playing: Silent, studio: Studio) -> None:
    studio.spoiled = {"bad"}
    playing.speaker.say(line(1, "bad"))
    playing.speaker.say(line(2, "good"))
    assert playing.told() == [("started", 1)]
    playing.advance(estimate(line(1, "bad")) + 0.1)
    assert playing.told() == [("started", 1), ("failed", 1), ("started", 2)]
    assert playing.listener.kinds() == ["line_failed"]


def test_a_line_half_of_which_fails_is_half_spoken(playing: Silent, studio: Studio) -> None:
    studio.spoiled = {"bad"}
    playing.speaker.say(Utterance(1, (Segment("bad", "zh-Hans"), Segment("good", "en"))))
    assert playing.told() == [("started", 1)]
    assert playing.watch.takes[0].clip == tone(1.0)
    playing.advance(1.1)
    assert playing.told() == [("started", 1), ("failed", 1)]


def test_without_a_device_lines_last_their_time_and_it_is_told_once(clock: FakeClock, studio: Studio) -> None:
    studio.trouble = NoSoundDeviceError("nothing plugged in")
    watch = Stopwatch(studio, clock)
    with speaking(studio, watch, clock) as (speaker, listener):
        game = Silent(speaker, listener, clock, watch)
        game.say(1, 2)
        game.advance(2 * LENGTH + 0.2)
        assert game.told() == [("started", 1), ("spoken", 1), ("started", 2), ("spoken", 2)]
        assert listener.kinds() == ["no_sound_device"]
        assert not watch.starts
        studio.trouble = None
        game.say(3)
        assert watch.starts, "a device that comes back is used"


def test_a_line_whose_device_is_lost_is_repeated_from_its_beginning(playing: Silent, studio: Studio) -> None:
    studio.lost = ["Night falls."]
    playing.say(1)
    assert [number for number, _ in playing.watch.starts] == [1, 1]
    playing.advance(1.1)
    assert playing.told() == [("started", 1), ("spoken", 1)]
    assert playing.listener.kinds() == ["device_lost"]


def test_a_device_that_is_lost_again_and_again_lets_the_line_go_by_as_text(playing: Silent, studio: Studio) -> None:
    studio.lost = ["Night falls."] * 9
    playing.say(1)
    playing.advance(1.1)
    assert playing.told() == [("started", 1), ("spoken", 1)]


def test_a_clip_too_large_for_the_cache_is_played_all_the_same(studio: Studio, clock: FakeClock) -> None:
    listener = Listener()
    speaker = Speaker(studio, studio, clock, **listener.callbacks(), cache=ClipCache(10))
    speaker.say(line(1))
    listener.wait_for("started", 1)
    speaker.close()


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_pressed_each_line_ends_once_and_none_overlap(silent: Silent, seed: int) -> None:
    chance, said = random.Random(seed), 0
    for _ in range(60):
        action = chance.choice(["say", "say", "skip", "pause", "resume", "clear", "wait", "wait"])
        if action == "say":
            said += 1
            silent.speaker.say(line(said))
        elif action == "wait":
            silent.advance(chance.choice([0.1, LENGTH]))
        else:
            getattr(silent.speaker, action)()
    silent.speaker.resume()
    silent.advance((said + 1) * LENGTH)
    endings = [number for what, number in silent.told() if what != "started"]
    assert sorted(endings) == list(range(1, said + 1))
    begun = [number for what, number in silent.told() if what == "started"]
    assert begun == sorted(set(begun)), "in their order, each once"
    assert silent.watch.is_in_turns()
