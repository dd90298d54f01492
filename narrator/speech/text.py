"""The front end: a line as people read it becomes a line an engine speaks well."""

from __future__ import annotations

import re
import unicodedata

from narrator.speech.languages import is_han
from narrator.speech.numerals import spelled

MOST_CHARACTERS = 2000
"""Longer texts are no lines of a narrator; engines choke on them."""

_QUOTES = dict.fromkeys('"“”„‟«»‹›「」『』《》〈〉〝〞＂`')
_APOSTROPHES = dict.fromkeys("’‘ʼ＇", "'")
_BREAKS = dict.fromkeys("()[]{}（）【】〔〕［］—–―|/／", ",")
_REPLACED: dict[str, str | int | None] = {**_QUOTES, **_APOSTROPHES, **_BREAKS}
_MARKS = ",.;:!?'-，。；：！？、%¿¡…"
_HAN_MARKS: dict[str, str | int | None] = {",": "，", ";": "；", ":": "：", "!": "！", "?": "？"}
_COMMA_RUN = re.compile(r"(?:[,，]\s*)+(?=[,，.;:!?。；：！？、])|(?<=[,，.;:!?。；：！？、])\s*[,，]+")
_DOTS = re.compile(r"\s*(?:…+|\.{2,}|。{2,})")


def speakable(text: str, language: str) -> str:
    """What an engine is to be given for `text`: no quotes or symbols, pauses as commas, Chinese digits in words.

    Empty when nothing is left to say.
    """
    plain = _DOTS.sub("。" if is_han(language) else ".", _cleaned(text))
    plain = _in_han(plain) if is_han(language) else plain
    plain = re.sub(r"\s+", " ", _COMMA_RUN.sub("", plain)).strip(" ,，、。.;；:：-'")
    if not any(character.isalnum() for character in plain):
        return ""
    return plain if plain[-1] in "!?！？" else plain + ("。" if is_han(language) else ".")


def _cleaned(text: str) -> str:
    composed = unicodedata.normalize("NFC", text)
    narrow = "".join(unicodedata.normalize("NFKC", sign) if sign.isalnum() else sign for sign in composed)
    changed = narrow.translate(str.maketrans(_REPLACED))
    return "".join(_kept(sign) for sign in changed)


def _kept(sign: str) -> str:
    if sign in _MARKS or unicodedata.category(sign)[0] in "LNM":
        return sign
    return "" if unicodedata.category(sign) in ("Cf", "Cs", "Mn") else " "


def _in_han(text: str) -> str:
    words = spelled(text)
    words = re.sub(r"\.(?=\s|$|[^\x00-\x7f])", "。", words)
    words = re.sub(r"(?<=[^\x00-\x7f]) +(?=[^\x00-\x7f])", "", words)
    return words.translate(str.maketrans(_HAN_MARKS))
