"""Active skills that find something out: investigating, arresting, searching, and doing it with a sleeper's skill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from narrator.editions.detective.passives import ASLEEP, Blow, sleepers, struck, survivors
from narrator.editions.detective.tonight import Choice, Tonight
from narrator.engine.ability import (
    NOTHING,
    Ability,
    CampName,
    DoerName,
    RoleName,
    StepName,
    TraitName,
    ability,
    actor_numbers,
    is_spent,
    needed,
    param,
    refuse_unless,
)
from narrator.engine.cards import acting, card_of, holders, targets
from narrator.engine.contributions import Contributions, Hit
from narrator.engine.rules import rules_of
from narrator.model.events import Event, PowerSpent, Remembered
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, Card, State


@dataclass(frozen=True)
class Skill(Ability):
    """Base of the active skills: they point at any seat, living or dead, and a stare makes them fail."""

    dies_for: tuple[RoleName, ...] = param("roles in whose place its holder dies", (), fixed=True)
    until_found: StepName = param("the search (a step) whose success ends that", "", fixed=True)

    words: ClassVar[Mapping[str, str]] = {}
    """Words that scenario files use instead of `target` -> the flag that each sets; '' if none."""

    def actors(self, state: State, call: Call, step: Step) -> tuple[Card, ...]:
        found, asleep = acting(state, call, step), sleepers(state)
        return tuple([card for card in found if card not in asleep]) if asleep else found

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (any_seat(state, call, step),)

    def answer(self, state: State, call: Call, step: Step, choice: Choice) -> Any:
        tonight = Tonight.choosing(state, call, choice)
        aim = tonight.aim(step)
        if not aim:
            return NOTHING
        return None if tonight.fails(step) else self.sign(tonight, step, aim)

    def sign(self, tonight: Tonight, step: Step, aim: tuple[int, ...]) -> Any:
        """What is shown of the seats pointed at, if the skill does not fail; NOTHING if nothing."""
        return NOTHING

    def spelled(self, step: Step, fields: Sequence[Field], value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            return {fields[0].name: value}
        aimed = [word for word in value if word in self.words or word == "target"]
        refuse_unless(len(aimed) < 2, "one_skill")
        choice = {name: one for name, one in value.items() if name not in self.words}
        for word in self.words.keys() & value.keys():
            choice["target"] = value[word]
            if self.words[word]:
                choice[self.words[word]] = True
        return choice


@dataclass(frozen=True)
class Attack(Skill):
    """Base of the active skills that strike somebody."""

    def blows(self, tonight: Tonight, step: Step) -> tuple[Blow, ...]:
        """Whom it strikes tonight."""
        return ()

    def contribute(self, night: Contributions, state: State, call: Call, step: Step, choice: Choice) -> None:
        tonight = Tonight(state)
        actors = actor_numbers(state, call, step)
        for blow in self.blows(tonight, step):
            card = struck(tonight, blow)
            if card:
                through = 0 if card.seat == blow.seat else card_of(state, blow.seat).number
                night.hits.append(Hit(blow.by, actors, card.number, kind=blow.kind, through=through))


def attacks(state: State) -> tuple[tuple[Step, Attack], ...]:
    """The steps at which somebody may strike, each with that skill."""
    return rules_of(state).those_of(Attack)


def any_seat(state: State, call: Call, step: Step, own: bool = True) -> Field:
    """A seat, living or dead; not `own`: the actors' own is barred."""
    if own:
        return Field("target", "seat", targets(state))
    barred = {card.seat: "own_seat" for card in acting(state, call, step)}
    return Field("target", "seat", tuple([seat for seat in targets(state) if seat not in barred]), barred)


@ability("investigate")
@dataclass(frozen=True)
class Investigate(Skill):
    """Point at a seat and be shown a trait of it, or whether it is of a camp."""

    trait: TraitName = param("the trait that is shown: type, look or sex", "", fixed=True)
    camp: CampName = param("instead: whether the seat shows as one of this camp", "", fixed=True)
    one_of: ClassVar = (("trait", "camp"),)

    def sign(self, tonight: Tonight, step: Step, aim: tuple[int, ...]) -> Any:
        if self.camp:
            return tonight.is_of(aim[0], self.camp)
        return tonight.traits(aim[0]).get(self.trait)


