"""The panel's own words, in every language it speaks, and how a page names seats, roles, steps, choices and answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from narrator.language_tags import meant
from narrator.model.errors import Refused
from narrator.model.state import Call
from narrator.narration import Script
from narrator.narration.refusals import refusal, warning
from narrator.narration.scripts import isolated
from narrator.table import DraftProblem, SetupProblem
from narrator.table.views import RulesetWords

FOLDER = Path(__file__).resolve().parent / "texts"
LANGUAGES = ("zh-Hans", "zh-Hant", "es", "en")
"""In the order in which they are offered."""
GROUPS = ("look", "type", "sex", "office")
"""Kinds of things, besides roles, that the script has names for."""


class Texts:
    """Key -> words, for one language. Keys are `section.name`; parameters stand in braces."""

    def __init__(self, language: str, words: Mapping[str, object]) -> None:
        self.language = language
        self.name = str(words["name"])
        self._words = dict(flatten(words))

    def __call__(self, key: str, **values: object) -> str:
        """The words of `key`; KeyError for a key or a parameter that is not there."""
        return self._words[key].format(**values)

    def has(self, key: str) -> bool:
        """Whether there are words for `key`."""
        return key in self._words

    def keys(self) -> frozenset[str]:
        """Every key."""
        return frozenset(self._words)

    def many(self, key: str, count: int, **values: object) -> str:
        """The words of `key.one` or `key.other`, whichever suits `count`."""
        return self(f"{key}.{'one' if count == 1 else 'other'}", count=count, **values)

    def script(self) -> dict[str, str]:
        """The few words that the page's own program needs."""
        return {key.partition(".")[2]: words for key, words in self._words.items() if key.startswith("script.")}


def flatten(words: Mapping[str, object], prefix: str = "") -> list[tuple[str, str]]:
    """`{"a": {"b": "c"}}` -> `[("a.b", "c")]`."""
    flat: list[tuple[str, str]] = []
    for key, value in words.items():
        name = f"{prefix}{key}"
        flat += flatten(value, f"{name}.") if isinstance(value, Mapping) else [(name, str(value))]
    return flat


@cache
def texts(language: str) -> Texts:
    """The panel's words in `language`; in English where the panel does not speak it."""
    known = language_of(language) or "en"
    return Texts(known, yaml.safe_load((FOLDER / f"{known}.yaml").read_text("utf-8")))


def wanted_language(accepted: str, otherwise: str = "en") -> str:
    """The panel's language that suits an Accept-Language header best."""
    for entry in accepted.split(","):
        if found := language_of(entry.partition(";")[0]):
            return found
    return otherwise


def language_of(tag: str) -> str | None:
    """The panel's language for a browser's language tag, if there is one."""
    return meant(tag, LANGUAGES)


# How a page names things


@dataclass(frozen=True)
class Shown:
    """What the judge shows a player, made big: a thumb, a card, a number, or lines of news."""

    sign: str
    """`yes no none text news`"""
    lines: tuple[str, ...]
    """What stands there to be read."""
    label: str
    """The whole of it in words."""


