"""Voice packs: recorded, kept, found by text, and taken line by line before any engine."""

from __future__ import annotations

import json
import math
import sys
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from narrator.clock import SystemClock
from narrator.making.voicepacks import Packing, Wanted
from narrator.speech.backends import open_speaker
from narrator.speech.clip import Clip
from narrator.speech.levelling import LEVEL, peak, speech_level
from narrator.speech.packs import MANIFEST, SOUNDS, Head, Pack, PackError, PackVoice, pack_voices
from narrator.speech.renderers.auto import AutoRenderer
from narrator.speech.renderers.renderer import RenderError, Request, TroubleListener
from narrator.speech.sound_files import decode_sounds
from narrator.speech.troubles import NO_VOICE, Trouble
from narrator.speech.utterance import Segment, Utterance
from tests.speech.listening import Listener

RATE = 22_050
HEAD = Head("en", "tone", "Tone", 0, "a tuning fork", "none")
WANTED = [
    Wanted("night falls.", "night.falls"),
    Wanted("close your eyes.", "night.falls"),
    Wanted("player 3,", "last_words.next"),
    Wanted("please speak.", "speech.next"),
]


def tone(seconds: float, hertz: float = 300.0) -> Clip:
    steps = range(round(seconds * RATE))
    return Clip(array("h", [round(9000 * math.sin(2 * math.pi * hertz * at / RATE)) for at in steps]).tobytes(), RATE)


def spoken(text: str) -> Clip:
    """As many tenths of a second as the text has letters."""
    return tone(len(text) / 10)


def record(folder: Path, wanted: list[Wanted] = WANTED, head: Head = HEAD, *, afresh: bool = False) -> Packing:
    packing = Packing(folder / head.language / head.voice, head, afresh=afresh)
    list(packing.record(packing.missing(wanted), spoken, Clip.wav))
    packing.tidy(wanted)
    return packing


@pytest.fixture
def voice(tmp_path: Path) -> PackVoice:
    record(tmp_path)
    [voice] = pack_voices([tmp_path])
    return voice


