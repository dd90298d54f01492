"""Rendered speech in memory, and the files engines leave it in."""

from __future__ import annotations

import io
import math
import struct
import sys
import wave
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SILENT_BELOW_DBFS = -60.0
"""A clip with less root-mean-square level than this has nothing in it to hear."""
_FULL_SCALE = 32768.0
_STRIDE = 5
_HEARD = 100


@dataclass(frozen=True)
class Clip:
    """A stretch of mono sound."""

    samples: bytes
    """Signed 16-bit samples, little-endian, one channel."""
    rate: int
    """Samples per second."""

    @property
    def frames(self) -> int:
        """How many samples it has."""
        return len(self.samples) // 2

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return self.frames / self.rate

    def level(self) -> float:
        """Root-mean-square level in dBFS, from every fifth sample; minus infinity for digital silence."""
        some = self.values()[::_STRIDE]
        power = sum(value * value for value in some) / max(1, len(some))
        return 10 * math.log10(power / _FULL_SCALE**2) if power else -math.inf

    def is_silent(self) -> bool:
        """Whether there is nothing in it to hear."""
        return self.level() < SILENT_BELOW_DBFS

    def values(self) -> array[int]:
        """The samples as numbers."""
        numbers = array("h", self.samples)
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers

    def at_rate(self, rate: int) -> Clip:
        """The same sound with another number of samples per second."""
        return self if rate == self.rate else Clip(_resampled(self.values(), self.rate, rate), rate)

    def without_end(self, seconds: float) -> Clip:
        """The same sound with at most `seconds` of the silence at its end."""
        values = self.values()
        heard = next((at for at in range(len(values), 0, -1) if abs(values[at - 1]) > _HEARD), 0)
        return Clip(self.samples[: 2 * (heard + round(seconds * self.rate))], self.rate)

    def after_silence(self, seconds: float) -> Clip:
        """The same sound with silence before it."""
        return Clip(silence(seconds, self.rate) + self.samples, self.rate)

    def wav(self) -> bytes:
        """The clip as a WAV file."""
        file = io.BytesIO()
        with wave.open(file, "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(self.rate)
            sound.writeframes(self.samples)
        return file.getvalue()


def silence(seconds: float, rate: int) -> bytes:
    """Samples of silence."""
    return bytes(2 * round(seconds * rate))


def join(clips: Sequence[Clip], pause: float) -> Clip:
    """One clip after the other with `pause` seconds between them, at the first one's rate. Needs at least one."""
    rate = clips[0].rate
    return Clip(silence(pause, rate).join(clip.at_rate(rate).samples for clip in clips), rate)


def read_clip(path: Path) -> Clip:
    """The clip in a WAV or AIFF file.

    Raises ValueError when the file is neither, or not of 16-bit samples; OSError when it cannot be read.
    """
    data = path.read_bytes()
    if data[:4] == b"FORM":
        return _from_aiff(data)
    try:
        with wave.open(io.BytesIO(data)) as sound:
            return _mono(
                sound.readframes(sound.getnframes()), sound.getnchannels(), sound.getsampwidth(), sound.getframerate()
            )
    except (wave.Error, EOFError) as error:
        raise ValueError(f"not a sound file ({error}); a WAV or AIFF file is needed: {path.name!r}") from error


def _mono(samples: bytes, channels: int, width: int, rate: int) -> Clip:
    if width != 2:
        raise ValueError(f"samples must have 16 bits: {8 * width}")
    if channels == 1:
        return Clip(samples[: len(samples) // 2 * 2], rate)
    return Clip(array("h", samples[: len(samples) // 2 * 2])[::channels].tobytes(), rate)


def _from_aiff(data: bytes) -> Clip:
    chunks = _chunks(data)
    if data[8:12] not in (b"AIFF", b"AIFC") or not {b"COMM", b"SSND"} <= chunks.keys():
        raise ValueError(f"not an AIFF file with sound in it: {data[8:12]!r}")
    common = chunks[b"COMM"]
    channels, _, bits = struct.unpack(">hLh", common[:8])
    numbers = array("h", _whole_samples(chunks[b"SSND"][8:]))
    if common[18:22] != b"sowt":
        numbers.byteswap()
    return _mono(numbers.tobytes(), channels, bits // 8, round(_extended(common[8:18])))


def _whole_samples(data: bytes) -> bytes:
    return data[: len(data) // 2 * 2]


def _chunks(data: bytes) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    at = 12
    while at + 8 <= len(data):
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "big")
        found[name] = data[at + 8 : at + 8 + size]
        at += 8 + size + size % 2
    return found


def _extended(data: bytes) -> float:
    """An 80-bit extended number, as AIFF states its sample rate."""
    exponent, mantissa = struct.unpack(">HQ", data)
    return math.ldexp(mantissa, (exponent & 0x7FFF) - 16383 - 63)


def _resampled(values: array[int], old: int, new: int) -> bytes:
    """Linear interpolation: good enough for speech, and only needed where two engines share a line."""
    last = len(values) - 1
    made = array("h")
    for index in range(len(values) * new // old):
        whole, part = divmod(index * old, new)
        ahead = values[min(whole + 1, last)]
        made.append(values[whole] + (ahead - values[whole]) * part // new)
    return made.tobytes()
