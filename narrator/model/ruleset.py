"""A ruleset as the engine reads it. Built by `narrator.loading` out of a YAML file; every name in it is data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

Texts = Mapping[str, str]
"""Language tag -> text."""

NO_TEXTS: Texts = {}


@dataclass(frozen=True)
class OptionRef:
    """A value that is read from the options of the game when it is needed."""

    option: str


@dataclass(frozen=True)
class Option:
    """A switch of the ruleset that the judge may change before the game."""

    id: str
    default: bool | str
    choices: tuple[bool | str, ...] = (True, False)
    text: Texts = field(default_factory=dict)


@dataclass(frozen=True)
class Condition:
    """Something that is true or false of a state. `kind` names a test registered in `engine.conditions`."""

    kind: str
    roles: tuple[str, ...] = ()
    number: int = 0
    option: str = ""
    parts: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Immunity:
    """Hits by the roles in `against` do not kill."""

    against: frozenset[str]
    while_unspent: str = ""
    """If set: only while this power is unspent at nightfall."""


@dataclass(frozen=True)
class OnDeath:
    """A choice that the holder's death sets off."""

    ability: str
    killed_by: tuple[str, ...] = ()
    """Only if one of these caused the death (roles, or `vote`); empty: whatever the cause."""
    never_by: tuple[str, ...] = ()
    """Not if one of these is among the causes."""
    last_words: bool = True
    """Whether the seat taken along may have last words."""


@dataclass(frozen=True)
class Role:
    """One kind of card."""

    id: str
    camp: str
    name: Texts = field(default_factory=dict)
    task: Texts = field(default_factory=dict)
    counts: tuple[tuple[int, int, int], ...] = ()
    """(fewest seats, most seats, cards dealt); empty for the plain citizen, who takes what is left."""
    immune: tuple[Immunity, ...] = ()
    on_death: OnDeath | None = None
    gives_last_words: bool = False
    """Whether its cards count into the quota of last words."""

    def dealt(self, seats: int) -> int:
        """How many cards of this role a table of `seats` has; 0 outside its table."""
        return next((count for low, high, count in self.counts if low <= seats <= high), 0)


@dataclass(frozen=True)
class Instead:
    """Who acts in a step when all who usually do are dead."""

    wakes: tuple[str, ...]
    key: str


@dataclass(frozen=True)
class Step:
    """One place of the night: whom it wakes and what they may do."""

    id: str
    ability: str
    wakes: tuple[str, ...] = ()
    key: str = ""
    """The word for its choice in a scenario; the id, unless said otherwise."""
    anywhere: tuple[str, ...] = ()
    """Roles that wake wherever their card lies (ordered hands)."""
    joins: tuple[str, ...] = ()
    """Roles that open their eyes with them and do nothing."""
    instead: Instead | None = None
    params: Mapping[str, object] = field(default_factory=dict)
    nights: str = "every"
    """`every`, `first` or `later`."""
    each: bool = False
    """A call of its own for every card, numbered in the order of the cards."""
    when: Condition | None = None
    spoken: bool = True
    lines: Mapping[str, Texts] = field(default_factory=dict)
    """The narrator's words for `open`, `ask` and `close` where this edition has its own."""

    def roles(self) -> tuple[str, ...]:
        """Every role that this step may wake."""
        return self.wakes + self.anywhere + self.joins + (self.instead.wakes if self.instead else ())


@dataclass(frozen=True)
class Hand:
    """What a player holds."""

    cards: int = 1
    kind: str = "single"
    """`single`; `numbered` (two cards, both in play); `ordered` (two cards, the front one counts)."""
    misdeals: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()
    """Pairs of sets of roles that may not meet in one hand."""
    spare: int = 0
    """Cards left over on the table."""


@dataclass(frozen=True)
class Office:
    """An office that the table gives on the first day (the sheriff)."""

    id: str
    votes: int = 2
    name: Texts = field(default_factory=dict)


@dataclass(frozen=True)
class Day:
    """How a day runs."""

    talk: str = "ordered"
    """`ordered` speeches, or `free`."""
    direction: str = "counterclockwise"
    calling: str = "reverse"
    """`reverse` of the speaking order, or `speaking`."""
    ties: tuple[str, ...] = ("tied", "others")
    """Who speaks after each tie in turn: `tied`, `others` or `nobody`."""
    last_tie: str | OptionRef = "nobody_out"
    """When there is still a tie: `nobody_out`, `game_drawn` or `all_out`."""
    votes: str = "one"
    """`one` a player, or one per living card: `cards`."""
    split: bool = False
    counting: str = "standard"
    """The registered way in which ballots become a result."""
    ballots_only: bool = False
    reveal: tuple[str, ...] = ()
    """When the dead card's role is announced: `night`, `vote`."""
    office: Office | None = None


@dataclass(frozen=True)
class Ending:
    """A camp's victory, or a draw."""

    winner: str
    when: Condition


@dataclass(frozen=True)
class Succession:
    """When the last card that plays `role` dies, the next living `heir` plays it."""

    role: str
    heir: str


@dataclass(frozen=True)
class Notice:
    """A line said at nightfall, once, as soon as its condition holds."""

    id: str
    when: Condition


@dataclass(frozen=True)
class Ruleset:
    """One edition of the game."""

    id: str
    seats: tuple[int, int]
    roles: Mapping[str, Role]
    citizen: str
    night: tuple[Step, ...]
    endings: tuple[Ending, ...]
    name: Texts = field(default_factory=dict)
    about: Texts = field(default_factory=dict)
    rules: Texts = field(default_factory=dict)
    camps: Mapping[str, Texts] = field(default_factory=dict)
    hand: Hand = Hand()
    day: Day = Day()
    options: Mapping[str, Option] = field(default_factory=dict)
    last_words: str = "quota"
    """`quota`, `all` or `none`."""
    identify: str = "at_call"
    """`at_call`, or a round of `first` calls before anybody acts."""
    settling: str = "standard"
    """The registered way in which a night is settled."""
    succession: Succession | None = None
    notices: tuple[Notice, ...] = ()
    traits: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Role -> what is printed on it (type, look, sex), for editions whose cards have such."""
    reminders: tuple[str, ...] = ()
    """Keys of lines added at nightfall."""

    def step(self, step_id: str) -> Step:
        """The step of that id; KeyError if there is none."""
        return self._steps[step_id]

    @cached_property
    def _steps(self) -> dict[str, Step]:
        return {step.id: step for step in self.night}

    def trait_values(self, trait: str) -> tuple[str, ...]:
        """Everything that is printed on any card for a trait, in the order of the cards."""
        return tuple(dict.fromkeys(traits[trait] for traits in self.traits.values() if trait in traits))

    def chosen_traits(self) -> dict[str, tuple[str, ...]]:
        """Role -> the traits that its holder chooses before the first night."""
        return {
            role: tuple(chosen)
            for step in self.night
            if isinstance(chosen := step.params.get("chooses"), tuple)
            for role in step.wakes
        }

    def counts(self, seats: int) -> dict[str, int]:
        """The suggested deal for a table: role -> cards, the plain citizen included."""
        counts = {role.id: role.dealt(seats) for role in self.roles.values()}
        cards = seats * self.hand.cards + self.hand.spare
        counts[self.citizen] = cards - sum(n for role, n in counts.items() if role != self.citizen)
        return counts
