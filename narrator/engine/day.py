"""The course of a day: last words, election, speeches, calling the vote; who speaks when, who is called when."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from narrator.engine.cards import is_alive, living_seats, living_targets
from narrator.engine.state_changes import Turn
from narrator.model import events as ev
from narrator.model.state import State


def begin(turn: Turn) -> None:
    """Elect the holder of the office on the first day; then let the table talk."""
    office = turn.state.ruleset.day.office
    if office and turn.state.round == 1 and not turn.state.memo.get("elected"):
        turn.emit(ev.ElectionCalled(office.id))
    else:
        talk(turn)


def talk(turn: Turn) -> None:
    """Begin the speeches, or free talk; straight to the vote if everybody is silenced."""
    free = turn.state.ruleset.day.talk == "free"
    day_order = order(turn.state)
    turn.emit(ev.DayBegan(day_order, unsilenced(turn.state, day_order), free))
    if not free and not turn.state.speaking:
        call_vote(turn)


def call_vote(turn: Turn) -> None:
    """Call the candidates."""
    number = turn.state.vote.number + 1
    candidates = calling(turn.state, turn.state.order)
    turn.emit(ev.VoteCalled(number, candidates))


def elect(turn: Turn, seat: int | None) -> None:
    """Give the office to a living seat, or to nobody for the whole game."""
    office = turn.state.ruleset.day.office
    assert office is not None
    assert seat is None or is_alive(turn.state, seat)
    turn.emit(ev.OfficeGiven(office.id, seat, elected=True))
    talk(turn)


# The order of speaking and calling


def order(state: State) -> tuple[int, ...]:
    """The day's speaking order with silenced seats in their places; () where talk is free."""
    if state.ruleset.day.talk != "ordered":
        return ()
    seats = living_seats(state)
    if state.ruleset.day.direction == "counterclockwise":
        beyond = bisect_right(seats, 1 if state.reference is None else state.reference - 1)
        return seats[:beyond][::-1] + seats[beyond:][::-1]
    beyond = bisect_left(seats, 1 if state.reference is None else state.reference + 1)
    return seats[beyond:] + seats[:beyond]


def unsilenced(state: State, seats: tuple[int, ...]) -> tuple[int, ...]:
    """Those of some seats that may speak today."""
    return tuple([seat for seat in seats if seat not in state.silenced]) if state.silenced else seats


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
        return tied or living_targets(state)
    called = order_ if state.ruleset.day.calling == "speaking" else order_[::-1]
    return tuple(seat for seat in called if seat in tied) if tied else called
