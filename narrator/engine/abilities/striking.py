"""Abilities that harm: hit, silence, observe, carry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.engine.abilities.base import (
    Ability,
    ability,
    actor_numbers,
    is_spent,
    param,
    power,
    role_of,
    target_field,
    words,
)
from narrator.engine.acts import Acts, Carry, Hit, Observe, Silence
from narrator.engine.cards import card_of
from narrator.engine.immunity import immune
from narrator.model.events import Event, PowerSpent
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, State


@ability("hit")
class HitOne(Ability):
    """Kill one target."""

    params: Mapping[str, str] = {
        "once": "once a game",
        "only": "roles on which alone it works",
        "savable": "false: nobody can be saved from it",
        "own": "false: not oneself",
        "bars": "roles that may not be hit under a condition",
        "by": "in whose name, if nobody wakes",
    }

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        if param(state, step, "once") and is_spent(state, power(call, step)):
            return ()
        return (target_field(state, call, step),)

    def warnings(self, state: State, call: Call, step: Step, field: Field) -> Mapping[Any, str]:
        found = dict.fromkeys(field.allowed, "spends_power") if param(state, step, "once") else {}
        by = role_of(state, call, step)
        return found | {t: "immune" for t in field.allowed if immune(state, card_of(state, t).number, by)}

    def effects(self, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> tuple[Event, ...]:
        used = param(state, step, "once") and choice.get("target") is not None
        return (PowerSpent(power(call, step)),) if used else ()

    def contribute(self, acts: Acts, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> None:
        target = card_of(state, choice["target"])
        only = words(state, step, "only")
        if only and target.plays not in only:
            return
        by = param(state, step, "by") or role_of(state, call, step)
        savable = param(state, step, "savable", True) is not False
        acts.hits.append(Hit(by, actor_numbers(state, call, step), target.number, savable))


@ability("silence")
class SilenceOne(Ability):
    """Take one seat's word for the coming day."""

    params: Mapping[str, str] = {"own": "false: not oneself"}

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (target_field(state, call, step),)

    def contribute(self, acts: Acts, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> None:
        target = card_of(state, choice["target"]).number
        acts.silences.append(Silence(role_of(state, call, step), actor_numbers(state, call, step), target))


@ability("observe")
class ObserveOne(Ability):
    """Test what one seat says of itself the coming day."""

    params: Mapping[str, str] = {"own": "false: not oneself"}

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (target_field(state, call, step),)

    def contribute(self, acts: Acts, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> None:
        target = card_of(state, choice["target"]).number
        acts.observed.append(Observe(role_of(state, call, step), actor_numbers(state, call, step), target))


@ability("carry")
class CarryOff(Ability):
    """Carry off one target other than oneself."""

    params: Mapping[str, str] = {
        "own": "false: not oneself",
        "blocks": "what the carried one loses: act, see",
        "shields": "what does not touch it directly: hit, treat, silence",
        "shares_death": "hit: what kills the carrier kills it; any: it dies whenever the carrier dies",
        "shares_needle": "treated: a needle whenever the carrier is treated; needled: with every needle of the carrier",
        "shares_silence": "true: it is silenced with the carrier",
    }

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (target_field(state, call, step),)

    def contribute(self, acts: Acts, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> None:
        acts.carries.append(
            Carry(
                carriers=actor_numbers(state, call, step),
                carried=card_of(state, choice["target"]).number,
                blocks=words(state, step, "blocks"),
                shields=words(state, step, "shields"),
                shares_death=param(state, step, "shares_death") or "",
                shares_needle=param(state, step, "shares_needle") or "",
                shares_silence=bool(param(state, step, "shares_silence")),
            )
        )
