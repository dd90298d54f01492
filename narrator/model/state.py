"""The state of a game: a value that only events change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from narrator.model.ruleset import Ruleset
from narrator.model.values import value

if TYPE_CHECKING:
    from narrator.model.prompts import Field


@value
class Card:
    """A life: a role at a seat. Alone in a hand it has the seat's number; two in a hand are 2s-1 and 2s."""

    number: int
    seat: int
    role: str | None
    """What is printed on it; None as long as nobody has shown it to the judge."""
    plays: str | None
    """The role it plays now; differs from `role` after a swap or a succession."""
    alive: bool = True

    def dead(self) -> Card:
        """The same card when it has died."""
        return Card(self.number, self.seat, self.role, self.plays, False)


@value
class Call:
    """Waking a group: a step of the ruleset, with a number where each card is called for itself."""

    step: str
    number: int = 0
    """1, 2, … in a numbered series, else 0."""
    card: int = 0
    """The card called, in a series, else 0."""
    meeting: bool = False
    """True in a round of identification: eyes open, nobody acts."""

    @property
    def id(self) -> str:
        """`step`, or `step.number`; unique within a night."""
        text = f"{self.step}.{self.number}" if self.number else self.step
        return f"{text}.meeting" if self.meeting else text


@value
class Cause:
    """Why something happened to a card: `kind` is `hit`, `needle`, `carried`, `bound`, `vote`, `taken`, `lie`, …"""

    kind: str
    by: str = ""
    """The role that did it, where one did."""
    through: int = 0
    """The card through which it came, or for which it was meant, where there is one."""
    because: tuple[Cause, ...] = ()
    """What had happened to that card."""


@value
class Death:
    """The death of one card."""

    card: int
    seat: int
    causes: tuple[Cause, ...]
    last_words: bool = True
    """False where its own rule denies them."""
    out: bool = True
    """Whether the seat has no living card left."""
    kind: str = ""
    """`killed`, `arrested`, `kidnapped`, where the edition announces it."""


@value
class Reaction:
    """A choice set off by a death, waiting to be asked."""

    role: str
    """The role, or the office, that has it."""
    seat: int
    ability: str


@value
class Vote:
    """The vote of a day as it stands."""

    number: int
    """1 for the first vote, 2 after a tie, …"""
    tied: tuple[int, ...] = ()
    """The candidates, after a tie; empty: all living."""
    candidates: tuple[int, ...] = ()
    """Who is called, in this order."""
    tally: Mapping[int, int] = field(default_factory=dict)
    """Candidate -> votes, once they are counted."""


NO_VOTE = Vote(0)


@dataclass(frozen=True)
class Setup:
    """What is settled before the first night."""

    ruleset: Ruleset
    seats: int
    counts: Mapping[str, int]
    """Role -> cards in the deck, spare cards included."""
    options: Mapping[str, bool | str]
    hands: Mapping[int, tuple[str, ...]] | None = None
    """Seat -> its cards; None if the cards were dealt by hand and nobody has been identified."""
    spare: tuple[str, ...] = ()
    """The cards left over, where the ruleset leaves any and they are known."""
    extras: Mapping[str, Any] = field(default_factory=dict)
    """What a ruleset of its own kind wants to know besides (looks, suits)."""


class Lives:
    """Who lives, by cards, seats and roles: worked out once for each set of cards."""

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self.known = True
        """Whether the judge knows every card."""
        self.fronts: dict[int, Card] = {}
        """Living seat, ascending -> its first living card."""
        self.playing: dict[str | None, int] = {}
        """Role -> living cards that play it."""
        self.holders: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[Card, ...]] = {}
        """What has been found out about who holds some roles; see `engine.cards.holders`."""
        living = []
        for card in cards:
            if card.role is None:
                self.known = False
            if card.alive:
                living.append(card)
                self.fronts.setdefault(card.seat, card)
                self.playing[card.plays] = self.playing.get(card.plays, 0) + 1
        self.living = tuple(living)
        """The living cards, in the order of the seats."""
        self.seats = tuple(self.fronts)
        """The seats with a living card, ascending."""
        all_seats = dict.fromkeys([card.seat for card in cards])
        self.dead_seats = tuple([seat for seat in all_seats if seat not in self.fronts])
        """The seats without one, ascending."""


@dataclass
class State:
    """Everything that is true of a game at one moment: a value, but for a command, which changes its own copy."""

    setup: Setup
    cards: tuple[Card, ...]
    spare: tuple[str, ...] = ()
    stage: str = "dealt"
    """`dealt night react last_words elect speech talk vote over`"""
    round: int = 0
    phase: str = "night"
    """`night` or `day`: whose deaths these are."""
    calls: tuple[Call, ...] = ()
    call: int = 0
    waking: Call | None = None
    """The call whose group has been told to open its eyes, until it is told to close them."""
    met: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Call id -> the seats whose eyes were open in it, in a view of one of them."""
    asking: str = ""
    """Within a call: `identify`, `choose`, `show` (the answer is being shown) or `idle` (nobody to answer)."""
    choices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Call id -> what was chosen tonight."""
    answers: Mapping[str, Any] = field(default_factory=dict)
    """Call id -> what was shown tonight."""
    spent: Mapping[str, int] = field(default_factory=dict)
    """Power -> the round in which it was spent."""
    needles: Mapping[str, int] = field(default_factory=dict)
    """`card/role` -> needles of that role in that card."""
    silenced: tuple[int, ...] = ()
    deaths: tuple[Death, ...] = ()
    """All deaths of the game, in the order announced."""
    announced: tuple[tuple[int, str], ...] = ()
    """For each of these deaths: the round, and when it was announced (`night`, `vote`, `reaction`)."""
    fresh: tuple[Death, ...] = ()
    """The deaths of this dawn or vote."""
    reference: int | None = None
    """The first announced of the latest deaths."""
    reactions: tuple[Reaction, ...] = ()
    speaking: tuple[int, ...] = ()
    """Who has last words or speaks in this round of speeches, in order."""
    speaker: int = 0
    """Index into `speaking`."""
    order: tuple[int, ...] = ()
    """The day's speaking order, silenced seats in their places."""
    vote: Vote = NO_VOTE
    words: int = 0
    """Last words used up."""
    memo: Mapping[str, Any] = field(default_factory=dict)
    """What abilities remember, by their own keys."""
    revealed: Mapping[int, str] = field(default_factory=dict)
    """Card -> the role that was announced of it."""
    winner: str | None = None
    ended_by: str = ""
    offered: tuple[Field, ...] | None = field(default=None, compare=False, repr=False)
    """What the open call may choose, if that has been worked out already."""

    @cached_property
    def ruleset(self) -> Ruleset:
        """The ruleset that is played."""
        return self.setup.ruleset

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return self.setup.seats

    @cached_property
    def lives(self) -> Lives:
        """Who lives."""
        return Lives(self.cards)

    def option(self, name: str) -> bool | str:
        """The value of an option; KeyError if the ruleset has none of that name."""
        return self.setup.options[name]

    def evolve(self, **changes: Any) -> State:
        """The same state but for `changes`."""
        new = object.__new__(State)
        values = new.__dict__
        values.update(self.__dict__)
        values.update(changes)
        if "cards" in changes:
            values.pop("lives", None)
        return new
