"""Files spoilt in the ways in which people spoil them, by the thousand and always the same."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

VALUES = (
    *(
        "",
        "~",
        "null",
        "true",
        "no",
        "5",
        "-1",
        "0",
        "999",
        "5.0",
        "1e3",
        ".inf",
        ".nan",
        "'5'",
        '""',
        "word",
        "Two Words",
    ),
    *(
        "2024-01-01",
        "2024-01-01 10:00:00",
        "[]",
        "{}",
        "[a]",
        "[1, 2]",
        "[[a]]",
        "{a: 1}",
        "{1: a}",
        "{true: 1}",
        "[~]",
    ),
    *(
        "'",
        '"open',
        "[a",
        "{a",
        "]",
        "}",
        "*nobody",
        "&anchor",
        "!own x",
        "!!int x",
        "!!binary x",
        "!!set {a}",
        "|",
        ">-",
    ),
    *(
        "@a",
        "`a`",
        "%a",
        "a: b",
        "- a",
        "? a",
        "a # b",
        "\t5",
        "'\\x'",
        '"\\x"',
        '"\\q"',
        "\u202e5",
        "５",
        "010",
        "1:30",
        "杀手",
    ),
    *(
        "99999999999999999999",
        "{<<: {a: b}}",
        "{[a]: b}",
        "{2024-01-01: 1}",
        "{~: 1}",
        "{1.5: a}",
        '"a" b',
        "!",
        "! x",
        "!<a",
        "&",
        "*",
        "x" * 300,
    ),
)
SIGNS = ":-[]{}'\"#&*!|>%@`?,\t \n\0\x07\x85\u2028\ufeff0aZ杀"
VALUE = re.compile(r"(?<=[:\-\[,] )[^\s,\[\]{}#][^,\]}#\n]*|(?<=: )[\[{][^\n]*")
KEY = re.compile(r"(?<=[\s{])[a-z_0-9-]+(?=:)|^[a-z_]+(?=:)", re.M)
KEYS = (
    "",
    "x",
    "5",
    "true",
    "~",
    "[a]",
    "1.5",
    "2024-01-01",
    "on",
    "'",
    '"a"',
    "Two Words",
    "a.b",
    "010",
    "<<",
    "a: b",
    "!x y",
    "killer",
    "night",
)


def spoilt(text: str, count: int, seed: int = 1) -> Iterator[str]:
    """`count` texts, each with one to three faults."""
    chance = random.Random(seed)
    for _ in range(count):
        found = text
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            found = chance.choice(WAYS)(found, chance)
        yield found


def _value(text: str, chance: random.Random) -> str:
    return _instead(text, VALUE, chance.choice(VALUES), chance)


def _key(text: str, chance: random.Random) -> str:
    return _instead(text, KEY, chance.choice(KEYS), chance)


def _instead(text: str, pattern: re.Pattern[str], new: str, chance: random.Random) -> str:
    places = list(pattern.finditer(text))
    if not places:
        return text
    place = chance.choice(places)
    return text[: place.start()] + new + text[place.end() :]


def _sign(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(SIGNS) + text[at:]


def _less(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + text[at + chance.choice((1, 1, 2, 5)) :]


def _line(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True) or [""]
    at = chance.randrange(len(lines))
    line = lines[at]
    lines[at] = chance.choice(
        (
            "",
            line * 2,
            f"  {line}",
            line[1:],
            line.lstrip(),
            f"- {line}",
            f"{line}---\n",
            f"\t{line}",
            f"{line.rstrip()}\n    x\n",
        )
    )
    return "".join(lines)


def _cut(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text) + 1)]


WAYS = (_value, _value, _value, _key, _sign, _less, _line, _line, _cut)
