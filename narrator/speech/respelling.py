"""Words that espeak misreads, in characters that it reads as the words are meant."""

from __future__ import annotations

from narrator.speech.languages import is_han

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
