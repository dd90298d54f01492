"""Abilities that keep alive: the doctor's treatment, the angel's rescue, the witch's two potions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.engine.abilities.base import (
    NOTHING,
    Ability,
    ability,
    actor_numbers,
    is_spent,
    param,
    power,
    refuse_unless,
    role_of,
    target_field,
    words,
)
from narrator.engine.abilities.knowing import news_of, target_tonight
from narrator.engine.acts import Acts, Hit, Treat
from narrator.engine.cards import card_of
from narrator.model.events import Event, PowerSpent
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, State


@ability("treat")
class TreatOne(Ability):
    """Treat one target: it lives though it was hit; unneeded, it may be a needle."""

    params: Mapping[str, str] = {
        "own": "false: not oneself",
        "needles": "whether an unneeded treatment is a needle; the second needle kills",
        "saves_from": "roles whose hits it saves from; all if left out",
        "sources": "it cannot save who was hit by more roles than this in one night",
    }

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (target_field(state, call, step),)

    def warnings(self, state: State, call: Call, step: Step, field: Field) -> Mapping[Any, str]:
        by = role_of(state, call, step)
        return {
            target: "second_needle"
            for target in field.allowed
            if param(state, step, "needles", False) and state.needles.get(f"{card_of(state, target).number}/{by}")
        }

    def contribute(self, acts: Acts, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> None:
        acts.treats.append(
            Treat(
                by=role_of(state, call, step),
                actors=actor_numbers(state, call, step),
                target=card_of(state, choice["target"]).number,
                needles=bool(param(state, step, "needles", False)),
                saves_from=words(state, step, "saves_from"),
                sources=int(param(state, step, "sources", 0)),
            )
        )


@ability("rescue")
class Rescue(Ability):
    """Be told what was checked and who was hit, and save the victim, once a game."""

    params: Mapping[str, str] = {
        "hit_in": "the step whose victim may be saved",
        "news_of": "the step whose check and result are told",
    }

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        return news_of(state, str(step.params["news_of"])) | {"hit": self._victim(state, step)}

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        if is_spent(state, power(call, step)):
            return ()
        if self._victim(state, step) is None:
            return ()
        return (Field("save", "flag", (True, False)),)

    def effects(self, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> tuple[Event, ...]:
        return (PowerSpent(power(call, step)),) if choice.get("save") else ()

    def contribute(self, acts: Acts, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> None:
        victim = self._victim(state, step)
        if choice.get("save") and victim is not None:
            by = role_of(state, call, step)
            acts.treats.append(Treat(by, actor_numbers(state, call, step), card_of(state, victim).number))

    def _victim(self, state: State, step: Step) -> int | None:
        return target_tonight(state, str(step.params["hit_in"]))


@ability("potions")
class Potions(Ability):
    """Heal the victim of the night, and poison anybody: each once a game."""

    params: Mapping[str, str] = {
        "hit_in": "the step whose victim may be healed",
        "both": "whether both may be used in one night",
    }

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        return NOTHING if is_spent(state, _heal(step)) else self._victim(state, step)

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        fields: list[Field] = []
        if not is_spent(state, _heal(step)):
            fields.append(_heal_field(self._victim(state, step) is not None))
        if not is_spent(state, _poison(step)):
            fields.append(target_field(state, call, step, "poison"))
        return tuple(fields)

    def check(self, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> None:
        both = bool(choice.get("heal")) and choice.get("poison") is not None
        refuse_unless(not both or bool(param(state, step, "both", True)), "not_both")

    def effects(self, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> tuple[Event, ...]:
        spent = [_heal(step)] if choice.get("heal") else []
        spent += [_poison(step)] if choice.get("poison") is not None else []
        return tuple(PowerSpent(name) for name in spent)

    def contribute(self, acts: Acts, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> None:
        by, actors = role_of(state, call, step), actor_numbers(state, call, step)
        victim = self._victim(state, step)
        if choice.get("heal") and victim is not None:
            acts.treats.append(Treat(by, actors, card_of(state, victim).number))
        if choice.get("poison") is not None:
            acts.hits.append(Hit(by, actors, card_of(state, choice["poison"]).number, savable=False))

    def _victim(self, state: State, step: Step) -> int | None:
        return target_tonight(state, str(step.params["hit_in"]))


def _heal_field(victim: bool) -> Field:
    return Field("heal", "flag", (True, False) if victim else (False,), {} if victim else {True: "nothing_to_save"})


def _heal(step: Step) -> str:
    return f"{step.id}.heal"


def _poison(step: Step) -> str:
    return f"{step.id}.poison"
