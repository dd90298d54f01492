"""Pairs of games that differ in one secret: who holds a card, what lies in the middle, what a group chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from random import Random
from typing import Any

from narrator.engine import players
from narrator.engine.cards import misdealt
from narrator.engine.game import decide, new_game, play
from narrator.engine.players import Deal
from narrator.engine.seen import EVERYBODY, before, seen
from narrator.engine.state_changes import apply
from narrator.model.errors import Refused
from narrator.model.events import Asked, CallClosed, CallOpened, Dawned, Died, Event
from narrator.model.ruleset import Ruleset
from narrator.model.state import State
from narrator.narration.lines import lines_for

Command = dict[str, Any]
Place = tuple[object, ...]
Answer = Callable[[State, Place], Command]

CALLS = frozenset((CallOpened, Asked, CallClosed, Dawned))
"""The events of which a night consists for everybody."""
CALLED = "call_dead_roles"
"""The option that makes the calls of the night depend on who has died."""
TRIES = 5
"""Second games that are tried for one whose nights look like the first one's from outside."""
DECLINE = 0.5
"""How often a group that could not choose in the first game declines in the second."""


@dataclass(frozen=True)
class Step:
    """What the judge is asked at one place of a game, and what he answers."""

    place: Place
    kind: str
    """By night `identify choose show idle`, else the stage."""
    command: Command

    @property
    def call(self) -> str:
        """The id of the call, by night."""
        return str(self.place[2])

    @property
    def acts(self) -> bool:
        """Whether anything is chosen."""
        return any(value not in (None, False, ()) for value in (self.command.get("choice") or {}).values())


@dataclass(frozen=True)
class Game:
    """A game as far as it is played, in secret and in public."""

    deal: Deal
    steps: tuple[Step, ...]
    heard: tuple[Event, ...]
    """What everybody may know of."""

    @property
    def answers(self) -> dict[Place, Command]:
        """What was answered where."""
        return {step.place: step.command for step in self.steps}


@dataclass(frozen=True)
class Pair:
    """Two games that differ in one secret, and how much of what the table hears is the same in both."""

    secret: str
    one: Game
    other: Game

    @property
    def alike(self) -> int:
        """How many of the events that everybody may know of are the same before the first that is not."""
        both = zip(self.one.heard, self.other.heard, strict=False)
        return sum(1 for _ in takewhile(lambda events: events[0] == events[1], both))

    @property
    def nights(self) -> int:
        """How many nights are the same from outside up to the first word of dawn."""
        return sum(isinstance(event, Dawned) for event in self.one.heard[: self.alike])

    @property
    def split(self) -> tuple[type[Event], ...]:
        """The kinds of the first of them that differ; () if none does."""
        return tuple(type(game.heard[self.alike]) for game in (self.one, self.other) if len(game.heard) > self.alike)

    @property
    def night_tells(self) -> bool:
        """Whether the first difference is in the calls of a night."""
        return not CALLS.isdisjoint(self.split)

    @property
    def lines(self) -> int:
        """How many lines those that are the same bring."""
        state, count = before(self.one.deal.setup, EVERYBODY), 0
        for event in self.one.heard[: self.alike]:
            count += len(lines_for(event, state))
            state = apply(state, event)
        return count


def place_of(state: State) -> Place:
    """Where in a game the judge is asked."""
    if state.stage == "night":
        return state.round, "night", state.calls[state.call].id, state.asking
    return state.round, state.stage, state.phase, state.vote.number, state.speaker, len(state.deaths)


def played(dealt: Deal, nights: int, answer: Answer) -> Game:
    """A game up to the morning after that many nights, or to its end."""
    state, steps, heard = new_game(dealt.setup), [], []
    while state.stage != "over" and state.round <= nights:
        if state.round == nights and state.stage not in ("night", "react"):
            break
        place = place_of(state)
        command = answer(state, place)
        events, after = play(state, command)
        steps.append(Step(place, state.asking if state.stage == "night" else state.stage, command))
        heard += [shown for event in events if (shown := seen(event, EVERYBODY)) is not None]
        state = after
    return Game(dealt, tuple(steps), tuple(heard))


def legal(state: State, command: Command) -> bool:
    """Whether the engine would carry it out."""
    try:
        decide(state, command)
    except Refused:
        return False
    return True


def like(game: Game, dealt: Deal, chance: Random, other: Place | None = None) -> Answer:
    """The answers of a game wherever they may be given, other ones by chance; another one in any case at `other`."""
    known = game.answers

    def answer(state: State, place: Place) -> Command:
        told = known.get(place)
        if place == other and told is not None:
            return another(state, dealt, chance, told)
        if told is not None and told["do"] != "identify" and "left" not in told.get("choice", ()):
            if legal(state, told):
                return told
        elif place[3:] == ("choose",) and chance.random() < DECLINE and legal(state, {"do": "choose", "choice": {}}):
            return {"do": "choose", "choice": {}}
        elif state.stage == "react" and chance.random() < DECLINE:
            return {"do": "react", "target": None}
        return players.command(state, dealt, chance)

    return answer


