"""What an ability is, the registry of all of them, and what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, ClassVar

from narrator.engine.cards import acting, card_of, dead_targets, holders, living_targets, target_of
from narrator.engine.conditions import holds
from narrator.engine.contributions import Contributions
from narrator.model.errors import Refused
from narrator.model.events import Event
from narrator.model.prompts import Field
from narrator.model.ruleset import Condition, Part, Step, Word
from narrator.model.state import Call, Card, State

NOTHING = object()
"""Nothing is shown (None is a sign that is withheld)."""

Choice = Mapping[str, Any]


class Names:
    """Marks what a parameter names: `role` (to whom something is done), `doer` (a role that does something),
    `earlier step`, `step`, `trait` or `camp`."""

    def __init__(self, kind: str) -> None:
        self.kind = kind


RoleName = Annotated[Word, Names("role")]
DoerName = Annotated[Word, Names("doer")]
StepName = Annotated[Word, Names("step")]
EarlierStep = Annotated[Word, Names("earlier step")]
TraitName = Annotated[Word, Names("trait")]
CampName = Annotated[Word, Names("camp")]


def param(description: str, default: Any = None, *, fixed: bool = False, **limits: Any) -> Any:
    """A parameter of an ability: one sentence on it, what it is if it is left out, `ge` and `le` where it has limits.

    `fixed`: it cannot depend on an option of the game.
    """
    return field(default=default, kw_only=True, metadata={"description": description, "fixed": fixed, **limits})


def needed(description: str, **limits: Any) -> Any:
    """A parameter that an ability cannot do without, and that no option decides."""
    return field(kw_only=True, metadata={"description": description, "fixed": True, **limits})


@dataclass(frozen=True)
class Bar(Part):
    """Roles that may not be chosen as long as something is so."""

    roles: tuple[RoleName, ...]
    when: Condition
    reason: str
    """`refused.<reason>` in the script."""


@dataclass(frozen=True)
class Ability(Part):
    """What the holders of a step may do. Its fields are the parameters that a ruleset may give.

    The base does nothing (a meeting, eyes open and shut).
    """

    name: ClassVar[str] = ""
    """The word that rulesets use for it."""
    apart: ClassVar[tuple[str, ...]] = ()
    """Fields that scenario files give under a word of their own, `<key>_<field>`."""
    one_of: ClassVar[tuple[tuple[str, ...], ...]] = ()
    """Groups of parameters of which one at least must be given."""

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

    def check(self, state: State, call: Call, step: Step, choice: Choice) -> None:
        """Refuse a choice whose fields are all legal but which is not, taken together."""

    def answer(self, state: State, call: Call, step: Step, choice: Choice) -> Any:
        """What the group is shown after its choice; NOTHING if nothing."""
        return NOTHING

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        """What the choice changes at once."""
        return ()

    def contribute(self, night: Contributions, state: State, call: Call, step: Step, choice: Choice) -> None:
        """Add what the choice does at dawn."""

    def spelled(self, step: Step, fields: Sequence[Field], value: Any) -> dict[str, Any]:
        """The choice for which a value in a scenario file stands; Refused if it makes no sense."""
        return dict(value) if isinstance(value, Mapping) else {fields[0].name: value}


ABILITIES: dict[str, type[Ability]] = {}
"""The word that rulesets use -> the ability."""


def ability(name: str) -> Callable[[type[Ability]], type[Ability]]:
    """Register an ability under the name that rulesets use; a name that is taken is a ValueError."""

    def register(kind: Any) -> Any:
        if name in ABILITIES:
            raise ValueError(f"two abilities are called {name!r}")
        ABILITIES[name] = kind
        kind.name = name
        return kind

    return register


def parameters(kind: type[Ability]) -> dict[str, str]:
    """The parameters of an ability -> what they mean."""
    return {one.name: str(one.metadata["description"]) for one in fields(kind)}


def actor_numbers(state: State, call: Call, step: Step) -> tuple[int, ...]:
    """The numbers of the cards that act."""
    return tuple([card.number for card in acting(state, call, step)])


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


def immune(state: State, card: Card, by: str) -> bool:
    """Whether hits by a role do not kill this card tonight."""
    role = state.ruleset.roles.get(card.plays or "")
    if role is None or not role.immune:
        return False
    return any(
        by in one.against and (not one.while_unspent or _unspent_at_nightfall(state, one.while_unspent, card.number))
        for one in role.immune
    )


def _unspent_at_nightfall(state: State, power: str, card: int) -> bool:
    round_spent = state.spent.get(power) or state.spent.get(f"{power}.{card}")
    return round_spent is None or round_spent == state.round


def target_field(
    state: State, call: Call, step: Step, name: str = "target", *, own: bool = True, bars: tuple[Bar, ...] = ()
) -> Field:
    """A living target; not `own`: the actors' own is barred; `bars` bar roles under a condition."""
    if own and not bars:
        return _any_target(state, name)
    allowed = living_targets(state)
    barred = dict.fromkeys(dead_targets(state), "dead_seat")
    dead = len(barred)
    if not own:
        barred |= {target_of(state, card): "own_seat" for card in acting(state, call, step)}
    for bar in bars:
        if holds(state, bar.when):
            these = [card for card in state.lives.living if card.plays in bar.roles]
            barred |= {target_of(state, card): bar.reason for card in these}
    if len(barred) > dead:
        allowed = tuple([target for target in allowed if target not in barred])
    return Field(name, "card" if state.on_cards else "seat", allowed, barred)


def _any_target(state: State, name: str) -> Field:
    known = state.lives.target_fields
    if name not in known:
        barred = dict.fromkeys(dead_targets(state), "dead_seat")
        known[name] = Field(name, "card" if state.on_cards else "seat", living_targets(state), barred)
    return known[name]


def refuse_unless(true: bool, reason: str, **values: object) -> None:
    """Raise Refused unless something is so."""
    if not true:
        raise Refused(reason, **values)


def target_card(state: State, choice: Choice) -> Card:
    """The card at which a choice points."""
    return card_of(state, choice["target"])
