"""Abilities that tell: meeting, checking, hearing the news of another's check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.engine.abilities.base import (
    ABILITIES,
    NOTHING,
    Ability,
    ability,
    actor_numbers,
    param,
    role_of,
    target_field,
)
from narrator.engine.acts import Acts
from narrator.engine.cards import card_of
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
    acts = Acts()
    for call in state.calls:
        step = state.ruleset.step(call.step)
        choice = state.choices.get(call.id, {})
        if step.ability == "carry" and choice.get("target") is not None:
            ABILITIES["carry"].contribute(acts, state, call, step, choice)
    return any(what in carry.blocks and carry.carried in actors for carry in acts.carries)


@ability("meet")
class Meet(Ability):
    """Open the eyes and see each other."""

    params: Mapping[str, str] = {"bound": "true: those whose fates are bound together meet"}


@ability("check")
class Check(Ability):
    """Point at a target and be shown whether it plays one of some roles, or which role it plays."""

    params: Mapping[str, str] = {
        "positive": "the roles that show as yes (a list; or for each checking role its own list)",
        "shows": "role: the role itself is shown",
        "own": "false: not oneself",
    }

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (target_field(state, call, step),)

    def answer(self, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> Any:
        if choice.get("target") is None:
            return NOTHING
        if loses(state, actor_numbers(state, call, step), "see"):
            return None
        plays = card_of(state, choice["target"]).plays or state.ruleset.citizen
        if param(state, step, "shows") == "role":
            return plays
        return plays in self._yes(state, call, step)

    def _yes(self, state: State, call: Call, step: Step) -> frozenset[str]:
        yes = param(state, step, "positive") or ()
        if isinstance(yes, Mapping):
            yes = yes.get(role_of(state, call, step), ())
        return frozenset(yes)


@ability("hear_news")
class HearNews(Ability):
    """Be told whom another group has checked, and the result."""

    params: Mapping[str, str] = {"news_of": "the step whose check and result are told"}

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        return news_of(state, str(step.params["news_of"]))
