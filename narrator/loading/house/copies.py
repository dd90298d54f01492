"""A ruleset file copied into one of one's own: the same text and layout, with another id, comments, roles added."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import yaml

from narrator.language_tags import meant
from narrator.loading.files.problem import FileProblems
from narrator.loading.files.yaml_lines import Document, parse_yaml

SCHEMA_FILE = "ruleset.schema.json"
"""Where editors find the JSON Schema: beside the rulesets."""

OF_HOUSE = {
    "zh-Hans": "（自家规则）",
    "zh-Hant": "（自家規則）",
    "es": " (reglas de la casa)",
    "en": " (house rules)",
}
"""What tells a copy from its original in the list."""

HEADER = """\
# yaml-language-server: $schema={schema}
# A ruleset of your own, copied from {original}. Change what you like and save; the table takes it up the next time
# somebody looks at the set-up. A game that is running keeps the rules with which it began. In a terminal:
#   narrator rules check {id}   says what is wrong, and in which line
#   narrator rules show {id}   says in words what is played
#   narrator rules roles {id}   lists the roles that can be added
#   narrator rules abilities   lists what a role can be made of

"""

COMMENTS: Mapping[str, str] = {
    "id": "What the game is called in commands. The file must have the same name.",
    "name": "What it is called at the table, in every language in which you play it.",
    "languages": "The languages in which it is meant to be played.",
    "about": "One line for the list of games.",
    "rules": "The summary that players can read before the game.",
    "seats": "The fewest and the most seats.",
    "hand": "What a player holds, and how many cards are left over on the table.",
    "citizen": "The plain role: it takes the cards that are left.",
    "roles": "The cards. camp: the side it wins with. count: a number, or by seats, as {8-10: 2, 11-14: 3}.\n"
    "name and task are known for usual roles; give `name: {en: …}` to call one otherwise.",
    "add": "Roles taken over from other games, each with its call at night, its options and its part in the endings.\n"
    "More can be said: {role: hunter, from: box-werewolf, count: 2, after: police, camp: good}.",
    "camps": "What the sides are called, where they are not the usual ones.",
    "options": "Switches on the set-up page, with their defaults.",
    "identify": "When the judge learns who holds what: at_call, or in a round of calls first of all.",
    "night": "Who is called at night, in this order. ability: what they do; with: how exactly.\n"
    "Own words: `lines: {open: {en: …}, ask: {en: …}, close: {en: …}}`.",
    "settling": "The way in which a night is settled.",
    "day": "Speeches, votes and ties, where they differ from the usual.",
    "last_words": "Who has last words: quota (as many deaths as cards with gives_last_words), all, or none.",
    "endings": "Who wins when. Looked at after every dawn and every vote; two sides at once are a draw.",
    "succession": "When the last card of `role` dies, the next `heir` takes it up.",
    "notices": "Lines said once at nightfall, as soon as `when` is true.",
    "reminders": "Lines said at every nightfall once somebody has died.",
}
"""Key of a ruleset -> what it is for."""


@dataclass(frozen=True)
class Copy:
    """What the copy is to be."""

    id: str
    original: str
    """The id of the ruleset that is copied."""
    languages: Collection[str] = ()
    """Only the texts in these languages are kept; empty: all."""
    add: Sequence[tuple[str, str]] = ()
    """(role, ruleset it is taken from, or '') for each role added."""


class CannotCopy(ValueError):
    """A file whose copy would not say what is meant."""


def copy_of(text: str, wanted: Copy) -> str:
    """The text of a ruleset file as that of another: `text` must be a sound ruleset file. Raises CannotCopy."""
    own = parse_yaml(text, wanted.original).data["name"]
    wanted = replace(wanted, languages=(*wanted.languages, *(tag for tag in own if meant(tag, wanted.languages))))
    copy = _edited_copy(text, wanted)
    try:
        is_same = parse_yaml(copy, wanted.id).data == _meant(parse_yaml(text, wanted.original).data, wanted)
    except FileProblems:
        is_same = False
    if not is_same:
        raise CannotCopy(
            f"a copy of {wanted.original} would not say the same; copy the file by hand, and change its id"
        )
    return copy


def _meant(document: Document, wanted: Copy) -> Document:
    """What the copy has to say when it is read."""
    names = _own_names(document["name"], wanted.languages)
    rest = {key: value for key, value in document.items() if key not in ("id", "name", "add")}
    if wanted.languages:
        rest = _in_languages(rest, wanted.languages, frozenset(document["name"]))
    added = [{"role": role, "from": book} if book else role for role, book in wanted.add]
    add = [*(document.get("add") or []), *added]
    return {"id": wanted.id, "name": names, **rest, **({"add": add} if add or "add" in document else {})}


def _in_languages(value: Any, languages: Collection[str], known: frozenset[str]) -> Any:
    """A value with, of the languages `known`, only texts in `languages`, and without what is left empty by that."""
    if isinstance(value, list):
        return [_in_languages(one, languages, known) for one in value]
    if not isinstance(value, dict):
        return value
    if value.keys() <= known:
        return {tag: text for tag, text in value.items() if tag in languages}
    kept = {key: _in_languages(one, languages, known) for key, one in value.items()}
    return {key: one for key, one in kept.items() if one != {} or value[key] == {}}


def _own_names(names: Mapping[str, str], languages: Collection[str]) -> dict[str, str]:
    """The names of the copy, which tell it from its original."""
    kept = {tag: name for tag, name in names.items() if tag in languages} or names
    return {tag: _suffixed(name, OF_HOUSE.get(tag, "")) for tag, name in kept.items()}


def _edited_copy(text: str, wanted: Copy) -> str:
    text = _without_header(text)
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(root, yaml.MappingNode):
        raise ValueError(f"a ruleset is made of keys with values; got {type(root).__name__}")
    pairs = {key.value: (key, value) for key, value in root.value}
    edits = [*_renamed(text, pairs, wanted), *_explained(text, pairs, wanted), *_with_roles(text, pairs, wanted)]
    known = [key.value for key, _ in pairs["name"][1].value]
    for name, (_, value) in pairs.items():
        if wanted.languages and name not in ("id", "name", "add"):
            edits += prune(text, value, wanted.languages, known)
    return HEADER.format(schema=SCHEMA_FILE, **vars(wanted)) + edited(text, edits).lstrip()


def _without_header(text: str) -> str:
    """The text of a copy without what stood at its head."""
    if not text.startswith(HEADER[: HEADER.index("{")]):
        return text
    return text.partition("\n\n")[2]


Pairs = Mapping[str, tuple[yaml.Node, yaml.Node]]


def _renamed(text: str, pairs: Pairs, wanted: Copy) -> Iterator[Edit]:
    for key, lines in (("id", f"id: {wanted.id}\n"), ("name", _names(pairs["name"][1], wanted.languages))):
        yield Edit(pairs[key][0].start_mark.index, end_of_lines(text, pairs[key][1]), lines)


def _names(node: yaml.Node, languages: Collection[str]) -> str:
    names = _own_names({key.value: value.value for key, value in node.value}, languages)
    lines = [f"  {scalar(tag)}: {scalar(name)}\n" for tag, name in names.items()]
    return "name:\n" + "".join(lines)


def _suffixed(name: str, suffix: str) -> str:
    return name if name.endswith(suffix) else name + suffix


def scalar(text: str) -> str:
    """A text as YAML, in quotes where it must be."""
    plain = not set(text) & set(":#{}[],&*!|>'\"%@`") and text.strip() == text and text != ""
    return text if plain and yaml.safe_load(text) == text else json.dumps(text, ensure_ascii=False)


def _explained(text: str, pairs: Pairs, wanted: Copy) -> Iterator[Edit]:
    """A comment above every key that has none yet."""
    for name, (key, _) in pairs.items():
        start = key.start_mark.index
        before = text[:start].rstrip("\n").rpartition("\n")[2]
        if name in COMMENTS and not before.startswith("#"):
            yield Edit(start, start, f"\n{_comment(name, wanted)}")


def _comment(name: str, wanted: Copy) -> str:
    """What a key is for, with examples in the language of the group."""
    text = COMMENTS[name].replace("en: …", f"{next(iter(wanted.languages), 'en')}: …")
    return "".join(f"# {line}\n" for line in text.splitlines())


def _with_roles(text: str, pairs: Pairs, wanted: Copy) -> Iterator[Edit]:
    lines = [f"  - {{role: {role}, from: {book}}}\n" if book else f"  - {role}\n" for role, book in wanted.add]
    if not lines:
        return
    if "add" in pairs:
        key, value = pairs["add"]
        old = [f"  - {text[item.start_mark.index : item.end_mark.index].strip()}\n" for item in value.value]
        yield Edit(key.start_mark.index, end_of_lines(text, value), "add:\n" + "".join(old + lines))
    else:
        end = end_of_lines(text, pairs["roles"][1])
        yield Edit(end, end, f"\n{_comment('add', wanted)}add:\n{''.join(lines)}")


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
