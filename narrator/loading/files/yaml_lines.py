"""YAML with the line of every value, so that problems can say where they are."""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from narrator.form_faults import shown
from narrator.loading.files.problem import FileProblems, Where
from narrator.yaml_nodes import LINE_END, NotYaml, compose, cut_short

Document = dict[str, Any]
"""A file that is made of keys with values."""


@dataclass
class Located:
    """A document and where its parts stand."""

    file: str
    data: Any
    lines: dict[Where, int] = field(default_factory=dict)
    """Path of keys and indexes -> line, from 1."""
    doubts: list[str] = field(default_factory=list)
    """What reads as it is, but would better be written otherwise: each as `file:line: what`."""

    def line(self, path: Where) -> int:
        """The line of the nearest part that stands in the file; 1 if none does."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def problem(self, path: Where, what: str) -> str:
        """`file:line: what`."""
        return f"{self.file}:{self.line(path)}: {what}"


LARGEST = 512 * 1024
"""Bytes of a file; a large ruleset has a twentieth of that."""


def read_yaml(path: Path) -> Located:
    """A YAML file with lines. Raises FileProblems if it cannot be read, is no YAML, or gives a key twice."""
    return parse_yaml(read_text(path), str(path))


def read_text(path: Path) -> str:
    """The text of a file of usual size. Raises FileProblems if it cannot be read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe or a device would never end
            raise FileProblems([f"{path}:1: is no file that holds a text; give the path of a file"])
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise FileProblems([f"{path}:1: is larger than any such file ({LARGEST // 1024} KiB at most)"])
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise FileProblems([f"{path}:1: cannot be read ({error.strerror}); give the path of a file"]) from None
    except UnicodeDecodeError as error:
        raise FileProblems([f"{path}:1: is not UTF-8 text (byte {error.start}); save it as UTF-8"]) from None


def parse_yaml(text: str, file: str) -> Located:
    """YAML text with lines; `file` is the name that problems give."""
    try:
        node = compose(text)
    except NotYaml as fault:
        raise FileProblems([f"{file}:{fault.line}: {fault.what}"]) from None
    return _Reader(file, text).read(node)


DEEPEST, LONGEST = 40, 100_000
"""How deep values may lie in one another, and how many there may be, repeated ones included."""
TOO_DEEP = f"lies too deep in other values; at most {DEEPEST} may enclose one another"
TOO_LONG = f"says too much: more than {LONGEST} values, those repeated by * included; say less"
TEXT = "tag:yaml.org,2002:str"
BAD_SCALAR = (yaml.YAMLError, ValueError, KeyError, IndexError, AttributeError, OverflowError)
"""What the library raises for a text that is not what its tag says."""


WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
"""A whole number as everybody writes it."""
SAME_IN_EIGHTS = re.compile(r"[-+]?0+[0-7]")
"""One with zeros before it that YAML's reading by eights leaves as it is."""
NUMBER_LIKE = re.compile(
    r"[-+]?([0-9][0-9_]*(\.[0-9_]*)?|0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|[0-9_]+(:[0-9_]+)+(\.[0-9_]*)?)"
)
"""A number in one of the ways in which one can be written."""
PLAIN_FRACTION = re.compile(r"[-+]?(0|[1-9][0-9]*)\.[0-9]*")


def odd_number(text: str) -> bool:
    """Whether unquoted text is a number in a way that YAML reads otherwise than people: 010, 08, 1:30, 0x1F, 1_000."""
    return bool(NUMBER_LIKE.fullmatch(text)) and not (WHOLE.fullmatch(text) or PLAIN_FRACTION.fullmatch(text))


