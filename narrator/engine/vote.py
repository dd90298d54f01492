"""Votes: what may be cast, ties, and what the result brings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.engine import day, deaths
from narrator.engine.ballots import COUNTERS, Ballots, Tally, VoteResult, counter, leaders
from narrator.engine.cards import bound, card_of, is_alive, target_of
from narrator.engine.rules import rules_of
from narrator.engine.state_changes import Turn
from narrator.model import events as ev
from narrator.model.errors import Refused
from narrator.model.state import Cause, State


def all_votes(state: State) -> Mapping[int, int]:
    """Living seat -> its votes: one, or one per living card; the holder of the office has the office's."""
    ways = state.ruleset.day
    votes = state.lives.cards_left if ways.votes == "cards" else dict.fromkeys(state.lives.seats, 1)
    if ways.office is None:
        return votes
    holder: Any = state.memo.get("office")
    return {**votes, holder: ways.office.votes} if holder in votes else votes


def barred_votes(state: State) -> dict[int, tuple[int, ...]]:
    """Seat -> the candidates for whom it may not vote, as its fate is bound to theirs; other seats are left out."""
    two = bound(state)
    if len(two) < 2 or two[0].seat == two[1].seat:
        return {}
    one, other = sorted(two, key=lambda card: card.seat)
    return {one.seat: (target_of(state, other),), other.seat: (target_of(state, one),)}


def candidates(state: State) -> tuple[int, ...]:
    """Who can be voted for now, in calling order."""
    return state.vote.candidates if state.stage == "vote" else day.calling(state, state.order)


def check_totals(state: State, totals: Mapping[int, Any]) -> dict[int, int]:
    """Totals as they may be recorded; Refused if there cannot be that many votes."""
    votes = all_votes(state)
    all_ = sum(votes.values())
    may_be_named = candidates(state)
    barred = barred_votes(state)
    for candidate, count in totals.items():
        if candidate not in may_be_named:
            raise Refused("not_a_candidate", seat=candidate)
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise Refused("not_a_number", value=count)
        able = all_
        for voter, forbidden in barred.items():
            if candidate in forbidden:
                able -= votes[voter]
        if count > able:
            raise Refused("more_votes_than_there_are", votes=count, most=able)
    if sum(totals.values()) > all_:
        raise Refused("more_votes_than_there_are", votes=sum(totals.values()), most=all_)
    return {candidate: count for candidate, count in totals.items() if count}


def check_ballots(state: State, ballots: Mapping[int, Any]) -> dict[int, tuple[int, ...]]:
    """Ballots as they may be recorded: voter -> a target for each of its votes; abstentions left out."""
    votes = all_votes(state)
    may_be_named = candidates(state)
    all_barred = barred_votes(state)
    checked: dict[int, tuple[int, ...]] = {}
    for voter, given in ballots.items():
        if type(voter) is not int or voter not in votes:
            check_living(state, voter)
        named = given if type(given) is tuple and len(given) == 1 else _named(state, voter, votes[voter], given)
        barred = all_barred.get(voter, ())
        for candidate in named:
            if type(candidate) is not int or candidate not in may_be_named:
                raise Refused("not_a_candidate", seat=candidate)
            if candidate in barred:
                raise Refused("may_not_vote_for", seat=voter, candidate=candidate)
        if named:
            checked[voter] = named
    return checked


def _named(state: State, voter: int, votes: int, given: Any) -> tuple[int, ...]:
    """Whom a voter names with each of its votes; () if it abstains."""
    if given is None:
        return ()
    if not isinstance(given, list | tuple):
        return (given,) * votes
    split = state.ruleset.day.split
    if len(given) > votes or not (split or all(one == given[0] for one in given)):
        raise Refused("too_many_votes", seat=voter, most=votes if split else 1)
    return tuple(given)


def check_living(state: State, seat: object) -> int:
    """A living seat; Refused if it is dead or does not exist."""
    if not isinstance(seat, int) or isinstance(seat, bool) or not 1 <= seat <= state.seats:
        raise Refused("no_such_seat", seat=seat)
    if not is_alive(state, seat):
        raise Refused("dead_seat", seat=seat)
    return seat


@counter("standard")
def count_standard(state: State, tally: Tally, ballots: Ballots) -> tuple[dict[int, int], VoteResult]:
    """The most votes are out; ties as the ruleset says."""
    top = leaders(tally)
    if not top:
        return dict(tally), VoteResult(nobody="no_votes")
    if len(top) == 1:
        return dict(tally), VoteResult(out=top)
    if state.vote.number <= len(state.ruleset.day.ties):
        return dict(tally), VoteResult(tied=top)
    return dict(tally), _last_tie(state, top)


def _last_tie(state: State, top: tuple[int, ...]) -> VoteResult:
    how = rules_of(state).last_tie
    if how == "all_out":
        return VoteResult(out=top)
    return VoteResult(nobody="tie", drawn=how == "game_drawn")


def vote(turn: Turn, tally: Tally, ballots: Ballots) -> None:
    """Count one vote and carry out what it brings."""
    number = turn.state.vote.number
    counted, result = COUNTERS[turn.state.ruleset.day.counting](turn.state, tally, ballots)
    turn.emit(ev.Voted(number, counted, ballots, result.invalid, result.announced))
    for event in result.events:
        turn.emit(event)
    if result.tied:
        _tie(turn, number, result.tied)
        return
    if result.nobody:
        turn.emit(ev.NobodyOut(result.nobody))
    if result.out:
        _die(turn, {card_of(turn.state, target).number: VOTED_OUT for target in result.out})
    if turn.state.memo.get("observed") is not None:
        _expose_liar(turn, turn.state.memo["observed"])
    deaths.succeed(turn)
    if result.drawn:
        turn.emit(ev.Remembered("drawn", True))
    deaths.react_or_conclude(turn)


def _tie(turn: Turn, number: int, tied: tuple[int, ...]) -> None:
    who = turn.state.ruleset.day.ties[number - 1]
    speaking = day.extra_speakers(turn.state, turn.state.order, who, tied)
    turn.emit(ev.Tied(number, tied, who, speaking))
    if not speaking:
        day.call_vote(turn)


VOTED_OUT = (Cause("vote"),)


def _die(turn: Turn, causes: Mapping[int, tuple[Cause, ...]]) -> None:
    found = deaths.dying(turn.state, causes)
    turn.emit(ev.Died(found, "vote"))
    deaths.reveal(turn, found, "vote")


def _expose_liar(turn: Turn, seat: int) -> None:
    """The seat under observation dies if what it claimed, or its silence, was a lie."""
    if not is_alive(turn.state, seat):
        return
    card = card_of(turn.state, seat)
    citizen = turn.state.ruleset.citizen
    if (turn.state.memo.get("claim") or citizen) != (card.plays or citizen):
        _die(turn, {card.number: (Cause("lie"),)})
