"""What can be wrong with the form of a file's values, in plain words: where, what would be right, what was found."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

Where = tuple[str | int, ...]
"""Path of keys and indexes in a document."""

A_LIST, KEYS = "must be a list: [{value}]", "must be keys with values"
TEXT = "must be a text; put it in quotes if it is one"
WHOLE, NUMBER, TRUTH = "must be a whole number", "must be a number", "must be true or false"
PHRASES = {
    "missing": "is missing; write {where}: …",
    "extra_forbidden": "is not known here",
    "unexpected_keyword_argument": "is not known here",
    "string_pattern_mismatch": "must be a word of small letters, digits, _ and -, beginning with a letter",
    "string_type": TEXT,
    "string_unicode": "holds a sign that no text has; delete it",
    "string_too_short": "must have {min_length} letters or more",
    "string_too_long": "must have {max_length} letters or less",
    "dict_type": KEYS,
    "mapping_type": KEYS,
    "dataclass_type": KEYS,
    "model_type": KEYS,
    "list_type": A_LIST,
    "tuple_type": A_LIST,
    "set_type": A_LIST,
    "frozen_set_type": A_LIST,
    "too_short": "must have {min_length} or more in it",
    "too_long": "must have {max_length} or less in it",
    "int_type": WHOLE,
    "int_parsing": WHOLE,
    "int_parsing_size": WHOLE,
    "int_from_float": WHOLE,
    "float_type": NUMBER,
    "float_parsing": NUMBER,
    "finite_number": NUMBER,
    "bool_type": TRUTH,
    "bool_parsing": TRUTH,
    "none_required": "must be left empty",
    "literal_error": "must be {expected}",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be {ge} or more",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be {le} or less",
    "invalid_key": "must have a word before its colon; put it in quotes",
    "union_tag_invalid": "must be {expected_tags}",
    "json_invalid": "cannot be read: it breaks off, or a sign in it is wrong",
    "value_error": "{error}",
    "assertion_error": "{error}",
}
"""Kind of fault -> what to say of it."""
OTHERWISE = "is not what belongs here"
EXAMPLE = re.compile(r"[a-z][a-z0-9_-]*|[0-9]+")
LONGEST = 60
"""Characters shown of a value."""


def what_is_wrong(fault: Mapping[str, Any], value: object, name: str | int = "") -> str:
    """What to say of a fault as pydantic tells it: at `value`, the part called `name`."""
    known = fault.get("ctx", {})
    kind = str(fault["type"])
    if kind == "too_short" and known.get("min_length") == 1:
        return "must not be empty"
    phrase = f"must have an entry {name + 1}" if kind == "missing" and isinstance(name, int) else PHRASES.get(kind)
    example = value if isinstance(value, str) and EXAMPLE.fullmatch(value) else "one, another"
    said = {name: _as_written(one) for name, one in known.items()}
    return (phrase or OTHERWISE).format_map({**said, "where": name, "value": example})


def _as_written(limit: object) -> str:
    """A limit, or a list of them, as a file would have it."""
    if isinstance(limit, float):
        return f"{limit:g}"
    words = {"True": "true", "False": "false", "None": "nothing"}
    return re.sub(r"\b(True|False|None)\b", lambda word: words[word[0]], str(limit))


def place(path: Iterable[str | int], document: Any = None) -> str:
    """Where something stands, as a person finds it: `night > entry 2 > wakes`; "the file" for all of it.

    A number is a key where the document has such a key, else an index.
    """
    words: list[str] = []
    for part in path:
        is_index = type(part) is int and not isinstance(document, Mapping)
        words.append(f"entry {int(part) + 1}" if is_index else shown(part).strip("'"))
        document = _inside(document, part)
    return " > ".join(words) or "the file"


def _inside(document: Any, part: str | int) -> Any:
    if isinstance(document, Mapping):
        return document.get(part)
    return document[part] if isinstance(document, list) and isinstance(part, int) and part < len(document) else None


def shown(value: object) -> str:
    """A value as a file would have it, cut if it is long."""
    text = _written(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}…"


def _written(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value}".replace("inf", ".inf").replace("nan", ".nan")
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_written(key).strip(chr(39))}: {_written(one)}' for key, one in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_written, value))}]"
    return repr(value) if isinstance(value, str | int | float) else str(value)
