"""Clips: what engines write is read, joined and measured."""

from __future__ import annotations

import math
import struct
import sys
import wave
from array import array
from pathlib import Path

import pytest

from narrator.making.opus import opus
from narrator.places import data_folder
from narrator.speech.clip import PLAYED_RATE, Clip, join
from narrator.speech.levelling import recorded, stretched
from narrator.speech.sound_files import decode_sounds, read_sound

RATE = 22_050


def tone(seconds: float = 0.5, rate: int = RATE, amplitude: int = 8000) -> Clip:
    """A sound of 441 Hz."""
    count = round(seconds * rate)
    return Clip(array("h", (round(amplitude * math.sin(2772 * n / rate)) for n in range(count))).tobytes(), rate)


def aiff(clip: Clip, kind: bytes) -> bytes:
    """The clip as macOS would write it."""
    values = clip.values()
    if kind == b"AIFF":
        values.byteswap()
    rate = struct.pack(">HQ", 16383 + 14, clip.rate << (63 - 14))
    common = struct.pack(">hLh", 1, clip.frames, 16) + rate
    common += b"sowt\x00\x00" if kind == b"AIFC" else b""
    sound = bytes(8) + values.tobytes()
    body = kind
    for name, chunk in ((b"COMM", common), (b"SSND", sound)):
        body += name + len(chunk).to_bytes(4, "big") + chunk
    return b"FORM" + len(body).to_bytes(4, "big") + body


def test_a_wav_file_gives_back_the_clip(tmp_path: Path) -> None:
    clip = tone()
    (tmp_path / "a.wav").write_bytes(clip.wav())
    assert read_sound(tmp_path / "a.wav") == clip


@pytest.mark.parametrize("kind", [b"AIFF", b"AIFC"])
def test_an_aiff_file_gives_back_the_clip(tmp_path: Path, kind: bytes) -> None:
    clip = tone()
    (tmp_path / "a.wav").write_bytes(aiff(clip, kind))
    assert read_sound(tmp_path / "a.wav") == clip


@pytest.mark.parametrize("data", [b"", b"RIFF", b"FORM\0\0\0\4AIFF", b"some text, no sound at all"])
def test_a_file_without_sound_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.wav").write_bytes(data)
    with pytest.raises(ValueError, match="sound"):
        read_sound(tmp_path / "a.wav")


def test_several_channels_are_read_as_the_first(tmp_path: Path) -> None:
    clip = tone()
    with wave.open(str(tmp_path / "a.wav"), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b"".join(clip.samples[at : at + 2] + b"\x7f\x7f" for at in range(0, len(clip.samples), 2)))
    assert read_sound(tmp_path / "a.wav") == clip


@pytest.mark.parametrize("rate", [8_000, 12_000, 16_000, 24_000, 48_000])
def test_opus_is_read_at_the_rate_at_which_lines_are_played(rate: int) -> None:
    [clip] = decode_sounds([opus(tone(0.5, rate))])
    assert clip.rate == PLAYED_RATE
    assert clip.seconds == pytest.approx(0.5, abs=0.01)
    assert clip.level() == pytest.approx(tone().level(), abs=0.5)


def test_an_opus_file_of_another_rate_is_refused() -> None:
    with pytest.raises(ValueError, match=r"8000, 12000, 16000, 24000 or 48000.*22050"):
        opus(tone(0.5, 22_050))


def test_clips_that_lie_in_one_file_are_read_one_by_one() -> None:
    files = [opus(tone(seconds, 24_000)) for seconds in (0.3, 0.5)]
    chained = b"".join(files)
    pieces = [chained[: len(files[0])], chained[len(files[0]) :]]
    assert [round(clip.seconds, 2) for clip in decode_sounds(pieces)] == [0.3, 0.5]


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A 32-bit Raspberry Pi, for which these libraries are not built."""
    for name in ("numpy", "soundfile", "soxr"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.usefixtures("bare")
def test_without_libraries_files_are_read_by_what_plays_them(tmp_path: Path) -> None:
    clip = tone()
    (tmp_path / "a.wav").write_bytes(clip.wav())
    assert read_sound(tmp_path / "a.wav") == clip
    [night] = decode_sounds([(data_folder("sounds") / "night.ogg").read_bytes()])
    assert (night.rate, round(night.seconds)) == (PLAYED_RATE, 30)
    with pytest.raises(ValueError, match="sound"):
        decode_sounds([b"some text, no sound at all"])


@pytest.mark.usefixtures("bare")
def test_without_libraries_clips_stay_as_they_are_and_cannot_change_their_rate() -> None:
    assert recorded(tone()) == tone()
    with pytest.raises(ValueError, match="numpy"):
        tone().at_rate(16_000)
    with pytest.raises(ImportError):
        stretched(tone(), 150)


def test_without_soxr_the_rate_is_changed_along_straight_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "soxr", None)
    other = tone().at_rate(16_000)
    assert other.seconds == pytest.approx(0.5, abs=0.001)
    assert other.level() == pytest.approx(tone().level(), abs=0.3)


def test_silence_is_told_from_sound() -> None:
    assert Clip(bytes(RATE), RATE).is_silent()
    assert Clip(b"", RATE).is_silent()
    assert not tone().is_silent()


def test_the_level_is_that_of_the_sine() -> None:
    assert tone(amplitude=8000).level() == pytest.approx(20 * math.log10(8000 / 32768 / math.sqrt(2)), abs=0.1)


def test_joined_clips_have_a_pause_between_them() -> None:
    joined = join([tone(0.5), tone(0.25)], 0.35)
    assert joined.seconds == pytest.approx(1.1, abs=0.001)
    assert not any(joined.values()[round(0.55 * RATE) : round(0.8 * RATE)])


def test_a_clip_of_another_rate_keeps_its_length_and_level_when_joined() -> None:
    other = tone(0.5, rate=16_000)
    joined = join([tone(0.5), other], 0.0)
    assert joined.rate == RATE
    assert joined.seconds == pytest.approx(1.0, abs=0.001)
    second_half = Clip(joined.samples[len(joined.samples) // 2 :], RATE)
    assert second_half.level() == pytest.approx(other.level(), abs=0.3)


def test_silence_at_the_end_is_shortened() -> None:
    clip = Clip(tone().samples + bytes(RATE), RATE)
    assert clip.without_end(0.1).seconds == pytest.approx(0.6, abs=0.01)
    assert Clip(bytes(RATE), RATE).without_end(0.1).seconds == pytest.approx(0.1, abs=0.001)


def test_lead_in_goes_before_the_sound() -> None:
    clip = tone().after_silence(0.4)
    assert not any(clip.values()[: round(0.4 * RATE)])
    assert clip.samples.endswith(tone().samples)
