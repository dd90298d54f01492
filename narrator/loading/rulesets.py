"""Rulesets from files: found, completed with what is usual or taken over, checked, and built."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from narrator.loading.checks import problems_of, senseless
from narrator.loading.checks.wording import Vocabulary
from narrator.loading.files.common import complete
from narrator.loading.files.problem import FileProblems, Where
from narrator.loading.files.ruleset_file import RulesetFile, playable, read_ruleset
from narrator.loading.files.yaml_lines import Document, Located, parse_yaml, read_text, read_yaml
from narrator.loading.house import takeover
from narrator.loading.house.editions import Edition
from narrator.loading.house.own_part import plain_cards
from narrator.model.ruleset import Ruleset
from narrator.places import data_folder


class RulesetProblems(FileProblems):
    """What is wrong with a ruleset: every problem as `file:line: what, and what would be right`."""


@dataclass(frozen=True)
class RulesetReport:
    """What has been found in a ruleset file: each as `file:line: what, and what would be right`."""

    problems: tuple[str, ...] = ()
    """It cannot be played like this."""
    warnings: tuple[str, ...] = ()
    """It can be played, but is perhaps not what was meant."""
    brought: tuple[tuple[str, ...], ...] = ()
    """For each role under `add`: what has come with it."""


def shipped() -> dict[str, Path]:
    """Ruleset id -> file, of those that come with the program."""
    return {path.stem: path for path in sorted(data_folder("rulesets").glob("*.yaml")) if path.stem != "common"}


def extra_roles() -> dict[str, Path]:
    """Id -> file of the extra roles that can be added to any ruleset with one card each."""
    return {path.stem: path for path in sorted((data_folder("rulesets") / "extras").glob("*.yaml"))}


def load(path: Path, extra: Iterable[str] = ()) -> Ruleset:
    """The ruleset of a file, with roles of other rulesets added. Raises RulesetProblems."""
    return playable(_sound(_whole(path, extra)))


def document(path: Path, extra: Iterable[str] = ()) -> Document:
    """What a ruleset file says, completed, so that it can be understood by itself. Raises RulesetProblems."""
    return cast(Document, _whole(path, extra).data)


def extend(found: Mapping[str, Any], extra: Iterable[str]) -> Document:
    """A completed document with roles of other rulesets added. Raises RulesetProblems."""
    names = tuple(extra)
    return cast(Document, _expanded(Located(str(found["id"]), dict(found)), names)[0].data) if names else dict(found)


def from_document(found: Mapping[str, Any], name: str = "ruleset") -> Ruleset:
    """The ruleset of a completed document. Raises RulesetProblems; `name` stands for the file."""
    return playable(_sound(Located(name, found)))


def examine(path: Path, vocabulary: Vocabulary | None = None) -> RulesetReport:
    """Everything that can be said against a ruleset file; with `vocabulary`, also words that would be missing."""
    try:
        text = read_text(path)
    except FileProblems as error:
        return RulesetReport(tuple(error.problems))
    return examine_text(text, str(path), vocabulary)


def examine_text(text: str, file: str, vocabulary: Vocabulary | None = None) -> RulesetReport:
    """The same of the text of a ruleset file; `file` is the name that problems give."""
    try:
        located, brought = _expanded(_mapping(parse_yaml(text, file)), ())
        source = _formed(located)
    except FileProblems as error:
        return RulesetReport(tuple(error.problems))
    found = [*problems_of(source), *senseless(source, vocabulary)]
    return RulesetReport(
        tuple(located.problem(one.path, one.what) for one in found if not one.mild),
        (*located.doubts, *(located.problem(one.path, one.what) for one in found if one.mild)),
        brought,
    )


def addable(found: Document) -> dict[str, str]:
    """The roles that can be added to a completed ruleset in a citizen's place -> the ruleset each is taken from."""
    target, roles = Edition(found), {}
    if not any(plain_cards(found, seats) > 1 for seats in range(found["seats"][0], found["seats"][1] + 1)):
        return {}
    for role in dict.fromkeys(role for book in library().values() for role in book["roles"]):
        with contextlib.suppress(takeover.CannotAdd):
            if role not in found["roles"]:
                roles[role] = takeover.source_of(role, target, library()).id
    return {role: book for role, book in roles.items() if _can_be_added(found, role)}