def another(state: State, dealt: Deal, chance: Random, told: Command) -> Command:
    """A choice that is not the one that was told; if none is found, that one after all."""
    if told.get("choice") and chance.random() < DECLINE and legal(state, {"do": "choose", "choice": {}}):
        return {"do": "choose", "choice": {}}
    found = (players.command(state, dealt, chance) for _ in range(20))
    return next((command for command in found if command != told), told)


# The secrets in which two games may differ

Found = tuple[str, Deal | None, Place | None]
"""The name of a secret; the other deal, if it can be had; where there is another choice."""
Secret = Callable[[Game, Random], Found]


def exchanged(dealt: Deal, hands: dict[int, tuple[str, ...]], spare: tuple[str, ...]) -> Deal | None:
    """The deal with other hands; None for a misdeal, and where nothing has changed."""
    known = replace(dealt.setup, hands=hands, spare=spare)
    if misdealt(known) or (hands == dealt.hands and sorted(spare) == sorted(dealt.spare)):
        return None
    return Deal(known if dealt.setup.hands is not None else dealt.setup, hands, spare)


def other_holders(game: Game, chance: Random) -> Found:
    """Two seats have each other's cards: mostly one of the first dead, and the only one who has a role."""
    hands, counts = game.deal.hands, game.deal.setup.counts
    dead = [death.seat for event in game.heard if isinstance(event, Died) for death in event.deaths]
    only = [seat for seat, hand in hands.items() if any(counts[role] == 1 for role in hand) and seat not in dead[:2]]
    one = chance.choice(dead[:2] or list(hands))
    other = chance.choice(only if only and chance.random() < 0.7 else list(hands))
    return "holders", exchanged(game.deal, {**hands, one: hands[other], other: hands[one]}, game.deal.spare), None


def other_order(game: Game, chance: Random) -> Found:
    """A seat has laid its two cards the other way round."""
    hands = dict(game.deal.hands)
    seat = chance.choice(list(hands))
    hands[seat] = hands[seat][::-1]
    return "order", exchanged(game.deal, hands, game.deal.spare), None


def other_middle(game: Game, chance: Random) -> Found:
    """A seat has a card that lies in the middle, and its own lies there."""
    hands, spare = dict(game.deal.hands), list(game.deal.spare)
    seat, place = chance.choice(list(hands)), chance.randrange(len(spare))
    hands[seat], spare[place] = (spare[place],), hands[seat][0]
    return "left over", exchanged(game.deal, hands, tuple(spare)), None


def other_choice(game: Game, chance: Random) -> Found:
    """A group chooses something else one night, or declines."""
    places = [step.place for step in game.steps if step.kind == "choose"]
    return ("choice", game.deal, chance.choice(places)) if places else ("choice", None, None)


def secrets(game: Game) -> list[Secret]:
    """The kinds of secrets there are in a game."""
    hand = game.deal.setup.ruleset.hand
    found = [other_holders, other_holders, other_choice]
    return found + [other_order] * (hand.kind == "ordered") + [other_middle] * bool(hand.spare)


def pair(rules: Ruleset, chance: Random, options: Mapping[str, bool | str], nights: int = 3) -> Pair:
    """Two games of a ruleset that differ in one secret; of some tries, those that look alike the longest.

    Besides `options`, others are set by chance in half of all games; only whether the dead are called is left as it is.
    """
    by_hand = rules.hand.cards == 1 and chance.random() < 0.5
    seats = chance.randint(*rules.seats)
    if chance.random() < 0.5:
        options = {name: chance.choice(option.choices) for name, option in rules.options.items() if name != CALLED} | {
            **options
        }
    dealt = players.deal(rules, seats, chance, options, by_hand)
    one = played(dealt, nights, lambda state, place: players.command(state, dealt, chance))
    secret = chance.choice(secrets(one))
    best: Pair | None = None
    for found in tried(one, secret, chance, nights):
        if found.night_tells:
            return found
        if best is None or found.alike > best.alike:
            best = found
        if not found.split:
            break
    return best or pair(rules, chance, options, nights)


def tried(one: Game, secret: Secret, chance: Random, nights: int) -> Iterator[Pair]:
    """Some second games, as far as the secret can be had in them."""
    for _ in range(TRIES):
        name, dealt, place = secret(one, chance)
        if dealt is not None:
            other = played(dealt, nights, like(one, dealt, chance, place))
            if differ(one, other):
                yield Pair(name, one, other)


def differ(one: Game, other: Game) -> bool:
    """Whether there is a secret in which two games differ."""
    return one.deal != other.deal or one.answers != other.answers
