"""Abilities that keep alive: the doctor's treatment, the angel's rescue, the witch's two potions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from narrator.engine.abilities.knowing import news_of, target_tonight
from narrator.engine.ability import (
    NOTHING,
    Ability,
    Choice,
    DoerName,
    EarlierStep,
    ability,
    actor_numbers,
    is_spent,
    needed,
    param,
    power,
    refuse_unless,
    role_of,
    target_card,
    target_field,
)
from narrator.engine.cards import card_of
from narrator.engine.contributions import Contributions, Hit, Treat
from narrator.model.events import Event, PowerSpent
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, State


@ability("treat")
@dataclass(frozen=True)
class TreatOne(Ability):
    """Treat one target: it lives though it was hit; unneeded, it may be a needle."""

    own: bool = param("false: not oneself", True)
    needles: bool = param("whether an unneeded treatment is a needle; the second needle kills", False)
    saves_from: tuple[DoerName, ...] = param("roles whose hits it saves from; all if left out", (), fixed=True)
    sources: int = param(
        "it cannot save who was hit by more roles than this in one night; 0: no limit", 0, fixed=True, ge=0
    )

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (target_field(state, call, step, own=self.own),)

    def warnings(self, state: State, call: Call, step: Step, field: Field) -> Mapping[Any, str]:
        if not self.needles:
            return {}
        by = role_of(state, call, step)
        given = [target for target in field.allowed if state.needles.get(f"{card_of(state, target).number}/{by}")]
        return dict.fromkeys(given, "second_needle")

    def contribute(self, night: Contributions, state: State, call: Call, step: Step, choice: Choice) -> None:
        night.treats.append(
            Treat(
                by=role_of(state, call, step),
                actors=actor_numbers(state, call, step),
                target=target_card(state, choice).number,
                needles=self.needles,
                saves_from=frozenset(self.saves_from),
                sources=self.sources,
            )
        )


@ability("rescue")
@dataclass(frozen=True)
class Rescue(Ability):
    """Be told what was checked and who was hit, and save the victim, once a game."""

    hit_in: EarlierStep = needed("the step whose victim may be saved")
    news_of: EarlierStep = needed("the step whose check and result are told")

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        return news_of(state, self.news_of) | {"hit": target_tonight(state, self.hit_in)}

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        if is_spent(state, power(call, step)) or target_tonight(state, self.hit_in) is None:
            return ()
        return (Field("save", "flag", (True, False)),)

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        return (PowerSpent(power(call, step)),) if choice.get("save") else ()

    def contribute(self, night: Contributions, state: State, call: Call, step: Step, choice: Choice) -> None:
        victim = target_tonight(state, self.hit_in)
        if choice.get("save") and victim is not None:
            by = role_of(state, call, step)
            night.treats.append(Treat(by, actor_numbers(state, call, step), card_of(state, victim).number))


@ability("potions")
@dataclass(frozen=True)
class Potions(Ability):
    """Heal the victim of the night, and poison anybody: each once a game."""

    hit_in: EarlierStep = needed("the step whose victim may be healed")
    both: bool = param("whether both may be used in one night", True)

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        return NOTHING if is_spent(state, _heal(step)) else target_tonight(state, self.hit_in)

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        fields: list[Field] = []
        if not is_spent(state, _heal(step)):
            fields.append(_heal_field(target_tonight(state, self.hit_in) is not None))
        if not is_spent(state, _poison(step)):
            fields.append(target_field(state, call, step, "poison"))
        return tuple(fields)

    def check(self, state: State, call: Call, step: Step, choice: Choice) -> None:
        both = bool(choice.get("heal")) and choice.get("poison") is not None
        refuse_unless(not both or self.both, "not_both")

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        spent = [_heal(step)] if choice.get("heal") else []
        spent += [_poison(step)] if choice.get("poison") is not None else []
        return tuple([PowerSpent(name) for name in spent])

    def contribute(self, night: Contributions, state: State, call: Call, step: Step, choice: Choice) -> None:
        by, actors = role_of(state, call, step), actor_numbers(state, call, step)
        victim = target_tonight(state, self.hit_in)
        if choice.get("heal") and victim is not None:
            night.treats.append(Treat(by, actors, card_of(state, victim).number))
        if choice.get("poison") is not None:
            night.hits.append(Hit(by, actors, card_of(state, choice["poison"]).number, savable=False))


def _heal_field(victim: bool) -> Field:
    return Field("heal", "flag", (True, False) if victim else (False,), {} if victim else {True: "nothing_to_save"})


def _heal(step: Step) -> str:
    return f"{step.id}.heal"


def _poison(step: Step) -> str:
    return f"{step.id}.poison"
