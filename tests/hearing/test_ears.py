from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from narrator.clock import FakeClock, SystemClock
from narrator.hearing import microphones, takes
from narrator.hearing.ear import Ears, open_ears, wav
from narrator.hearing.library import FRAME, RATE, sr
from narrator.hearing.microphones import PushedSource, find_microphone
from narrator.hearing.recognisers import FACTORIES, engine, open_engine, plain_spelling, recognize_kept_whisper
from narrator.hearing.take_shelf import TakeShelf
from narrator.hearing.words import CLOSING, ENGINES, EarEvent, Listen, Microphone, Unavailable, WordHeard
from tests.hearing import material
from tests.hearing.material import Mouth, people
from tests.hearing.report import utterances


class QuickSource(PushedSource):
    """Pushes a whole track at once, as a device does from a thread of its own; then nothing."""

    ended = 0

    def __init__(self, sound: Any) -> None:
        super().__init__()
        self._sound = sound

    def begin(self) -> None:
        threading.Thread(target=self._push, daemon=True).start()

    def _push(self) -> None:
        for data in material.frames(self._sound):
            self.push(data[:200])
            self.push(data[200:])

    def end(self) -> None:
        QuickSource.ended += 1


class Told:
    """What ears tell, from a thread of their own."""

    def __init__(self) -> None:
        self._events: list[EarEvent] = []
        self._news = threading.Condition()

    def tell(self, event: EarEvent) -> None:
        with self._news:
            self._events.append(event)
            self._news.notify_all()

    def wait_for(self, event: EarEvent) -> None:
        with self._news:
            self._news.wait_for(lambda: event in self._events)


def test_a_real_thread_opens_hears_and_closes(voice: Mouth, shelf: TakeShelf) -> None:
    [person] = people("en", 1)
    said = voice.say(person, "pass")
    chance = np.random.default_rng(1)
    [take] = utterances(material.in_room(material.track(1.0, said, 1.0), chance))
    shelf.keep("me", CLOSING, "en", wav(takes.raw(take.samples)))
    told = Told()
    sound = material.in_room(material.track(1.0, said, 1.0), chance)
    ears = open_ears(told.tell, SystemClock(), shelf, find=lambda: lambda: QuickSource(sound))
    told.wait_for(Microphone("ready"))
    ears.unmute(SystemClock().now() - 60.0)
    ears.attend(Listen(7, {CLOSING: "me"}))
    told.wait_for(WordHeard(7, CLOSING))
    before = QuickSource.ended
    ears.attend(None)
    told.wait_for(Microphone("closed"))
    assert QuickSource.ended == before + 1
    ears.close()
    for thread in threading.enumerate():
        if thread.name == "ears":
            thread.join()


def test_a_device_that_delivers_nothing_has_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("narrator.hearing.microphones.PATIENCE", 0.01)
    with QuickSource(material.silence(0.05)) as source:
        assert len(source.read(FRAME)) == 2 * FRAME
        while source.read(FRAME):
            pass
    assert source.stream is None


def test_sound_that_nobody_fetches_is_lost_and_nobody_waits() -> None:
    source = QuickSource(material.silence(0.0))
    for _ in range(2000):
        source.push(b"12")
    assert len(source.read(400)) == 800


def no_way() -> Any:
    raise microphones.NoWay("not here")


def test_every_way_to_a_microphone_is_tried_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(microphones, "WAYS", {"one": no_way, "other": no_way})
    with pytest.raises(Unavailable) as found:
        find_microphone()
    assert found.value.reason == "no_microphone"
    assert str(found.value).endswith("(one: not here; other: not here)")


def test_the_first_way_that_leads_somewhere_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(microphones, "WAYS", {"one": no_way, "other": lambda: QuickSource})
    assert find_microphone() is QuickSource


@pytest.mark.parametrize("register", [microphones.way("miniaudio"), engine("takes")])
def test_no_name_is_registered_twice(register: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match="registered already"):
        register(no_way)


def test_engines_are_known_by_name(shelf: TakeShelf) -> None:
    assert tuple(FACTORIES) == ENGINES
    with pytest.raises(ValueError, match="one of takes, whisper; got 'x'"):
        open_engine("x", shelf)


def test_files_that_are_no_takes_are_passed_over(shelf: TakeShelf, voice: Mouth) -> None:
    [person] = people("en", 1)
    sound = voice.say(person, "pass")
    shelf.keep("me", CLOSING, "en", b"RIFFnothing")
    good = shelf.keep("me", CLOSING, "en", wav(takes.raw(sound)))
    known = open_engine("takes", shelf)
    [read] = known.takes("me", CLOSING, "en")  # type: ignore[attr-defined]
    assert read.path == good


# Whisper, up to the model itself


def stepped(told: list[EarEvent], shelf: TakeShelf, model: Path | None) -> Ears:
    ears = open_ears(
        told.append, FakeClock(), shelf, "whisper", model, find=lambda: lambda: QuickSource([]), own_thread=False
    )
    ears.step()
    return ears


def test_without_the_library_or_a_model_whisper_says_what_is_missing(shelf: TakeShelf, tmp_path: Path) -> None:
    told: list[EarEvent] = []
    stepped(told, shelf, tmp_path)
    [event] = told
    assert isinstance(event, Microphone)
    assert event.state == "unavailable"
    expected = {"no_library": "faster-whisper", "no_model": "--model"}
    assert expected[event.reason] in event.text


class Scribe:
    """A model that writes down what the test says."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked: dict[str, Any] = {}

    def transcribe(self, samples: Any, **asked: Any) -> tuple[Sequence[Any], None]:
        self.asked = asked
        return [type("Segment", (), {"text": self.text})], None


SPELLINGS = {CLOSING: ("过", "过过", "发言完毕")}


@pytest.mark.parametrize("text", ["过。", " 过,过", "過！", "發言完畢"])
def test_what_is_written_down_is_compared_without_signs(text: str) -> None:
    audio, scribe = sr.AudioData(bytes(2 * RATE), RATE, 2), Scribe(text)
    assert recognize_kept_whisper(sr.Recognizer(), audio, scribe, SPELLINGS, "zh-Hans") == CLOSING
    assert (scribe.asked["language"], scribe.asked["initial_prompt"]) == ("zh", "过")


@pytest.mark.parametrize("text", ["跳过", "", "过了", "对"])
def test_anything_else_is_not_the_word(text: str) -> None:
    audio = sr.AudioData(bytes(2 * RATE), RATE, 2)
    with pytest.raises(sr.UnknownValueError):
        recognize_kept_whisper(sr.Recognizer(), audio, Scribe(text), SPELLINGS, "zh-Hans")


def test_case_and_signs_do_not_matter() -> None:
    assert plain_spelling(" I Pass. ") == plain_spelling("i pass") == "ipass"


LAZY = """
    import sys
    from narrator.table import Table
    import narrator.cli.play
    print(sorted({"numpy", "speech_recognition", "miniaudio", "kaldi_native_fbank"} & sys.modules.keys()))
"""


def test_nothing_of_listening_is_loaded_before_it_is_switched_on() -> None:
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(LAZY)], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
