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
from narrator.hearing.comparing import raw
from narrator.hearing.ear import Ear, wav
from narrator.hearing.endpointing import Endpointer, frame
from narrator.hearing.engines import open_engine
from narrator.hearing.events import Event, Heard, Listen, Noise
from narrator.hearing.library import RATE, SECONDS
from narrator.hearing.shelf import TakeShelf
from narrator.hearing.words import CLOSING
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
    false: int = 0
    noisy: int = 0
    seconds: float = 0.0
    delays: list[float] = field(default_factory=list)
    spent: float = 0.0

    def __str__(self) -> str:
        delay = f"{np.median(self.delays):.2f} (most {max(self.delays):.2f}) s" if self.delays else "-"
        return (
            f"caught {self.caught}/{self.turns}  false {self.false} in {self.seconds / 3600:.2f} h = "
            f"{self.false / self.seconds * 3600:.1f}/h  too noisy {self.noisy}  delay {delay}  "
            f"cost {self.spent / self.seconds * 100:.1f} % of a core"
        )


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


def turn(mouth: Mouth, person: Person, last: str, chance: np.random.Generator) -> tuple[Sound, float]:
    """A turn's sound, and the second at which its closing word ends."""
    language = person.language
    sentences = [mouth.say(person, text) for text in chance.permutation(list(material.SENTENCES[language]))[:2]]
    word = mouth.say(person, str(chance.choice(material.WORDS[language] + material.RHYMES[language])), *manner(chance))
    closing = mouth.say(person, last, *manner(chance)) * np.float32(10 ** (chance.uniform(-6, 0) / 20))
    spoken = material.track(1.0, sentences[0], 0.8, word, 0.9, sentences[1], chance.uniform(0.5, 1.2), closing)
    return np.concatenate([spoken, material.silence(1.2)]), len(spoken) / RATE


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
            sound, end = turn(mouth, person, last, chance)
            sound = material.in_room(sound, chance, room(len(sound), chance, talk))
            task = Listen(number, {CLOSING: owners[person]}, {CLOSING: (material.CLOSING[language],)}, language)
            listen(sound, end, task, engine or open_engine("takes", shelf), shelf, figures)
    return figures


def listen(sound: Sound, end: float, task: Listen, engine: Any, shelf: TakeShelf, figures: Figures) -> None:
    """Let an ear hear a turn and count what it tells."""
    clock, told = FakeClock(), list[tuple[float, Event]]()
    ear = Ear(engine, shelf, clock, lambda event: told.append((clock.now(), event)))
    ear.attend(task)
    ear.unmute(0.0)
    before = time.perf_counter()
    for data in material.frames(sound):
        clock.advance(SECONDS)
        ear.hear(data)
    figures.spent += time.perf_counter() - before
    heard = [moment for moment, event in told if isinstance(event, Heard)]
    right = [moment for moment in heard if moment > end]
    figures.turns += 1
    figures.seconds += len(sound) / RATE
    figures.caught += bool(right)
    figures.false += len(heard) - len(right)
    figures.delays += [moment - end for moment in right]
    figures.noisy += any(isinstance(event, Noise) and event.noisy for _, event in told)


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 48
    with material.mouth() as mouth:
        for language in material.VOICES:
            for name, room in ROOMS.items():
                for last in (material.CLOSING[language], material.TWICE[language]):
                    print(f"{language} {name:12} {last:12} {measure(mouth, language, room, last, turns)}", flush=True)


if __name__ == "__main__":
    main()
