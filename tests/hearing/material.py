"""Sound for the tests of the ears: people made of espeak's timbres, rooms made of noise, and tracks made of both."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from narrator.hearing.library import FRAME, RATE
from narrator.speech.sound_files import read_sound
from narrator.speech.worker.drivers import BUNDLED
from narrator.speech.worker.process import WorkerProcess

Sound = Any
"""float32 samples at 16 kHz."""

VOICES = {"zh": "sit/cmn", "es": "roa/es", "en": "gmw/en-US"}
TIMBRES = ("m1", "f2", "m3", "f4", "m5", "f1", "m7", "Annie")
CLOSING = {"zh": "过", "es": "paso", "en": "pass"}
TWICE = {"zh": "过，过", "es": "paso, paso", "en": "pass, pass"}
_WORDS = {
    "zh": "对 我 好 是 他 不 跳 票 警察 杀手 知道 觉得 没有 所以 然后 国家",
    "es": "sí no yo él peso bueno dos voto policía porque puedo pasa eso claro pues así",
    "en": "yes no me him okay right two vote police because pause part less",
}
WORDS = {language: words.split() for language, words in _WORDS.items()}
"""Ordinary words."""
_RHYMES = {"zh": "国 错 多", "es": "caso vaso paseo", "en": "past path glass class cast"}
RHYMES = {language: words.split() for language, words in _RHYMES.items()}
"""Words that differ from the closing word in one sound."""
SENTENCES = {
    "zh": (
        "我觉得三号昨天晚上的发言有问题，他一直在跟着别人说。",
        "我是好人，大家可以先听一听后面的人怎么说，再决定投给谁。",
        "如果七号真的是警察，那他为什么第一天不说出来呢。",
    ),
    "es": (
        "Yo creo que el jugador tres habló demasiado anoche y no explicó nada.",
        "Soy inocente, así que escuchen primero a los demás antes de votar.",
        "Si el siete es policía de verdad, por qué no lo dijo el primer día.",
    ),
    "en": (
        "I think player three talked far too much and did not explain a thing.",
        "I am innocent, so please listen to the others first before you vote.",
        "If number seven really is police, why did he not say so on the first day.",
    ),
}
ROOM = -72.0
"""dBFS of a quiet room."""
LOUD = -23.0
"""dBFS of speech."""


@dataclass(frozen=True)
class Person:
    """A voice of its own."""

    language: str
    timbre: str
    pitch: float = 1.0


def people(language: str, count: int = len(TIMBRES)) -> list[Person]:
    """Different people who speak a language."""
    return [Person(language, timbre, 0.94 + 0.02 * number) for number, timbre in enumerate(TIMBRES[:count])]


class Mouth:
    """Lets people speak, through the real engine."""

    def __init__(self, folder: Path) -> None:
        self._worker = WorkerProcess()
        self._folder = folder
        self._count = itertools.count()
        self._said: dict[Any, Sound] = {}

    def say(self, person: Person, text: str, rate: int = 160, pitch: float = 1.0) -> Sound:
        """What a person says, at a usual level, without silence around it. `pitch` is of this time only."""
        wanted = (person, text, rate, round(pitch, 3))
        if wanted not in self._said:
            self._said[wanted] = self._render(person, text, rate, person.pitch * pitch)
        return self._said[wanted]

    def _render(self, person: Person, text: str, rate: int, pitch: float) -> Sound:
        path = self._folder / f"{next(self._count)}.wav"
        voice = f"{VOICES[person.language]}+{person.timbre}"
        order = {"do": "render", "engine": BUNDLED, "voice": voice, "text": text, "rate": rate, "path": str(path)}
        self._worker.ask(order, 20.0)
        clip = read_sound(path)
        path.unlink()
        samples = np.frombuffer(clip.samples, "<i2").astype(np.float32) / 32768
        places = np.arange(int(len(samples) * RATE / clip.rate / pitch)) * clip.rate / RATE * pitch
        return levelled(trimmed(np.interp(places, np.arange(len(samples)), samples).astype(np.float32)))

    def close(self) -> None:
        self._worker.close()


@contextmanager
def mouth() -> Iterator[Mouth]:
    """A mouth, closed at the end."""
    with tempfile.TemporaryDirectory() as folder:
        opened = Mouth(Path(folder))
        try:
            yield opened
        finally:
            opened.close()


def power(sound: Sound) -> Sound:
    """Power of each 10 ms."""
    return (sound[: len(sound) // 160 * 160].reshape(-1, 160) ** 2).mean(1)


def trimmed(sound: Sound) -> Sound:
    """Without the silence around it."""
    loud = np.flatnonzero(power(sound) > power(sound).max() * 1e-4)
    return sound[loud[0] * 160 : (loud[-1] + 1) * 160]


def levelled(sound: Sound, level: float = LOUD) -> Sound:
    """At a usual level, measured where somebody speaks."""
    powers = power(sound)
    active = powers[powers > powers.max() * 1e-3].mean()
    return (sound * 10 ** (level / 20) / np.sqrt(active)).astype(np.float32)


def silence(seconds: float) -> Sound:
    """Nothing at all."""
    return np.zeros(round(seconds * RATE), np.float32)


def track(*parts: Sound | float) -> Sound:
    """One after the other; a number stands for that many seconds of silence."""
    return np.concatenate([silence(part) if isinstance(part, float | int) else part for part in parts])


def white(length: int, level: float, chance: np.random.Generator) -> Sound:
    """Noise of that level in dBFS."""
    return (chance.standard_normal(length) * 10 ** (level / 20)).astype(np.float32)


def babble(length: int, level: float, chance: np.random.Generator, talk: Sequence[Sound]) -> Sound:
    """Six people talking at once, at the far side of a room."""
    mixed = np.zeros(length, np.float32)
    for _ in range(6):
        one = np.concatenate([talk[place] for place in chance.permutation(len(talk))])
        mixed += np.resize(np.roll(one, int(chance.integers(len(one)))), length)
    echo = np.exp(-np.arange(RATE // 3) / (RATE * 0.07)) * chance.standard_normal(RATE // 3)
    size = 1 << (length + len(echo)).bit_length()
    wet = np.fft.irfft(np.fft.rfft(mixed, size) * np.fft.rfft(echo, size))[:length]
    return (wet / np.sqrt((wet**2).mean()) * 10 ** (level / 20)).astype(np.float32)


def in_room(sound: Sound, chance: np.random.Generator, noise: Sound | None = None) -> Sound:
    """The sound in a quiet room, with that noise."""
    heard = sound + white(len(sound), ROOM, chance)
    return heard if noise is None else heard + noise


def frames(sound: Sound) -> list[bytes]:
    """As a microphone delivers it; what is left over at the end is filled up."""
    whole = np.pad(sound, (0, -len(sound) % FRAME))
    data = (np.clip(whole, -1, 1) * 32767).astype("<i2").tobytes()
    return [data[at : at + 2 * FRAME] for at in range(0, len(data), 2 * FRAME)]