@ability("watch")
@dataclass(frozen=True)
class Watch(Investigate):
    """Investigate; or, once, put somebody to sleep, and have that one's skills as long as it lives."""

    sleeper: RoleName = needed("the role that can be put to sleep")
    words: ClassVar[Mapping[str, str]] = {"watch": "watch"}

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        usable = not is_spent(state, _watch(step)) or sleepers(state)
        return (any_seat(state, call, step), *((Field("watch", "flag", (True, False)),) if usable else ()))

    def answer(self, state: State, call: Call, step: Step, choice: Choice) -> Any:
        if not choice.get("watch"):
            return super().answer(state, call, step, choice)
        tonight = Tonight.choosing(state, call, choice)
        if not self._works(tonight, step):
            return None
        aim, borrowed = tonight.aim(step), _skill_of(state, self.sleeper)
        return borrowed[1].sign(tonight, borrowed[0], aim) if borrowed and aim else NOTHING

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        if not choice.get("watch") or is_spent(state, _watch(step)):
            return ()
        spent = PowerSpent(_watch(step))
        asleep = tuple(card.number for card in holders(state, (self.sleeper,)))
        works = self._works(Tonight.choosing(state, call, choice), step)
        return (spent, Remembered(ASLEEP, asleep)) if works else (spent,)

    def _works(self, tonight: Tonight, step: Step) -> bool:
        """Whether the skills of the one asleep can be used: it lives through the night, and no stare is in the way."""
        living = holders(tonight.state, (self.sleeper,))
        return not tonight.fails(step) and bool(survivors(tonight.state, living))


def _watch(step: Step) -> str:
    return f"{step.id}.watch"


def skills(state: State) -> tuple[tuple[Step, Skill], ...]:
    """The steps at which somebody uses an active skill, each with that skill."""
    return rules_of(state).those_of(Skill)


def _skill_of(state: State, role: str) -> tuple[Step, Skill] | None:
    """The step at which a role uses its active skill."""
    return next((found for found in skills(state) if role in found[0].wakes), None)


@ability("arrest")
@dataclass(frozen=True)
class Arrest(Attack):
    """Point at a seat and be shown whether it shows as one of some roles; some of them are arrested by it."""

    positive: tuple[RoleName, ...] = param("the roles that show as yes", (), fixed=True)
    arrests: tuple[RoleName, ...] = param("the roles that are arrested", (), fixed=True)

    def sign(self, tonight: Tonight, step: Step, aim: tuple[int, ...]) -> Any:
        return tonight.plays(aim[0]) in self.positive

    def blows(self, tonight: Tonight, step: Step) -> tuple[Blow, ...]:
        arrested = [seat for seat in tonight.hits_home(step) if tonight.plays(seat) in self.arrests]
        return tuple(Blow("arrested", step.wakes[0], seat) for seat in arrested)


@ability("search")
@dataclass(frozen=True)
class Search(Skill):
    """Name several seats and be told where among them somebody is, if there; the first find may begin a guard."""

    sought: tuple[RoleName, ...] = param("the role that is looked for", (), fixed=True)
    most: int = param("how many seats may be named", 1, fixed=True, ge=0)
    guards_from: tuple[DoerName, ...] = param(
        "roles whose hits cannot kill the one found, while the finder lives", (), fixed=True
    )

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (Field("target", "seats", targets(state), most=self.most),)

    def sign(self, tonight: Tonight, step: Step, aim: tuple[int, ...]) -> Any:
        return next((seat for seat in aim if card_of(tonight.state, seat).plays in self.sought), False)

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        found = self.answer(state, call, step, choice)
        if found in (None, False, NOTHING):
            return ()
        return (Remembered(f"found.{step.id}", state.round),)
