"""Abilities that change who is who: the thief's exchange, the pair that Cupid binds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from narrator.engine.ability import NOTHING, Ability, Choice, RoleName, ability, param, refuse_unless
from narrator.engine.cards import acting, card_of, living_targets, lying, unidentified
from narrator.model.events import Event, Remembered, RoleTaken
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, State


@ability("take_card")
@dataclass(frozen=True)
class TakeCard(Ability):
    """See the cards left over and take one of them as one's role."""

    must_take: tuple[RoleName, ...] = param(
        "if all the cards left over are of these roles, one must be taken", (), fixed=True
    )

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        return tuple(state.spare) if state.spare else NOTHING

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        if state.spare:
            return (Field("target", "role", tuple(dict.fromkeys(state.spare)), optional=not self._must(state.spare)),)
        left = state.ruleset.hand.spare
        table = lying(state, call)
        roles = tuple(table if sum(table.values()) >= left else unidentified(state))
        return (
            Field("left", "roles", roles, least=left, most=left, optional=False),
            Field("target", "role", roles),
        )

    def check(self, state: State, call: Call, step: Step, choice: Choice) -> None:
        spare = state.spare or choice["left"]
        if not state.spare:
            self._check_left(state, call, Counter(spare))
        taken = choice.get("target")
        refuse_unless(taken is None or taken in spare, "not_left_over", role=taken)
        refuse_unless(taken is not None or not (spare and self._must(spare)), "must_take_one")

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        events: list[Event] = []
        if choice.get("left"):
            events.append(Remembered("spare", tuple(choice["left"])))
        plays = choice.get("target") or state.ruleset.citizen
        return tuple(events) + tuple(RoleTaken(card.number, plays) for card in acting(state, call, step))

    def _check_left(self, state: State, call: Call, left: Counter[str]) -> None:
        """Refuse cards that others hold, or that leave out some that nobody has shown."""
        unknown, table = unidentified(state), lying(state, call)
        for role in {**left, **table}:
            wrong = left[role] > unknown.get(role, 0) or (role in table and left[role] < table[role])
            refuse_unless(not wrong, "wrong_count", role=role, count=unknown.get(role, 0), given=left[role])

    def _must(self, spare: tuple[str, ...]) -> bool:
        return all(role in self.must_take for role in spare)


@ability("bind")
@dataclass(frozen=True)
class Bind(Ability):
    """Choose two whose fates are bound together."""

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (Field("target", "seats", living_targets(state), least=2, most=2),)

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        if not choice.get("target"):
            return ()
        return (Remembered("bound", tuple(card_of(state, target).number for target in choice["target"])),)
