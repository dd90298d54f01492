"""The rulesets that can be chosen: the shipped ones and the user's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from narrator.loading.rulesets import RulesetProblems, document, extras, from_document, shipped
from narrator.model.ruleset import Ruleset


class Shelf:
    """Rulesets by id. A file that is faulty is left out; `problems` says what is wrong with it."""

    def __init__(self, own: Path | None = None) -> None:
        """`own` is the folder of the user's own rulesets; one with the id of a shipped one takes its place."""
        self._files = {**shipped(), **(own_files(own) if own else {})}
        self.problems: list[str] = []
        for name in list(self._files):
            try:
                self.ruleset(name)
            except RulesetProblems as faulty:
                self.problems += faulty.problems
                del self._files[name]

    @property
    def rulesets(self) -> list[Ruleset]:
        """All of them."""
        return [self.ruleset(name) for name in self._files]

    def ruleset(self, name: str, extra: Iterable[str] = ()) -> Ruleset:
        """The ruleset of that id, with extra roles. KeyError if there is none, RulesetProblems if it is faulty."""
        return self._read(name, extra)[1]

    def document(self, name: str, extra: Iterable[str] = ()) -> Mapping[str, Any]:
        """What a journal keeps of it, so that the game can be read without the file."""
        return self._read(name, extra)[0]

    def _read(self, name: str, extra: Iterable[str]) -> tuple[Mapping[str, Any], Ruleset]:
        path = self._files[name]
        return read_once(path, path.stat().st_mtime_ns, tuple(extra))


@cache
def read_once(path: Path, changed: int, extra: tuple[str, ...]) -> tuple[Mapping[str, Any], Ruleset]:
    """The document and the ruleset of a file as it was last `changed`. RulesetProblems if it is faulty."""
    found = document(path, extra)
    return found, from_document(found, str(path))


def own_files(folder: Path) -> dict[str, Path]:
    """Ruleset id -> file, of the user's own."""
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def extra_roles(ruleset: Ruleset) -> tuple[str, ...]:
    """The extra roles that can be added to a ruleset."""
    return tuple(name for name in extras() if name not in ruleset.roles) if ruleset.hand.cards == 1 else ()
