"""Taking languages out of the text of a YAML file, with its layout and comments left as they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import yaml


@dataclass(frozen=True, order=True)
class Edit:
    """What stands from `start` up to `end` becomes `text`."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; they must not overlap."""
    for edit in sorted(set(edits), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def prune(text: str, node: yaml.Node, languages: Collection[str], known: Collection[str]) -> list[Edit]:
    """What to take out of a value so that, of the languages `known`, only texts in `languages` are left."""
    return _Pruner(text, frozenset(languages), frozenset(known)).node(node)


class _Pruner:
    def __init__(self, text: str, languages: frozenset[str], known: frozenset[str]) -> None:
        self.text, self.languages, self.known = text, languages, known

    def node(self, node: yaml.Node) -> list[Edit]:
        """The edits inside of a node that is not empty afterwards."""
        if isinstance(node, yaml.CollectionNode) and node.flow_style:
            rendered = self.rendered(node)
            changed = rendered != self.raw(node)
            return [Edit(node.start_mark.index, node.end_mark.index, rendered)] if changed else []
        if isinstance(node, yaml.SequenceNode):
            return [edit for item in node.value for edit in self.node(item)]
        return list(self.block(node)) if isinstance(node, yaml.MappingNode) else []

    def block(self, node: yaml.MappingNode) -> Iterator[Edit]:
        for index, (key, value) in enumerate(node.value):
            if self.stays(node, key, value):
                yield from self.node(value)
                continue
            start = self.text.rfind("\n", 0, key.start_mark.index) + 1
            after = [following.start_mark.index for following, _ in node.value[index + 1 :]]
            end = self.text.rfind("\n", 0, after[0]) + 1 if after else end_of_lines(self.text, value)
            yield Edit(start, end, "")

    def rendered(self, node: yaml.Node) -> str:
        """A value written in braces or brackets, without what is taken out."""
        if isinstance(node, yaml.MappingNode):
            kept = [pair for pair in node.value if self.stays(node, *pair)]
            parts = [f"{self.raw(key)}: {self.rendered(value)}" for key, value in kept]
            return f"{{{', '.join(parts)}}}" if self.changes(node) else self.raw(node)
        if isinstance(node, yaml.SequenceNode) and self.changes(node):
            return f"[{', '.join(map(self.rendered, node.value))}]"
        return self.raw(node)

    def changes(self, node: yaml.Node) -> bool:
        """Whether something inside of a node is taken out; not if it refers to what stands elsewhere."""
        if any(not _holds(node, child) for child in _children(node)):
            return False
        if isinstance(node, yaml.MappingNode):
            return any(not self.stays(node, *pair) or self.changes(pair[1]) for pair in node.value)
        return isinstance(node, yaml.SequenceNode) and any(map(self.changes, node.value))

    def stays(self, parent: yaml.MappingNode, key: yaml.Node, value: yaml.Node) -> bool:
        if {key.value for key, _ in parent.value} <= self.known:
            return key.value in self.languages
        return not isinstance(value, yaml.MappingNode) or not value.value or self.is_left(value)

    def is_left(self, node: yaml.MappingNode) -> bool:
        """Whether anything is left of a mapping."""
        return any(self.stays(node, *pair) for pair in node.value)

    def raw(self, node: yaml.Node) -> str:
        return self.text[node.start_mark.index : node.end_mark.index]


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [value for _, value in node.value]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _holds(node: yaml.Node, child: yaml.Node) -> bool:
    return bool(node.start_mark.index <= child.start_mark.index <= node.end_mark.index)


def end_of_lines(text: str, node: yaml.Node) -> int:
    """Where the line after a value begins; blank lines and comments after it do not belong to it."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    end = len(text[: node.end_mark.index].rstrip())
    newline = text.find("\n", end)
    return len(text) if newline < 0 else newline + 1
