"""One night as it stands so far: who plays whom, whose skill fails, where a choice really points, who looks how.

Everything is read off tonight's choices, which hold until the next nightfall; so the day reads it in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.engine.cards import card_of
from narrator.engine.rules import Place, rules_of
from narrator.model.ruleset import Step
from narrator.model.state import Call, State

Choice = Mapping[str, Any]
Traits = Mapping[str, str]

PLAY, STARE, DISGUISE = "play_part", "stare", "disguise"
"""The abilities that bear upon what others choose and see."""
NO_CHOICE: Choice = {}


def seats_in(choice: Choice) -> tuple[int, ...]:
    """The seats that a choice points at; () if none."""
    target = choice.get("target")
    return () if target is None else tuple(target) if isinstance(target, list | tuple) else (target,)


class Tonight:
    """A night, or the day after it."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.rules = rules_of(state)
        self.player = self.step_of(PLAY)
        """The step of the one who plays other roles."""
        self.part = str(self.choice(self.player).get("as") or "") if self.player else ""
        """The role that is played tonight; '' if none."""
        self.stared_at = self._stared_at()
        """The seats whose active skill fails tonight."""

    @classmethod
    def choosing(cls, state: State, call: Call, choice: Choice) -> Tonight:
        """The night with a choice that is just being made."""
        return cls(state.evolve(choices={**state.choices, call.id: choice}))

    # --- steps and choices

    def step_of(self, ability: str) -> Step | None:
        """The step of an ability; None if the edition has none."""
        place = self.place_of(ability)
        return place.step if place else None

    def place_of(self, ability: str) -> Place | None:
        """The step of an ability, with that ability; None if the edition has none."""
        return self.rules.first_with.get(ability)

    def choice(self, step: Step) -> Choice:
        """What a step has chosen tonight; empty if nothing."""
        return self.state.choices.get(step.id, NO_CHOICE)

    def holds(self, seat: int, step: Step) -> bool:
        """Whether a seat, living or dead, has the role for which a step is called."""
        return card_of(self.state, seat).plays in step.wakes

    # --- the part that is played

    def plays(self, seat: int) -> str:
        """The role that a seat shows to those who look for it."""
        if self.part and self.player and self.holds(seat, self.player):
            return self.part
        return card_of(self.state, seat).plays or self.state.ruleset.citizen

    # --- where choices point

    def aim(self, step: Step) -> tuple[int, ...]:
        """The seats at which a step's choice points in truth; () if no choice was made."""
        choice = self.state.choices.get(step.id)
        own = seats_in(choice) if choice else ()
        return (self._moved(step) or own) if own else ()

    def _moved(self, step: Step) -> tuple[int, ...]:
        if not self.part or self.player is None or self.part not in step.wakes or self._player_is_stared_at():
            return ()
        moved = seats_in(self.choice(self.player))
        forbidden = not getattr(self.rules.at[step.id].ability, "own", True) and any(
            self.holds(seat, step) for seat in moved
        )
        return () if forbidden else moved

    def _player_is_stared_at(self) -> bool:
        """Whether the one who stares chose the player, so that nothing is moved, that stare itself included."""
        step = self.step_of(STARE)
        stared = step is not None and not self.choice(step).get("identify") and seats_in(self.choice(step))
        return bool(stared and self.player and any(self.holds(seat, self.player) for seat in stared))

    def _stared_at(self) -> tuple[int, ...]:
        step = self.step_of(STARE)
        return () if step is None or self.choice(step).get("identify") else self.aim(step)

    def fails(self, step: Step) -> bool:
        """Whether the active skill of a step fails tonight."""
        return bool(self.stared_at) and any(self.holds(seat, step) for seat in self.stared_at)

    def hits_home(self, step: Step) -> tuple[int, ...]:
        """The seats that a step's choice reaches; () if none was made or it fails."""
        return () if self.fails(step) else self.aim(step)

    # --- looks

    def disguised_as(self) -> tuple[int, ...]:
        """The seat whose traits the one in disguise has put on; () if there is no disguise."""
        step = self.step_of(DISGUISE)
        return self.hits_home(step) if step else ()

    def traits(self, seat: int) -> Traits:
        """Type, look and sex as they show tonight."""
        step = self.step_of(DISGUISE)
        seen_as = self.disguised_as() if step and self.plays(seat) in step.wakes else ()
        return self._undisguised(seen_as[0] if seen_as else seat)

    def _undisguised(self, seat: int) -> Traits:
        role, ruleset = self.plays(seat), self.state.ruleset
        printed = ruleset.traits.get(role) or ruleset.traits.get(ruleset.citizen, {})
        return {**printed, **chosen_looks(self.state, role)}

    # --- camps

    def is_of(self, seat: int, camp: str) -> bool:
        """Whether a seat shows as one of a camp."""
        role = self.state.ruleset.roles.get(self.plays(seat))
        return role is not None and role.camp == camp


def chosen_looks(state: State, role: str) -> Traits:
    """The traits that the holder of a role has chosen: before the game, and since."""
    before: Mapping[str, Traits] = state.setup.extras.get("looks", {})
    since: Mapping[str, Traits] = state.memo.get("looks", {})
    return {**before.get(role, {}), **since.get(role, {})}
