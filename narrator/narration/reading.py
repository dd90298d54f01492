"""Reading a script's YAML: a flat table of texts with their lines, and every problem at once."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from narrator.narration.keys import KEYS, SECTIONS, Key

Loader: type[yaml.SafeLoader] | type[yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Forms = dict[str, str]
"""`one` and `other`, or only `other`."""

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

    def fault(self, node: yaml.Node, text: str) -> None:
        """Note a problem at the line of a node."""
        self.problems.append(f"{self.file}:{node.start_mark.line + 1}: {text}")


def read(file: Path) -> Reading:
    """The texts of a script; ScriptProblems, naming all of them, if it is not a whole and sound one."""
    reading = Reading(file)
    root = _compose(file)
    if isinstance(root, yaml.MappingNode):
        _read_root(reading, root)
    else:
        reading.problems.append(f"{file}:1: a script must be a mapping of sections; got something else")
    if reading.problems:
        raise ScriptProblems(reading.problems)
    return reading


def _compose(file: Path) -> yaml.Node | None:
    try:
        return yaml.compose(file.read_text("utf-8"), Loader=Loader)
    except OSError as error:
        raise ScriptProblems([f"{file}:1: the script must be a readable file; got {error.strerror}"]) from error
    except UnicodeDecodeError as error:
        raise ScriptProblems([f"{file}:1: the script must be written in UTF-8; got {error.reason}"]) from error
    except yaml.YAMLError as error:
        raise ScriptProblems([f"{file}:{_line(error)}: this must be YAML; got {_told(error)}"]) from error


def _line(error: yaml.YAMLError) -> int:
    mark = getattr(error, "problem_mark", None)
    return int(mark.line) + 1 if mark else 1


def _told(error: yaml.YAMLError) -> str:
    return str(getattr(error, "problem", None) or getattr(error, "reason", error))


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
        reading.fault(root, f"every key must have a text; missing are {', '.join(missing)}")


def _check_head(reading: Reading, root: yaml.Node, nodes: Mapping[str, yaml.Node]) -> None:
    for name in HEAD[:3]:
        if not isinstance(reading.head.get(name), str):
            reading.fault(nodes.get(name, root), f"{name} must be a text; got {reading.head.get(name)}")
    words = reading.head.get("closing_words")
    if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
        reading.fault(
            nodes.get("closing_words", root), f"closing_words must be a list of at least one word; got {words}"
        )
    if not isinstance(reading.head.get("contractions", {}), dict):
        reading.fault(nodes["contractions"], "contractions must be a mapping of texts; got something else")


def _entries(reading: Reading, node: yaml.MappingNode) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    seen: set[str] = set()
    for key, value in node.value:
        if key.value in seen:
            reading.fault(key, f"a key must stand only once; got {key.value} again")
        seen.add(key.value)
        yield key.value, key, value


def _plain(reading: Reading, node: yaml.Node) -> object:
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [item.value for item in node.value]
    if isinstance(node, yaml.MappingNode):
        return {key: value.value for key, _, value in _entries(reading, node)}
    return None


def _read_section(reading: Reading, prefix: str, node: yaml.Node) -> None:
    if not isinstance(node, yaml.MappingNode):
        reading.fault(node, f"the section {prefix or 'lines'} must be a mapping of keys to texts; got {node.value}")
        return
    for name, key_node, value in _entries(reading, node):
        key = prefix + name
        if key in KEYS:
            _read_text(reading, KEYS[key], value)
        elif isinstance(value, yaml.MappingNode):
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
    if isinstance(node, yaml.MappingNode) and {entry[0].value for entry in node.value} == PLURAL:
        if "count" not in key.params:
            reading.fault(node, f"{key.name} has no count, so it must be one text; got one and other")
        return {name: value.value for name, _, value in _entries(reading, node)}
    reading.fault(node, f"{key.name} must be a text, or the two texts `one` and `other`; got something else")
    return None


def _check_text(reading: Reading, key: Key, node: yaml.Node, text: str) -> None:
    if not isinstance(text, str) or not text:
        reading.fault(node, f"{key.name} must have words; got an empty text")
        return
    try:
        used = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError as error:
        reading.fault(node, f"{key.name}: braces must hold the name of a parameter; got {text!r} ({error})")
        return
    allowed = ", ".join(sorted(key.params)) or "none"
    for name in sorted(used - key.params):
        reading.fault(node, f"{key.name} has the parameters {allowed}; got {{{name}}}")
    for name in sorted(key.needs - used - _spared(node)):
        reading.fault(node, f"{key.name} must use the parameter {{{name}}}; got {text!r}")


def _spared(node: yaml.Node) -> set[str]:
    """A number may be written out in the form `one`."""
    return {"count", "seconds"} if isinstance(node, yaml.MappingNode) else set()
