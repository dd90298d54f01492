"""YAML as nodes with lines; what is wrong with a text, in plain words, and where a comment cuts one short."""

from __future__ import annotations

import re

import yaml

Loader: type[yaml.SafeLoader] | type[yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The quick one, where there is one."""


class NotYaml(ValueError):
    """A text that is no YAML: the line where people would look for the fault, from 1, and what would be right."""

    def __init__(self, line: int, what: str) -> None:
        self.line = line
        self.what = f"is not YAML: this line {what}"
        super().__init__(self.what)


DEEP = "lies too deep in brackets"
UNFIT = "does not fit those around it; begin it in the same column as the keys, or the dashes, that it belongs to"
DEEPER = "does not fit the one before it; begin it in the same column as the other keys, and end each key with a colon"
BEHIND = "has something behind a text in quotes, or behind a bracket; put quotes round the whole text"
INSIDE = "has brackets that do not fit: close each [ and {, and put a comma between what stands in them"
UNCLOSED = "begins a text in quotes that never ends; close the quotes"
COLON = "has a second colon where a text should stand; put a text with a colon in quotes"
KEY_ALONE = "has no colon behind its key; write `key: value`, or put a text of several lines in quotes"
NOTHING = "lacks a value; write one, or put a text that begins with a sign in quotes"
ESCAPE = "has a \\ in double quotes that means nothing; use single quotes"
TAB = "is indented with a tab; use spaces"
SECOND = "begins a second document; keep one in a file, and put a text of dashes or dots in quotes"
MARK = "has a sign at the beginning of a text that means something else (& * ! % | >); put the text in quotes"
START = "has a text that begins with {sign!r}; put it in quotes"
DASH = "has a list or a key where none can stand; begin it on a line of its own"
BROKEN = "cannot be understood; write `key: value`, and put texts with signs in them in quotes"
NO_SIGN = "holds a sign that no text has (U+{code:04X}); delete it"

IN_CONTEXT = {
    r"quoted scalar.*(end of stream|document)": UNCLOSED,
    r"simple key": KEY_ALONE,
    r"flow (mapping|sequence).*(',' (or|and)|expected)": INSIDE,
}
"""What the library says, its context first -> what is wrong where that context begins."""
AT_ONCE = {
    r"nesting depth": DEEP,
    r"unknown escape|hexadecimal|hexdecimal|escape code|escape sequence": ESCAPE,
    r"tab character": TAB,
    r"another document|document (indicator|start|separator)|<document|^\|unexpected": SECOND,
    r"alias|anchor|tag|directive|block scalar|'!'|'>'|percent|%|non-alphabetical|URI|octet": MARK,
    r"sequence entries|mapping keys": DASH,
    r"node content|document start": NOTHING,
    r"quoted scalar": UNCLOSED,
    r"flow": INSIDE,
}
"""The same, for what is wrong at the very place where the library stopped; the first that fits counts."""
BY_COLUMN = r"mapping values|block (mapping|collection)|expected key|'-' indicator|<block end>"
"""The same, for what depends on how much of the line stands before that place."""


def compose(text: str) -> yaml.Node | None:
    """The nodes of a text, None if it is empty. Raises NotYaml."""
    try:
        return yaml.compose(text, Loader=Loader)
    except RecursionError:
        raise NotYaml(1, DEEP) from None
    except yaml.MarkedYAMLError as error:
        raise fault_of(text, error) from None
    except (yaml.YAMLError, ValueError):
        raise _sign_that_is_none(text) from None


def fault_of(text: str, error: yaml.MarkedYAMLError) -> NotYaml:
    """What is wrong where the library stopped, or where that which it was reading begins."""
    problem, context = error.problem or "", error.context or ""
    at, begun = error.problem_mark, error.context_mark
    if at and "cannot start any token" in problem:
        sign = LINE_END.split(text)[at.line][at.column : at.column + 1]
        return NotYaml(at.line + 1, TAB if sign == "\t" else START.format(sign=sign))
    said = f"{context}|{problem}"
    if at and re.search(BY_COLUMN, said):
        return NotYaml(at.line + 1, _by_column(LINE_END.split(text)[at.line], at.column, "values" in problem))
    for pattern, what in IN_CONTEXT.items():
        if begun and re.search(pattern, said):
            return NotYaml(begun.line + 1, what)
    what = next((what for pattern, what in AT_ONCE.items() if re.search(pattern, said)), BROKEN)
    return NotYaml(at.line + 1 if at else 1, what)


def _by_column(line: str, column: int, is_colon: bool) -> str:
    before = line[:column].strip()
    if is_colon:
        return COLON if ":" in before else DEEPER
    return BEHIND if before else UNFIT


SIGNS = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A sign that cannot stand in YAML."""


def _sign_that_is_none(text: str) -> NotYaml:
    found = SIGNS.search(text)
    if not found:
        return NotYaml(1, BROKEN)
    line = len(LINE_END.findall(text, 0, found.start())) + 1
    return NotYaml(line, NO_SIGN.format(code=ord(found[0])))


LINE_END = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
"""Where YAML ends a line."""
CUT_NUMBER, CUT_WORD = re.compile(r"[ \t]+#\d"), re.compile(r" #\w")
"""Comments that may be meant as part of the text before them; the second only behind more than one plain word."""
ONE_WORD = re.compile(r"[a-z][a-z0-9_-]*")


def cut_short(node: yaml.ScalarNode, lines: list[str]) -> str | None:
    """What to say of a comment right behind an unquoted text that looks like a part of it: `Killers #1`."""
    end = node.end_mark
    behind = lines[end.line][end.column :] if not node.style and end.line < len(lines) else ""
    if not (CUT_NUMBER.match(behind) or (CUT_WORD.match(behind) and not ONE_WORD.fullmatch(node.value))):
        return None
    cure = "put the whole text in quotes if it is part of it, or leave a space behind the # if it is none"
    return f"{behind.strip()!r} behind {node.value!r} is a comment and is left out; {cure}"
