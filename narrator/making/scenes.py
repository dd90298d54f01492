"""Sounds of night, dawn and day made from nothing but arithmetic. Needs numpy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from narrator.making.opus import opus, same_again
from narrator.speech.clip import Clip
from narrator.speech.outputs.ambience import OVERLAP_SECONDS

RATE = 24_000
"""Samples per second, one of those that Opus knows."""

Sound = Any
"""A numpy array of samples between -1 and 1."""


def night(seed: int = 1) -> Clip:
    """Half a minute of wind and crickets that can be repeated without a seam."""
    chance, seconds = Random(seed), 30
    sound = 0.9 * _wind(seconds, chance)
    for pitch, chirps, loudness in ((4150.0, 46, 0.10), (4480.0, 37, 0.05), (3890.0, 29, 0.035)):
        for at in _evenly(seconds, chirps, chance):
            _add(sound, at, loudness * chance.uniform(0.7, 1.0) * _chirp(pitch))
    return _loop(sound, -21.0)


def day(seed: int = 2) -> Clip:
    """A quarter of a minute of a quiet room that can be repeated without a seam."""
    chance, seconds = Random(seed), 16
    room = _noise(seconds, chance, lambda hertz: 1 / (1 + (hertz / 180) ** 1.6))
    return _loop(room * _swell(seconds, (1,), chance, 0.15), -38.0)


def dawn(seed: int = 3) -> Clip:
    """Birds, and a cock that crows once; played once."""
    chance, seconds = Random(seed), 13
    sound = 0.12 * _wind(seconds, chance)
    for at in _evenly(seconds - 3, 22, chance):
        _add(sound, 0.8 + at, chance.uniform(0.1, 0.3) * _tweet(chance))
    _add(sound, 1.6, 0.8 * _crow())
    fade = np.minimum(1.0, np.minimum(_times(seconds) / 1.5, (seconds - _times(seconds)) / 3.0))
    return _clip(_levelled(sound * fade, -26.0))


def _wind(seconds: int, chance: Random) -> Sound:
    low = _noise(seconds, chance, lambda hertz: 1 / (1 + (hertz / 300) ** 2))
    high = _noise(seconds, chance, lambda hertz: (hertz / 900) / (1 + (hertz / 900) ** 3))
    return low * _swell(seconds, (2, 3, 5), chance, 0.45) + 0.35 * high * _swell(seconds, (3, 4, 7), chance, 0.6)


def _noise(seconds: int, chance: Random, shape: Callable[[Sound], Sound]) -> Sound:
    """Noise of unit level with that spectrum, made in circles: its end goes over into its beginning."""
    count = seconds * RATE
    phases = np.exp(2j * math.pi * np.array([chance.random() for _ in range(count // 2 + 1)]))
    hertz = np.fft.rfftfreq(count, 1 / RATE)
    spectrum = phases * shape(hertz) * (hertz > 25)
    made = np.fft.irfft(spectrum, count)
    return made / math.sqrt(float(np.mean(made**2)))


def _swell(seconds: int, cycles: tuple[int, ...], chance: Random, depth: float) -> Sound:
    """A loudness that comes and goes, as often as `cycles` say in the whole length, by `depth` at most."""
    turns = 2 * math.pi * _times(seconds) / seconds
    waves = sum(np.sin(count * turns + 2 * math.pi * chance.random()) for count in cycles)
    return 1 + depth * waves / len(cycles)


def _chirp(pitch: float) -> Sound:
    """A cricket's chirp: four short pulses of a high tone."""
    times = np.arange(round(0.16 * RATE)) / RATE
    return np.sin(2 * math.pi * pitch * times) * np.sin(math.pi * times / 0.04) ** 2 * np.sin(math.pi * times / 0.16)


def _tweet(chance: Random) -> Sound:
    """A bird's note that slides."""
    length, pitch = chance.uniform(0.07, 0.2), chance.uniform(2600, 5200)
    times = np.arange(round(length * RATE)) / RATE
    slide = chance.uniform(-0.35, 0.35) * times / length + 0.06 * np.sin(2 * math.pi * chance.uniform(18, 34) * times)
    return _sung(pitch * (1 + slide), np.sin(math.pi * times / length) ** 1.5, (1.0, 0.15))


def _crow() -> Sound:
    """Cock-a-doodle-doo: four notes, the last long and falling."""
    notes = ((0.16, 620, 700, 0.7), (0.14, 760, 800, 0.8), (0.22, 820, 900, 1.0), (1.05, 980, 640, 1.0))
    pieces = []
    for length, begins, ends, loudness in notes:
        times = np.arange(round(length * RATE)) / RATE / length
        hertz = begins + (ends - begins) * times**1.4 + 14 * np.sin(2 * math.pi * 7 * times * length)
        shape = loudness * np.minimum(1, np.minimum(times / 0.12, (1 - times) / 0.35))
        pieces += [_sung(hertz, shape, (1.0, 0.7, 0.5, 0.3, 0.18, 0.1)), np.zeros(round(0.05 * RATE))]
    return 0.4 * np.concatenate(pieces)


def _sung(hertz: Sound, shape: Sound, overtones: tuple[float, ...]) -> Sound:
    phase = 2 * math.pi * np.cumsum(hertz) / RATE
    return shape * sum(part * np.sin(place * phase) for place, part in enumerate(overtones, 1))


def _evenly(seconds: float, count: int, chance: Random) -> Iterator[float]:
    """About even moments, each a little off."""
    for place in range(count):
        yield (place + chance.uniform(0.0, 0.6)) * seconds / count


def _add(sound: Sound, at: float, piece: Sound) -> None:
    """Put a piece at a moment, in seconds; what goes beyond the end begins anew."""
    places = (round(at * RATE) + np.arange(len(piece))) % len(sound)
    sound[places] += piece


def _loop(sound: Sound, level: float) -> Clip:
    """The circle with its beginning once more behind it, for the overlap that hides what coding does to the seam."""
    levelled = _levelled(sound, level)
    return _clip(np.concatenate([levelled, levelled[: round(OVERLAP_SECONDS * RATE)]]))


def _levelled(sound: Sound, level: float) -> Sound:
    """The sound at a level in dBFS, its peaks rounded off."""
    power = math.sqrt(float(np.mean(sound**2)))
    return np.tanh(sound * 10 ** (level / 20) / power)


def _clip(sound: Sound) -> Clip:
    return Clip((32_000 * sound).astype("<i2").tobytes(), RATE)


def _times(seconds: int) -> Sound:
    return np.arange(seconds * RATE) / RATE


MAKERS: dict[str, Callable[[], Clip]] = {"night": night, "dawn": dawn, "day": day}
"""Scene -> what makes its sound."""


def make_sounds(folder: Path) -> Iterator[Path]:
    """Write the sounds of all scenes; each file is given when it is there. Raises ImportError, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for scene, make in MAKERS.items():
        path = folder / f"{scene}.ogg"
        path.write_bytes(same_again(opus(make(), thrift=0.9)))
        yield path
