"""Which tags mean the same language, and which varieties of it are taken first."""

from __future__ import annotations

_BASES = {"cmn": "zh", "chi": "zh", "zho": "zh", "spa": "es", "eng": "en", "jpn": "ja", "yue": "yue"}
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
