"""A script: everything the narrator says in one language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path

from narrator.model.ruleset import KIN, Texts
from narrator.narration.keys import KEYS
from narrator.narration.reading import Forms, ScriptProblems, read
from narrator.places import data_folder

__all__ = ["LANGUAGES", "Script", "ScriptProblems", "languages", "localized"]

LANGUAGES = ("zh-Hans", "zh-Hant", "es", "en")
"""The shipped languages, in the order in which they are offered; further ones follow by their tags."""

JOINT, CARD_JOINT = "|", "¦"
"""What marks in a text where it may be parted into phrases that are recorded once; the second only beside a card."""

_SENTENCE_END = re.compile(r"(?<=[。！？])(?=.)|(?<=[.!?])(?=\s)")
_START = re.compile(r"(^|[.!?]\s+)([¡¿]?)([^\W\d_])")

Names = Mapping[int, str]


def sentences(text: str) -> tuple[str, ...]:
    """A text that is no line of a script, in its sentences."""
    return tuple(_SENTENCE_END.split(text))


def languages() -> tuple[str, ...]:
    """The languages that have a script: one file each."""
    found = {file.stem for file in data_folder("scripts").glob("*.yaml")}
    return tuple(sorted(found, key=lambda tag: (LANGUAGES.index(tag) if tag in LANGUAGES else len(LANGUAGES), tag)))


def localized(texts: Texts, language: str, otherwise: str) -> str:
    """The text in a language, else in its kin, else in English, else any, else `otherwise`."""
    for tag in (language, *KIN.get(language, ()), "en", *texts):
        if texts.get(tag):
            return texts[tag]
    return otherwise


class Script:
    """The words of one language. Seats given as numbers are spoken as that language speaks them."""

    def __init__(self, head: Mapping[str, object], texts: Mapping[str, Forms], joint: str = "") -> None:
        """`joint` is what stands in the texts' joints, and between their sentences: JOINT, or nothing."""
        self._head = head
        self._marked = texts
        self.joint = joint
        self.language = str(head["language"])
        self.name = str(head["name"])
        self.spoken = str(head["spoken"])
        words = head["closing_words"]
        self.closing_words: tuple[str, ...] = tuple(words) if isinstance(words, list) else ()
        contractions = head.get("contractions")
        self._contractions = _contractions(contractions if isinstance(contractions, dict) else {})
        self._texts = {key: {form: self.parted(text) for form, text in forms.items()} for key, forms in texts.items()}

    @classmethod
    def load(cls, language: str) -> Script:
        """The shipped script of a language; ScriptProblems with file and line if it is faulty or missing."""
        return _load(language)

    @classmethod
    def from_file(cls, file: Path) -> Script:
        """The script in a file; ScriptProblems with file and line if it is faulty."""
        reading = read(file)
        return cls(reading.head, reading.texts)

    @cached_property
    def jointed(self) -> Script:
        """The same script, all of whose texts say where they may be parted."""
        return Script(self._head, self._marked, JOINT)

    def parted(self, text: str) -> str:
        """A text of this script, or a ruleset's own, with its joints if this script has any."""
        if self.joint:
            return _SENTENCE_END.sub(self.joint, text)
        return text.replace(JOINT, "").replace(CARD_JOINT, "")

    def has(self, key: str) -> bool:
        """Whether there is a text of that key."""
        return key in self._texts

    def render(self, key: str, names: Names | None = None, **params: object) -> str:
        """The text of a key with its parameters, as a sentence.

        Numbers given as `seat`, `place`, `target` or `voter`, and lists of numbers given as `seats` or `places`, become
        words (with the players' `names`, if given). KeyError for an unknown key, TypeError for a parameter that is
        missing or has no place here.
        """
        return self.sentence(self.phrase(key, names, **params))

    def phrase(self, key: str, names: Names | None = None, **params: object) -> str:
        """The same, as a part of a sentence: nothing is put in capitals."""
        if key not in KEYS:
            raise KeyError(f"no such key is declared; got {key!r}")
        given = params.keys()
        if not KEYS[key].needs <= given or not given <= KEYS[key].params | {"count"}:
            wanted = ", ".join(sorted(KEYS[key].params)) or "none"
            raise TypeError(f"the parameters of {key!r} are {wanted}; got {', '.join(sorted(given)) or 'none'}")
        text = self._form(key, _count(params))
        return self._contract(text.format(**{name: self._words(name, value, names) for name, value in params.items()}))

    def sentence(self, text: str) -> str:
        """The text with a capital at the start of each sentence, where the writing has capitals."""
        return _START.sub(lambda found: found[1] + found[2] + found[3].upper(), text)

    def seat(self, seat: int, names: Names | None = None) -> str:
        """`5` -> "5号", "player 5", "el jugador 5"."""
        if names and names.get(seat):
            return self.phrase("words.seat_named", n=seat, name=names[seat])
        return self.phrase("words.seat", n=seat)

    def seats(self, seats: Iterable[int], names: Names | None = None) -> str:
        """`[3, 5, 8]` -> "3号、5号和8号", "players 3, 5 and 8"."""
        numbers = list(seats)
        if len(numbers) == 1:
            return self.seat(numbers[0], names)
        items = [self._seat_item(number, names) for number in numbers]
        return self.phrase("words.seats", list=self.listed(items)) if items else self.phrase("words.nobody")

    def cards(self, cards: Iterable[int]) -> str:
        """`[3, 5]` -> "3号牌和5号牌", "cards 3 and 5"."""
        numbers = list(cards)
        if len(numbers) == 1:
            return self.phrase("words.card", n=numbers[0])
        items = [self.phrase("words.cards_item", n=number) for number in numbers]
        return self.phrase("words.cards", list=self.listed(items)) if items else self.phrase("words.nobody")

    def listed(self, items: Iterable[str]) -> str:
        """`["a", "b", "c"]` -> "a, b and c"."""
        *first, last = list(items)
        comma, joint = self.phrase("words.comma"), self.phrase("words.last")
        return comma.join(first) + joint + last if first else last

    def word(self, group: str, name: str) -> str:
        """What something is called (`look`, `child`); the bare name where the script does not know it."""
        key = f"names.{group}.{name}"
        return self.phrase(key) if self.has(key) else name.replace("_", " ")

    def _seat_item(self, seat: int, names: Names | None) -> str:
        if names and names.get(seat):
            return self.phrase("words.seats_item_named", n=seat, name=names[seat])
        return self.phrase("words.seats_item", n=seat)

    def _form(self, key: str, count: int | None) -> str:
        forms = self._texts[key]
        return forms["one"] if count == 1 and "one" in forms else forms["other"]

    def _words(self, name: str, value: object, names: Names | None) -> object:
        if isinstance(value, int) and name in ("seat", "place", "target", "voter"):
            return self.seat(value, names)
        if isinstance(value, list | tuple) and name in ("seats", "places"):
            return self.seats(value, names)
        return value

    def _contract(self, text: str) -> str:
        for long, short in self._contractions:
            text = long.sub(short, text)
        return text


def _contractions(pairs: Mapping[str, str]) -> list[tuple[re.Pattern[str], str]]:
    """The pairs as they stand, and with a capital."""
    both = [*pairs.items(), *((long.capitalize(), short.capitalize()) for long, short in pairs.items())]
    return [(re.compile(rf"\b{re.escape(long)}\b"), short) for long, short in both]


def _count(params: Mapping[str, object]) -> int | None:
    """The number by which a text takes its form."""
    for name in ("count", "seconds"):
        value = params.get(name)
        if isinstance(value, int):
            return value
    for name in ("seats", "places"):
        value = params.get(name)
        if isinstance(value, list | tuple):
            return len(value)
    return None


@cache
def _load(language: str) -> Script:
    file = data_folder("scripts") / f"{language}.yaml"
    if not file.is_file():
        raise ScriptProblems([f"{file}:1: there must be a script for each language; got {language}"])
    script = Script.from_file(file)
    if script.language != language:
        raise ScriptProblems([f"{file}:1: the language must be that of the file's name; got {script.language}"])
    return script
