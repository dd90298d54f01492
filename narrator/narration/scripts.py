"""A script: everything the narrator says in one language, and its file.

A script's YAML is a flat table of texts; every problem in it is told with its line, all at once.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import yaml

from narrator.form_faults import shown
from narrator.language_tags import text_in
from narrator.model.ruleset import KIN, Texts
from narrator.narration.keys import KEYS, SECTIONS, Key
from narrator.places import data_folder
from narrator.yaml_nodes import LINE_END, NotYaml, compose, cut_short

LANGUAGES = ("zh-Hans", "zh-Hant", "es", "en")
"""The shipped languages, in the order in which they are offered; further ones follow by their tags."""

JOINT, CARD_JOINT = "|", "¦"
"""What marks in a text where it may be parted into phrases that are recorded once; the second only beside a card."""

_SENTENCE_END = re.compile(r"(?<=[。！？])(?=.)|(?<=[.!?])(?=\s)")
_START = re.compile(r"(^|[.!?]\s+)([¡¿]?)([^\W\d_])")

Names = Mapping[int, str]
Forms = dict[str, str]
"""`one` and `other`, or only `other`."""


def sentences(text: str) -> tuple[str, ...]:
    """A text that is no line of a script, in its sentences."""
    return tuple(_SENTENCE_END.split(text))


def languages() -> tuple[str, ...]:
    """The languages that have a script: one file each."""
    found = {file.stem for file in data_folder("scripts").glob("*.yaml")}
    return tuple(sorted(found, key=lambda tag: (LANGUAGES.index(tag) if tag in LANGUAGES else len(LANGUAGES), tag)))


def localized(texts: Texts, language: str, otherwise: str) -> str:
    """The text in a language, else in its kin, else in English, else any, else `otherwise`."""
    return text_in(texts, (language, *KIN.get(language, ()), "en", *texts)) or otherwise


_DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_RIGHT_TO_LEFT = {"R", "AL", "AN"}
"""Kinds of signs by their direction, as Unicode has them: those that only turn it, and those written leftwards."""


def isolated(name: str) -> str:
    """A name as it stands among other words: one that is written from right to left changes no order beside it."""
    plain = "".join(sign for sign in name if unicodedata.bidirectional(sign) not in _DIRECTIONS)
    leftward = any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in plain)
    return f"\u2068{plain}\u2069" if leftward else plain


class Script:
    """The words of one language. Seats given as numbers are spoken as that language speaks them."""

    def __init__(
        self, head: Mapping[str, object], texts: Mapping[str, Forms], joint: str = "", doubts: Iterable[str] = ()
    ) -> None:
        """`joint` is what stands in the texts' joints, and between their sentences: JOINT, or nothing."""
        self.doubts = tuple(doubts)
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
        self._texts = {key: {form: self._own(text) for form, text in forms.items()} for key, forms in texts.items()}

    @classmethod
    def load(cls, language: str) -> Script:
        """The shipped script of a language; ScriptProblems with file and line if it is faulty or missing."""
        return _load(language)

    @classmethod
    def from_file(cls, file: Path) -> Script:
        """The script in a file; ScriptProblems with file and line if it is faulty."""
        reading = read_script(file)
        return cls(reading.head, reading.texts, doubts=reading.doubts)

    @cached_property
    def jointed(self) -> Script:
        """The same script, all of whose texts say where they may be parted."""
        return Script(self._head, self._marked, JOINT)

    def parted(self, text: str) -> str:
        """A text from elsewhere, such as a ruleset's own, with joints between its sentences if this script has any."""
        return _SENTENCE_END.sub(self.joint, text)

    def _own(self, text: str) -> str:
        """A text of this script, with its joints if it is to have any."""
        return self.parted(text if self.joint else text.replace(JOINT, "").replace(CARD_JOINT, ""))

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
        return self.filled(self._form(key, _count(params)), names, **params)

    def worded(self, text: str, names: Names | None = None, **params: object) -> str:
        """A text from elsewhere, such as a ruleset's own for a key, with its parameters, as a sentence."""
        return self.sentence(self.filled(self._own(text), names, **params))

    def filled(self, text: str, names: Names | None = None, **params: object) -> str:
        """A text with its parameters in words."""
        return self._contract(text.format(**{name: self._words(name, value, names) for name, value in params.items()}))

    def sentence(self, text: str) -> str:
        """The text with a capital at the start of each sentence, where the writing has capitals."""
        return _START.sub(lambda found: found[1] + found[2] + found[3].upper(), text)

    def seat(self, seat: int, names: Names | None = None) -> str:
        """`5` -> "5号", "player 5", "el jugador 5"."""
        if names and names.get(seat):
            return self.phrase("words.seat_named", n=seat, name=isolated(names[seat]))
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
            return self.phrase("words.seats_item_named", n=seat, name=isolated(names[seat]))
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


