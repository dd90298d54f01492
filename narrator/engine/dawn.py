"""The settling of a night: what was done, in the one order in which it meets.

1. carry    who is carried off, by whom
2. block    acts of a carried actor are void: no hit, no treatment, no silence
3. hit      what strikes each card directly
4. shield   a hit on an immune card does not kill (but is a hit, so that treating it is no needle)
5. save     a treatment takes the deadly hits from a card, where it can
6. needle   a treatment of a card that was not hit; the second of one doctor kills
7. share    what reached a carrier reaches the carried card
8. bind     whoever is bound to a dead card dies too (done where the deaths are announced)
9. silence, observe   for the coming day
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from narrator.engine.ability import immune
from narrator.engine.cards import target_of
from narrator.engine.contributions import Carry, Contributions, Hit, Observe, Treat
from narrator.engine.rules import rules_of
from narrator.model.events import Event
from narrator.model.state import Cause, State


@dataclass(slots=True)
class Outcome:
    """What a night has brought, before anybody is told."""

    deaths: dict[int, tuple[Cause, ...]] = field(default_factory=dict)
    """Card -> why it dies."""
    kinds: dict[int, str] = field(default_factory=dict)
    """Card -> the kind of its death, in editions that announce it: `killed`, `arrested`, `kidnapped`."""
    needles: dict[str, int] = field(default_factory=dict)
    """`card/role` -> its new total."""
    silenced: tuple[int, ...] = ()
    silenced_as: str = ""
    """Why they may not speak, in editions that announce it: `asleep`."""
    observed: int | None = None
    events: tuple[Event, ...] = ()
    """What an edition adds of its own, announced after the deaths."""


Settle = Callable[[State], Outcome]
SETTLERS: dict[str, Settle] = {}


def settler(name: str) -> Callable[[Settle], Settle]:
    """Register a way of settling nights; a name that is taken is a ValueError."""

    def register(function: Settle) -> Settle:
        if name in SETTLERS:
            raise ValueError(f"two ways of settling are called {name!r}")
        SETTLERS[name] = function
        return function

    return register


def settle(state: State) -> Outcome:
    """Settle the night that has just been played, in the way of its ruleset."""
    return SETTLERS[state.ruleset.settling](state)


def gather(state: State) -> Contributions:
    """Everything that was chosen tonight, as contributions."""
    night = Contributions()
    at = rules_of(state).at
    choices = state.choices
    for call in state.calls:
        choice = choices.get(call.id) if choices else None
        if choice:
            place = at[call.step]
            place.ability.contribute(night, state, call, place.step, choice)
    return night


@settler("standard")
def settle_standard(state: State) -> Outcome:
    """The settling of all editions whose roles are made of the standard abilities."""
    night = gather(state)
    if night.carries or night.treats:
        return _Settling(state, night).outcome()
    return Outcome(
        _deaths_by(state, night.hits),
        silenced=_seats(state, {silence.target for silence in night.silences}),
        observed=_first_observed(state, night.observed),
    )


def _deaths_by(state: State, hits: Iterable[Hit]) -> dict[int, tuple[Cause, ...]]:
    """Card -> why it dies, where nobody is carried off or treated: of every hit to which it is not immune."""
    found: dict[int, tuple[Cause, ...]] = {}
    for hit in hits:
        card = state.cards[hit.target - 1]
        if card.alive and not immune(state, card, hit.by):
            found[hit.target] = (*found.get(hit.target, ()), Cause(hit.kind, hit.by, hit.through))
    return found


def _seats(state: State, cards: set[int]) -> tuple[int, ...]:
    return tuple(sorted([state.cards[card - 1].seat for card in cards])) if cards else ()


def _first_observed(state: State, picks: list[Observe]) -> int | None:
    return target_of(state, state.cards[picks[0].target - 1]) if picks else None


class _Settling:
    """One night being settled; each method is one of the steps above."""

    def __init__(self, state: State, night: Contributions) -> None:
        self.state = state
        self.carries = night.carries
        self.hits, self.treats, self.silences, self.observed = night.hits, night.treats, night.silences, night.observed
        self.powerless = {carry.carried for carry in self.carries if "act" in carry.blocks}
        if self.powerless:
            self.hits = [hit for hit in self.hits if not self.void(hit.actors)]
            self.treats = [treat for treat in self.treats if not self.void(treat.actors)]
            self.silences = [silence for silence in self.silences if not self.void(silence.actors)]
            self.observed = [pick for pick in self.observed if not self.void(pick.actors)]
        self.carries_of: dict[int, list[Carry]] = {}
        """Card -> those by whom it is carried off; cards that are not are left out, here and below."""
        for carry in self.carries:
            self.carries_of.setdefault(carry.carried, []).append(carry)
        self.hits_on: dict[int, list[Hit]] = {}
        """Card -> direct hits that are not void."""
        for hit in self.hits:
            self.hits_on.setdefault(hit.target, []).append(hit)
        self.treats_on: dict[int, list[Treat]] = {}
        """Card -> direct treatments that are not void and reach it."""
        for treat in self.treats:
            if not self.shielded(treat.target, "treat"):
                self.treats_on.setdefault(treat.target, []).append(treat)

    def void(self, actors: Iterable[int]) -> bool:
        """Whether one of these has been carried off by somebody who takes power away."""
        return not self.powerless.isdisjoint(actors)

    def outcome(self) -> Outcome:
        needles = self.needles()
        deaths = self.deaths(needles)
        silenced = _seats(self.state, self.silenced()) if self.silences else ()
        return Outcome(deaths, needles=needles, silenced=silenced, observed=_first_observed(self.state, self.observed))

    # --- hit, shield, save

    def deadly_hits_on(self, card: int) -> list[Hit]:
        """Direct hits from which neither immunity nor a carrier's arms protect."""
        hits = self.hits_on.get(card)
        if not hits or self.shielded(card, "hit"):
            return []
        struck = self.state.cards[card - 1]
        return [hit for hit in hits if not immune(self.state, struck, hit.by)]

    def shielded(self, card: int, what: str) -> bool:
        """Whether a carrier's arms keep something from a card."""
        return card in self.carries_of and any(what in carry.shields for carry in self.carries_of[card])

    def killers_of(self, card: int) -> list[Hit]:
        """The deadly direct hits that no treatment takes away."""
        hits = self.deadly_hits_on(card)
        treats = self.treats_on.get(card)
        if not hits or not treats:
            return hits
        sources = len({hit.by for hit in hits})
        return [hit for hit in hits if not _is_saved(hit, treats, sources)]

    # --- needle

    def needles(self) -> dict[str, int]:
        """The new totals of all needles given tonight."""
        if not self.treats:
            return {}
        given = [(treat.target, treat.by) for treat in self.treats if self.is_needle(treat)]
        given += [pair for carry in self.carries for pair in self.needles_through(carry)]
        totals: dict[str, int] = {}
        for card, by in given:
            key = f"{card}/{by}"
            totals[key] = totals.get(key, self.state.needles.get(key, 0)) + 1
        return totals

    def is_needle(self, treat: Treat) -> bool:
        """Whether a treatment was not needed: nothing had hit its target, not even through a carrier."""
        if not treat.needles or self.shielded(treat.target, "treat"):
            return False
        return treat.target not in self.hits_on and not self.hits_through(treat.target)

    def needles_through(self, carry: Carry) -> list[tuple[int, str]]:
        on_carrier = [treat for treat in self.treats if treat.target in carry.carriers and treat.needles]
        if carry.shares_needle == "needled":
            on_carrier = [treat for treat in on_carrier if self.is_needle(treat)]
        return [(carry.carried, treat.by) for treat in on_carrier] if carry.shares_needle else []

    # --- share

    def hits_through(self, card: int) -> list[tuple[int, Hit]]:
        """Hits that kill a carrier of this card and reach it too: (carrier, hit)."""
        return [
            (carrier, hit)
            for carry in self.carries_of.get(card, ())
            if carry.shares_death == "hit"
            for carrier in carry.carriers
            for hit in self.killers_of(carrier)
        ]

    # --- deaths

    def deaths(self, needles: dict[str, int]) -> dict[int, tuple[Cause, ...]]:
        """Card -> every reason for which it dies tonight."""
        causes: dict[int, list[Cause]] = {}
        if not (self.hits or self.carries or needles):
            return {}
        for card in sorted(self.reached(needles)):
            if self.state.cards[card - 1].alive and (found := self.causes(card, needles)):
                causes[card] = found
        for carry in self.carries:
            dead = next((carrier for carrier in carry.carriers if carrier in causes), None)
            if carry.shares_death == "any" and dead is not None:
                causes.setdefault(carry.carried, []).append(_carried(dead, causes[dead]))
        return {card: tuple(found) for card, found in causes.items()}

    def reached(self, needles: dict[str, int]) -> set[int]:
        """The cards to which anything deadly may have happened."""
        needled = [int(key.partition("/")[0]) for key in needles]
        return {*self.hits_on, *needled, *self.carries_of}

    def causes(self, card: int, needles: dict[str, int]) -> list[Cause]:
        found = [Cause(hit.kind, hit.by, hit.through) for hit in self.killers_of(card)]
        treats = self.treats_on.get(card, [])
        found += [
            _carried(carrier, [Cause("hit", hit.by)])
            for carrier, hit in (self.hits_through(card) if card in self.carries_of else ())
            if not _is_saved(hit, treats) and not immune(self.state, self.state.cards[card - 1], hit.by)
        ]
        if not needles:
            return found
        found += [
            Cause("needle", key.partition("/")[2])
            for key, total in needles.items()
            if total >= 2 and key.partition("/")[0] == str(card)
        ]
        return found

    # --- silence

    def silenced(self) -> set[int]:
        """The cards whose seats may not speak."""
        direct = {silence.target for silence in self.silences}
        found = {card for card in direct if not self.shielded(card, "silence")}
        for carry in self.carries:
            if carry.shares_silence and direct.intersection(carry.carriers):
                found.add(carry.carried)
        return found


def _is_saved(hit: Hit, treats: Iterable[Treat], sources: int = 1) -> bool:
    """Whether one of the treatments takes away a hit, one of so many roles' on the same card."""
    return hit.savable and any(
        (not treat.saves_from or hit.by in treat.saves_from) and (not treat.sources or sources <= treat.sources)
        for treat in treats
    )


def _carried(carrier: int, because: Iterable[Cause]) -> Cause:
    return Cause("carried", through=carrier, because=tuple(because))
