"""YAML with the line of every value, so that problems can say where they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

Path_ = tuple[str | int, ...]

Loader: type[yaml.SafeLoader] | type[yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The quick one, where there is one."""


class FileProblems(ValueError):
    """What is wrong with a file: every problem as `file:line: what, and what would be right`."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@dataclass
class Located:
    """A document and where its parts stand."""

    file: str
    data: Any
    lines: dict[Path_, int] = field(default_factory=dict)
    """Path of keys and indexes -> line, from 1."""

    def line(self, path: Path_) -> int:
        """The line of the nearest part that stands in the file; 1 if none does."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def problem(self, path: Path_, what: str) -> str:
        """`file:line: what`."""
        return f"{self.file}:{self.line(path)}: {what}"


def read_yaml(path: Path) -> Located:
    """A YAML file with lines. Raises FileProblems if it cannot be read, is no YAML, or gives a key twice."""
    return parse_yaml(read_text(path), str(path))


def read_text(path: Path) -> str:
    """The text of a file. Raises FileProblems if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FileProblems([f"{path}:1: cannot be read ({error.strerror}); give the path of a file"]) from None
    except UnicodeDecodeError as error:
        raise FileProblems([f"{path}:1: is not UTF-8 text (byte {error.start}); save it as UTF-8"]) from None


def parse_yaml(text: str, file: str) -> Located:
    """YAML text with lines; `file` is the name that problems give."""
    try:
        node = yaml.compose(text, Loader=Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise FileProblems([f"{file}:{line}: is not YAML: {error.problem}"]) from None
    except yaml.YAMLError as error:
        raise FileProblems([f"{file}:1: is not YAML: {error}"]) from None
    return _Reader(file).read(node)


class _Reader:
    """Turns nodes into plain values, noting lines and keys given twice."""

    def __init__(self, file: str) -> None:
        self.found = Located(file, None)
        self.problems: list[str] = []
        self.constructor = yaml.SafeLoader("")
        self.open: set[int] = set()

    def read(self, node: yaml.Node | None) -> Located:
        self.found.data = self.value(node, ()) if node else None
        if self.problems:
            raise FileProblems(self.problems)
        return self.found

    def value(self, node: yaml.Node, path: Path_) -> Any:
        self.found.lines[path] = node.start_mark.line + 1
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node)
        if id(node) in self.open:
            self.problems.append(f"{self.found.file}:{node.start_mark.line + 1}: refers to itself; write it out")
            return None
        self.open.add(id(node))
        found = self.sequence(node, path) if isinstance(node, yaml.SequenceNode) else self.mapping(node, path)
        self.open.discard(id(node))
        return found

    def scalar(self, node: yaml.ScalarNode) -> Any:
        try:
            return self.constructor.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            what = getattr(error, "problem", None) or error
            self.problems.append(f"{self.found.file}:{node.start_mark.line + 1}: {what}")
            return None

    def sequence(self, node: yaml.SequenceNode, path: Path_) -> list[Any]:
        return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]

    def mapping(self, node: yaml.Node, path: Path_) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            key = self.scalar(key_node) if isinstance(key_node, yaml.ScalarNode) else None
            if not isinstance(key, str | int | bool):
                self.problems.append(f"{self.found.file}:{line}: this key is neither a word nor a number")
                continue
            if key in found:
                self.problems.append(f"{self.found.file}:{line}: the key {key!r} is given twice; keep one of them")
            found[key] = self.value(value_node, (*path, key))
            self.found.lines[(*path, key)] = line
        return found
