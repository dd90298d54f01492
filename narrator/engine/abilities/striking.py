"""Abilities that harm: hit, silence, observe, carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from narrator.engine.ability import (
    Ability,
    Bar,
    Choice,
    RoleName,
    ability,
    actor_numbers,
    immune,
    is_spent,
    param,
    power,
    role_of,
    target_card,
    target_field,
)
from narrator.engine.cards import card_of
from narrator.engine.contributions import Carry, Contributions, Hit, Observe, Silence
from narrator.model.events import Event, PowerSpent
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, State


@ability("hit")
@dataclass(frozen=True)
class HitOne(Ability):
    """Kill one target."""

    once: bool = param("once a game", False)
    only: tuple[RoleName, ...] = param("roles on which alone it works", (), fixed=True)
    savable: bool = param("false: nobody can be saved from it", True)
    own: bool = param("false: not oneself", True)
    bars: tuple[Bar, ...] = param("roles that may not be hit under a condition", (), fixed=True)
    by: str = param("in whose name, if nobody wakes", "", fixed=True)

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        if self.once and is_spent(state, power(call, step)):
            return ()
        return (target_field(state, call, step, own=self.own, bars=self.bars),)

    def warnings(self, state: State, call: Call, step: Step, field: Field) -> Mapping[Any, str]:
        found = dict.fromkeys(field.allowed, "spends_power") if self.once else {}
        by = role_of(state, call, step)
        return found | {target: "immune" for target in field.allowed if immune(state, card_of(state, target), by)}

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        used = self.once and choice.get("target") is not None
        return (PowerSpent(power(call, step)),) if used else ()

    def contribute(self, night: Contributions, state: State, call: Call, step: Step, choice: Choice) -> None:
        target = target_card(state, choice)
        if self.only and target.plays not in self.only:
            return
        by = self.by or role_of(state, call, step)
        night.hits.append(Hit(by, actor_numbers(state, call, step), target.number, self.savable))


@ability("silence")
@dataclass(frozen=True)
class SilenceOne(Ability):
    """Take one seat's word for the coming day."""

    own: bool = param("false: not oneself", True)

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (target_field(state, call, step, own=self.own),)

    def contribute(self, night: Contributions, state: State, call: Call, step: Step, choice: Choice) -> None:
        target = target_card(state, choice).number
        night.silences.append(Silence(role_of(state, call, step), actor_numbers(state, call, step), target))


@ability("observe")
@dataclass(frozen=True)
class ObserveOne(Ability):
    """Test what one seat says of itself the coming day."""

    own: bool = param("false: not oneself", True)

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (target_field(state, call, step, own=self.own),)

    def contribute(self, night: Contributions, state: State, call: Call, step: Step, choice: Choice) -> None:
        target = target_card(state, choice).number
        night.observed.append(Observe(role_of(state, call, step), actor_numbers(state, call, step), target))


@ability("carry")
@dataclass(frozen=True)
class CarryOff(Ability):
    """Carry off one target other than oneself."""

    own: bool = param("false: not oneself", True)
    blocks: tuple[Literal["act", "see"], ...] = param("what the carried one loses: act, see", (), fixed=True)
    shields: tuple[Literal["hit", "treat", "silence"], ...] = param(
        "what does not touch it directly: hit, treat, silence", (), fixed=True
    )
    shares_death: Literal["hit", "any"] | None = param(
        "hit: what kills the carrier kills it; any: it dies whenever the carrier dies"
    )
    shares_needle: Literal["treated", "needled"] | None = param(
        "treated: a needle whenever the carrier is treated; needled: with every needle of the carrier"
    )
    shares_silence: bool = param("true: it is silenced with the carrier", False)

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (target_field(state, call, step, own=self.own),)

    def contribute(self, night: Contributions, state: State, call: Call, step: Step, choice: Choice) -> None:
        night.carries.append(
            Carry(
                carriers=actor_numbers(state, call, step),
                carried=target_card(state, choice).number,
                blocks=frozenset(self.blocks),
                shields=frozenset(self.shields),
                shares_death=self.shares_death or "",
                shares_needle=self.shares_needle or "",
                shares_silence=self.shares_silence,
            )
        )
