"""Rulesets from files: found, completed with the usual names, checked, and built."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from narrator.loading import checks, schema
from narrator.loading.build import build
from narrator.loading.completing import add_extra, complete
from narrator.loading.yaml_lines import FileProblems, Located, read_yaml
from narrator.model.ruleset import Ruleset
from narrator.places import data_folder

Document = dict[str, Any]


class RulesetProblems(FileProblems):
    """What is wrong with a ruleset: every problem as `file:line: what, and what would be right`."""


def shipped() -> dict[str, Path]:
    """Ruleset id -> file, of those that come with the program."""
    return {path.stem: path for path in sorted(data_folder("rulesets").glob("*.yaml")) if path.stem != "common"}


def extras() -> dict[str, Path]:
    """Id -> file of the extra roles that can be added to any ruleset with one card each."""
    return {path.stem: path for path in sorted((data_folder("rulesets") / "extras").glob("*.yaml"))}


def load(path: Path, extra: Iterable[str] = ()) -> Ruleset:
    """The ruleset of a file, with extra roles added. Raises RulesetProblems."""
    located = _located(path)
    return _build(Located(located.file, _document(located, extra), located.lines))


def document(path: Path, extra: Iterable[str] = ()) -> Document:
    """What a ruleset file says, completed, so that it can be understood by itself. Raises RulesetProblems."""
    return _document(_located(path), extra)


def check(path: Path) -> list[str]:
    """Every problem of a ruleset file; empty if it is sound."""
    try:
        located = _located(path)
        located = Located(located.file, _document(located), located.lines)
        return _problems(located, _validate(located))
    except FileProblems as error:
        return error.problems


def from_document(found: Mapping[str, Any], name: str = "ruleset") -> Ruleset:
    """The ruleset of a completed document. Raises RulesetProblems; `name` stands for the file."""
    return _build(Located(name, found))


def _build(located: Located) -> Ruleset:
    source = _validate(located)
    problems = _problems(located, source)
    if problems:
        raise RulesetProblems(problems)
    return build(source)


@functools.cache
def _common() -> Document:
    return cast(Document, read_yaml(data_folder("rulesets") / "common.yaml").data)


def _located(path: Path) -> Located:
    try:
        located = read_yaml(path)
    except FileProblems as error:
        raise RulesetProblems(error.problems) from None
    if not isinstance(located.data, dict):
        raise RulesetProblems([located.problem((), "is no ruleset: it must begin with `id:` and the other keys")])
    return located


def _document(located: Located, extra: Iterable[str] = ()) -> Document:
    found = complete(located.data, _common())
    known = extras()
    for name in extra:
        if name not in known:
            raise RulesetProblems([f"there is no extra role {name!r}; there are: {', '.join(known)}"])
        found = add_extra(found, read_yaml(known[name]).data, _common())
    return found


def _problems(located: Located, source: schema.RulesetFile) -> list[str]:
    return [located.problem(problem.path, problem.what) for problem in checks.find(source)]


def _validate(located: Located) -> schema.RulesetFile:
    try:
        return schema.RulesetFile.model_validate(located.data)
    except ValidationError as error:
        raise RulesetProblems([_validation_problem(located, details) for details in error.errors()]) from None


def _validation_problem(located: Located, details: ErrorDetails) -> str:
    path = tuple(part for part in details["loc"] if part != "[key]")
    where = ".".join(map(str, path)) or "the file"
    known = _known_keys(path) if details["type"] == "extra_forbidden" else ""
    what = {"extra_forbidden": "is not known here", "missing": "is missing"}.get(details["type"], details["msg"])
    return located.problem(path, f"{where}: {what}{known}")


def _known_keys(path: tuple[str | int, ...]) -> str:
    if len(path) != 1:
        return ""
    return f"; known keys: {', '.join(sorted(schema.RulesetFile.model_fields))}"