def _can_be_added(found: Document, role: str) -> bool:
    expanded = takeover.expand(found, [_item(role)], library())
    count = expanded.document["roles"].get(role, {}).get("count", 0)
    return not expanded.problems and any(count.values() if isinstance(count, dict) else [count])


@functools.cache
def library() -> Mapping[str, Document]:
    """Everything from which roles can be taken over: id -> completed document; the extra roles come first."""
    books = {name: _extra_book(cast(Document, read_yaml(path).data)) for name, path in extra_roles().items()}
    return books | {name: document(path) for name, path in shipped().items()}


def _extra_book(extra: Document) -> Document:
    """An extra role as a ruleset of that role alone."""
    book = {
        "id": extra["role"],
        "citizen": "",
        "roles": {extra["role"]: {"camp": extra["camp"]}},
        "night": [extra["step"]],
        "endings": [],
    }
    return complete(book, _common())


@functools.cache
def _common() -> Document:
    return cast(Document, read_yaml(data_folder("rulesets") / "common.yaml").data)


def _mapping(located: Located) -> Located:
    if not isinstance(located.data, dict):
        raise RulesetProblems([located.problem((), "is no ruleset: it must begin with `id:` and the other keys")])
    return located


def _whole(path: Path, extra: Iterable[str]) -> Located:
    try:
        return _expanded(_mapping(read_yaml(path)), extra)[0]
    except FileProblems as error:
        raise RulesetProblems(error.problems) from None


def _expanded(located: Located, extra: Iterable[str]) -> tuple[Located, tuple[tuple[str, ...], ...]]:
    """The completed document, with the roles of `add` and of `extra` in their places, and what these have brought."""
    located = replace(located, data=complete(located.data, _common()))
    names = tuple(extra)
    if not names and not located.data.get("add"):
        located.data.pop("add", None)
        return located, ()
    _formed(located)
    items = [*map(_item, located.data.get("add", [])), *map(_item, names)]
    expanded = takeover.expand(located.data, items, library())
    if expanded.problems:
        raise RulesetProblems([located.problem(("add", index), why) for index, why in expanded.problems])
    lines = _lines(located.lines, expanded, items)
    return replace(located, data=complete(expanded.document, _common()), lines=lines), tuple(
        tuple(expanded.notes[index]) for index in sorted(expanded.notes)
    )


def _item(said: str | Document) -> Document:
    """What is said of an added role; only its name, or its name and where it comes from: `hunter@box-werewolf`."""
    if not isinstance(said, str):
        return said
    role, _, book = said.partition("@")
    return {"role": role, "from": book or None}


def _lines(given: dict[Where, int], expanded: takeover.Expanded, items: Iterable[Document]) -> dict[Where, int]:
    """The lines of the parts where they stand now; what was added stands where it was asked for."""
    lines = {path: line for path, line in given.items() if path[:1] != ("night",) or len(path) == 1}
    old = iter(range(len(expanded.origins)))
    for index, origin in enumerate(expanded.origins):
        if origin is not None:
            lines["night", index] = given.get(("add", origin), 1)
            continue
        place = next(old)
        lines |= {("night", index, *path[2:]): line for path, line in given.items() if path[:2] == ("night", place)}
    for index, item in enumerate(items):
        lines["roles", item["role"]] = given.get(("add", index), 1)
    return lines


def _formed(located: Located) -> RulesetFile:
    source, problems = read_ruleset(located.data)
    if source is None:
        raise RulesetProblems([located.problem(path, what) for path, what in problems])
    return source


def _sound(located: Located) -> RulesetFile:
    source = _formed(located)
    problems = [located.problem(one.path, one.what) for one in problems_of(source) if not one.mild]
    if problems:
        raise RulesetProblems(problems)
    return source
