"""What the judge shows a player, made big: a thumb, a card, a number, or lines of news."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webpanel.texts import Texts
from webpanel.words import Words


@dataclass(frozen=True)
class Shown:
    """An answer as it is laid out."""

    sign: str
    """`yes no none text`."""
    lines: tuple[str, ...]
    """What stands there to be read."""
    label: str
    """The whole of it in words."""


def show(answer: Any, words: Words, t: Texts) -> Shown:
    """The layout of an answer: a bool is a thumb, None is no sign at all, a mapping is news, all else is read."""
    if answer is None:
        return Shown("none", (t("answer.no_sign"),), t("answer.no_sign"))
    if isinstance(answer, bool):
        sign = "yes" if answer else "no"
        return Shown(sign, (t(f"answer.{sign}"),), t(f"answer.thumb_{sign}"))
    if isinstance(answer, Mapping):
        lines = tuple(words.pairs(answer))
        return Shown("news", lines, words.listed(lines))
    return Shown("text", (words.value(answer),), t("answer.shown", answer=words.value(answer)))
