"""Being told: what a character knows before the first night, and what it learns at the end of a night."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from narrator.editions.detective.passives import is_blessed, target_of
from narrator.editions.detective.searching import attacks
from narrator.editions.detective.tonight import Choice, Tonight, seats_in
from narrator.engine.ability import NOTHING, Ability, RoleName, StepName, TraitName, ability, needed, param
from narrator.engine.cards import holders, seats_of
from narrator.engine.rules import rules_of
from narrator.model.events import Event, Remembered
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, State

NOBODY = "none"
"""What is shown where somebody did nothing."""


def remember_looks(state: State, step: Step, traits: tuple[str, ...], choice: Choice) -> tuple[Event, ...]:
    """The traits among a choice, kept for the role that makes it."""
    chosen = {name: choice[name] for name in traits if choice.get(name) is not None}
    known: Mapping[str, Any] = state.memo.get("looks", {})
    role = step.wakes[0]
    return (Remembered("looks", {**known, role: {**known.get(role, {}), **chosen}}),) if chosen else ()


def look_fields(state: State, traits: tuple[str, ...]) -> tuple[Field, ...]:
    """A field for each trait that is chosen."""
    return tuple([Field(name, "word", state.ruleset.trait_values(name)) for name in traits])


@ability("know")
@dataclass(frozen=True)
class Know(Ability):
    """Be shown what one knows before the first night, and choose one's own looks where they are free."""

    names: tuple[RoleName, ...] = param("roles whose holders are shown, role by role", (), fixed=True)
    group: tuple[RoleName, ...] = param(
        "roles whose holders are shown all together, without saying who is who", (), fixed=True
    )
    chooses: tuple[TraitName, ...] = param(
        "the traits that its holder chooses, unless they were chosen at the set-up", (), fixed=True
    )

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        settled = all(role in state.setup.extras.get("looks", {}) for role in step.wakes)
        return () if settled else look_fields(state, self.chooses)

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        group = seats_of(holders(state, self.group))
        if group:
            return group
        named = {role: seats_of(holders(state, (role,))) for role in self.names}
        known = {role: seats[0] if len(seats) == 1 else seats for role, seats in named.items() if seats}
        return known or NOTHING

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        return remember_looks(state, step, self.chooses, choice)


@ability("hear_disguise")
@dataclass(frozen=True)
class HearDisguise(Ability):
    """Be told what the disguise was good for: whom the other has acted upon, or its look and sex."""

    of: StepName = needed("the step at which the disguise was put on")

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        tonight, worn = Tonight(state), state.ruleset.step(self.of)
        if not tonight.aim(worn):
            return NOTHING
        if tonight.fails(worn):
            return None
        seat = tonight.aim(worn)[0]
        if tonight.choice(worn).get("transcend"):
            traits = tonight.traits(seat)
            return {name: traits.get(name) for name in getattr(rules_of(state).at[self.of].ability, "learns", ())}
        return _acted_on(tonight, seat)


def _acted_on(tonight: Tonight, seat: int) -> Any:
    """The seat or seats on which somebody has used an active skill tonight, whether it worked or not."""
    for step in tonight.state.ruleset.night:
        if tonight.holds(seat, step) and seats_in(tonight.choice(step)):
            aim = tonight.aim(step)
            return aim[0] if len(aim) == 1 else aim
    return NOBODY


@ability("hear_blessing")
@dataclass(frozen=True)
class HearBlessing(Ability):
    """Be told who somebody is that could not be killed tonight."""

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        tonight = Tonight(state)
        cards = [card for card in _targets(tonight) if card is not None and is_blessed(state, card)]
        return {cards[0].plays: cards[0].seat} if cards else NOTHING


def _targets(tonight: Tonight) -> Iterator[Any]:
    for step, skill in attacks(tonight.state):
        yield from (target_of(tonight, blow) for blow in skill.blows(tonight, step))
