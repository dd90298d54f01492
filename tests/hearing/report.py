"""Measures the ears over speech in three languages and three rooms: `python -m tests.hearing.report [TURNS]`.

Each turn is ordinary speech with one other word spoken alone in its middle, often one that rhymes with the closing
word, and the closing word at its end.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from narrator.clock import FakeClock
from narrator.hearing.ear import Ear, wav
from narrator.hearing.endpointing import Endpointer, frame
from narrator.hearing.library import RATE, SECONDS
from narrator.hearing.recognisers import open_engine
from narrator.hearing.take_shelf import TakeShelf
from narrator.hearing.takes import raw
from narrator.hearing.words import CLOSING, EarEvent, Listen, RoomNoise, WordHeard
from tests.hearing import material
from tests.hearing.material import LOUD, Mouth, Person, Sound

Noise_ = Callable[[int, np.random.Generator, list[Sound]], Sound | None]
ROOMS: dict[str, Noise_] = {
    "quiet": lambda length, chance, talk: None,
    "babble 20 dB": lambda length, chance, talk: material.babble(length, LOUD - 20, chance, talk),
    "white 15 dB": lambda length, chance, talk: material.white(length, LOUD - 15, chance),
}


@dataclass
class Figures:
    """What came of some turns."""

    turns: int = 0
    caught: int = 0
    words: int = 0
    """Ordinary words, spoken alone, that were taken for it."""
    rhymes: int = 0
    """The same of words that differ from it in one sound."""
    running: int = 0
    """What was taken for it in running speech."""
    noisy: int = 0
    seconds: float = 0.0
    delays: list[float] = field(default_factory=list)
    spent: float = 0.0

    def __str__(self) -> str:
        delay = f"{np.median(self.delays):.2f} (most {max(self.delays):.2f}) s" if self.delays else "-"
        false = self.words + self.rhymes + self.running
        return (
            f"caught {self.caught}/{self.turns}  false {false} in {self.seconds / 3600:.2f} h (rhymes {self.rhymes}, "
            f"other words {self.words}, running speech {self.running})  too noisy {self.noisy}  delay {delay}  "
            f"cost {self.spent / self.seconds * 100:.1f} % of a core"
        )


@dataclass
class Turn:
    """What is spoken in one turn."""

    sound: Sound
    alone: float
    """The second at which the word in the middle ends."""
    rhymes: bool
    end: float
    """The second at which the closing word ends."""


def utterances(sound: Sound) -> list[Any]:
    """What the gate makes of a sound."""
    gate = Endpointer()
    return [found for data in material.frames(sound) if (found := gate.feed(frame(data))) is not None]


def teach(shelf: TakeShelf, mouth: Mouth, person: Person, word: str, chance: np.random.Generator) -> str:
    """Three takes of a person, through the gate; whose they are."""
    owner = person.timbre.lower()
    for number in range(3):
        said = mouth.say(person, word, 150 + 12 * number, 1 + chance.uniform(-0.03, 0.03))
        [take] = utterances(material.in_room(material.track(1.0, said, 1.0), chance))
        shelf.keep(owner, CLOSING, person.language, wav(raw(take.samples)))
    return owner


def turn(mouth: Mouth, person: Person, last: str, chance: np.random.Generator) -> Turn:
    """A turn of a person that ends with that word."""
    language = person.language
    sentences = [mouth.say(person, text) for text in chance.permutation(list(material.SENTENCES[language]))[:2]]
    text = str(chance.choice(material.WORDS[language] + material.RHYMES[language]))
    alone = material.track(1.0, sentences[0], 0.8, mouth.say(person, text, *manner(chance)))
    closing = mouth.say(person, last, *manner(chance)) * np.float32(10 ** (chance.uniform(-6, 0) / 20))
    spoken = material.track(alone, 0.9, sentences[1], chance.uniform(0.5, 1.2), closing)
    rhymes = text in material.RHYMES[language]
    return Turn(material.track(spoken, 1.2), len(alone) / RATE, rhymes, len(spoken) / RATE)


def manner(chance: np.random.Generator) -> tuple[int, float]:
    """How fast, and how high, somebody speaks this time."""
    return int(chance.integers(145, 185)), 1 + float(chance.uniform(-0.05, 0.05))


def measure(
    mouth: Mouth, language: str, room: Noise_, last: str, turns: int, seed: int = 7, engine: Any = None
) -> Figures:
    """Figures of as many turns, spoken by different people."""
    chance, figures = np.random.default_rng(seed), Figures()
    everybody = material.people(language)
    talk = [mouth.say(person, text) for person in everybody for text in material.SENTENCES[language]]
    with tempfile.TemporaryDirectory() as folder:
        shelf = TakeShelf(lambda: Path(folder))
        owners = {person: teach(shelf, mouth, person, material.CLOSING[language], chance) for person in everybody}
        for number in range(turns):
            person = everybody[number % len(everybody)]
            spoken = turn(mouth, person, last, chance)
            length = len(spoken.sound)
            spoken.sound = material.in_room(spoken.sound, chance, room(length, chance, talk))
            task = Listen(number, {CLOSING: owners[person]}, {CLOSING: (material.CLOSING[language],)}, language)
            listen(spoken, task, engine or open_engine("takes", shelf), shelf, figures)
    return figures


def listen(spoken: Turn, task: Listen, engine: Any, shelf: TakeShelf, figures: Figures) -> None:
    """Let an ear hear a turn and count what it tells."""
    clock, told = FakeClock(), list[tuple[float, EarEvent]]()
    ear = Ear(engine, shelf, clock, lambda event: told.append((clock.now(), event)))
    ear.attend(task)
    ear.unmute(0.0)
    before = time.perf_counter()
    for data in material.frames(spoken.sound):
        clock.advance(SECONDS)
        ear.hear(data)
    figures.spent += time.perf_counter() - before
    heard = [moment for moment, event in told if isinstance(event, WordHeard)]
    right = [moment for moment in heard if moment > spoken.end]
    alone = [moment for moment in heard if spoken.alone < moment < spoken.alone + 0.9]
    figures.turns += 1
    figures.seconds += len(spoken.sound) / RATE
    figures.caught += bool(right)
    figures.running += len(heard) - len(right) - len(alone)
    figures.rhymes += len(alone) if spoken.rhymes else 0
    figures.words += 0 if spoken.rhymes else len(alone)
    figures.delays += [moment - spoken.end for moment in right]
    figures.noisy += any(isinstance(event, RoomNoise) and event.noisy for _, event in told)


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 48
    with material.mouth() as mouth:
        for language in material.VOICES:
            for name, room in ROOMS.items():
                for last in (material.CLOSING[language], material.TWICE[language]):
                    print(f"{language} {name:12} {last:12} {measure(mouth, language, room, last, turns)}", flush=True)


if __name__ == "__main__":
    main()
