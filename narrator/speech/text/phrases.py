"""Cuts a line into phrases that can be recorded once and put together again with nobody hearing the joints.

A sentence without numbers is one phrase. A sentence with one number is cut at its marks, and behind the number where
that is what the sentence is about; one with several (a list of seats, the result of a vote) around all of them, where a
speaker pauses anyway. So every phrase holds one number at most, and every joint falls into silence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from narrator.speech.text.languages import base

_SENTENCE = re.compile(r"(?<=[。！？])|(?<=[.!?])(?=\s)")
_MARK = re.compile(r"(?<=[，：；、])|(?<=的牌是)|(?<=[,:;])(?=\s)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_AROUND = {
    "zh": re.compile(r"((?:投|只在|在)?和?\d+(?:[号號]牌?|票)?(?:的有|之[间間][选選]?|的.*)?)"),
    "es": re.compile(
        r"((?:\b(?:y|a|de|del|entre|para|por) )?"
        r"(?:(?:(?:el )?jugador|los jugadores|la carta|las cartas) )?\d+(?: votos?)?)",
        re.IGNORECASE,
    ),
    "en": re.compile(r"((?:\b(?:and|of|from|between|for) )?(?:(?:players?|cards?) )?\d+(?: votes?)?)", re.IGNORECASE),
}
"""By language: a number with the words that a pause must not part from it."""
_ABOUT = {
    "zh": re.compile(r"(\d+[号號]牌?)(?!的|被投票)(\w.+)"),
    "es": re.compile(
        r"(?:(.*(?:ron|juego|abstuvo|voto|pasa|elegido)|(?:.*murió|sale)(?= la)) )?"
        r"((?:hoy |anoche )?(?:el jugador|al jugador|del jugador|la carta) \d+[.:]?)(?: (\w.+))?",
        re.IGNORECASE,
    ),
    "en": re.compile(r"((?:player|card) \d+) (?!is out|died)(\w.+)", re.IGNORECASE),
}
"""By language: a piece about one number, near which a pause does no harm; frequent ones stay whole."""
_COMMA = {"zh": "，"}
_MARKS = "。！？.!?，：；、,:;"
_PAUSES = {"。": 0.42, ".": 0.42, "！": 0.42, "!": 0.42, "？": 0.42, "?": 0.42, "：": 0.24, ":": 0.24}
_COMMA_PAUSE = 0.16
_JOINT_PAUSE = 0.07


@dataclass(frozen=True)
class Phrase:
    """A part of a line that is recorded in one piece."""

    text: str
    """As it is recorded, with a mark at its end that tells how its voice ends; lower case where there is any."""
    pause: float
    """Seconds of silence between it and the next one."""


def phrases(text: str, language: str) -> tuple[Phrase, ...]:
    """The phrases of a line, in their order."""
    tongue = base(language)
    pieces = [piece for sentence in _SENTENCE.split(text) for piece in _pieces(sentence, tongue)]
    return tuple(_phrase(piece.strip(), tongue) for piece in pieces if piece.strip(_MARKS + " "))


def _pieces(sentence: str, language: str) -> list[str]:
    numbers = len(_NUMBER.findall(sentence))
    if numbers == 0:
        return [sentence]
    pieces = _merged(_MARK.split(sentence))
    if numbers == 1:
        return [part for piece in pieces for part in _about(piece.strip(), language)]
    if language not in _AROUND:
        return pieces
    return [part for piece in pieces for part in _around(piece, _AROUND[language])]


def _merged(pieces: list[str]) -> list[str]:
    """The pieces, those without a number put together with their neighbours of the same kind."""
    merged: list[str] = []
    for piece in pieces:
        if merged and not _NUMBER.search(piece) and not _NUMBER.search(merged[-1]):
            merged[-1] += piece
        else:
            merged.append(piece)
    return merged


def _about(piece: str, language: str) -> Sequence[str]:
    found = _ABOUT[language].fullmatch(piece) if language in _ABOUT else None
    return [part for part in found.groups() if part] if found else [piece]


def _around(piece: str, number: re.Pattern[str]) -> list[str]:
    """The numbers of a piece, and what stands between them; a mark stays with what is before it."""
    parts = [part for part in number.split(piece) if part.strip()]
    if len(parts) > 1 and not parts[-1].strip(_MARKS + " "):
        parts[-2:] = [parts[-2] + parts[-1]]
    return parts


def _phrase(piece: str, language: str) -> Phrase:
    comma = _COMMA.get(language, ",")
    end = piece[-1]
    if end == "、":
        return Phrase(piece[:-1].lower() + comma, _COMMA_PAUSE)
    if end not in _MARKS:
        return Phrase(piece.lower() + comma, _JOINT_PAUSE)
    return Phrase(piece.lower(), _PAUSES.get(end, _COMMA_PAUSE))
