"""Words of the command line that name something: a language in any usual form, a ruleset by its id."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

from narrator.language_tags import meant
from narrator.loading.files.problem import nearest_first
from narrator.narration.scripts import languages


def none_such(kind: str, name: str, known: Iterable[str]) -> str:
    """What to say of a name that is not known: those there are, the nearest first."""
    return f"there is no {kind}; there are {', '.join(nearest_first(name, known))}; got {name}"


def language_of(tag: str) -> str:
    """The language of a script that a tag in any usual form means. Raises ValueError with those there are."""
    found = meant(tag, languages())
    if not found:
        raise ValueError(none_such("script for this language", tag, languages()))
    return found


# Types of options


class NoSuch(click.BadParameter):
    """A word that names nothing. The exit status is that of what cannot be done."""

    exit_code = 1


def language(said: str) -> str:
    """The language of a script: `zh-CN`, `zh_TW`, `EN`, `es-419`, `en_US.UTF-8` …; '' stays ''."""
    try:
        return language_of(said) if said else ""
    except ValueError as fault:
        raise NoSuch(str(fault)) from fault


def spoken_languages(said: str) -> str:
    """One language or two, with a comma between them."""
    return ",".join(language(tag) for tag in said.split(",") if tag.strip())


def ruleset_of(known: Callable[[], Iterable[str]]) -> Callable[[str], str]:
    """The id of one of the known rulesets; '' stays ''."""

    def ruleset(said: str) -> str:
        if said and said not in known():
            raise NoSuch(none_such("such ruleset", said, known()))
        return said

    return ruleset
