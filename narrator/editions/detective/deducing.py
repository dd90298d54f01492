"""The deduction: what is announced at dawn about somebody, true or not, and what it does to that day's vote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from narrator.editions.detective.passives import skills_with, sleepers, survivors
from narrator.editions.detective.tonight import Choice, Tonight
from narrator.engine.ability import Ability, CampName, RoleName, TraitName, ability, is_spent, needed, refuse_unless
from narrator.engine.cards import acting, holders, targets
from narrator.model.events import Announced, Event, PowerSpent
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, Card, State

DEDUCE = "deduce"
ACCUSES = "culprit"
"""The field that says that a seat is the culprit."""


@ability(DEDUCE)
@dataclass(frozen=True)
class Deduce(Ability):
    """Say of a seat how it looks, that it is one of some roles, or that it is the culprit; or say nothing.

    Whoever has put the holder to sleep deduces in its stead, as long as it lives.
    """

    roles: tuple[RoleName, ...] = needed("the roles that somebody may be said to be")
    culprit: RoleName = needed(
        "the role that may be named as the culprit: once by the holder, ever again by one who stands in"
    )
    camp: CampName = needed("the camp whose members get a vote less, not more, if they are said to be the wrong role")
    look: TraitName = needed("the trait that may be told")

    def actors(self, state: State, call: Call, step: Step) -> tuple[Card, ...]:
        asleep = sleepers(state)
        awake = tuple(card for card in acting(state, call, step) if card not in asleep)
        if awake or not survivors(state, asleep):
            return awake
        return tuple(card for watch, _ in skills_with(state, "sleeper") for card in holders(state, watch.wakes))

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        fields = (
            Field("seat", "seat", targets(state)),
            Field(self.look, "word", state.ruleset.trait_values(self.look)),
            Field("role", "role", self.roles),
        )
        free = not is_spent(state, _accusation(step)) or not self._by_holder(state, call, step)
        return (*fields, Field(ACCUSES, "flag", (True, False))) if free else fields

    def check(self, state: State, call: Call, step: Step, choice: Choice) -> None:
        said = [name for name, value in choice.items() if name != "seat" and value not in (None, False)]
        refuse_unless(len(said) == (choice.get("seat") is not None), "one_answer")

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        accuses = choice.get(ACCUSES) and self._by_holder(state, call, step)
        return (PowerSpent(_accusation(step)),) if accuses else ()

    def spelled(self, step: Step, fields: Sequence[Field], value: Any) -> dict[str, Any]:
        refuse_unless(isinstance(value, Mapping) and len(value) == 1, "one_answer")
        name, said = next(iter(value.items()))
        if isinstance(said, list | tuple):
            refuse_unless(len(said) == 2, "one_answer")
            return {"seat": said[0], name: said[1]}
        return {"seat": said, ACCUSES if name == self.culprit else name: True} if said is not None else {}

    def _by_holder(self, state: State, call: Call, step: Step) -> bool:
        return any(card.plays in step.wakes for card in self.actors(state, call, step))


def _accusation(step: Step) -> str:
    return f"{step.id}.accusation"


class Deduction:
    """What was deduced last night, and its effect on the vote."""

    def __init__(self, tonight: Tonight) -> None:
        self.tonight = tonight
        place = tonight.place_of(DEDUCE)
        self.step = place.step if place else None
        self.skill = place.ability if place and isinstance(place.ability, Deduce) else None
        self.said: Choice = tonight.choice(self.step) if self.step else {}
        seat = self.said.get("seat")
        self.seat: int | None = seat if isinstance(seat, int) else None

    @property
    def accuses(self) -> bool:
        """Whether somebody is named as the culprit."""
        return bool(self.said.get(ACCUSES))

    @property
    def shielded(self) -> bool:
        """Whether the accusation is without effect: its seat has been shielded."""
        shields = [step for step, _ in skills_with(self.tonight.state, "shield_from")]
        return self.accuses and any(
            self.seat in self.tonight.hits_home(step) and bool(self.tonight.choice(step).get("shield"))
            for step in shields
        )

    @property
    def unmasks(self) -> bool:
        """Whether the true culprit is named, with effect."""
        if self.skill is None or self.seat is None or not self.accuses or self.shielded:
            return False
        return any(card.seat == self.seat for card in holders(self.tonight.state, (self.skill.culprit,)))

    @property
    def shift(self) -> int:
        """How many votes more its seat has."""
        if self.skill is None or self.seat is None:
            return 0
        if self.accuses:
            return 0 if self.shielded else 1
        if "role" not in self.said:
            return 0
        right = self.tonight.plays(self.seat) == self.said["role"]
        return -1 if not right and self.tonight.is_of(self.seat, self.skill.camp) else 1

    def announcement(self) -> tuple[Announced, ...]:
        """What dawn says of it; nothing where the edition has no deduction."""
        if self.skill is None:
            return ()
        if self.seat is None:
            return (Announced("deduction.none", {}),)
        if self.accuses or "role" in self.said:
            role = self.skill.culprit if self.accuses else self.said["role"]
            return (Announced("deduction.role", {"seat": self.seat, "role": role}),)
        look = self.said[self.skill.look]
        return (Announced("deduction.look", {"seat": self.seat, "look": look}),)
