"""How the panel names things: seats, roles, steps, choices and answers, in the judge's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.narration import Script
from narrator.narration.refusals import refusal, warning
from webpanel.texts import Texts

Json = Mapping[str, Any]
GROUPS = ("look", "type", "sex", "office")
"""Kinds of things, besides roles, that the script has names for."""


class Words:
    """Names for one page. Roles, camps and steps go by what the table calls them; all else by the panel's texts."""

    def __init__(self, judge: Json, t: Texts, script: Script) -> None:
        self._t = t
        self._script = script
        self._named = judge.get("texts") or {}
        self._names: list[str] = list(judge.get("names") or ())
        self._numbered = (judge.get("game") or {}).get("hand") == "numbered"
        self._by_seat = {seat: name for seat, name in enumerate(self._names, 1) if name}

    def name(self, seat: int) -> str:
        """The player's name, or ''."""
        return self._names[seat - 1] if seat <= len(self._names) else ""

    def seat(self, seat: int) -> str:
        """`Seat 4 · Lin`, or without the name where there is none."""
        shown = self._t("pick.seat", seat=seat)
        return f"{shown} · {self.name(seat)}" if self.name(seat) else shown

    def targets(self, targets: list[int]) -> str:
        """Seats with their names; cards by their numbers where cards lie numbered."""
        if self._numbered:
            return self.listed(self._t("pick.card", card=card) for card in targets)
        return self.seats(targets)

    def seats(self, seats: list[int]) -> str:
        """`4 Lin, 7 Mo`."""
        return self.listed(f"{seat} {self.name(seat)}".strip() for seat in seats)

    def listed(self, items: Any) -> str:
        """Things one after the other."""
        return self._t("script.comma").join(items)

    def role(self, role: str | None) -> str:
        """The name of a role; '' for none."""
        return self._known("roles", role) if role else ""

    def camp(self, camp: str) -> str:
        """The name of a camp."""
        return self._known("camps", camp)

    def step(self, call: Json) -> str:
        """The name of a step of the night, with its number in a series."""
        name = self._known("steps", call["step"])
        return f"{name} {call['number']}" if call.get("number") else name

    def word(self, group: str, value: object) -> str:
        """The panel's word for a value, the value itself where it has none."""
        key = f"{group}.{value}"
        return self._t(key) if self._t.has(key) else str(value).replace("_", " ")

    def field(self, name: str) -> str:
        """What a field of a choice is called."""
        if name in (self._named.get("roles") or {}):
            return self.role(name)
        if self._t.has(f"field.{name}"):
            return self._t(f"field.{name}")
        key = f"story.field.{name}"
        return self._script.render(key) if self._script.has(key) else self._t("field.other")

    def value(self, value: Any, field: str = "") -> str:
        """Anything that is chosen or shown in a field: a number, a sign, a role, another word, several of them."""
        if value is None:
            return self._t("answer.nobody")
        if isinstance(value, bool):
            return self._t("answer.yes" if value else "answer.no")
        if isinstance(value, int):
            return self.seats([value]) if field == "seat" else self.targets([value])
        if isinstance(value, Mapping):
            return self.listed(self._pair(name, one) for name, one in value.items())
        if isinstance(value, list | tuple):
            return self.listed(self.value(one, field) for one in value)
        return self._named_word(str(value), field)

    def _named_word(self, word: str, field: str) -> str:
        """A role by its name; else what the script calls such a thing, in that field or any other."""
        groups = [] if word in (self._named.get("roles") or {}) else [field, *GROUPS]
        found = next((group for group in groups if self._script.has(f"names.{group}.{word}")), None)
        return self._script.word(found, word) if found else self.role(word)

    def pairs(self, values: Json) -> list[str]:
        """Each entry of a mapping as a line of its own."""
        return [self._pair(name, value) for name, value in values.items()]

    def choice(self, choice: Json) -> str:
        """What was chosen: the plain target, or each field with its name."""
        if not choice:
            return self._t("answer.nobody")
        if set(choice) <= {"target"}:
            return self.value(choice["target"])
        return self.listed(self._pair(name, value) for name, value in choice.items())

    def refusal(self, reason: str, values: Json) -> str:
        """Why something may not be done."""
        named = {**values, "role": self.role(str(values["role"]))} if "role" in values else values
        return refusal(self._script, reason, named, names=self._by_seat)

    def warning(self, key: str) -> str:
        """What will be surprising about a choice; '' for no warning."""
        return warning(self._script, key) if key else ""

    def _pair(self, name: str, value: Any) -> str:
        return self._t("answer.pair", label=self.field(name).strip("¿?？"), value=self.value(value, name))

    def _known(self, group: str, name: str) -> str:
        return str((self._named.get(group) or {}).get(name) or name.replace("_", " "))
