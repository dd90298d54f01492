"""The registry of abilities and what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from narrator.engine.acts import Acts
from narrator.engine.cards import acting, dead_targets, holders, living_targets, target_of
from narrator.engine.conditions import holds
from narrator.model.errors import Refused
from narrator.model.events import Event
from narrator.model.prompts import Field
from narrator.model.ruleset import Condition, OptionRef, Step
from narrator.model.state import Call, Card, State

NOTHING = object()
"""Nothing is shown (None is a sign that is withheld)."""


class Ability:
    """What the holders of a step may do; the base does nothing (a meeting, eyes open and shut)."""

    params: Mapping[str, str] = {}
    """The parameters a ruleset may give -> what they mean; the checker of rulesets reads this."""

    apart: tuple[str, ...] = ()
    """Fields that scenario files give under a word of their own, `<key>_<field>`."""

    def actors(self, state: State, call: Call, step: Step) -> tuple[Card, ...]:
        """The cards that act in this call."""
        return acting(state, call, step)

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        """What may be chosen now; empty: nothing is asked."""
        return ()

    def warnings(self, state: State, call: Call, step: Step, field: Field) -> Mapping[Any, str]:
        """Values of a field whose effect may surprise -> the key of a warning."""
        return {}

    def briefing(self, state: State, call: Call, step: Step) -> Any:
        """What the group is shown before it chooses; NOTHING if nothing."""
        return NOTHING

    def check(self, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> None:
        """Refuse a choice whose fields are all legal but which is not, taken together."""

    def answer(self, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> Any:
        """What the group is shown after its choice; NOTHING if nothing."""
        return NOTHING

    def effects(self, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> tuple[Event, ...]:
        """What the choice changes at once."""
        return ()

    def contribute(self, acts: Acts, state: State, call: Call, step: Step, choice: Mapping[str, Any]) -> None:
        """Add what the choice does at dawn."""

    def spelled(self, step: Step, fields: Sequence[Field], value: Any) -> dict[str, Any]:
        """The choice for which a value in a scenario file stands; Refused if it makes no sense."""
        return dict(value) if isinstance(value, Mapping) else {fields[0].name: value}


ABILITIES: dict[str, Ability] = {}


def ability(name: str) -> Callable[[type[Ability]], type[Ability]]:
    """Register an ability under the name that rulesets use; a name that is taken is a ValueError."""

    def register(kind: type[Ability]) -> type[Ability]:
        if name in ABILITIES:
            raise ValueError(f"two abilities are called {name!r}")
        ABILITIES[name] = kind()
        return kind

    return register


def param(state: State, step: Step, name: str, default: Any = None) -> Any:
    """A parameter of a step, looked up in the options where it refers to one."""
    value = step.params.get(name, default)
    return state.option(value.option) if isinstance(value, OptionRef) else value


def words(state: State, step: Step, name: str) -> frozenset[str]:
    """A parameter that is a list of words."""
    return frozenset(param(state, step, name) or ())


def actor_numbers(state: State, call: Call, step: Step) -> tuple[int, ...]:
    """The numbers of the cards that act."""
    return tuple(card.number for card in acting(state, call, step))


def role_of(state: State, call: Call, step: Step) -> str:
    """The role in whose name this call acts: the card's own in a series, else the first that the step wakes."""
    if call.card:
        return state.cards[call.card - 1].plays or step.id
    if step.instead and not holders(state, step.wakes, step.anywhere):
        return step.instead.wakes[0]
    return step.wakes[0] if step.wakes else step.id


def power(call: Call, step: Step) -> str:
    """The name of the once-a-game power of a step: the step's, or one for each card of a series."""
    return f"{step.id}.{call.card}" if call.card else step.id


def is_spent(state: State, name: str) -> bool:
    """Whether a power has been used up before or in this night."""
    return name in state.spent


def target_field(state: State, call: Call, step: Step, name: str = "target") -> Field:
    """A living target; `own: false` bars the actors' own, `bars` bars roles under a condition."""
    living = living_targets(state)
    barred = dict.fromkeys(dead_targets(state), "dead_seat")
    dead = len(barred)
    if param(state, step, "own") is False:
        barred |= {target_of(state, card): "own_seat" for card in acting(state, call, step)}
    for bar in param(state, step, "bars", ()):
        barred |= _barred_by(state, bar)
    allowed = living if len(barred) == dead else tuple(target for target in living if target not in barred)
    return Field(name, _kind(state), allowed, barred)


def _kind(state: State) -> str:
    return "card" if state.ruleset.hand.kind == "numbered" else "seat"


def _barred_by(state: State, bar: Mapping[str, Any]) -> dict[int, str]:
    when: Condition = bar["when"]
    if not holds(state, when):
        return {}
    return {
        target_of(state, card): str(bar["reason"]) for card in state.cards if card.alive and card.plays in bar["roles"]
    }


def refuse_unless(true: bool, reason: str, **values: object) -> None:
    """Raise Refused unless something is so."""
    if not true:
        raise Refused(reason, **values)
