"""Choices, answers and deaths in plain words, as the judge knows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from narrator.engine.ability import role_of
from narrator.engine.cards import card_of, hand, on_cards, target_of
from narrator.model.ruleset import Step
from narrator.model.state import Call, Cause, Death, State
from narrator.narration.lines import role_name, tally_words
from narrator.narration.scripts import Names, Script

AIMED = ("hit", "treat", "silence", "observe", "carry", "bind")
"""Abilities whose choice is one target, or several, and is told with a verb of its own."""


class Teller:
    """Tells what is true of one state, in one language."""

    def __init__(self, state: State, script: Script, names: Names | None = None) -> None:
        self.state = state
        self.script = script
        self.names = names

    # --- names

    def role(self, role: str) -> str:
        """What a role is called."""
        return role_name(role, self.script, self.state.ruleset)

    def doer(self, role: str) -> str:
        """The role as one who does something: "the doctor"; proper names stand without an article."""
        name = self.role(role)
        plain = name[:1].islower() and not name.startswith(self.script.phrase("words.the", role=""))
        return self.script.phrase("words.the", role=name) if plain else name

    def place(self, card: int) -> str:
        """A card by its number, or by its seat where cards have none."""
        return self.targets([card if on_cards(self.state) else self.state.cards[card - 1].seat])

    def targets(self, targets: Iterable[int]) -> str:
        """Targets in words: seats, or numbered cards."""
        if on_cards(self.state):
            return self.script.cards(targets)
        return self.script.seats(targets, self.names)

    def tally(self, tally: Mapping[int, int]) -> str:
        """The result of a vote in words."""
        return tally_words(tally, on_cards(self.state), self.script)

    def actor(self, call: Call) -> str:
        """Who acts in a call: the role, with its card where each card is called for itself."""
        step = self.state.ruleset.step(call.step)
        role = role_of(self.state, call, step)
        if not call.card:
            return self.doer(role if role in self.state.ruleset.roles else next(iter(step.wakes), step.id))
        return self.script.phrase("story.holder", role=self.doer(role), place=self.place(call.card))

    # --- the deal

    def hands(self) -> list[str]:
        """Who was dealt what; nothing as long as nobody is known."""
        told = self._seat_by_seat() if self.state.ruleset.hand.kind == "ordered" else self._role_by_role()
        if self.state.spare:
            told.append(self._say("deal.spare", roles=self._value(self.state.spare)))
        return told

    def _role_by_role(self) -> list[str]:
        held: dict[str, list[int]] = {}
        for card in self.state.cards:
            if card.role is not None:
                held.setdefault(card.role, []).append(target_of(self.state, card))
        roles = [role for role in self.state.ruleset.roles if role in held]
        return [self._say("deal.role", role=self.role(role), places=self.targets(held[role])) for role in roles]

    def _seat_by_seat(self) -> list[str]:
        told = []
        for seat in range(1, self.state.seats + 1):
            roles = [card.role for card in hand(self.state, seat) if card.role is not None]
            if roles:
                told.append(self._say("deal.hand", seat=seat, roles=self._value(roles)))
        return told

    # --- choices

    def choice(self, call: Call, choice: Mapping[str, Any]) -> Iterator[str]:
        """What was chosen in a call, in sentences."""
        ability = self.state.ruleset.step(call.step).ability
        given = {name: value for name, value in choice.items() if value not in (None, False)}
        doer = self.actor(call)
        if not given:
            yield self._say("choice.none", doer=doer)
        elif ability == "check":
            return  # the answer tells it
        elif ability in AIMED and set(given) == {"target"}:
            yield self._say(f"choice.{ability}", doer=doer, places=self._aim(given["target"]))
        elif ability in MIXED:
            yield from self._mixed(doer, given)
        else:
            yield self._say("choice.other", doer=doer, choice=self._pairs(given))

    def _mixed(self, doer: str, given: Mapping[str, Any]) -> Iterator[str]:
        if given.get("save"):
            yield self._say("choice.rescue", doer=doer)
        if given.get("heal"):
            yield self._say("choice.heal", doer=doer)
        if given.get("poison") is not None:
            yield self._say("choice.poison", doer=doer, places=self._aim(given["poison"]))
        if given.get("target") is not None:
            yield self._say("choice.take_card", doer=doer, taken=self._value(given["target"]))
        elif given.get("left"):
            yield self._say("choice.none", doer=doer)

    def _aim(self, target: Any) -> str:
        return self.targets(target if isinstance(target, list | tuple) else [target])

    # --- answers

    def answer(self, call: Call, answer: Any) -> str:
        """What a group was shown, in one sentence."""
        step = self.state.ruleset.step(call.step)
        if step.ability == "check":
            return self._check(call, step, answer)
        return self._say("told", doer=self.actor(call), answer=self._value(answer))

    def _check(self, call: Call, step: Step, answer: Any) -> str:
        target = self.state.choices[call.id]["target"]
        params = {"doer": self.actor(call), "place": self.targets([target])}
        if answer is None:
            return self._say("told_nothing", **params)
        plays = card_of(self.state, target).plays or self.state.ruleset.citizen
        return self._say("told_check", plays=self.role(plays), answer=self._value(answer), **params)

    # --- deaths

    def death(self, death: Death) -> str:
        """Who died, what it played, and why."""
        plays = self.state.cards[death.card - 1].plays or self.state.ruleset.citizen
        causes = self.script.phrase("words.pause").join(self.cause(cause) for cause in death.causes)
        causes = causes or self.script.phrase("cause.other")
        return self._say("died", place=self.place(death.card), role=self.role(plays), causes=causes)

    def cause(self, cause: Cause) -> str:
        """A cause, with what lies behind it."""
        if cause.kind in ("hit", "arrested", "kidnapped") and cause.through:
            because = self.cause(replace(cause, through=0))
            return self.script.phrase("cause.instead", place=self.place(cause.through), because=because)
        if cause.kind == "carried":
            return self._carried(cause)
        if cause.kind == "bound":
            return self.script.phrase("cause.bound", place=self.place(cause.through))
        if cause.kind in ("hit", "needle", "taken"):
            own = f"cause.{cause.kind}_by_{cause.by}"
            key = own if self.script.has(own) else f"cause.{cause.kind}"
            return self.script.phrase(key, doer=self.doer(cause.by))
        key = f"cause.{cause.kind}"
        return self.script.phrase(key if self.script.has(key) else "cause.other")

    def _carried(self, cause: Cause) -> str:
        carrier = self.state.cards[cause.through - 1].plays or self.state.ruleset.citizen
        because = self.script.phrase("words.pause").join(self.cause(one) for one in cause.because)
        return self.script.phrase("cause.carried", doer=self.doer(carrier), because=because)

    # --- values of any kind

    def _say(self, key: str, **params: Any) -> str:
        return self.script.render(f"story.{key}", self.names, **params)

    def _value(self, value: Any) -> str:
        if value is None or value == () or value == []:
            return self.script.phrase("story.answer.nothing")
        if isinstance(value, bool):
            return self.script.phrase("words.yes" if value else "words.no")
        if isinstance(value, int):
            return self.targets([value])
        if isinstance(value, Mapping):
            return self._pairs(value)
        if isinstance(value, list | tuple):
            return self._several(value)
        return self.script.phrase("story.answer.skipped") if value == "none" else self._name(str(value))

    def _several(self, values: Iterable[Any]) -> str:
        found = list(values)
        if all(isinstance(value, int) for value in found):
            return self.targets(found)
        return self.script.listed(self._value(value) for value in found)

    def _pairs(self, values: Mapping[str, Any]) -> str:
        pairs = [
            self.script.phrase("story.answer.pair", label=self._label(name), value=self._value(value))
            for name, value in values.items()
        ]
        return self.script.phrase("words.pause").join(pairs)

    def _label(self, name: str) -> str:
        key = f"story.field.{name}"
        return self.script.phrase(key) if self.script.has(key) else self._name(name)

    def _name(self, name: str) -> str:
        if name in self.state.ruleset.roles:
            return self.role(name)
        groups = ("look", "type", "sex")
        known = next((group for group in groups if self.script.has(f"names.{group}.{name}")), "role")
        return self.script.word(known, name)


MIXED = ("rescue", "potions", "take_card")
"""Abilities whose choice may have several parts, each told in a sentence of its own."""
