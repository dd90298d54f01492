"""Which tags mean the same language, and which varieties of it are taken first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_NAMES = {"chinese": "zh", "spanish": "es", "english": "en"}
"""Languages as Windows calls them."""
_TRADITIONAL = {"hant", "tw", "hk", "mo", "traditional", "taiwan", "hong", "macao", "macau"}
"""Parts of a tag of which any means the traditional signs, unless it says `Hans`."""
_BASES = _NAMES | {"cmn": "zh", "chi": "zh", "zho": "zh", "spa": "es", "eng": "en", "jpn": "ja", "yue": "yue"}
_CANTONESE = ("zh-hk", "zh-mo", "zh-yue", "zh-hant-hk", "zh-hant-mo")
_MANDARIN = ("cmn", "zh-cmn", "zh-cn", "zh-hans-cn", "zh-hans", "zh", "zh-sg")
_TAIWAN = ("zh-tw", "zh-hant-tw", "zh-hant", "cmn-tw")

PREFERRED = {
    "zh-hans": (*_MANDARIN, *_TAIWAN),
    "zh-hant": (*_TAIWAN, *_MANDARIN),
    "es": ("es", "es-es", "es-419", "es-mx", "es-us", "es-ar", "es-co", "es-cl"),
    "en": ("en-us", "en-gb", "en", "en-au", "en-ca", "en-ie", "en-nz"),
}
"""Varieties by language, the clearest first; others of the same base come after these."""


def normal(tag: str) -> str:
    """The tag in one spelling: `zh_CN`, `ZH-cn` and `zh-CN.UTF-8` are all 'zh-cn'."""
    return tag.split(".")[0].split("@")[0].strip().replace("_", "-").lower()


def base(tag: str) -> str:
    """The bare language of a tag: 'zh' for any Mandarin, 'yue' for any Cantonese, else its first subtag."""
    plain = normal(tag)
    if plain.startswith(_CANTONESE):
        return "yue"
    first = plain.split("-")[0]
    return _BASES.get(first, first)


def is_han(tag: str) -> bool:
    """Whether lines in this language are written in Chinese characters and read as Mandarin."""
    return base(tag) == "zh"


def rank(wanted: str, offered: str) -> int | None:
    """How well an offered variety serves a wanted language: 0 is best, None not at all."""
    if base(wanted) != base(offered):
        return None
    order = PREFERRED.get(normal(wanted)) or PREFERRED.get(_group(wanted), ())
    plain = normal(offered)
    if plain == normal(wanted):
        return 0
    return 1 + (order.index(plain) if plain in order else len(order) + plain.count("-"))


def _group(tag: str) -> str:
    if not is_han(tag):
        return base(tag)
    return "zh-hant" if normal(tag).startswith(_TAIWAN) else "zh-hans"


# Written languages


def meant(tag: str, offered: Iterable[str]) -> str | None:
    """Which of the offered written languages a tag in any usual form means; None if none of them.

    `zh-CN`, `zh_TW`, `EN`, `es-419`, `en_US.UTF-8`, `zh_Hant_HK`, and names such as `English_United States.1252`.
    """
    known = list(offered)
    same = [one for one in known if normal(one) == normal(tag)]
    alike = [one for one in known if _writing(one) == _writing(tag)]
    near = [one for one in alike if normal(tag).startswith(f"{normal(one)}-")]
    return next(iter([*same, *near, *alike]), None)


def _writing(tag: str) -> tuple[str, bool]:
    """The language that is written, and whether in traditional signs."""
    first, *others = re.split(r"[^\w]+", normal(tag))
    language = _BASES.get(first, first)
    return language, language == "zh" and "hans" not in others and not _TRADITIONAL.isdisjoint(others)


def text_in(texts: Mapping[str, str], tags: Iterable[str]) -> str:
    """The text under the first of these tags that has one, however its key writes the tag; else ''."""
    for tag in tags:
        if text := texts.get(tag):
            return text
        for key, text in texts.items():
            if text and meant(key, (tag,)):
                return text
    return ""
