"""Active skills that do something: striking, staring, voiding a ballot, putting on a disguise, playing a part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.engine.abilities.base import NOTHING, ability, is_spent, refuse_unless
from narrator.engine.abilities.detective.briefing import look_fields, remember_looks
from narrator.engine.abilities.detective.passives import Blow, roles_in
from narrator.engine.abilities.detective.searching import PASSIVES, Skill, any_seat, most_seats
from narrator.engine.abilities.detective.tonight import Choice, Tonight, seats_in
from narrator.engine.cards import card_of, holders, targets
from narrator.model.events import Event, PowerSpent, Remembered
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, State

PARTS = "parts"
"""The roles that have been played."""


@ability("strike")
class Strike(Skill):
    """Kill somebody; and choose one's own looks anew each night."""

    params: Mapping[str, str] = PASSIVES | {
        "chooses": "the traits that its holder chooses",
        "court": "true: once, when its holder alone has the most votes, the vote is void",
    }
    words: Mapping[str, str] = {"kill": ""}

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (any_seat(state, call, step), *look_fields(state, step))

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        return remember_looks(state, step, choice)

    def blows(self, tonight: Tonight, step: Step) -> tuple[Blow, ...]:
        return tuple(Blow("hit", step.wakes[0], seat) for seat in tonight.hits_home(step))


@ability("stare")
class Stare(Skill):
    """Make somebody's active skill fail tonight; or, in one night of the game, learn who somebody is."""

    params: Mapping[str, str] = PASSIVES | {
        "own": "false: not oneself",
        "identify_on": "the night in which the holder may learn somebody's role instead",
    }
    words: Mapping[str, str] = {"identify": "identify"}

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        now = step.params.get("identify_on") == state.round
        return (any_seat(state, call, step), *((Field("identify", "flag", (True, False)),) if now else ()))

    def answer(self, state: State, call: Call, step: Step, choice: Choice) -> Any:
        return super().answer(state, call, step, choice) if choice.get("identify") else NOTHING

    def sign(self, tonight: Tonight, step: Step, aim: tuple[int, ...]) -> Any:
        return card_of(tonight.state, aim[0]).plays or tonight.state.ruleset.citizen


@ability("void_ballot")
class VoidBallot(Skill):
    """Void somebody's ballot, or once take the effect from an accusation; and, once, have somebody kidnapped."""

    params: Mapping[str, str] = PASSIVES | {
        "shield_from": "the first night in which a seat may be shielded from being accused",
        "kidnap_from": "the first night in which somebody may be kidnapped",
        "kidnaps": "the role that is kidnapped",
        "guarded_by": "the role that is kidnapped in its place, as long as it lives",
    }
    words: Mapping[str, str] = {"shield": "shield"}
    apart = ("kidnap",)

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        flags = (name for name in ("shield", "kidnap") if _usable(state, step, name))
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
        taken = holders(state, roles_in(step, "guarded_by")) or holders(state, roles_in(step, "kidnaps"))
        return tuple(Blow("kidnapped", step.wakes[0], card.seat) for card in taken[:1])


def _usable(state: State, step: Step, name: str) -> bool:
    first = step.params.get(f"{name}_from")
    return isinstance(first, int) and state.round >= first and not is_spent(state, f"{step.id}.{name}")


@ability("disguise")
class Disguise(Skill):
    """Put on somebody's type, look and sex; what comes of it is told later in the night."""

    params: Mapping[str, str] = PASSIVES | {
        "blessed_nights": "the number of nights, from the first, in which its holder cannot be killed",
        "learns": "the traits that it learns instead of whom the other acts upon, if it wants",
    }
    words: Mapping[str, str] = {"crow": "", "transcend": "transcend"}

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (any_seat(state, call, step), Field("transcend", "flag", (True, False)))

    def answer(self, state: State, call: Call, step: Step, choice: Choice) -> Any:
        return NOTHING


@ability("play_part")
class PlayPart(Skill):
    """Play another role for the night, with all that shows of it, and turn its choice elsewhere."""

    params: Mapping[str, str] = PASSIVES | {
        "parts": "the roles that may be played, each once",
        "escapes": "how often its holder escapes from leaving the game",
        "wins_at": "the dawn at which its holder wins, if the game is not over",
    }

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        played = state.memo.get(PARTS, ())
        free = tuple(role for role in roles_in(step, "parts") if role not in played)
        barred = {role: "may_not_play" for role in state.ruleset.roles if role not in free}
        barred |= dict.fromkeys(played, "already_played")
        most = max((_most(state, role) for role in free), default=1)
        return (Field("as", "role", free, barred), Field("target", "seats", targets(state), most=most))

    def check(self, state: State, call: Call, step: Step, choice: Choice) -> None:
        part, aim = choice.get("as"), seats_in(choice)
        refuse_unless(part is not None or not aim, "part_first")
        most = _most(state, part) if part else 0
        refuse_unless(len(aim) <= most, "too_many", most=most)

    def answer(self, state: State, call: Call, step: Step, choice: Choice) -> Any:
        return NOTHING

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        part = choice.get("as")
        return (Remembered(PARTS, (*state.memo.get(PARTS, ()), part)),) if part else ()


def _most(state: State, role: str) -> int:
    """How many seats a role's own choice may name."""
    return max((most_seats(step) for step in state.ruleset.night if role in step.wakes), default=1)
