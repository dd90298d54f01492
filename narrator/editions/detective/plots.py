"""Active skills that do something: striking, staring, voiding a ballot, putting on a disguise, playing a part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from narrator.editions.detective.briefing import look_fields, remember_looks
from narrator.editions.detective.passives import Blow
from narrator.editions.detective.searching import Attack, Skill, any_seat
from narrator.editions.detective.tonight import Choice, Tonight, seats_in
from narrator.engine.ability import NOTHING, RoleName, TraitName, ability, is_spent, param, refuse_unless
from narrator.engine.cards import card_of, holders, targets
from narrator.engine.rules import Rules, rules_of
from narrator.model.events import Event, PowerSpent, Remembered
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, State

PARTS = "parts"
"""The roles that have been played."""


@ability("strike")
@dataclass(frozen=True)
class Strike(Attack):
    """Kill somebody; and choose one's own looks anew each night."""

    chooses: tuple[TraitName, ...] = param("the traits that its holder chooses", (), fixed=True)
    court: bool = param("true: once, when its holder alone has the most votes, the vote is void", False, fixed=True)
    words: ClassVar[Mapping[str, str]] = {"kill": ""}

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (any_seat(state, call, step), *look_fields(state, self.chooses))

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        return remember_looks(state, step, self.chooses, choice)

    def blows(self, tonight: Tonight, step: Step) -> tuple[Blow, ...]:
        return tuple(Blow("hit", step.wakes[0], seat) for seat in tonight.hits_home(step))


@ability("stare")
@dataclass(frozen=True)
class Stare(Skill):
    """Make somebody's active skill fail tonight; or, in one night of the game, learn who somebody is."""

    own: bool = param("false: not oneself", True, fixed=True)
    identify_on: int = param("the night in which the holder may learn somebody's role instead", 0, fixed=True, ge=0)
    words: ClassVar[Mapping[str, str]] = {"identify": "identify"}

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        now = self.identify_on == state.round
        return (any_seat(state, call, step, self.own), *((Field("identify", "flag", (True, False)),) if now else ()))

    def answer(self, state: State, call: Call, step: Step, choice: Choice) -> Any:
        return super().answer(state, call, step, choice) if choice.get("identify") else NOTHING

    def sign(self, tonight: Tonight, step: Step, aim: tuple[int, ...]) -> Any:
        return card_of(tonight.state, aim[0]).plays or tonight.state.ruleset.citizen


@ability("void_ballot")
@dataclass(frozen=True)
class VoidBallot(Attack):
    """Void somebody's ballot, or once take the effect from an accusation; and, once, have somebody kidnapped."""

    shield_from: int | None = param(
        "the first night in which a seat may be shielded from being accused", fixed=True, ge=0
    )
    kidnap_from: int | None = param("the first night in which somebody may be kidnapped", fixed=True, ge=0)
    kidnaps: tuple[RoleName, ...] = param("the role that is kidnapped", (), fixed=True)
    guarded_by: tuple[RoleName, ...] = param(
        "the role that is kidnapped in its place, as long as it lives", (), fixed=True
    )
    words: ClassVar[Mapping[str, str]] = {"shield": "shield"}
    apart: ClassVar = ("kidnap",)

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        firsts = {"shield": self.shield_from, "kidnap": self.kidnap_from}
        flags = [name for name, first in firsts.items() if _usable(state, step, name, first)]
        return (any_seat(state, call, step), *(Field(name, "flag", (True, False)) for name in flags))

    def check(self, state: State, call: Call, step: Step, choice: Choice) -> None:
        refuse_unless(not choice.get("shield") or choice.get("target") is not None, "too_few", least=1)

    def answer(self, state: State, call: Call, step: Step, choice: Choice) -> Any:
        return NOTHING

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        return tuple(PowerSpent(f"{step.id}.{name}") for name in ("shield", "kidnap") if choice.get(name))

    def blows(self, tonight: Tonight, step: Step) -> tuple[Blow, ...]:
        if not tonight.choice(step).get("kidnap"):
            return ()
        state = tonight.state
        taken = holders(state, self.guarded_by) or holders(state, self.kidnaps)
        return tuple(Blow("kidnapped", step.wakes[0], card.seat) for card in taken[:1])


def _usable(state: State, step: Step, name: str, first: int | None) -> bool:
    return first is not None and state.round >= first and not is_spent(state, f"{step.id}.{name}")


@ability("disguise")
@dataclass(frozen=True)
class Disguise(Skill):
    """Put on somebody's type, look and sex; what comes of it is told later in the night."""

    blessed_nights: int = param(
        "the number of nights, from the first, in which its holder cannot be killed", 0, fixed=True, ge=0
    )
    learns: tuple[TraitName, ...] = param(
        "the traits that it learns instead of whom the other acts upon, if it wants", (), fixed=True
    )
    words: ClassVar[Mapping[str, str]] = {"crow": "", "transcend": "transcend"}

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (any_seat(state, call, step), Field("transcend", "flag", (True, False)))

    def answer(self, state: State, call: Call, step: Step, choice: Choice) -> Any:
        return NOTHING


@ability("play_part")
@dataclass(frozen=True)
class PlayPart(Skill):
    """Play another role for the night, with all that shows of it, and turn its choice elsewhere."""

    parts: tuple[RoleName, ...] = param("the roles that may be played, each once", (), fixed=True)
    escapes: int = param("how often its holder escapes from leaving the game", 0, fixed=True, ge=0)
    wins_at: int = param("the dawn at which its holder wins, if the game is not over", 0, fixed=True, ge=0)

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        played = state.memo.get(PARTS, ())
        free = tuple(role for role in self.parts if role not in played)
        barred = {role: "may_not_play" for role in state.ruleset.roles if role not in free}
        barred |= dict.fromkeys(played, "already_played")
        reach = _reach(rules_of(state))
        most = max([reach.get(role, 1) for role in free], default=1)
        return (Field("as", "role", free, barred), Field("target", "seats", targets(state), most=most))

    def check(self, state: State, call: Call, step: Step, choice: Choice) -> None:
        part, aim = choice.get("as"), seats_in(choice)
        refuse_unless(part is not None or not aim, "part_first")
        most = _reach(rules_of(state)).get(part, 1) if part else 0
        refuse_unless(len(aim) <= most, "too_many", most=most)

    def answer(self, state: State, call: Call, step: Step, choice: Choice) -> Any:
        return NOTHING

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        part = choice.get("as")
        return (Remembered(PARTS, (*state.memo.get(PARTS, ()), part)),) if part else ()


@lru_cache(maxsize=16)
def _reach(rules: Rules) -> Mapping[str, int]:
    """Role with an active skill -> how many seats its own choice may name."""
    found: dict[str, int] = {}
    for step, skill in rules.those_of(Skill):
        for role in step.wakes:
            found[role] = max(getattr(skill, "most", 1), found.get(role, 0))
    return found
