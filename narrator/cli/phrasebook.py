"""Which phrases a voice must have to speak every line of some rulesets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from narrator.loading.rulesets import extra_roles, load, shipped
from narrator.model.ruleset import Ruleset
from narrator.narration.lines import Line, render_line
from narrator.narration.repertoire import repertoire
from narrator.narration.scripts import Script, languages
from narrator.speech.packing import Wanted
from narrator.speech.text.languages import base
from narrator.speech.text.phrases import phrases

_NAMING = ("role", "roles", "camp", "office", "ruleset", "step")
"""Parameters whose words a ruleset may give itself."""


def phrasebook(language: str, rulesets: Iterable[Ruleset]) -> list[Wanted]:
    """The phrases, for a bare language (`zh`, `es`, `en`).

    Where the language has several scripts (Mandarin in simplified and in traditional characters), the same line with
    the same parameters is one phrase, however it is written.
    """
    first, *others = [Script.load(tag) for tag in languages() if base(tag) == language]
    keys: dict[str, str] = {}
    also: dict[str, str] = {}
    for line, ruleset in _lines(rulesets):
        texts = _phrases(line, first, ruleset)
        keys.update({text: line.key for text in texts if text not in keys})
        for script in others:
            written = _phrases(line, script, ruleset)
            if len(written) == len(texts):
                also.update({other: text for other, text in zip(written, texts, strict=True) if other not in also})
            else:
                keys.update({text: line.key for text in written if text not in keys})
    writings: dict[str, list[str]] = {}
    for other, text in also.items():
        if other not in keys:
            writings.setdefault(text, []).append(other)
    return [Wanted(text, key, tuple(writings.get(text, ()))) for text, key in keys.items()]


def shipped_rulesets() -> list[Ruleset]:
    """Every shipped ruleset, with all the extra roles that it can take."""
    return [load(path, _extra(load(path))) for path in shipped().values()]


def _extra(ruleset: Ruleset) -> tuple[str, ...]:
    return tuple(name for name in extra_roles() if name not in ruleset.roles) if ruleset.hand.cards == 1 else ()


def _phrases(line: Line, script: Script, ruleset: Ruleset) -> list[str]:
    return [phrase.text for phrase in phrases(render_line(line, script, ruleset), script.language)]


def _lines(rulesets: Iterable[Ruleset]) -> Iterator[tuple[Line, Ruleset]]:
    """Every line once; those that a ruleset may word itself, once for each."""
    seen = set()
    for ruleset in rulesets:
        for line in repertoire(ruleset):
            own = ruleset.id if _is_own(line.params) else ""
            if (name := (line.key, repr(line.params), own)) not in seen:
                seen.add(name)
                yield line, ruleset


def _is_own(params: Mapping[str, object]) -> bool:
    return any(name in params for name in _NAMING)
