"""The front end: a line as people read it becomes a line an engine speaks well."""

from __future__ import annotations

import re
import unicodedata

from narrator.language_tags import is_han
from narrator.speech.text.numerals import spelled
from narrator.speech.utterance import Segment

MOST_CHARACTERS = 2000
"""Longer texts are no lines of a narrator; engines choke on them."""

_QUOTES = dict.fromkeys('"“”„‟«»‹›「」『』《》〈〉〝〞＂`')
_APOSTROPHES = dict.fromkeys("’‘ʼ＇", "'")
_BREAKS = dict.fromkeys("()[]{}（）【】〔〕［］—–―|/／", ", ")
_REPLACED: dict[str, str | int | None] = {**_QUOTES, **_APOSTROPHES, **_BREAKS}
_MARKS = ",.;:!?'-，。；：！？、%¿¡…"
_HAN_MARKS: dict[str, str | int | None] = {",": "，", ";": "；", ":": "：", "!": "！", "?": "？"}
_STRENGTH = "?？!！.。;；:：,，、"
_MARK_RUN = re.compile(rf"\s*[{_STRENGTH}](?:\s*[{_STRENGTH}])+")
_HAN_RUN = re.compile(r"([\u3400-\u9fff\uf900-\ufaff]+)")
_DOTS = re.compile(r"\s*(?:…+|\.{2,}|。{2,})")


def speakable(text: str, language: str) -> str:
    """What an engine is to be given for `text`: no quotes or symbols, pauses as commas, Chinese digits in words.

    Empty when nothing is left to say.
    """
    plain = _DOTS.sub("。" if is_han(language) else ".", _cleaned(text))
    plain = _in_han(plain) if is_han(language) else plain
    plain = re.sub(rf"\s+(?=[{_STRENGTH}])", "", _MARK_RUN.sub(_strongest, plain))
    plain = re.sub(r"\s+", " ", plain).strip(" ,，、。.;；:：-'")
    if not any(character.isalnum() for character in plain):
        return ""
    return plain if plain[-1] in "!?！？" else plain + ("。" if is_han(language) else ".")


def parts_by_voice(segment: Segment) -> tuple[Segment, ...]:
    """The segment in pieces that one voice each can read: Chinese names in another language are read as Mandarin.

    The reverse needs no pieces: Mandarin voices read Latin letters by themselves.
    """
    if is_han(segment.language) or not _HAN_RUN.search(segment.text):
        return (segment,)
    parts = []
    for text in _HAN_RUN.split(segment.text):
        language = "zh-Hans" if _HAN_RUN.fullmatch(text) else segment.language
        if speakable(text, language):
            parts.append(Segment(text, language))
    return tuple(parts)


def _strongest(run: re.Match[str]) -> str:
    """One mark out of several, so that a line has one pause there."""
    return min((sign for sign in run[0] if sign in _STRENGTH), key=_STRENGTH.index)


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
    words = re.sub(r"\.(?=\s|$|[^\x00-\x7f])", "。", spelled(text)).translate(str.maketrans(_HAN_MARKS))
    return re.sub(r"(?<=[^\x00-\x7f])\s+(?=[^\x00-\x7f])", "", words)


_MANDARIN = {
    "警长": "警掌",
    "警長": "警掌",
    "角色": "决色",
    "闭着": "闭这",
    "閉著": "閉這",
    "睁着": "睁这",
    "睜著": "睜這",
}
"""What is written, and what is given to espeak instead: 着眼 alone is a word of its own, read another way."""


def respelled(text: str, language: str) -> str:
    """The text as espeak must be given it; for no eyes."""
    if not is_han(language):
        return text
    for word, sounds in _MANDARIN.items():
        text = text.replace(word, sounds)
    return text
