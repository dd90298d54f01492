"""Rendered speech in memory."""

from __future__ import annotations

import io
import math
import sys
import wave
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

PLAYED_RATE = 22_050
"""Samples per second at which lines are played."""
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
        """The same sound with another number of samples per second. Raises ValueError where there is no numpy."""
        return self if rate == self.rate else Clip(_resampled(self, rate), rate)

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


def _resampled(clip: Clip, rate: int) -> bytes:
    """By soxr, or along straight lines where there is none (Windows on ARM). Without numpy, all clips have one rate."""
    try:
        import numpy as np
    except ImportError as error:
        raise ValueError(f"sound of {clip.rate} samples a second needs numpy, which is not installed here") from error
    values = np.frombuffer(clip.samples, "<i2")
    count = clip.frames * rate // clip.rate
    try:
        import soxr

        made = soxr.resample(values.astype(np.float32), clip.rate, rate)
        made = np.pad(made, (0, max(0, count - len(made))))[:count]
    except ImportError:
        made = np.interp(np.arange(count) * clip.rate / rate, np.arange(clip.frames), values)
    return bytes(made.round().clip(-32768, 32767).astype("<i2").tobytes())
