"""Clips: what engines write is read, joined and measured."""

from __future__ import annotations

import math
import struct
from array import array
from pathlib import Path

import pytest

from narrator.speech.clip import Clip, join, read_clip

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
    assert read_clip(tmp_path / "a.wav") == clip


@pytest.mark.parametrize("kind", [b"AIFF", b"AIFC"])
def test_an_aiff_file_gives_back_the_clip(tmp_path: Path, kind: bytes) -> None:
    clip = tone()
    (tmp_path / "a.wav").write_bytes(aiff(clip, kind))
    assert read_clip(tmp_path / "a.wav") == clip


@pytest.mark.parametrize("data", [b"", b"RIFF", b"FORM\0\0\0\4AIFF", b"some text, no sound at all"])
def test_a_file_without_sound_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.wav").write_bytes(data)
    with pytest.raises(ValueError, match="sound"):
        read_clip(tmp_path / "a.wav")


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
