"""A ruleset as one table plays it: worked out once, at the deal, so that no command looks anything up by name again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from narrator.engine.ability import ABILITIES, Ability
from narrator.engine.cards import acting
from narrator.engine.conditions import Test, compiled
from narrator.model.ruleset import OptionRef, Ruleset, Step
from narrator.model.state import Call, State

A = TypeVar("A", bound=Ability)


class Place:
    """One step of the night with what its group can do."""

    def __init__(self, step: Step, options: Mapping[str, bool | str]) -> None:
        params = step.params.items()
        given = {name: options[said.option] if isinstance(said, OptionRef) else said for name, said in params}
        self.step = step
        self.ability: Ability = ABILITIES[step.ability](**given)
        self.when: Test | None = compiled(step.when, options) if step.when else None
        """Whether it is called at all; None: always."""
        self.call = Call(step.id)
        """How it is called, if not card by card."""
        self.roles = step.roles()
        """Every role that it may wake; () if it wakes nobody in particular, so that there is always an answer."""
        self.always = not step.when and (bool(options.get("call_dead_roles")) or not self.roles)
        """Whether it is called whoever lives, in the nights that it has."""
        kind = type(self.ability)
        self.actors = acting if kind.actors is Ability.actors else self.ability.actors
        """Gives the cards that act in a call: see `Ability.actors`."""
        self.briefs = kind.briefing is not Ability.briefing
        """Whether its group may be shown something before it chooses."""
        self.answers = kind.answer is not Ability.answer
        """Whether its group may be shown something after its choice."""
        self.affects = kind.effects is not Ability.effects
        """Whether its choice may change something at once."""
        self.restricts = kind.check is not Ability.check
        """Whether a choice may be refused although each of its fields is legal."""


class Night:
    """The places that a night has."""

    def __init__(self, places: Iterable[Place]) -> None:
        self.places = tuple(places)
        self.lasts = all(place.always for place in self.places)
        """Whether its calls are the same whoever lives."""


class Rules:
    """Everything that a game asks of its ruleset, with the options of the game."""

    def __init__(self, ruleset: Ruleset, options: Mapping[str, bool | str]) -> None:
        self.places = tuple(Place(step, options) for step in ruleset.night)
        self.first_night = Night(place for place in self.places if place.step.nights != "later")
        self.later_nights = Night(place for place in self.places if place.step.nights != "first")
        self.at = {place.step.id: place for place in self.places}
        """Step id -> its place."""
        self.endings = tuple((ending.winner, compiled(ending.when, options)) for ending in ruleset.endings)
        self.notices = tuple((notice.id, compiled(notice.when, options)) for notice in ruleset.notices)
        self.first_with: dict[str, Place] = {}
        """Ability -> the first step that has it."""
        for place in self.places:
            self.first_with.setdefault(place.step.ability, place)
        self.giving: dict[str, tuple[Place, ...]] = {}
        """Parameter -> the steps that give it a value; see `those_giving`."""
        self._of_kind: dict[type[Ability], tuple[tuple[Step, Any], ...]] = {}
        self.carrying = {what: self._carrying(what) for what in ("act", "see")}
        """What is taken away -> the steps at which somebody may be carried off and lose it."""
        self.on_death = {role.id: role.on_death for role in ruleset.roles.values() if role.on_death}
        self.dead_choose = bool(self.on_death or ruleset.day.office)
        """Whether a death may set off a choice."""
        self.gives_last_words = frozenset(role.id for role in ruleset.roles.values() if role.gives_last_words)
        self.calls_dead_roles = bool(options.get("call_dead_roles"))
        self.skips_quiet_days = bool(options.get("no_death_skips_day"))
        last_tie = ruleset.day.last_tie
        self.last_tie = str(options[last_tie.option]) if isinstance(last_tie, OptionRef) else last_tie
        """When there is still a tie: `nobody_out`, `game_drawn` or `all_out`."""

    def _carrying(self, what: str) -> frozenset[str]:
        return frozenset(place.step.id for place in self.places if what in getattr(place.ability, "blocks", ()))

    def those_of(self, kind: type[A]) -> tuple[tuple[Step, A], ...]:
        """The steps whose ability is of this kind, each with that ability."""
        if kind not in self._of_kind:
            found = [(place.step, place.ability) for place in self.places]
            self._of_kind[kind] = tuple((step, ability) for step, ability in found if isinstance(ability, kind))
        return self._of_kind[kind]

    def those_giving(self, param: str) -> tuple[Place, ...]:
        """The steps whose ability has this parameter, and for which it is neither off, nothing, nor empty."""
        if param not in self.giving:
            self.giving[param] = tuple(place for place in self.places if getattr(place.ability, param, None))
        return self.giving[param]


def rules_of(state: State) -> Rules:
    """The rules of a game."""
    rules: Rules = state.rules or _settled(state)
    return rules


def _settled(state: State) -> Rules:
    """The rules for these options, which games of the same ruleset share."""
    setup = state.setup
    known: dict[tuple[object, ...], Rules] = setup.ruleset.__dict__.setdefault("rules_by_options", {})
    chosen = tuple((name, type(value), value) for name, value in setup.options.items())
    if chosen not in known:
        known[chosen] = Rules(setup.ruleset, setup.options)
    rules = state.rules = known[chosen]
    return rules
