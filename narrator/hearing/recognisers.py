"""Engines that know a word when they hear it, by name."""

from __future__ import annotations

import contextlib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from narrator.hearing.endpointing import SpeechBurst
from narrator.hearing.library import RATE, WIDTH, sr
from narrator.hearing.take_shelf import TakeShelf
from narrator.hearing.takes import Take, numbers, raw
from narrator.hearing.words import Listen, no_library, no_model


class Engine(Protocol):
    """Tells words apart."""

    def warm_up(self) -> None:
        """Load whatever it takes. Raises Unavailable."""

    def word(self, utterance: SpeechBurst, task: Listen) -> str | None:
        """Which of the task's words an utterance is; None for any other."""


EngineFactory = Callable[[TakeShelf, Path | None], Engine]
FACTORIES: dict[str, EngineFactory] = {}


def engine(name: str) -> Callable[[EngineFactory], EngineFactory]:
    """Register a factory. Raises ValueError when the name is taken."""

    def register(factory: EngineFactory) -> EngineFactory:
        if name in FACTORIES:
            raise ValueError(f"an engine of this name is registered already: {name!r}")
        FACTORIES[name] = factory
        return factory

    return register


def open_engine(name: str, shelf: TakeShelf, model: Path | None = None) -> Engine:
    """The engine of that name. Raises ValueError if there is none."""
    if name not in FACTORIES:
        raise ValueError(f"an engine for listening is one of {', '.join(FACTORIES)}; got {name!r}")
    return FACTORIES[name](shelf, model)


def audio_of(utterance: SpeechBurst) -> Any:
    """An utterance as the library's recognisers take it."""
    return sr.AudioData(raw(utterance.samples), RATE, WIDTH)


class TakesEngine:
    """Compares with the takes on the shelf; a file is read again only when it has changed."""

    def __init__(self, shelf: TakeShelf) -> None:
        self._shelf = shelf
        self._read: dict[Path, tuple[int, Take]] = {}
        self._recognizer = sr.Recognizer()

    def warm_up(self) -> None:
        """Nothing is needed."""

    def word(self, utterance: SpeechBurst, task: Listen) -> str | None:
        """The word whose take it is like."""
        takes = {word: self.takes(owner, word, task.language) for word, owner in task.words.items()}
        try:
            found: str = self._recognizer.recognize_takes(audio_of(utterance), takes, utterance.clarity)
        except sr.UnknownValueError:
            return None
        return found

    def takes(self, owner: str, word: str, language: str) -> list[Take]:
        """Somebody's takes of a word; files that are none are passed over."""
        takes = []
        for path in self._shelf.paths(owner, word, language):
            with contextlib.suppress(OSError, ValueError):
                takes.append(self._take(path))
        return takes

    def _take(self, path: Path) -> Take:
        written = path.stat().st_mtime_ns
        known = self._read.get(path)
        if known is None or known[0] != written:
            known = self._read[path] = written, Take.read(path)
        return known[1]


@engine("takes")
def _takes(shelf: TakeShelf, model: Path | None) -> Engine:
    return TakesEngine(shelf)


class WhisperEngine:
    """Writes down what was said with a model of the user's own, which stays loaded. Needs no takes."""

    def __init__(self, model: Path | None) -> None:
        self._folder = model
        self._model: Any = None
        self._recognizer = sr.Recognizer()

    def warm_up(self) -> None:
        """Load the model. Raises Unavailable."""
        try:
            from faster_whisper import WhisperModel
        except ImportError as fault:
            raise no_library("faster-whisper") from fault
        if self._folder is None or not (self._folder / "model.bin").is_file():
            raise no_model(str(self._folder or ""))
        try:
            self._model = WhisperModel(str(self._folder), device="cpu", compute_type="int8", local_files_only=True)
        except (OSError, RuntimeError, ValueError) as fault:
            raise no_model(f"{self._folder} ({fault})") from fault

    def word(self, utterance: SpeechBurst, task: Listen) -> str | None:
        """The word whose spelling was written down."""
        try:
            found: str = self._recognizer.recognize_kept_whisper(
                audio_of(utterance), self._model, task.spellings, task.language
            )
        except sr.UnknownValueError:
            return None
        return found


def recognize_kept_whisper(
    recognizer: Any, audio_data: Any, model: Any, spellings: Mapping[str, Sequence[str]], language: str
) -> str:
    """The word one of whose spellings a loaded model writes down, as one of the library's own recognisers.

    Raises `sr.UnknownValueError` for anything else.
    """
    samples = numbers(audio_data.get_raw_data(convert_rate=RATE, convert_width=WIDTH))
    prompt = " ".join(some[0] for some in spellings.values())
    segments, _ = model.transcribe(
        samples, language=language.partition("-")[0], initial_prompt=prompt, beam_size=1, without_timestamps=True
    )
    text = plain_spelling("".join(segment.text for segment in segments))
    for word, some in spellings.items():
        if text in repeated(map(plain_spelling, some)):
            return word
    raise sr.UnknownValueError


sr.Recognizer.recognize_kept_whisper = recognize_kept_whisper


def plain_spelling(text: str) -> str:
    """Only what is heard of a text: letters without case and signs, Chinese in the shorter way of writing it."""
    kept = "".join(sign for sign in unicodedata.normalize("NFKC", text).casefold() if sign.isalnum())
    return kept.replace("過", "过").replace("發", "发").replace("畢", "毕")


def repeated(spellings: Iterable[str]) -> set[str]:
    """Each spelling once and twice."""
    return {spelling * times for spelling in spellings for times in (1, 2)}


@engine("whisper")
def _whisper(shelf: TakeShelf, model: Path | None) -> Engine:
    return WhisperEngine(model)
