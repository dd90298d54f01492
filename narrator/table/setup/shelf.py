"""The rulesets that can be chosen: the shipped ones and the user's own, as they are when somebody looks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from narrator.loading.checks.wording import Vocabulary
from narrator.loading.files.yaml_lines import Document
from narrator.loading.rulesets import (
    RulesetProblems,
    addable,
    document,
    examine,
    extend,
    from_document,
    library,
    shipped,
)
from narrator.model.ruleset import Ruleset
from narrator.narration.keys import KEYS
from narrator.narration.scripts import languages

Stamp = tuple[int, int]


@dataclass(frozen=True)
class Broken:
    """A ruleset of the user's own that cannot be played."""

    id: str
    problem: str
    """The first thing that is wrong with it, as `file:line: what, and what would be right`."""


@dataclass
class _Book:
    """A ruleset file as it was when somebody looked."""

    path: Path
    stamp: Stamp
    document: Document | None = None
    """The last sound version."""
    problem: str = ""
    extended: dict[tuple[str, ...], tuple[Document, Ruleset]] = field(default_factory=dict)
    """Extra roles -> the ruleset with these."""
    addable: dict[str, str] | None = None


@cache
def shipped_books() -> dict[str, _Book]:
    """The shipped rulesets, which stay as they are while the program runs."""
    return {name: _Book(path, _stamp(path), document(path)) for name, path in shipped().items()}


class Shelf:
    """Rulesets by id. A faulty file is listed as broken; if it was sound before, that version can still be played."""

    def __init__(self, own: Path | None = None) -> None:
        """`own` is the folder of the user's own rulesets; one with the id of a shipped one takes its place."""
        self._own_folder = own
        self._shipped = shipped_books()
        self._own: dict[str, _Book] = {}
        self.look()

    def look(self) -> bool:
        """Take up what has been changed, added or removed in the user's folder; whether there was anything."""
        files = own_files(self._own_folder) if self._own_folder else {}
        gone = self._own.keys() - files.keys()
        for name in gone:
            del self._own[name]
        changed = [name for name, path in files.items() if self._is_new(name, path)]
        for name in changed:
            self._own[name] = _read(files[name], self._own.get(name))
        return bool(gone or changed)

    def _is_new(self, name: str, path: Path) -> bool:
        return name not in self._own or self._own[name].stamp != _stamp(path)

    @property
    def rulesets(self) -> list[Ruleset]:
        """All that can be played."""
        return [self.ruleset(name) for name in self._books]

    @property
    def broken(self) -> list[Broken]:
        """The user's own that are faulty."""
        return [Broken(name, book.problem) for name, book in self._own.items() if book.problem]

    @property
    def problems(self) -> list[str]:
        """What is wrong with those, the first problem of each."""
        return [one.problem for one in self.broken]

    def ruleset(self, name: str, extra: Iterable[str] = ()) -> Ruleset:
        """The ruleset of that id, with roles of others added (`hunter`, or `hunter@RULESET`).

        KeyError if there is none of that id, RulesetProblems if the roles cannot be added to it.
        """
        return self._extended(name, tuple(extra))[1]

    def document(self, name: str, extra: Iterable[str] = ()) -> Document:
        """What a journal keeps of it, so that the game can be read without the file."""
        return self._extended(name, tuple(extra))[0]

    def addable(self, name: str) -> dict[str, str]:
        """The roles that can be added to a ruleset -> the one each is taken from. KeyError if there is none."""
        book = self._books[name]
        if book.addable is None:
            book.addable = addable(dict(_sound(book)))
        return book.addable

    @property
    def _books(self) -> dict[str, _Book]:
        return self._shipped | {name: book for name, book in self._own.items() if book.document is not None}

    def _extended(self, name: str, extra: tuple[str, ...]) -> tuple[Document, Ruleset]:
        book = self._books[name]
        if extra not in book.extended:
            whole = extend(_sound(book), extra)
            book.extended[extra] = (whole, from_document(whole, str(book.path)))
        return book.extended[extra]


def role_texts(role: str, book: str) -> Document:
    """What a ruleset of the library says of a role."""
    texts: Document = library()[book]["roles"][role]
    return texts


def own_files(folder: Path) -> dict[str, Path]:
    """Ruleset id -> file, of the user's own."""
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def _sound(book: _Book) -> Document:
    if book.document is None:
        raise RulesetProblems([book.problem])
    return book.document


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)


def _read(path: Path, before: _Book | None) -> _Book:
    """A file of the user's own, as it is now."""
    stamp = _stamp(path)
    problem = next(iter(examine(path, Vocabulary(languages(), KEYS)).problems), "")
    if not problem:
        try:
            return _named(path, _Book(path, stamp, document(path)))
        except RulesetProblems as changed:
            problem = changed.problems[0]
    return _Book(path, stamp, before.document if before else None, problem, before.extended if before else {})


def _named(path: Path, book: _Book) -> _Book:
    """The same book, if its file is called as it must be."""
    found = _sound(book)["id"]
    if found == path.stem:
        return book
    what = f"the file must be called {found}.yaml, or the id be {path.stem}"
    return _Book(path, book.stamp, problem=f"{path}:1: {what}; got id {found}")