class Engine:
    """Answers every request with the same short tone, and remembers which."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.is_warm = False

    def warm_up(self, report: TroubleListener) -> None:
        self.is_warm = True

    def render(self, request: Request, report: TroubleListener) -> Clip:
        self.asked.append(request)
        if not request.segment.text:
            raise RenderError("nothing to say")
        return tone(0.05)

    def close(self) -> None:
        self.is_warm = False


def ask(text: str, language: str = "en", **more: object) -> Request:
    return Request(Segment(text, language), **more)  # type: ignore[arg-type]


def said(*phrases: str, language: str = "en") -> Segment:
    """A line that its template parts like this."""
    return Segment(" ".join(phrases), language, phrases=phrases)


# Packs


def test_a_line_is_put_together_from_its_phrases_with_the_pauses_between_them(voice: PackVoice) -> None:
    found = voice.find(said("Night falls.", "Close your eyes."))
    assert found
    assert [recording.text for _, recording, _ in found] == ["night falls.", "close your eyes."]
    clip = voice.clip(said("Night falls.", "Close your eyes."))
    assert clip
    parts = sum(recording.seconds for _, recording, _ in found)
    assert clip.seconds == pytest.approx(parts + found[0][2], abs=0.01)
    assert speech_level(clip) == pytest.approx(LEVEL, abs=0.3)


@pytest.mark.parametrize(
    "line",
    [said("Night falls.", "Bob, close your eyes."), said("Night falls.", "And now?"), said(""), said("...")],
)
def test_a_line_that_was_not_recorded_as_a_whole_is_not_there(voice: PackVoice, line: Segment) -> None:
    assert voice.find(line) is None
    assert voice.clip(line) is None


def test_another_language_is_not_there(voice: PackVoice) -> None:
    assert voice.find(said("Night falls.", language="es")) is None
    assert voice.find(said("Night falls.", language="en-GB")) is not None


def test_another_writing_of_a_phrase_is_the_same_recording(tmp_path: Path) -> None:
    record(tmp_path, [Wanted("杀手请睁眼。", "k", ("殺手請睜眼。",))], Head("zh", "tone", "Tone", 0, "fork", "none"))
    [voice] = pack_voices([tmp_path])
    simple = voice.find(Segment("杀手请睁眼。", "zh-Hans"))
    assert simple is not None
    assert voice.find(Segment("殺手請睜眼。", "zh-Hant")) == simple


def test_a_pack_that_is_saved_is_loaded_as_it_was(tmp_path: Path) -> None:
    made = record(tmp_path).pack
    loaded = Pack.load(made.folder)
    assert loaded.head == made.head
    assert loaded.recordings == made.recordings


def test_voices_come_in_their_order_and_the_users_packs_add_to_the_shipped_ones(tmp_path: Path) -> None:
    record(tmp_path / "shipped", head=Head("en", "second", "", 1, "", ""))
    record(tmp_path / "shipped", WANTED[:1])
    record(tmp_path / "own", WANTED[1:])
    first, second = pack_voices([tmp_path / "own", tmp_path / "shipped"])
    assert [first.id, second.id] == ["pack:tone", "pack:second"]
    found = first.find(said("Night falls.", "Close your eyes."))
    assert found
    assert {pack.folder.parents[1].name for pack, _, _ in found} == {"own", "shipped"}
    assert first.has("night falls.")
    assert not first.has("night fell.")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', '{"format": 2, "head": {}, "clips": []}'])
def test_a_manifest_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    folder = record(tmp_path).pack.folder
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    with pytest.raises(PackError, match=MANIFEST):
        Pack.load(folder)


# Recording


def test_what_is_recorded_is_not_recorded_again_and_what_is_not_wanted_is_left_out(tmp_path: Path) -> None:
    folder = record(tmp_path, WANTED[:3]).pack.folder
    before = (folder / SOUNDS).read_bytes()
    packing = Packing(folder, HEAD)
    assert packing.missing(WANTED) == WANTED[3:]
    again = record(tmp_path, WANTED[1:])
    assert [clip.text for clip in again.pack.recordings] == [wanted.text for wanted in WANTED[1:]]
    assert again.pack.read(again.pack.recordings[0]) in before
    assert (folder / SOUNDS).stat().st_size == sum(clip.size for clip in again.pack.recordings)


def test_afresh_means_everything_anew(tmp_path: Path) -> None:
    folder = record(tmp_path).pack.folder
    assert Packing(folder, HEAD, afresh=True).missing(WANTED) == WANTED


def test_recording_that_is_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    packing = Packing(tmp_path, HEAD)
    recordings = packing.record(WANTED, spoken, Clip.wav)
    next(recordings)
    next(recordings)
    recordings.close()  # type: ignore[attr-defined]
    with (tmp_path / SOUNDS).open("ab") as file:
        file.write(b"half a clip")
    other = Packing(tmp_path, HEAD)
    assert other.missing(WANTED) == WANTED[2:]
    list(other.record(WANTED[2:], spoken, Clip.wav))
    assert len(PackVoice([Pack.load(tmp_path)]).find(said("Player 3,", "please speak.")) or ()) == 2
    assert PackVoice([Pack.load(tmp_path)]).clip(said("Player 3,", "please speak."))


def test_the_manifest_tells_what_can_be_heard(tmp_path: Path) -> None:
    clip = record(tmp_path).pack.recordings[0]
    assert clip.key == "night.falls"
    assert clip.seconds == pytest.approx(1.2 + 0.08, abs=0.02)
    assert clip.level == pytest.approx(LEVEL, abs=0.2)
    assert -18 < clip.peak < -1


def with_peaks(*peaks: float) -> Callable[[Clip], bytes]:
    """An encoder from which clips come back with these peaks, as parts of full scale, one after the other."""
    coming = iter(peaks)

    def encode(clip: Clip) -> bytes:
        values = clip.values()
        factor = next(coming) * 32767 / max(map(abs, values))
        return Clip(array("h", [round(value * factor) for value in values]).tobytes(), clip.rate).wav()

    return encode


def test_a_recording_whose_peaks_grow_by_encoding_is_encoded_again_until_they_do_not(tmp_path: Path) -> None:
    packing = Packing(tmp_path, HEAD)
    [clip] = packing.record(WANTED[:1], spoken, with_peaks(0.999, 0.98, 0.8))
    assert clip.peak == pytest.approx(-1.94, abs=0.05)
    assert peak(decode_sounds([packing.pack.read(clip)])[0]) == pytest.approx(clip.peak, abs=0.05)


def test_of_several_encodings_that_are_all_too_loud_the_best_is_kept(tmp_path: Path) -> None:
    [clip] = Packing(tmp_path, HEAD).record(WANTED[:1], spoken, with_peaks(0.999, 0.97, 0.98, 0.99))
    assert clip.peak == pytest.approx(-0.26, abs=0.05)


# Line by line


@pytest.fixture
def engine() -> Engine:
    return Engine()


@pytest.fixture
def renderer(tmp_path: Path, engine: Engine) -> Iterator[AutoRenderer]:
    record(tmp_path)
    renderer = AutoRenderer(engine, tmp_path, shipped=tmp_path / "none")
    renderer.warm_up(fail)
    yield renderer
    renderer.close()


def fail(trouble: Trouble) -> None:
    pytest.fail(str(trouble))


def test_a_recorded_line_needs_no_engine(renderer: AutoRenderer, engine: Engine) -> None:
    clip = renderer.render(Request(said("Night falls.", "Close your eyes.")), fail)
    assert clip.seconds > 2.5
    assert not engine.asked
    assert not engine.is_warm


def test_any_other_line_goes_to_the_engine_as_a_whole(renderer: AutoRenderer, engine: Engine) -> None:
    line = ask("Night falls. Bob, close your eyes.")
    renderer.render(line, fail)
    assert engine.asked == [line]


def test_a_recorded_line_can_be_faster(renderer: AutoRenderer) -> None:
    usual, fast = (renderer.render(ask("Night falls.", rate=rate), fail).seconds for rate in (100, 150))
    assert fast == pytest.approx(usual / 1.5, abs=0.1)


def test_without_numpy_the_engine_speaks_what_is_to_be_faster(
    renderer: AutoRenderer, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    renderer.render(ask("Night falls.", rate=100), fail)
    assert not engine.asked
    renderer.render(ask("Night falls.", rate=150), fail)
    assert [request.rate for request in engine.asked] == [150]


def test_a_voice_of_the_system_that_was_chosen_speaks_every_line(renderer: AutoRenderer, engine: Engine) -> None:
    renderer.render(ask("Night falls.", voice="sapi5:Zira"), fail)
    assert [request.voice for request in engine.asked] == ["sapi5:Zira"]


def test_the_engine_is_not_asked_for_the_voice_of_a_pack(renderer: AutoRenderer, engine: Engine) -> None:
    renderer.render(ask("Hello, Bob.", voice="pack:tone"), fail)
    assert [request.voice for request in engine.asked] == [None]


def test_the_groups_own_recording_comes_before_the_pack(renderer: AutoRenderer, engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "en" / "night.falls.wav").write_bytes(tone(0.4).wav())
    (tmp_path / "en" / "speech.next-5.wav").write_bytes(tone(0.3).wav())
    own = renderer.render(ask("Night falls.", recording="night.falls"), fail)
    other = renderer.render(ask("Whatever is written.", recording="speech.next-5"), fail)
    assert own.seconds == pytest.approx(0.48, abs=0.02)
    assert other.seconds == pytest.approx(0.38, abs=0.02)
    assert speech_level(own) == pytest.approx(LEVEL, abs=0.2)
    assert not engine.asked


def test_a_recording_for_one_language_is_not_used_in_another(
    renderer: AutoRenderer, engine: Engine, tmp_path: Path
) -> None:
    (tmp_path / "zh-Hans").mkdir()
    (tmp_path / "zh-Hans" / "night.falls.wav").write_bytes(tone(0.4).wav())
    renderer.render(ask("天黑", "zh-Hant", recording="night.falls"), fail)
    assert len(engine.asked) == 1
    renderer.render(ask("天黑", "zh-Hans", recording="night.falls"), fail)
    assert len(engine.asked) == 1


def test_a_recording_that_is_no_sound_is_told_once_and_passed_over(renderer: AutoRenderer, tmp_path: Path) -> None:
    (tmp_path / "en" / "night.falls.mp3").write_bytes(b"not a sound at all")
    told: list[Trouble] = []
    for _ in range(2):
        assert renderer.render(ask("Night falls.", recording="night.falls"), told.append).seconds > 1
    assert [trouble.kind for trouble in told] == [NO_VOICE]
    assert "night.falls.mp3" in told[0].detail


def test_a_name_cannot_lead_out_of_the_folder(renderer: AutoRenderer, engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "secret.wav").write_bytes(tone(0.4).wav())
    renderer.render(ask("Hello.", recording="../secret"), fail)
    assert len(engine.asked) == 1


def break_sounds(folder: Path) -> None:
    (folder / SOUNDS).write_bytes(b"")


def break_manifest(folder: Path) -> None:
    (folder / MANIFEST).write_text("{", encoding="utf-8")


@pytest.mark.parametrize("damage", [break_sounds, break_manifest])
def test_a_broken_pack_is_told_once_and_the_engine_speaks(
    engine: Engine, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    folder = record(tmp_path).pack.folder
    damage(folder)
    told: list[Trouble] = []
    renderer = AutoRenderer(engine, tmp_path, shipped=tmp_path / "none")
    for _ in range(2):
        renderer.render(ask("Night falls."), told.append)
    assert [trouble.kind for trouble in told] == [NO_VOICE]
    assert str(folder) in told[0].detail
    assert len(engine.asked) == 2


@pytest.mark.parametrize("damage", [break_sounds, break_manifest])
def test_a_broken_pack_of_the_user_leaves_the_shipped_voices_as_they_are(
    engine: Engine, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    record(tmp_path / "shipped", head=Head("en", "second", "", 1, "", ""))
    damage(record(tmp_path / "own").pack.folder)
    told: list[Trouble] = []
    renderer = AutoRenderer(engine, tmp_path / "own", shipped=tmp_path / "shipped")
    assert renderer.render(ask("Night falls."), told.append).seconds > 1
    assert len(told) == 1
    assert not engine.asked


def test_the_speaker_speaks_from_packs_by_itself(tmp_path: Path, dummy_driver: None) -> None:
    record(tmp_path / "voices", [Wanted("zzz.", "z")])
    listener = Listener()
    speaker = open_speaker(f"wav:{tmp_path}/lines", SystemClock(), **listener.callbacks(), own=tmp_path / "voices")
    speaker.say(Utterance(1, (Segment("Zzz.", "en"),)))
    listener.wait_for("spoken", 1)
    speaker.close()
    assert not listener.troubles


def test_another_kind_of_voice_is_refused() -> None:
    with pytest.raises(ValueError, match="auto, pyttsx3: 'loud'"):
        open_speaker("silent", SystemClock(), **Listener().callbacks(), voice="loud")


def test_the_manifest_has_a_line_for_each_recording(tmp_path: Path) -> None:
    text = (record(tmp_path).pack.folder / MANIFEST).read_text("utf-8")
    assert len(text.splitlines()) == len(WANTED) + 2
    assert json.loads(text)["head"]["voice"] == "tone"
