"""What the pages ask of a browser: nothing that the oldest engines we promise do not have, or do well without.

`engines.yaml` names the oldest engines, and for everything that style sheets, programs and templates use the first
version of each that has it. What is used and not listed there fails too: look its first versions up, and enter them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

PAGES = Path(__file__).parents[2] / "webpanel"
LIST: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "engines.yaml").read_text("utf-8"))
OLDEST: dict[str, float] = LIST["oldest"]
SYNTAX: dict[str, str] = LIST["syntax"]
COMMENT = re.compile(r"/\*.*?\*/", re.S)
LINE_COMMENT = re.compile(r"(?m)(^|\s)//.*$")
STRING = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'')
JINJA = re.compile(r"\{[%{#].*?[%}#]\}", re.S)
Used = tuple[str, str]
"""A kind of thing and its name."""


def in_style(text: str) -> Iterator[Used]:
    """What a style sheet uses."""
    text = STRING.sub('""', COMMENT.sub("", text))
    for kind, pattern in {
        "at-rule": r"@([a-z-]+)",
        "media": r"@media[^{]*?\(([a-z-]+)(?=[:)])",
        "property": r"[{;]\s*([a-z-]+)\s*:(?=[^{}]*[;}])",
        "function": r"(?<![:a-z-])([a-z-]+)\(",
        "unit": r"(?<![\w#-])[\d.]*\d([a-z]+)\b",
    }.items():
        yield from ((kind, found) for found in re.findall(pattern, text) if not found.startswith("--"))
    selectors = re.sub(r"\([a-z-]+:[^)]*\)", "", re.sub(r"\{[^{}]*\}", "{}", text))
    yield from (("selector", found) for found in re.findall(r"::?([a-z-]+)", selectors))


def in_program(text: str) -> Iterator[Used]:
    """What a page's program uses."""
    text = COMMENT.sub("", LINE_COMMENT.sub("", text))
    yield from (("syntax", name) for name, pattern in SYNTAX.items() if re.search(pattern, text))
    text = STRING.sub('""', text)
    yield from (("method", found) for found in re.findall(r"\.([a-z]\w*)\(", text))
    yield from (("object", found) for found in re.findall(r"\b(?:new|instanceof) ([A-Z]\w+)", text))
    yield from (("member", f"{found}") for found in re.findall(r"\b(?:document|navigator|[A-Z][a-z]\w+)\.\w+", text))
    yield from (("member", f"event.{found}") for found in re.findall(r"\bevent\.(\w+)", text))


def in_template(text: str) -> Iterator[Used]:
    """What a template uses: elements, and attributes that are not our own."""
    for name, attributes in re.findall(r"<([a-z]+)((?:\s[^<>]*)?)/?>", JINJA.sub("", text)):
        yield "element", name
        own = (word for word in re.findall(r"(?<![\w-])([a-z-]+)(?==|(?=\s|$))", STRING.sub('""', attributes)))
        yield from (("attribute", word) for word in own if not word.startswith(("data-", "aria-")))


LANES = {"*.css": in_style, "*.js": in_program, "*.html": in_template}


def faults(used: Iterator[Used]) -> set[str]:
    """What is wrong with what is used."""
    return {fault for kind, name in used if (fault := fault_of(kind, name))}


def fault_of(kind: str, name: str) -> str:
    """Why a thing may not be used; '' if it may."""
    everywhere, some = LIST["everywhere"].get(kind, ()), LIST["first"].get(kind, {})
    if name in everywhere:
        return ""
    if name not in some:
        return f"{kind} {name}: not in engines.yaml"
    known = dict(some[name])
    if "without" in known or "beside" in known:
        return ""
    late = [f"{engine} {known[engine]}" for engine, oldest in OLDEST.items() if is_later(known[engine], oldest)]
    return f"{kind} {name}: only from {', '.join(late)}" if late else ""


def is_later(first: str | float, oldest: float) -> bool:
    """Whether a first version is later than the oldest engine, or there is none."""
    return first == "never" or parts(first) > parts(oldest)


def parts(version: str | float) -> list[int]:
    return [int(part) for part in str(version).split(".")]


@pytest.mark.parametrize("pattern", LANES)
def test_the_pages_need_nothing_that_the_oldest_engines_lack(pattern: str) -> None:
    files = sorted(PAGES.rglob(pattern))
    assert files
    found = {str(file.relative_to(PAGES)): faults(LANES[pattern](file.read_text("utf-8"))) for file in files}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("file", sorted(PAGES.rglob("*.css")), ids=lambda file: file.name)
def test_what_older_engines_spell_otherwise_stands_beside(file: Path) -> None:
    assert alone(file.read_text("utf-8")) == []


def test_what_stands_alone_is_found() -> None:
    assert alone("a { appearance: none; } b { -webkit-appearance: none; appearance: none; }") == ["appearance"]
    assert alone("a { height: 5dvh; } b { height: 5vh; height: 5dvh; }") == ["dvh"]


def alone(text: str) -> list[str]:
    """What needs another spelling in the same rule and has none there."""
    rules = [set(in_style(f"{{{rule}}}")) for rule in re.findall(r"\{([^{}]*)\}", text)]
    entries = [(kind, *entry) for kind, some in LIST["first"].items() for entry in some.items()]
    pairs = [(kind, name, known["beside"]) for kind, name, known in entries if "beside" in known]
    return [name for kind, name, other in pairs for rule in rules if (kind, name) in rule and (kind, other) not in rule]


@pytest.mark.parametrize(
    ("pattern", "text", "fault"),
    [
        ("*.css", ".hall:not(:has(.ring)) { color: red; }", "selector has: only from Safari 15.4, Chrome 105"),
        ("*.css", "a { color: color-mix(in srgb, red, blue); }", "function color-mix: only from Safari 16.2"),
        ("*.css", "a { rotate: 45deg; }", "property rotate: only from Chrome 104"),
        ("*.css", "@container (width > 1px) { a { color: red; } }", "at-rule container: only from Safari 16"),
        ("*.css", "a { height: 5cqw; }", "unit cqw: not in engines.yaml"),
        ("*.js", "list.at(-1);", "method at: only from Safari 15.4, Chrome 92"),
        ("*.js", "structuredClone(a); a.findLast(b)", "method findLast: only from Safari 15.4, Chrome 97, Firefox 104"),
        ("*.js", "new FormData(form, button)", "syntax FormData with a button: only from Safari 16.4, Chrome 112"),
        ("*.js", "/(?<=a)b/", "syntax lookbehind: only from Safari 16.4"),
        ("*.js", "x instanceof HTMLDialogElement", "object HTMLDialogElement: only from Safari 15.4, Firefox 98"),
        ("*.html", '<search class="x"></search>', "element search: not in engines.yaml"),
        ("*.html", '<div popover="auto"></div>', "attribute popover: not in engines.yaml"),
    ],
)
def test_what_is_too_new_is_found(pattern: str, text: str, fault: str) -> None:
    assert any(found.startswith(fault) for found in faults(LANES[pattern](text)))


def test_the_oldest_engines_are_named_where_people_look() -> None:
    for name in ("README.md", "CONTRIBUTING.md"):
        text = " ".join((PAGES.parent / name).read_text("utf-8").split())
        for engine, version in OLDEST.items():
            assert f"{engine} {version}" in text, name