class _Reader:
    """Turns nodes into plain values, noting lines and keys given twice."""

    def __init__(self, file: str, text: str) -> None:
        self.text_lines = LINE_END.split(text)
        self.found = Located(file, None)
        self.problems: list[str] = []
        self.constructor = yaml.SafeLoader("")
        self.open: set[int] = set()
        self.count = 0

    def read(self, node: yaml.Node | None) -> Located:
        self.found.data = self.value(node, ()) if node else None
        if self.problems:
            raise FileProblems(self.problems)
        return self.found

    def value(self, node: yaml.Node, path: Where) -> Any:
        self.found.lines[path] = node.start_mark.line + 1
        self.count += 1
        if self.count > LONGEST:
            self.problem(node, TOO_LONG)
            raise FileProblems(self.problems)
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node)
        if id(node) in self.open:
            return self.problem(node, "refers to itself; write it out")
        if len(path) > DEEPEST:
            return self.problem(node, TOO_DEEP)
        self.open.add(id(node))
        found = self.sequence(node, path) if isinstance(node, yaml.SequenceNode) else self.mapping(node, path)
        self.open.discard(id(node))
        return found

    def problem(self, node: yaml.Node, what: str) -> None:
        self.problems.append(f"{self.found.file}:{node.start_mark.line + 1}: {what}")

    def doubt(self, node: yaml.Node, what: str) -> None:
        self.found.doubts.append(f"{self.found.file}:{node.start_mark.line + 1}: {what}")

    def scalar(self, node: yaml.ScalarNode) -> Any:
        if not node.style and odd_number(node.value):
            if not SAME_IN_EIGHTS.fullmatch(node.value):
                return self.problem(node, _of_odd_number(node.value))
            self.doubt(node, f"{node.value} is read as {int(node.value)}; write it so")
        if node.tag == TEXT:
            if cut := cut_short(node, self.text_lines):
                self.doubt(node, cut)
            return node.value
        try:
            value = self.constructor.construct_object(node)
        except BAD_SCALAR:
            return self.problem(node, _of_tag(node))
        if isinstance(value, bool) and node.value.lower() != shown(value):
            self.doubt(node, f"{node.value} is read as {shown(value)}; write that, or put a text in quotes")
        elif value is not None and not isinstance(value, bool | int | float | str):
            return self.problem(node, _of_tag(node))
        return value

    def sequence(self, node: yaml.SequenceNode, path: Where) -> list[Any]:
        return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]

    def mapping(self, node: yaml.Node, path: Where) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key = self.key(key_node)
            if key is None:
                continue
            if key in found:
                self.problem(key_node, f"the key {key!r} is given twice; keep one of them")
            found[key] = self.value(value_node, (*path, key))
            self.found.lines[(*path, key)] = key_node.start_mark.line + 1
        return found

    def key(self, node: yaml.Node) -> str | int | bool | None:
        """The key that a node is; None if it can be none."""
        if node.tag.endswith(":merge"):
            self.problem(node, "`<<` is not understood here; write the keys out")
            return None
        before = len(self.problems)
        key = self.scalar(node) if isinstance(node, yaml.ScalarNode) else None
        if isinstance(key, str | int) and not isinstance(key, bool):
            return key
        if len(self.problems) == before:
            self.problem(node, "this key is neither a word nor a number; put it in quotes")
        return None


def _of_tag(node: yaml.ScalarNode) -> str:
    """What to say of a text that YAML takes for something that no file here has."""
    resolve: Any = yaml.SafeLoader("").resolve
    if not node.style and node.tag == resolve(yaml.ScalarNode, node.value, (True, False)):
        what = "a date" if node.tag.endswith(":timestamp") else "something else than a text"
        return f"{node.value} is read as {what}; put it in quotes if it is a text"
    mark = node.tag.replace("tag:yaml.org,2002:", "!!")
    return f"{mark} before {node.value!r} means nothing here; leave it out, or put the whole text in quotes"


def _of_odd_number(text: str) -> str:
    """What to say of a number in a way that people and YAML read differently."""
    digits = text.replace("_", "")
    cure = f"write {int(digits)}" if WHOLE.fullmatch(digits.lstrip("+-0") or "0") else "write it with the digits 0 to 9"
    return f"{text} is no plain number; {cure}, or put it in quotes if it is a text"
