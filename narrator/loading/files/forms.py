"""Whether a file has the form that it should: problems of form, put into words."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from narrator.form_faults import place, shown, what_is_wrong
from narrator.loading.files.problem import Where, did_you_mean

UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")


Read = TypeVar("Read")


def read_form(adapter: TypeAdapter[Read], document: Any) -> Read:
    """What a document says, by its form. Raises ValidationError.

    It is read as JSON and strictly: lists may be tuples and sets, but no text becomes a number or a truth value.
    """
    return adapter.validate_json(json.dumps(document, default=lambda _: MEANINGLESS), strict=True)


MEANINGLESS: Any = [[[[]]]]
"""What stands in JSON for what means nothing anywhere in a ruleset: a date, a parameter without a value."""


def problems_of_form(form: type, data: Any, error: ValidationError) -> list[tuple[Where, str]]:
    """Everything that is wrong with the form of a document that should be a `form`: (path, what)."""
    placed = [(*_place(data, details), details) for details in error.errors()]
    meant = [one for one in placed if one[1]]
    found = [(path, _in_words(form, data, path, details)) for path, _, details in meant or placed]
    return list(dict.fromkeys(found))


def _in_words(form: type, data: Any, path: Where, details: ErrorDetails) -> str:
    if details["type"] == "missing" and path and isinstance(path[-1], int):
        where = place(path[:-1], data)
    else:
        where = place(path, data)
    if details["type"] in UNKNOWN:
        return f"{where}: is not known here{_cure(path[-1], known_keys(form, path[:-1]))}"
    value = details["input"] if details["loc"][-1:] == ("[key]",) else _value(data, path)
    if value is None and path and ":" in str(path[-1]):
        return f"{where}: must have a space behind its colon"
    phrase = what_is_wrong(details, value, path[-1] if path else "")
    got = "" if details["type"] == "missing" else f"; got {shown(value)}"
    if isinstance(value, bool) and details["type"] == "string_type":
        got += " (yes, no, on and off are read so, unless in quotes)"
    return f"{where}: {phrase}{got}"


def _cure(key: str | int, known: list[str]) -> str:
    """What to say of a key that is not known."""
    before = str(key).partition(":")[0].strip()
    if before in known and before != key:
        return "; write a space behind the colon"
    return f"{did_you_mean(key, known)}; known keys: {', '.join(known)}"


def _place(data: Any, details: ErrorDetails) -> tuple[Where, bool]:
    """Where in the document the mistake is, and whether it lies in the form that was meant, of those tried there."""
    path: list[str | int] = []
    meant = True
    loc = [part for part in details["loc"] if part != "[key]"]
    for index, part in enumerate(loc):
        last = index == len(loc) - 1
        key = _key(data, part)
        if key is not None or (last and details["type"] == "missing"):
            path.append(part if key is None else key)
            data = None if key is None else data[key]
        else:
            has_keys = str(part)[:1].isupper() or str(part).startswith("dict")
            meant = meant and has_keys == isinstance(data, Mapping)
    return tuple(path), meant


def _key(data: Any, part: str | int) -> str | int | None:
    """The key or index of a document that pydantic calls `part`: a text, where the key may be a number."""
    if isinstance(data, Mapping):
        return next((key for key in data if key == part or str(key) == part), None)
    return part if isinstance(data, list) and isinstance(part, int) and part < len(data) else None


def _value(data: Any, path: Where) -> Any:
    for part in path:
        key = _key(data, part)
        data = None if key is None else data[key]
    return data


# What is known where


def known_keys(form: type, path: Where) -> list[str]:
    """The keys that may stand at a path of a file of this form, in the order of the form."""
    kinds: list[Any] = [form]
    for part in path:
        kinds = [inner for kind in kinds for inner in _inside(kind, part)]
    return [key for kind in kinds for key in _keys(kind)]


def _inside(kind: Any, part: str | int) -> list[Any]:
    """The kinds of value that may stand under a key, or at an index, of a kind of value."""
    if part in _keys(kind):
        return _choices(_keys(kind)[str(part)])
    args = [one for one in typing.get_args(kind) if one is not ...]
    return _choices(args[-1]) if args and typing.get_origin(kind) is not typing.Literal else []


def _choices(annotation: Any) -> list[Any]:
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        return _choices(typing.get_args(annotation)[0])
    if origin in (typing.Union, types.UnionType):
        return [one for choice in typing.get_args(annotation) for one in _choices(choice)]
    return [annotation]


def _keys(kind: Any) -> dict[str, Any]:
    """Key -> annotation of what may stand under it; {} if a kind of value has no keys of its own."""
    if not isinstance(kind, type):
        return {}
    if issubclass(kind, BaseModel):
        return {one.alias or name: one.annotation for name, one in kind.model_fields.items()}
    if not dataclasses.is_dataclass(kind):
        return {}
    hints = typing.get_type_hints(kind, include_extras=True)
    return {one.metadata.get("alias", one.name): hints[one.name] for one in dataclasses.fields(kind) if one.init}
