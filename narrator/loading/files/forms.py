"""Whether a file has the form that it should: problems of form, put into words."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from narrator.loading.files.problem import Where, nearest
from narrator.loading.schema import RulesetFile

WORDS = {
    "missing": "is missing; write {where}: …",
    "string_pattern_mismatch": "must be a word of small letters, digits, _ and -, beginning with a letter",
    "string_type": "must be a text; put it in quotes if it is one",
    "dict_type": "must be keys with values",
    "model_type": "must be keys with values",
    "list_type": "must be a list: [one, another]",
    "too_short": "must not be empty",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
}
"""Kind of mistake -> what to say of it; all others in pydantic's words."""

INNER = ("missing", "extra_forbidden")
"""Mistakes that lie inside of what stands at a place, not in its being what it is."""


Form = TypeVar("Form", bound=BaseModel)


def read(data: Any) -> tuple[RulesetFile | None, list[tuple[Where, str]]]:
    """The ruleset file that a document is, or else everything that is wrong with its form: (path, what)."""
    return read_as(RulesetFile, data)


def read_as(form: type[Form], data: Any) -> tuple[Form | None, list[tuple[Where, str]]]:
    """The file of this form that a document is, or else everything that is wrong with its form: (path, what)."""
    try:
        return form.model_validate(data), []
    except ValidationError as error:
        return None, list(dict.fromkeys(_problems(form, data, error.errors())))


def _problems(form: type[BaseModel], data: Any, errors: list[ErrorDetails]) -> list[tuple[Where, str]]:
    placed = [(*_place(data, details), details) for details in errors]
    meant = [one for one in placed if _is_meant(data, *one)]
    return [(path, _words(form, path, details)) for path, _, details in meant or placed]


def _is_meant(data: Any, path: Where, branch: str, details: ErrorDetails) -> bool:
    """Whether a mistake lies in the form that was meant, of those that may stand at its place."""
    is_form = branch[:1].isupper()
    return not branch or details["type"] in INNER or is_form == isinstance(_value(data, path), Mapping)


def _words(form: type[BaseModel], path: Where, details: ErrorDetails) -> str:
    where = ".".join(map(str, path)) or "the file"
    if details["type"] == "extra_forbidden":
        known = known_keys(form, path[:-1])
        return f"{where}: is not known here{nearest(path[-1], known)}; known keys: {', '.join(known)}"
    plain = details["msg"].replace("Input should be", "must be")
    words = WORDS.get(details["type"], plain).format(where=path[-1] if path else "")
    got = "" if details["type"] == "missing" else f"; got {_short(details['input'])}"
    return f"{where}: {words}{got}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _place(data: Any, details: ErrorDetails) -> tuple[Where, str]:
    """Where in the document the mistake is, and the branch of a choice of forms that pydantic tried there, if any."""
    path: list[str | int] = []
    branch = ""
    loc = [part for part in details["loc"] if part != "[key]"]
    for index, part in enumerate(loc):
        last = index == len(loc) - 1
        if _has(data, part) or (last and details["type"] == "missing"):
            path.append(part)
            data = data[part] if _has(data, part) else None
        else:
            branch = str(part)
    return tuple(path), branch


def _has(data: Any, part: str | int) -> bool:
    if isinstance(data, Mapping):
        return part in data
    return isinstance(data, list) and isinstance(part, int) and part < len(data)


def _value(data: Any, path: Where) -> Any:
    for part in path:
        data = data[part] if _has(data, part) else None
    return data


# What is known where


def known_keys(form: type[BaseModel], path: Where) -> list[str]:
    """The keys that may stand at a path of a file of this form, in the order of the form."""
    kinds: list[Any] = [form]
    for part in path:
        kinds = [inner for kind in kinds for inner in _inside(kind, part)]
    return [_name(kind, name) for kind in kinds if _is_model(kind) for name in kind.model_fields]


def _inside(kind: Any, part: str | int) -> list[Any]:
    """The kinds of value that may stand under a key, or at an index, of a kind of value."""
    if _is_model(kind):
        found = [field.annotation for name, field in kind.model_fields.items() if _name(kind, name) == part]
        return [one for annotation in found for one in _choices(annotation)]
    if typing.get_origin(kind) in (dict, list, tuple):
        return _choices(typing.get_args(kind)[-1])
    return []


def _choices(annotation: Any) -> list[Any]:
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        return _choices(typing.get_args(annotation)[0])
    if origin in (typing.Union, types.UnionType):
        return [one for choice in typing.get_args(annotation) for one in _choices(choice)]
    return [annotation]


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _name(kind: type[BaseModel], field: str) -> str:
    return kind.model_fields[field].alias or field
