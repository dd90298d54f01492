"""Who speaks when, and in which order candidates are called."""

from __future__ import annotations

from narrator.engine.cards import is_alive, living_seats, living_targets, on_cards
from narrator.model.state import State


def order(state: State) -> tuple[int, ...]:
    """The day's speaking order with silenced seats in their places; () where talk is free."""
    if state.ruleset.day.talk != "ordered":
        return ()
    step = -1 if state.ruleset.day.direction == "counterclockwise" else 1
    start = 1 if state.reference is None else state.reference + step
    round_ = [(start + step * i - 1) % state.seats + 1 for i in range(state.seats)]
    return tuple([seat for seat in round_ if is_alive(state, seat)])


def unsilenced(state: State, seats: tuple[int, ...]) -> tuple[int, ...]:
    """Those of some seats that may speak today."""
    return tuple(seat for seat in seats if seat not in state.silenced)


def extra_speakers(state: State, order_: tuple[int, ...], who: str, tied: tuple[int, ...]) -> tuple[int, ...]:
    """Who speaks between two votes: the `tied`, the `others`, or `nobody`."""
    if who == "nobody":
        return ()
    wanted = [seat for seat in order_ if (seat in tied) == (who == "tied")]
    return unsilenced(state, tuple(wanted))


def calling(state: State, order_: tuple[int, ...]) -> tuple[int, ...]:
    """The candidates in the order in which they are called; in no order of meaning where talk is free."""
    tied = state.vote.tied
    if not order_:
        return tied or (living_targets(state) if on_cards(state) else living_seats(state))
    called = order_ if state.ruleset.day.calling == "speaking" else order_[::-1]
    return tuple(seat for seat in called if seat in tied) if tied else called
