"""The course of a day: last words, election, speeches, calling the vote."""

from __future__ import annotations

from narrator.engine import nights
from narrator.engine.aftermath import GO_ON, go_on
from narrator.engine.cards import is_alive
from narrator.engine.speaking import calling, order, unsilenced
from narrator.engine.turn import Turn
from narrator.model import events as ev


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


def proceed(turn: Turn) -> None:
    """Go on from whoever speaks now: to the next speaker, or to what follows the round."""
    following = turn.state.speaker + 1
    if following < len(turn.state.speaking):
        turn.emit(ev.TurnPassed(following))
    elif turn.state.stage == "last_words":
        go_on(turn, "day" if turn.state.vote.number == 0 else "night")
    else:
        call_vote(turn)


def elect(turn: Turn, seat: int | None) -> None:
    """Give the office to a living seat, or to nobody for the whole game."""
    office = turn.state.ruleset.day.office
    assert office is not None
    assert seat is None or is_alive(turn.state, seat)
    turn.emit(ev.OfficeGiven(office.id, seat, elected=True))
    talk(turn)


GO_ON["day"] = begin
GO_ON["night"] = nights.fall
