"""The state of a game: a value that only events change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
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
    id: str = field(init=False, compare=False, repr=False)
    """`step`, or `step.number`; unique within a night."""

    def __post_init__(self) -> None:
        text = f"{self.step}.{self.number}" if self.number else self.step
        object.__setattr__(self, "id", f"{text}.meeting" if self.meeting else text)


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


@value
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

    def __init__(self, cards: tuple[Card, ...], on_cards: bool) -> None:
        self.on_cards = on_cards
        """Whether targets are numbered cards rather than seats."""
        self.single = len({card.seat for card in cards}) == len(cards)
        """Whether every seat has one card."""
        self.known = None not in [card.role for card in cards]
        """Whether the judge knows every card."""
        self.living = tuple([card for card in cards if card.alive])
        """The living cards, in the order of the seats."""
        self.numbers = tuple([card.number for card in self.living])
        """Their numbers."""
        playing: dict[str | None, list[Card]] = {}
        for card in self.living:
            playing.setdefault(card.plays, []).append(card)
        self.playing: dict[str | None, tuple[Card, ...]] = {role: tuple(these) for role, these in playing.items()}
        """Role -> the living cards that play it; roles that nobody plays are not in it."""
        self.fronts = {card.seat: card for card in self.living}
        """Living seat, ascending -> its first living card."""
        if len(self.fronts) < len(self.living):
            self.fronts |= {card.seat: card for card in self.living[::-1]}
        self.seats = tuple(self.fronts)
        """The seats with a living card, ascending."""
        dead = [card for card in cards if not card.alive and (on_cards or card.seat not in self.fronts)]
        self.dead_targets = tuple(dict.fromkeys([card.number if on_cards else card.seat for card in dead]))
        """The targets that exist and do not live, ascending."""
        self.lasting: dict[str, Any] = {}
        """What has been found out that no death changes: the quota of last words, and the calls that stay."""
        self._begin()

    def _begin(self) -> None:
        self.targets = self.numbers if self.on_cards else self.seats
        """The targets that live, ascending."""
        self.holders: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[Card, ...]] = {}
        """What has been found out about who holds some roles; see `engine.cards.holders`."""
        self.target_fields: dict[str, Field] = {}
        """Name -> the field in which any living target may be chosen; see `engine.ability.target_field`."""
        self._cards_left: dict[int, int] | None = None

    @property
    def cards_left(self) -> Mapping[int, int]:
        """Living seat, ascending -> its living cards."""
        if self._cards_left is None:
            self._cards_left = dict.fromkeys(self.seats, 0)
            for card in self.living:
                self._cards_left[card.seat] += 1
        return self._cards_left

    def without(self, card: Card) -> Lives:
        """Who lives once a living card has died."""
        new: Lives = object.__new__(Lives)
        new.on_cards, new.known, new.single, new.lasting = self.on_cards, self.known, self.single, self.lasting
        place = self.numbers.index(card.number)
        new.living = self.living[:place] + self.living[place + 1 :]
        new.numbers = self.numbers[:place] + self.numbers[place + 1 :]
        new.playing = self.playing.copy()
        left = tuple([one for one in self.playing[card.plays] if one is not card])
        if left:
            new.playing[card.plays] = left
        else:
            del new.playing[card.plays]
        new.fronts = self.fronts
        if self.fronts[card.seat] is card:
            new.fronts = self.fronts.copy()
            new._replace_front(card.seat, place)
        out = card.seat not in new.fronts
        new.seats = tuple(new.fronts) if out else self.seats
        new.dead_targets = self.dead_targets
        if out or self.on_cards:
            new.dead_targets = tuple(sorted((*self.dead_targets, card.number if self.on_cards else card.seat)))
        new._begin()
        return new

    def _replace_front(self, seat: int, place: int) -> None:
        """Let the living card at a place be a seat's first, if it is that seat's; else the seat is out."""
        following = None if self.single or place == len(self.living) else self.living[place]
        if following and following.seat == seat:
            self.fronts[seat] = following
        else:
            del self.fronts[seat]


@dataclass(slots=True)
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
    days_of_speech: int = 0
    """How many days had speeches in turn, this one included."""
    days_of_vote: int = 0
    """On how many days a vote was called, this one included."""
    words: int = 0
    """Last words used up."""
    memo: Mapping[str, Any] = field(default_factory=dict)
    """What abilities remember, by their own keys."""
    revealed: Mapping[int, str] = field(default_factory=dict)
    """Card -> the role that was announced of it."""
    winner: str | None = None
    ended_by: str = ""
    ruleset: Ruleset = field(init=False, compare=False, repr=False)
    """The ruleset that is played."""
    on_cards: bool = field(init=False, compare=False, repr=False)
    """Whether targets are numbered cards rather than seats."""
    lives: Lives = field(init=False, compare=False, repr=False)
    """Who lives; follows from the cards."""
    rules: Any = field(default=None, init=False, compare=False, repr=False)
    """The ruleset with these options as `engine.rules` has worked it out, once it was asked for."""
    offered: tuple[Field, ...] | None = field(default=None, compare=False, repr=False)
    """What the open call may choose, if that has been worked out already."""

    def __post_init__(self) -> None:
        self.ruleset = self.setup.ruleset
        self.on_cards = self.ruleset.hand.kind == "numbered"
        self.lives = Lives(self.cards, self.on_cards)

    def kill(self, number: int) -> None:
        """Let a card die."""
        card = self.cards[number - 1]
        if card.alive:
            self.cards = (*self.cards[: number - 1], card.dead(), *self.cards[number:])
            self.lives = self.lives.without(card)

    def set_cards(self, cards: tuple[Card, ...]) -> None:
        """Put other cards in the place of all there are."""
        self.cards = cards
        self.lives = Lives(cards, self.on_cards)

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return self.setup.seats

    def option(self, name: str) -> bool | str:
        """The value of an option; KeyError if the ruleset has none of that name."""
        return self.setup.options[name]

    def copied(self) -> State:
        """The same state, to be changed."""
        new: State = object.__new__(State)
        for name, of_this in zip(STATE_PARTS, parts_of(self), strict=True):
            setattr(new, name, of_this)
        return new

    def evolve(self, **changes: Any) -> State:
        """The same state but for `changes`."""
        new = self.copied()
        for name, changed in changes.items():
            setattr(new, name, changed)
        if "cards" in changes:
            new.set_cards(new.cards)
        return new


STATE_PARTS = tuple(part.name for part in fields(State))
parts_of = attrgetter(*STATE_PARTS)
