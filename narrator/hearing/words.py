"""What can be heard: one closing word for everybody, and a few commands for the judge."""

from __future__ import annotations

CLOSING = "closing"
"""The word with which a speaker ends."""
COMMANDS = ("next", "repeat", "pause")
"""What the judge may say."""
WORDS = (CLOSING, *COMMANDS)
JUDGE = "judge"
"""Whose takes the commands are."""
ENGINES = ("takes", "whisper")
"""The names of the engines that tell words apart."""
TAKES = 3
"""How often each word is said before the game."""

SAID = {
    "zh-Hans": {"next": "下一个", "repeat": "重复", "pause": "暂停"},
    "zh-Hant": {"next": "下一個", "repeat": "重複", "pause": "暫停"},
    "es": {"next": "siguiente", "repeat": "repetir", "pause": "pausa"},
    "en": {"next": "next", "repeat": "repeat", "pause": "pause"},
}
"""Language -> command -> the word for it."""


def said(word: str, language: str) -> str:
    """The word for a command in that language, in English where there is none."""
    return SAID.get(language, SAID["en"])[word]