class Words:
    """Names for one page. Roles, camps and steps go by what the ruleset calls them; all else by the panel's texts."""

    def __init__(self, t: Texts, ruleset: RulesetWords, names: Sequence[str] = (), on_cards: bool = False) -> None:
        """`names`: of the players, from seat 1 on; `on_cards`: whether targets are numbered cards."""
        self._t = t
        self._script = Script.load(t.language)
        self._ruleset = ruleset
        self._names = names
        self._on_cards = on_cards

    def given_name(self, seat: int) -> str:
        """The player's name as it was given, or ''."""
        return self._names[seat - 1] if seat <= len(self._names) else ""

    def name(self, seat: int) -> str:
        """The player's name as it stands among other words, or ''."""
        return isolated(self.given_name(seat))

    def seat(self, seat: int) -> str:
        """`Seat 4 · Lin`, or without the name where there is none."""
        shown = self._t("pick.seat", seat=seat)
        return f"{shown} · {self.name(seat)}" if self.name(seat) else shown

    def targets(self, targets: Iterable[int]) -> str:
        """Seats with their names; cards by their numbers where cards lie numbered."""
        if self._on_cards:
            return self.listed(self._t("pick.card", card=card) for card in targets)
        return self.seats(targets)

    def seats(self, seats: Iterable[int]) -> str:
        """`4 Lin, 7 Mo`."""
        return self.listed(f"{seat} {self.name(seat)}".strip() for seat in seats)

    def listed(self, items: Iterable[str]) -> str:
        """Things one after the other."""
        return self._t("script.comma").join(items)

    def role(self, role: str | None) -> str:
        """The name of a role; '' for none."""
        return known(self._ruleset.roles, role) if role else ""

    def camp(self, camp: str) -> str:
        """The name of a camp."""
        return known(self._ruleset.camps, camp)

    def step(self, call: Call) -> str:
        """The name of a step of the night, with its number in a series."""
        name = known(self._ruleset.steps, call.step)
        return f"{name} {call.number}" if call.number else name

    def word(self, group: str, value: object) -> str:
        """The panel's word for a value, the value itself where it has none."""
        key = f"{group}.{value}"
        return self._t(key) if self._t.has(key) else str(value).replace("_", " ")

    def field(self, name: str) -> str:
        """What a field of a choice is called."""
        if name in self._ruleset.roles:
            return self.role(name)
        if self._t.has(f"field.{name}"):
            return self._t(f"field.{name}")
        key = f"story.field.{name}"
        return self._script.render(key) if self._script.has(key) else self._t("field.other")

    def value(self, value: object, field: str = "") -> str:
        """Anything that is chosen or shown in a field: a number, a sign, a role, another word, several of them."""
        if value is None:
            return self._t("answer.nobody")
        if isinstance(value, bool):
            return self._t("answer.yes" if value else "answer.no")
        if isinstance(value, int):
            return self.seats([value]) if field == "seat" else self.targets([value])
        if isinstance(value, Mapping):
            return self.listed(self.pairs(value))
        if isinstance(value, list | tuple):
            return self.listed(self.value(one, field) for one in value)
        return self._named_word(str(value), field)

    def _named_word(self, word: str, field: str) -> str:
        """A role by its name; else what the script calls such a thing, in that field or any other."""
        groups = [] if word in self._ruleset.roles else [field, *GROUPS]
        found = next((group for group in groups if self._script.has(f"names.{group}.{word}")), None)
        return self._script.word(found, word) if found else self.role(word)

    def pairs(self, values: Mapping[str, object]) -> list[str]:
        """Each entry of a mapping as a line of its own."""
        return [
            self._t("answer.pair", label=self.field(name).strip("¿?？"), value=self.value(value, name))
            for name, value in values.items()
        ]

    def choice(self, choice: Mapping[str, object]) -> str:
        """What was chosen: the plain target, or each field with its name."""
        if not choice:
            return self._t("answer.nobody")
        return self.value(choice["target"] if set(choice) <= {"target"} else choice)

    def shown(self, answer: object) -> Shown:
        """An answer as it is laid out: a bool is a thumb, None no sign at all, a mapping is news, all else is read."""
        if answer is None:
            return Shown("none", (self._t("answer.no_sign"),), self._t("answer.no_sign"))
        if isinstance(answer, bool):
            sign = "yes" if answer else "no"
            return Shown(sign, (self._t(f"answer.{sign}"),), self._t(f"answer.thumb_{sign}"))
        if isinstance(answer, Mapping):
            lines = tuple(self.pairs(answer))
            return Shown("news", lines, self.listed(lines))
        return Shown("text", (self.value(answer),), self._t("answer.shown", answer=self.value(answer)))

    def outcome(self, winner: str | None) -> str:
        """Who has won; '' as long as nobody has."""
        if not winner:
            return ""
        if winner in ("draw", "abandoned"):
            return self._t("over.drawn" if winner == "draw" else "over.abandoned")
        return self._t("over.won", camp=self.camp(winner))

    # What is wrong

    def refusal(self, reason: str, values: Mapping[str, object] | None = None) -> str:
        """Why something may not be done."""
        named = dict(values or {})
        if "role" in named:
            named["role"] = self.role(str(named["role"]))
        by_seat = {seat: name for seat, name in enumerate(self._names, 1) if name}
        return refusal(self._script, reason, named, names=by_seat)

    def warning(self, key: str) -> str:
        """What will be surprising about a choice; '' for no warning."""
        return warning(self._script, key) if key else ""

    def problem(self, problem: DraftProblem) -> str:
        """A problem of the set-up."""
        namers = {"camp": self.camp, "role": self.role}
        values = {name: namers[name](str(value)) if name in namers else value for name, value in problem.values.items()}
        key = f"problem.{problem.reason}"
        return self._t(key, **values) if self._t.has(key) else self._t("problem.other", text=str(problem))

    def fault(self, fault: Exception | None) -> str:
        """Why nothing was done; '' if something was."""
        if isinstance(fault, Refused):
            return self.refusal(fault.reason, fault.values)
        if isinstance(fault, SetupProblem):
            return " ".join(map(self.problem, fault.problems))
        return str(fault or "")


def known(names: Mapping[str, str], name: str) -> str:
    """What something is called; its id made readable where it has no name."""
    return names.get(name) or name.replace("_", " ")
