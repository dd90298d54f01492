"""What a death brings with it: those bound to the dead, choices to be made, last words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from narrator.engine.cards import bound, hand, is_alive, living_seats
from narrator.model.ruleset import OnDeath
from narrator.model.state import Cause, Death, Reaction, State

SUCCESSION = "succeed"
"""The ability by which an office passes on."""


def dying(state: State, causes: Mapping[int, tuple[Cause, ...]], last_words: bool = True) -> tuple[Death, ...]:
    """The deaths of these living cards and of whoever is bound to them, each once, in the order given."""
    all_causes = dict(causes)
    for card in bound(state):
        partner = next((other.number for other in bound(state) if other != card), None)
        if card.number in causes and partner is not None:
            all_causes.setdefault(partner, (Cause("bound", through=card.number),))
    return tuple(_death(state, card, why, all_causes, last_words) for card, why in all_causes.items())


def _death(state: State, number: int, why: tuple[Cause, ...], all_causes: Iterable[int], last_words: bool) -> Death:
    seat = state.cards[number - 1].seat
    out = all(not card.alive or card.number in all_causes for card in hand(state, seat))
    return Death(number, seat, why, last_words, out)


def reactions_to(state: State, deaths: Iterable[Death]) -> tuple[Reaction, ...]:
    """The choices that these deaths set off, in their order; none if nobody lives to be chosen."""
    if not living_seats(state):
        return ()
    found = [reaction for death in deaths if (reaction := _reaction_to(state, death))]
    return tuple(found)


def _reaction_to(state: State, death: Death) -> Reaction | None:
    plays = state.cards[death.card - 1].plays
    role = state.ruleset.roles.get(plays or "")
    if role is None or role.on_death is None or not _sets_off(role.on_death, death):
        return None
    return Reaction(role.id, death.seat, role.on_death.ability)


def _sets_off(on_death: OnDeath, death: Death) -> bool:
    causes = {cause.by or cause.kind for cause in death.causes if cause.kind in ("hit", "vote")}
    causes |= {cause.kind for cause in death.causes}
    wanted = not on_death.killed_by or bool(causes.intersection(on_death.killed_by))
    return wanted and not causes.intersection(on_death.never_by)


def office_vacant(state: State) -> tuple[Reaction, ...]:
    """The choice of a successor, if the holder of the office has died and not yet been asked."""
    office = state.ruleset.day.office
    seat = state.memo.get("office")
    if office is None or seat is None or is_alive(state, seat) or not living_seats(state):
        return ()
    return (Reaction(office.id, seat, SUCCESSION),)


def quota(state: State) -> int | None:
    """How many deaths of the game have last words; None: all of them."""
    if state.ruleset.last_words == "all":
        return None
    if state.ruleset.last_words == "none":
        return 0
    counted = [role.id for role in state.ruleset.roles.values() if role.gives_last_words]
    if not state.lives.known:
        return sum(state.setup.counts.get(role, 0) for role in counted)
    return sum(card.role in counted for card in state.cards)


def last_words(state: State) -> tuple[int, ...]:
    """Which of the latest dead have last words, in the order announced."""
    if not state.fresh:
        return ()
    may = tuple(death.seat for death in state.fresh if death.last_words and death.seat not in state.silenced)
    limit = quota(state)
    return may if limit is None else may[: max(0, limit - state.words)]
