"""Whether the narrator has words for everything in the languages that a ruleset is meant for."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from narrator.language_tags import meant, text_in
from narrator.loading.files.problem import Problem, Where, did_you_mean, unknown
from narrator.loading.files.ruleset_file import RulesetFile
from narrator.model.ruleset import KIN, Step

CALL_PARTS = ("open", "ask", "close")
BLANKS = ("role", "number")
"""What the words of a step may have put in."""


@dataclass(frozen=True)
class Vocabulary:
    """What the narrator's scripts have words for."""

    languages: tuple[str, ...]
    keys: frozenset[str]
    """The keys that every script has; those of calls are `calls.STEP.open` and so on."""


def missing_words(source: RulesetFile, vocabulary: Vocabulary) -> Iterator[Problem]:
    """Every line and name that is missing in a language of the ruleset."""
    look = _Look(source, vocabulary)
    yield from look.tags()
    yield from look.names()
    yield from look.steps()
    yield from look.day()


class _Look:
    """One ruleset, looked at with what the scripts have words for."""

    def __init__(self, source: RulesetFile, vocabulary: Vocabulary) -> None:
        self.source, self.vocabulary = source, vocabulary
        wished = source.name if source.languages is None else source.languages
        spoken = [meant(tag, vocabulary.languages) for tag in wished]
        self.languages = list(dict.fromkeys(filter(None, spoken)))

    def missing(self, texts: Mapping[str, str]) -> list[str]:
        """The languages of the ruleset in which these texts say nothing."""
        return [tag for tag in self.languages if not text_in(texts, (tag, *KIN.get(tag, ())))]

    def lack(self, path: Where, what: str, texts: Mapping[str, str], mild: bool = False) -> Iterator[Problem]:
        missing = self.missing(texts)
        if missing:
            yield Problem(path, f"{what} in {', '.join(missing)}; give `{missing[0]}: …`", mild)

    def tags(self) -> Iterator[Problem]:
        """Languages that the narrator does not speak."""
        known = self.vocabulary.languages
        for tag in self.source.languages or ():
            if not meant(tag, known):
                yield Problem(("languages",), unknown("script for the language", tag, known))
        named: list[tuple[Where, Mapping[str, str]]] = [(("name",), self.source.name)]
        named += [(("roles", role_id, "name"), role.name) for role_id, role in self.source.roles.items()]
        for path, texts in named:
            for tag in texts:
                if not meant(tag, known):
                    what = f"there is no script for the language {tag!r}{did_you_mean(tag, known)}"
                    yield Problem((*path, tag), f"{what}; a text in it is never spoken", mild=True)

    def names(self) -> Iterator[Problem]:
        """Names of roles and camps, and texts that are shown."""
        source = self.source
        yield from self.lack(("name",), "the ruleset has no name", source.name)
        yield from self.lack(("about",), "nothing is said about the ruleset", source.about, mild=True)
        if source.rules:
            yield from self.lack(("rules",), "there are no rules", source.rules, mild=True)
        for role_id, role in source.roles.items():
            yield from self.lack(("roles", role_id, "name"), f"the role {role_id!r} has no name", role.name)
            if role.name:
                yield from self.lack(("roles", role_id, "task"), f"{role_id!r} has no task", role.task, mild=True)
        for camp, texts in source.camps.items():
            spoken = any(one.winner == camp for one in source.endings) and f"won.{camp}" not in self.vocabulary.keys
            yield from self.lack(("camps", camp), f"the camp {camp!r} has no name", texts, mild=not spoken)
        for name, option in source.options.items():
            yield from self.lack(("options", name), f"the option {name!r} has no text", option.text, mild=True)

    def steps(self) -> Iterator[Problem]:
        """Calls of the night."""
        for index, step in enumerate(self.source.night):
            if step.spoken:
                yield from self.own_words(("night", index, "lines"), step)
                yield from self.call(("night", index), step)

    def own_words(self, path: Where, step: Step) -> Iterator[Problem]:
        for part, texts in step.lines.items():
            if part not in CALL_PARTS:
                yield Problem((*path, part), unknown("part of a call", part, CALL_PARTS))
            for tag, text in texts.items():
                yield from _fields((*path, part, tag), text)

    def call(self, path: Where, step: Step) -> Iterator[Problem]:
        if f"calls.{step.id}.open" in self.vocabulary.keys:
            return
        nobody = not self.is_named(step)
        for part in CALL_PARTS if nobody else step.lines:
            texts = step.lines.get(part, {})
            lack = "has no words of its own" if nobody else "is called in general words"
            yield from self.lack((*path, "lines", part), f"{step.id!r} {lack} for `{part}`", texts, mild=not nobody)

    def is_named(self, step: Step) -> bool:
        """Whether there is a role by whose name the step can be called."""
        return step.id in self.source.roles or bool(step.roles())

    def day(self) -> Iterator[Problem]:
        """The office, and lines that are asked for by their key."""
        office = self.source.day.office
        if office and f"names.office.{office.id}" not in self.vocabulary.keys:
            yield from self.lack(("day", "office"), f"the office {office.id!r} has no name", office.name)
        for index, notice in enumerate(self.source.notices):
            yield from self.key(("notices", index, "notice"), notice.id)
        for index, key in enumerate(self.source.reminders):
            yield from self.key(("reminders", index), key)

    def key(self, path: Where, key: str) -> Iterator[Problem]:
        if key not in self.vocabulary.keys:
            alike = did_you_mean(key, self.vocabulary.keys)
            yield Problem(path, f"there is no line {key!r} in the scripts{alike}; see `lines` in scripts/en.yaml")


def _fields(path: Where, text: str) -> Iterator[Problem]:
    try:
        named = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
    except ValueError as error:
        yield Problem(path, f"{{ and }} must enclose a name ({error}); write {{role}} or {{number}}")
        return
    for name in named:
        if name not in BLANKS:
            yield Problem(path, unknown("value", name, BLANKS))
