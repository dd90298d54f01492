"""The panel's own words, in every language it speaks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml

FOLDER = Path(__file__).resolve().parent / "texts"
LANGUAGES = ("zh-Hans", "zh-Hant", "es", "en")
"""In the order in which they are offered."""
TRADITIONAL = ("zh-tw", "zh-hk", "zh-mo", "zh-hant")


class Texts:
    """Key -> words, for one language. Keys are `section.name`; parameters stand in braces."""

    def __init__(self, language: str, words: Mapping[str, object]) -> None:
        self.language = language
        self.name = str(words["name"])
        self._words = dict(flatten(words))

    def __call__(self, key: str, **values: object) -> str:
        """The words of `key`; KeyError for a key or a parameter that is not there."""
        return self._words[key].format(**values)

    def has(self, key: str) -> bool:
        """Whether there are words for `key`."""
        return key in self._words

    def keys(self) -> frozenset[str]:
        """Every key."""
        return frozenset(self._words)

    def many(self, key: str, count: int, **values: object) -> str:
        """The words of `key.one` or `key.other`, whichever suits `count`."""
        return self(f"{key}.{'one' if count == 1 else 'other'}", count=count, **values)

    def script(self) -> dict[str, str]:
        """The few words that the page's own program needs."""
        return {key.partition(".")[2]: words for key, words in self._words.items() if key.startswith("script.")}


def flatten(words: Mapping[str, object], prefix: str = "") -> list[tuple[str, str]]:
    """`{"a": {"b": "c"}}` -> `[("a.b", "c")]`."""
    flat: list[tuple[str, str]] = []
    for key, value in words.items():
        name = f"{prefix}{key}"
        flat += flatten(value, f"{name}.") if isinstance(value, Mapping) else [(name, str(value))]
    return flat


@cache
def texts(language: str) -> Texts:
    """The panel's words in `language`; in English where the panel does not speak it."""
    known = language if language in LANGUAGES else "en"
    return Texts(known, yaml.safe_load((FOLDER / f"{known}.yaml").read_text("utf-8")))


def wanted_language(accepted: str, otherwise: str = "en") -> str:
    """The panel's language that suits an Accept-Language header best."""
    for entry in accepted.lower().split(","):
        tag = entry.partition(";")[0].strip()
        found = language_of(tag)
        if found:
            return found
    return otherwise


def language_of(tag: str) -> str | None:
    """The panel's language for a browser's language tag, if there is one."""
    if tag.startswith("zh"):
        return "zh-Hant" if tag.startswith(TRADITIONAL) else "zh-Hans"
    return next((language for language in LANGUAGES if tag.partition("-")[0] == language), None)