# The file

PLURAL = {"one", "other"}
HEAD = ("language", "name", "spoken", "closing_words", "contractions")
"""What stands at the head of a script; `contractions` may be left out."""


class ScriptProblems(ValueError):
    """A script that cannot be used; `problems` holds every fault as `file:line: what, and what would be right`."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@dataclass
class Reading:
    """What was found in a file."""

    file: Path
    texts: dict[str, Forms] = field(default_factory=dict)
    head: dict[str, object] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    """What reads as it is, but is perhaps not meant: each as `file:line: what, and what would be right`."""

    def fault(self, node: yaml.Node, text: str) -> None:
        """Note a problem at the line of a node."""
        self.problems.append(f"{self.file}:{node.start_mark.line + 1}: {text}")

    def look_through(self, node: yaml.Node, lines: list[str], known: set[int]) -> None:
        """Note what makes no text, and where a comment cuts one short, in a node and all that lies in it."""
        if id(node) in known:
            return
        known.add(id(node))
        if isinstance(node, yaml.ScalarNode):
            if cut := cut_short(node, lines):
                self.doubts.append(f"{self.file}:{node.start_mark.line + 1}: {cut}")
            return
        for key, value in [item if isinstance(item, tuple) else (None, item) for item in node.value]:
            if key is not None and not isinstance(key, yaml.ScalarNode):
                self.fault(key, "a key must be a word; got a list or other keys")
            self.look_through(value, lines, known)


def read_script(file: Path) -> Reading:
    """The texts of a script; ScriptProblems, naming all of them, if it is not a whole and sound one."""
    reading = Reading(file)
    text = _text(file)
    try:
        root = compose(text)
    except NotYaml as fault:
        raise ScriptProblems([f"{file}:{fault.line}: {fault.what}"]) from None
    if isinstance(root, yaml.MappingNode):
        reading.look_through(root, LINE_END.split(text), set())
        _read_root(reading, root)
    else:
        reading.problems.append(f"{file}:1: is no script: it must begin with `language:` and the other keys")
    if reading.problems:
        raise ScriptProblems(reading.problems)
    return reading


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")
    except OSError as error:
        raise ScriptProblems([f"{file}:1: the script must be a readable file; got {error.strerror}"]) from error
    except UnicodeDecodeError as error:
        raise ScriptProblems([f"{file}:1: is not UTF-8 text (byte {error.start}); save it as UTF-8"]) from error


def _read_root(reading: Reading, root: yaml.MappingNode) -> None:
    nodes: dict[str, yaml.Node] = {}
    for key, node, value in _entries(reading, root):
        if key in HEAD:
            reading.head[key] = _plain(reading, value)
            nodes[key] = value
        elif key in SECTIONS:
            _read_section(reading, "" if key == "lines" else f"{key}.", value)
        else:
            reading.fault(node, f"no such section; a script has {', '.join((*HEAD, *SECTIONS))}; got {key}")
    _check_head(reading, root, nodes)
    missing = [name for name in KEYS if name not in reading.texts]
    if missing:
        reading.fault(root, f"every key must have a text; missing are {few(missing)}")


MOST_NAMED = 12


def few(words: list[str]) -> str:
    """The words, or the first of very many and how many more there are."""
    more = len(words) - MOST_NAMED
    return ", ".join(words[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _check_head(reading: Reading, root: yaml.Node, nodes: Mapping[str, yaml.Node]) -> None:
    for name in HEAD[:3]:
        if not isinstance(reading.head.get(name), str):
            reading.fault(nodes.get(name, root), f"{name} must be a text; got {shown(reading.head.get(name))}")
    words = reading.head.get("closing_words")
    if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
        reading.fault(
            nodes.get("closing_words", root), f"closing_words must be a list of at least one word; got {shown(words)}"
        )
    if not isinstance(reading.head.get("contractions", {}), dict):
        reading.fault(nodes["contractions"], "contractions must be keys with texts; got something else")


def _entries(reading: Reading, node: yaml.MappingNode) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    seen: set[str] = set()
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            continue
        if key.value in seen:
            reading.fault(key, f"a key must stand only once; got {key.value} again")
        seen.add(key.value)
        yield key.value, key, value


def _plain(reading: Reading, node: yaml.Node) -> object:
    """A node of the head as texts: alone, in a list, or under keys; anything deeper as None."""
    if isinstance(node, yaml.SequenceNode):
        return [_word(item) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        return {key: _word(value) for key, _, value in _entries(reading, node)}
    return _word(node)


def _word(node: yaml.Node) -> str | None:
    return node.value if isinstance(node, yaml.ScalarNode) else None


def _read_section(reading: Reading, prefix: str, node: yaml.Node) -> None:
    if not isinstance(node, yaml.MappingNode):
        reading.fault(node, f"the section {prefix.rstrip('.') or 'lines'} must be keys with texts; got {_said(node)}")
        return
    for name, key_node, value in _entries(reading, node):
        key = prefix + name
        if key in KEYS:
            _read_text(reading, KEYS[key], value)
        elif isinstance(value, yaml.MappingNode) and any(known.startswith(f"{key}.") for known in KEYS):
            _read_section(reading, f"{key}.", value)
        else:
            reading.fault(key_node, f"no such key is declared; got {key}")


def _read_text(reading: Reading, key: Key, node: yaml.Node) -> None:
    forms = _forms(reading, key, node)
    if forms is None:
        return
    for text in forms.values():
        _check_text(reading, key, node, text)
    reading.texts[key.name] = forms


def _forms(reading: Reading, key: Key, node: yaml.Node) -> Forms | None:
    if isinstance(node, yaml.ScalarNode):
        return {"other": node.value}
    found = _plain(reading, node)
    if isinstance(found, dict) and found.keys() == PLURAL and None not in found.values():
        if "count" not in key.params:
            reading.fault(node, f"{key.name} has no count, so it must be one text; got one and other")
        return found
    reading.fault(node, f"{key.name} must be a text, or the two texts `one` and `other`; got {_said(node)}")
    return None


def _said(node: yaml.Node) -> str:
    """What stands there, in words."""
    if isinstance(node, yaml.ScalarNode):
        return shown(node.value)
    return "a list" if isinstance(node, yaml.SequenceNode) else "keys with values"


def _check_text(reading: Reading, key: Key, node: yaml.Node, text: str) -> None:
    if not text:
        reading.fault(node, f"{key.name} must have words; got an empty text")
        return
    try:
        parts = [part[1:] for part in string.Formatter().parse(text) if part[1] is not None]
    except ValueError:
        parts = [("", "", None)]
    if any(name == "" or form or conversion for name, form, conversion in parts):
        reading.fault(node, f"{key.name}: braces must hold the name of a parameter and nothing else; got {shown(text)}")
        return
    used = {str(name) for name, _, _ in parts}
    allowed = ", ".join(sorted(key.params)) or "none"
    for name in sorted(used - key.params):
        reading.fault(node, f"{key.name} has the parameters {allowed}; got {{{name}}}")
    for name in sorted(key.needs - used - _spared(node)):
        reading.fault(node, f"{key.name} must use the parameter {{{name}}}; got {shown(text)}")


def _spared(node: yaml.Node) -> set[str]:
    """A number may be written out in the form `one`."""
    return {"count", "seconds"} if isinstance(node, yaml.MappingNode) else set()
