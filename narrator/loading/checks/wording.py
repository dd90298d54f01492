"""Whether the narrator has words for everything in the languages that a ruleset is meant for."""

from __future__ import annotations

import string
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from narrator.language_tags import meant, text_in
from narrator.loading.files.problem import Problem, Where, did_you_mean, unknown
from narrator.loading.files.ruleset_file import RulesetFile
from narrator.model.ruleset import KIN, Step

CALL_PARTS = ("open", "ask", "close")
BLANKS = ("role", "number")
"""What the words of a step may have put in."""


class ScriptLine(Protocol):
    """A key of the scripts, as far as it matters here."""

    @property
    def needs(self) -> frozenset[str]:
        """The parameters that its text must use."""

    @property
    def params(self) -> frozenset[str]:
        """Every parameter that its text can use."""

    @property
    def spoken(self) -> bool:
        """Whether the narrator says it."""


ITS_OWN = frozenset({"ruleset", "office"})
"""What a line of the script is told of, and an edition's own words need not be."""


@dataclass(frozen=True)
class Vocabulary:
    """What the narrator's scripts have words for."""

    languages: tuple[str, ...]
    keys: Mapping[str, ScriptLine]
    """The keys that every script has; those of calls are `calls.STEP.open` and so on."""


def missing_words(source: RulesetFile, vocabulary: Vocabulary) -> Iterator[Problem]:
    """Every line and name that is missing in a language of the ruleset."""
    look = _Look(source, vocabulary)
    yield from look.tags()
    yield from look.names()
    yield from look.steps()
    yield from look.lines()
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
                yield from _fields((*path, part, tag), text, BLANKS)

    def lines(self) -> Iterator[Problem]:
        """The edition's own words for lines of the script."""
        for key, texts in self.source.lines.items():
            line = self.vocabulary.keys.get(key)
            if line is None or not line.spoken:
                yield from self.key(("lines", key), key)
                continue
            for tag, text in texts.items():
                if not meant(tag, self.vocabulary.languages):
                    yield Problem(
                        ("lines", key, tag), unknown("script for the language", tag, self.vocabulary.languages)
                    )
                yield from _fields(("lines", key, tag), text, sorted(line.params), line.needs - ITS_OWN)
            yield from self.lack(("lines", key), f"the line {key!r} has no words of its own", texts, mild=True)

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
        spoken = [name for name, line in self.vocabulary.keys.items() if line.spoken]
        if key not in spoken:
            alike = did_you_mean(key, spoken)
            yield Problem(path, f"there is no line {key!r} in the scripts{alike}; see `lines` in scripts/en.yaml")


def _fields(path: Where, text: str, blanks: Collection[str], needs: Collection[str] = ()) -> Iterator[Problem]:
    """Braces of a text that hold no value it may have put in, and values it must have and lacks."""
    try:
        found = [name for _, name, form, change in string.Formatter().parse(text) if name is not None]
        odd = any(form or change for _, _, form, change in string.Formatter().parse(text))
    except ValueError as error:
        yield Problem(path, f"{{ and }} must enclose a name ({error}); {_offered(blanks)}")
        return
    if odd:
        yield Problem(path, f"{{ and }} must enclose a name and nothing else; {_offered(blanks)}")
    for name in found:
        if name not in blanks:
            yield Problem(
                path, unknown("value", name, blanks) if blanks else f"there is nothing to put in for {{{name}}}"
            )
    for name in sorted(set(needs).difference(found)):
        yield Problem(path, f"the text must use {{{name}}}")


def _offered(blanks: Collection[str]) -> str:
    return "write " + " or ".join(f"{{{name}}}" for name in blanks) if blanks else "nothing is put in here"
