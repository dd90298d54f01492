"""Being told: what a character knows before the first night, and what it learns at the end of a night."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from narrator.engine.abilities.base import ABILITIES, NOTHING, Ability, ability
from narrator.engine.abilities.detective.passives import is_blessed, roles_in, target_of
from narrator.engine.abilities.detective.searching import Skill
from narrator.engine.abilities.detective.tonight import Choice, Tonight, seats_in
from narrator.engine.cards import holders, seats_of
from narrator.model.events import Event, Remembered
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, State

NOBODY = "none"
"""What is shown where somebody did nothing."""


def remember_looks(state: State, step: Step, choice: Choice) -> tuple[Event, ...]:
    """The traits among a choice, kept for the role that makes it."""
    chosen = {name: choice[name] for name in roles_in(step, "chooses") if choice.get(name) is not None}
    known: Mapping[str, Any] = state.memo.get("looks", {})
    role = step.wakes[0]
    return (Remembered("looks", {**known, role: {**known.get(role, {}), **chosen}}),) if chosen else ()


def look_fields(state: State, step: Step) -> tuple[Field, ...]:
    """A field for each trait that the role of a step chooses."""
    return tuple(Field(name, "word", state.ruleset.trait_values(name)) for name in roles_in(step, "chooses"))


@ability("know")
class Know(Ability):
    """Be shown what one knows before the first night, and choose one's own looks where they are free."""

    params: Mapping[str, str] = {
        "names": "roles whose holders are shown, role by role",
        "group": "roles whose holders are shown all together, without saying who is who",
        "chooses": "the traits that its holder chooses, unless they were chosen at the set-up",
    }

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        settled = all(role in state.setup.extras.get("looks", {}) for role in step.wakes)
        return () if settled else look_fields(state, step)

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        group = seats_of(holders(state, roles_in(step, "group")))
        if group:
            return group
        named = {role: seats_of(holders(state, (role,))) for role in roles_in(step, "names")}
        known = {role: seats[0] if len(seats) == 1 else seats for role, seats in named.items() if seats}
        return known or NOTHING

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        return remember_looks(state, step, choice)


@ability("hear_disguise")
class HearDisguise(Ability):
    """Be told what the disguise was good for: whom the other has acted upon, or its look and sex."""

    params: Mapping[str, str] = {"of": "the step at which the disguise was put on"}

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        tonight, worn = Tonight(state), state.ruleset.step(str(step.params["of"]))
        if not tonight.aim(worn):
            return NOTHING
        if tonight.fails(worn):
            return None
        seat = tonight.aim(worn)[0]
        if tonight.choice(worn).get("transcend"):
            traits = tonight.traits(seat)
            return {name: traits.get(name) for name in roles_in(worn, "learns")}
        return _acted_on(tonight, seat)


def _acted_on(tonight: Tonight, seat: int) -> Any:
    """The seat or seats on which somebody has used an active skill tonight, whether it worked or not."""
    for step in tonight.state.ruleset.night:
        if tonight.holds(seat, step) and seats_in(tonight.choice(step)):
            aim = tonight.aim(step)
            return aim[0] if len(aim) == 1 else aim
    return NOBODY


@ability("hear_blessing")
class HearBlessing(Ability):
    """Be told who somebody is that could not be killed tonight."""

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        tonight = Tonight(state)
        cards = [card for card in _targets(tonight) if card is not None and is_blessed(state, card)]
        return {cards[0].plays: cards[0].seat} if cards else NOTHING


def _targets(tonight: Tonight) -> Iterator[Any]:
    for step in tonight.state.ruleset.night:
        skill = ABILITIES[step.ability]
        if isinstance(skill, Skill):
            yield from (target_of(tonight, blow) for blow in skill.blows(tonight, step))
