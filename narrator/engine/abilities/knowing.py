"""Abilities that tell: meeting, checking, hearing the news of another's check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from narrator.engine.ability import (
    NOTHING,
    Ability,
    Choice,
    EarlierStep,
    RoleName,
    ability,
    actor_numbers,
    needed,
    param,
    role_of,
    target_field,
)
from narrator.engine.cards import card_of
from narrator.engine.contributions import Contributions
from narrator.engine.rules import rules_of
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, State


def call_tonight(state: State, step_id: str) -> Call | None:
    """Tonight's call of a step; None if it has none."""
    return next((call for call in state.calls if call.step == step_id and not call.meeting), None)


def target_tonight(state: State, step_id: str) -> int | None:
    """Whom a step has chosen tonight; None if nobody."""
    call = call_tonight(state, step_id)
    target = state.choices.get(call.id, {}).get("target") if call else None
    return target if isinstance(target, int) else None


def news_of(state: State, step_id: str) -> dict[str, Any]:
    """Whom a step has checked tonight, and what it was shown."""
    call = call_tonight(state, step_id)
    return {"seat": target_tonight(state, step_id), "result": state.answers.get(call.id) if call else None}


def loses(state: State, actors: tuple[int, ...], what: str) -> bool:
    """Whether one of the actors has been carried off tonight by somebody who takes `act` or `see` away."""
    rules = rules_of(state)
    carrying = rules.carrying[what]
    if not carrying or not state.choices:
        return False
    night = Contributions()
    for call in state.calls:
        choice = state.choices.get(call.id) if call.step in carrying else None
        if choice and choice.get("target") is not None:
            place = rules.at[call.step]
            place.ability.contribute(night, state, call, place.step, choice)
    return any(carry.carried in actors for carry in night.carries)


@ability("meet")
@dataclass(frozen=True)
class Meet(Ability):
    """Open the eyes and see each other."""

    bound: bool = param("true: those whose fates are bound together meet", False, fixed=True)


@ability("check")
@dataclass(frozen=True)
class Check(Ability):
    """Point at a target and be shown whether it plays one of some roles, or which role it plays."""

    positive: tuple[RoleName, ...] | Mapping[RoleName, tuple[RoleName, ...]] = param(
        "the roles that show as yes (a list; or for each checking role its own list)", (), fixed=True
    )
    shows: Literal["role"] | None = param("role: the role itself is shown")
    own: bool = param("false: not oneself", True)

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (target_field(state, call, step, own=self.own),)

    def answer(self, state: State, call: Call, step: Step, choice: Choice) -> Any:
        target = choice.get("target")
        if target is None:
            return NOTHING
        if len(state.choices) and loses(state, actor_numbers(state, call, step), "see"):
            return None
        plays = card_of(state, target).plays or state.ruleset.citizen
        if self.shows == "role":
            return plays
        yes = self.positive
        return plays in (yes if isinstance(yes, tuple) else yes.get(role_of(state, call, step), ()))


@ability("hear_news")
@dataclass(frozen=True)
class HearNews(Ability):
    """Be told whom another group has checked, and the result."""

    news_of: EarlierStep = needed("the step whose check and result are told")

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        return news_of(state, self.news_of)
