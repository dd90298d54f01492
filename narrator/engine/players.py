"""Players who do anything that is legal: for the bench, the demo and the tests. Chance comes from outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from itertools import islice
from typing import Any, Protocol, TypeVar

from narrator.engine.ballots import count_ballots
from narrator.engine.cards import misdealt
from narrator.engine.game import carry_out, new_game, play
from narrator.engine.legal import check_choice, fields_now, prompt
from narrator.engine.state_changes import Turn
from narrator.engine.vote import all_votes, barred_votes, candidates
from narrator.model.errors import Refused
from narrator.model.events import Event
from narrator.model.prompts import Field, Prompt
from narrator.model.ruleset import Ruleset
from narrator.model.state import Setup, State
from narrator.model.values import value

T = TypeVar("T")
Hands = Mapping[int, tuple[str, ...]]


class Chance(Protocol):
    """What random.Random can do, as far as it is needed here."""

    def random(self) -> float: ...
    def choice(self, seq: Sequence[T], /) -> T: ...
    def choices(self, population: Sequence[T], *, k: int) -> list[T]: ...
    def sample(self, population: Sequence[T], k: int, /) -> list[T]: ...
    def shuffle(self, x: MutableSequence[Any], /) -> None: ...


@value
class Deal:
    """A table before its first night, and who really holds what: the judge may have yet to learn it."""

    setup: Setup
    hands: Hands
    spare: tuple[str, ...]


@value
class Move:
    """One command of a game, with the state before and after it."""

    before: State
    command: dict[str, Any]
    events: tuple[Event, ...]
    after: State


def deal(
    ruleset: Ruleset,
    seats: int,
    chance: Chance,
    options: Mapping[str, bool | str] | None = None,
    by_hand: bool = False,
) -> Deal:
    """The suggested deck dealt at random, never a misdeal; `by_hand`: the judge does not know who holds what."""
    counts = ruleset.counts(seats)
    chosen = {name: option.default for name, option in ruleset.options.items()} | dict(options or {})
    deck = [role for role, count in counts.items() for _ in range(count)]
    size = ruleset.hand.cards
    while True:
        chance.shuffle(deck)
        dealing = zip(*[iter(deck)] * size, strict=False)
        hands = dict(zip(range(1, seats + 1), dealing, strict=False))
        spare = tuple(deck[seats * size :])
        known = Setup(ruleset, seats, counts, chosen, hands, spare)
        if not misdealt(known):
            return Deal(Setup(ruleset, seats, counts, chosen) if by_hand else known, hands, spare)


def moves(dealt: Deal, chance: Chance, wander: float = 0.0) -> Iterator[Move]:
    """A game from its deal to its end, move by move; `wander` as in `command`."""
    state = new_game(dealt.setup)
    while state.stage != "over":
        given = command(state, dealt, chance, wander)
        events, after = play(state, given)
        yield Move(state, given, events, after)
        state = after


def play_out(dealt: Deal, chance: Chance) -> State:
    """The end of a game of random commands."""
    turn = Turn(new_game(dealt.setup))
    state = turn.state
    while state.stage != "over":
        carry_out(turn, command(state, dealt, chance))
    return state


def command(state: State, dealt: Deal, chance: Chance, wander: float = 0.0) -> dict[str, Any]:
    """A legal command, any of them.

    `wander`, 0 to 1, is how often a judge goes back to the speaker before, skips the other speakers, or records a claim
    instead of going on.
    """
    if wander and chance.random() < wander:
        aside = _asides(state, prompt(state))
        if aside:
            return chance.choice(aside)
    passed = PASSED.get(state.stage)
    return passed if passed else COMMANDS[state.stage](state, dealt, chance)


PROCEED: dict[str, Any] = {"do": "proceed"}
PASSED: dict[str, dict[str, Any]] = {
    "dealt": {"do": "begin"},
    "last_words": PROCEED,
    "speech": PROCEED,
    "talk": PROCEED,
}
"""Stage in which there is nothing to choose -> how the game goes on."""


def _asides(state: State, asked: Prompt) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if asked.kind in ("speech", "last_words") and state.speaker:
        found.append({"do": "back"})
    if asked.kind in ("speech", "talk"):
        found.append({"do": "to_vote"})
    if asked.claim:
        found += [{"do": "claim", "role": role} for role in (None, *state.ruleset.roles)]
    return found


def _night(state: State, dealt: Deal, chance: Chance) -> dict[str, Any]:
    if state.asking == "choose":
        return _choose(state, dealt, chance)
    return _identify(state, dealt) if state.asking == "identify" else PROCEED


def _identify(state: State, dealt: Deal) -> dict[str, Any]:
    wanted = prompt(state).counts
    held = {role: [seat for seat, hand in dealt.hands.items() for one in hand if one == role] for role in wanted}
    return {"do": "identify", "roles": held}


def _choose(state: State, dealt: Deal, chance: Chance) -> dict[str, Any]:
    fields = state.offered or fields_now(state)
    if len(fields) == 1:
        (field,) = fields
        return {"do": "choose", "choice": {field.name: _value(field, dealt, chance)}}
    choice = {field.name: _value(field, dealt, chance) for field in fields}
    while not _may_choose(state, choice):
        choice = {field.name: _value(field, dealt, chance) for field in fields if chance.random() < HALF}
    return {"do": "choose", "choice": choice}


def _may_choose(state: State, choice: dict[str, Any]) -> bool:
    try:
        check_choice(state, choice)
    except Refused:
        return False
    return True


NONE = 0.1
"""How often none is chosen where that may be."""
HALF = 0.5
"""How often a vote is recorded by voter, and how many fields a choice keeps that was refused with all of them."""


def _value(field: Field, dealt: Deal, chance: Chance) -> Any:
    if field.kind == "roles":
        return dealt.spare
    if not field.allowed or (field.optional and chance.random() < NONE):
        return None
    if field.kind == "seats":
        most = min(field.most, len(field.allowed))
        return tuple(chance.sample(field.allowed, chance.choice(range(field.least, most + 1))))
    return field.allowed[int(chance.random() * len(field.allowed))]


def _elect(state: State, dealt: Deal, chance: Chance) -> dict[str, Any]:
    return {"do": "elect", "seat": _value(prompt(state).fields[0], dealt, chance)}


def _react(state: State, dealt: Deal, chance: Chance) -> dict[str, Any]:
    return {"do": "react", "target": _value(prompt(state).fields[0], dealt, chance)}


def _vote(state: State, dealt: Deal, chance: Chance) -> dict[str, Any]:
    """Everybody votes for one of three, or abstains; no vote is for a candidate who is barred."""
    votes, barred = all_votes(state), barred_votes(state)
    suspects = (*chance.choices(candidates(state), k=3), None)
    if state.ruleset.day.split:
        each = iter(chance.choices(suspects, k=sum(votes.values())))
        ballots = {voter: tuple([one for one in islice(each, many) if one]) for voter, many in votes.items()}
    else:
        named = zip(votes, chance.choices(suspects, k=len(votes)), strict=True)
        ballots = {voter: (one,) * votes[voter] for voter, one in named if one is not None}
    for voter, forbidden in barred.items():
        ballots[voter] = tuple([one for one in ballots.get(voter, ()) if one not in forbidden])
    if state.ruleset.day.ballots_only or chance.random() < HALF:
        return {"do": "ballots", "ballots": ballots}
    return {"do": "vote", "totals": count_ballots(ballots)}


COMMANDS = {
    "night": _night,
    "elect": _elect,
    "react": _react,
    "vote": _vote,
}
"""Stage in which there may be something to choose -> what is done."""
