"""The count of a day's ballots: void ballots, votes more and less, the court, and escapes."""

from __future__ import annotations

from narrator.editions.detective.deducing import Deduction
from narrator.editions.detective.passives import ESCAPES, escapes_left, skills_with
from narrator.editions.detective.tonight import Tonight
from narrator.engine.ability import is_spent
from narrator.engine.ballots import Ballots, Tally, VoteResult, count_ballots, counter, leaders
from narrator.engine.cards import card_of, is_alive
from narrator.model.events import Event, PowerSpent, Remembered
from narrator.model.state import State


@counter("deduction")
def count_deduction(state: State, tally: Tally, ballots: Ballots) -> tuple[dict[int, int], VoteResult]:
    """The most valid votes are out, the deduction's included; a tie takes nobody. All but the sums is announced."""
    tonight = Tonight(state)
    invalid = _voided(tonight)
    counted = dict(tally)
    if ballots or not tally:
        valid = {voter: named for voter, named in ballots.items() if voter not in invalid}
        counted = _shifted(Deduction(tonight), count_ballots(valid))
    return counted, _result(state, leaders(counted), Deduction(tonight).unmasks, invalid)


def _voided(tonight: Tonight) -> tuple[int, ...]:
    """The living voters whose ballots do not count."""
    found = {
        seat
        for step in tonight.state.ruleset.night
        if step.ability == "void_ballot" and not tonight.choice(step).get("shield")
        for seat in tonight.hits_home(step)
    }
    return tuple(sorted(seat for seat in found if is_alive(tonight.state, seat)))


def _shifted(deduction: Deduction, tally: dict[int, int]) -> dict[int, int]:
    seat = deduction.seat
    if seat is None or not deduction.shift or not is_alive(deduction.tonight.state, seat):
        return tally
    votes = max(0, tally.get(seat, 0) + deduction.shift)
    return {**tally, seat: votes} if votes else {one: votes for one, votes in tally.items() if one != seat}


def _result(state: State, top: tuple[int, ...], unmasked: bool, invalid: tuple[int, ...]) -> VoteResult:
    """What becomes of those with the most votes. Passives work for one who is alone, or for both who have one."""
    judged, escaping = _holding(state, top, "court"), _holding(state, top, ESCAPES)
    alone = len(top) == 1
    works = alone or bool(judged and escaping)
    court = _court(state) if works and judged and not unmasked else ()
    escape = _escape(state, escaping[0]) if works and escaping else ()
    if court:
        return VoteResult(nobody="void", announced="nothing", invalid=invalid, events=(*court, *escape))
    if alone and not escape:
        return VoteResult(out=top, announced="ballots", invalid=invalid)
    nobody = "spared" if alone else "tied" if top else "no_votes"
    return VoteResult(nobody=nobody, announced="ballots", invalid=invalid, events=escape)


def _holding(state: State, seats: tuple[int, ...], param: str) -> tuple[int, ...]:
    """Those of some seats whose role has a passive skill, used up or not."""
    steps = [step for step, _ in skills_with(state, param)]
    return tuple(seat for seat in seats if any(card_of(state, seat).plays in step.wakes for step in steps))


def _court(state: State) -> tuple[Event, ...]:
    """The court sits, if it has not sat before."""
    powers = [f"{step.id}.court" for step, _ in skills_with(state, "court")]
    return tuple(PowerSpent(power) for power in powers if not is_spent(state, power))


def _escape(state: State, seat: int) -> tuple[Event, ...]:
    """An escape is used, if one is left."""
    if not escapes_left(state, card_of(state, seat)):
        return ()
    return (Remembered(ESCAPES, int(state.memo.get(ESCAPES, 0)) + 1),)
