"""A ruleset: what its file says is what the engine plays. Every name in it is data.

A field is described once, here: its type, default, limits, and one sentence in its metadata. `narrator.loading` reads
files into these classes, checks them, and makes the JSON Schema for editors of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

Texts = Mapping[str, str]
"""Language tag -> text, e.g. {zh-Hans: 杀手, en: killer}."""

NO_TEXTS: Texts = {}

KIN = {"zh-Hans": ("zh-Hant",), "zh-Hant": ("zh-Hans",)}
"""Languages that sound alike, so that a text in one serves for the other."""


class Limits:
    """Marks what a value must be besides its type, in pydantic's words: `ge`, `le`, `pattern`."""

    def __init__(self, **limits: object) -> None:
        self.limits = limits

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """The schema of the type that is marked, with the limits."""
        return {**handler(source), **self.limits}


Word = Annotated[str, Limits(pattern=r"^[a-z][a-z0-9_-]*$")]
"""A name: small letters, digits, _ and -, beginning with a letter."""
Roles = tuple[Word, ...]
SeatCount = Annotated[int, Limits(ge=3, le=40)]


class Part:
    """Base of all parts of a ruleset; in a file, a key that they do not know is a mistake."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}


@dataclass(frozen=True)
class OptionRef(Part):
    """A value that is read from the options of the game."""

    option: Word


@dataclass(frozen=True)
class Option(Part):
    """A switch that the judge may change before the game."""

    id: str = field(init=False, default="")
    """Its key under `options`."""
    default: bool | str
    choices: tuple[bool | str, ...] = (True, False)
    text: Texts = field(default_factory=dict)


@dataclass(frozen=True)
class Counted(Part):
    """How many living cards play some roles."""

    roles: Roles
    number: int = field(metadata={"ge": 0})


@dataclass(frozen=True)
class Condition(Part):
    """Something that is true or false of the table; exactly one key is given."""

    none_alive: Roles | None = field(default=None, metadata={"description": "no living card plays one of these roles"})
    any_alive: Roles | None = field(default=None, metadata={"description": "some living card plays one of these roles"})
    only_alive: Roles | None = field(default=None, metadata={"description": "nobody lives but these roles"})
    as_many_as_others: Roles | None = field(
        default=None, metadata={"description": "these roles are at least as many as all others living"}
    )
    alive_is: Counted | None = field(
        default=None, metadata={"description": "exactly so many living cards play these roles"}
    )
    bound_mixed: Roles | None = field(
        default=None, metadata={"description": "of the two bound together, one plays such a role, one not"}
    )
    bound_alone: Literal[True] | None = field(
        default=None, metadata={"description": "nobody lives but the two bound together"}
    )
    option: Word | None = field(default=None, metadata={"description": "this option is on"})
    all: tuple[Condition, ...] | None = field(default=None, metadata={"description": "all of these"})
    any: tuple[Condition, ...] | None = field(default=None, metadata={"description": "one of these at least"})
    not_: tuple[Condition, ...] | None = field(default=None, metadata={"description": "none of these", "alias": "not"})

    @cached_property
    def given(self) -> tuple[str, ...]:
        """The keys that are given; a sound condition has exactly one."""
        return tuple(one.name.rstrip("_") for one in fields(self) if getattr(self, one.name) is not None)

    @cached_property
    def kind(self) -> str:
        """The key that is given: the name of a test in `engine.conditions`."""
        return self.given[0]

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """The roles of which it speaks."""
        if self.alive_is:
            return self.alive_is.roles
        return self.none_alive or self.any_alive or self.only_alive or self.as_many_as_others or self.bound_mixed or ()

    @cached_property
    def parts(self) -> tuple[Condition, ...]:
        """The conditions of which it is made."""
        return self.all or self.any or self.not_ or ()

    @property
    def number(self) -> int:
        """How many there must be, for `alive_is`."""
        return self.alive_is.number if self.alive_is else 0


@dataclass(frozen=True)
class Immunity(Part):
    """Hits that do not kill."""

    against: frozenset[Word] = field(metadata={"description": "the roles whose hits do not kill"})
    while_unspent: str = field(default="", metadata={"description": "only while this step's power is unspent"})


@dataclass(frozen=True)
class OnDeath(Part):
    """A choice that the holder's death sets off."""

    ability: Literal["take_along"] = "take_along"
    killed_by: tuple[str, ...] = field(
        default=(), metadata={"description": "only if one of these roles, or `vote`, caused the death"}
    )
    never_by: tuple[str, ...] = field(default=(), metadata={"description": "not if one of these is among the causes"})
    last_words: bool = field(default=True, metadata={"description": "whether the one taken along may have last words"})


Count = int | Mapping[str, int]
COUNT = "cards dealt: a number, or by seats, e.g. {8-10: 2, 11-14: 3}; left out for the plain citizen"


@dataclass(frozen=True)
class Role(Part):
    """One kind of card."""

    id: str = field(init=False, default="")
    """Its key under `roles`."""
    camp: Word
    name: Texts = field(default_factory=dict, metadata={"description": "left out: the usual name of the role"})
    task: Texts = field(default_factory=dict, metadata={"description": "what it does, in one line"})
    count: Count | None = field(default=None, metadata={"description": COUNT})
    immune: tuple[Immunity, ...] = ()
    on_death: OnDeath | None = None
    gives_last_words: bool = field(
        default=False, metadata={"description": "its cards count into the quota of last words"}
    )
    traits: Mapping[str, str] = field(
        default_factory=dict, metadata={"description": "what is printed on it besides: type, look, sex"}
    )

    @cached_property
    def counts(self) -> tuple[tuple[int, int, int], ...]:
        """(fewest seats, most seats, cards dealt); () for the plain citizen. ValueError if a range is none."""
        return count_table(self.count)

    def dealt(self, seats: int) -> int:
        """How many cards of this role a table of `seats` has; 0 outside its table."""
        return next((count for low, high, count in self.counts if low <= seats <= high), 0)


def count_table(count: Count | None) -> tuple[tuple[int, int, int], ...]:
    """(fewest seats, most seats, cards) for a number, or for ranges like `8-10` or `12`; ValueError if one is none."""
    if count is None:
        return ()
    if isinstance(count, int):
        return ((0, MOST_SEATS, count),)
    split = [(str(seats).partition("-"), cards) for seats, cards in count.items()]
    return tuple((int(low), int(high or low), cards) for (low, _, high), cards in split)


MOST_SEATS = 999
"""More than any table has."""


@dataclass(frozen=True)
class Instead(Part):
    """Who acts in a step when all who usually do are dead."""

    wakes: Roles = field(metadata={"min_length": 1})
    key: Word = field(default="", metadata={"description": "the word for the choice in scenarios"})


@dataclass(frozen=True)
class Step(Part):
    """One place of the night: whom it wakes and what they may do."""

    id: Word = field(metadata={"alias": "step"})
    ability: str = field(metadata={"description": "what those it wakes may do"})
    wakes: Roles = field(default=(), metadata={"description": "left out: the role of the step's own name"})
    key: Word = field(
        default="", metadata={"description": "the word for the choice in scenarios; left out: the step's name"}
    )
    anywhere: Roles = field(default=(), metadata={"description": "roles that wake wherever their card lies"})
    joins: Roles = field(default=(), metadata={"description": "roles that open their eyes too and do nothing"})
    instead: Instead | None = None
    params: Mapping[str, Any] = field(
        default_factory=dict, metadata={"description": "the parameters of the ability", "alias": "with"}
    )
    nights: Literal["every", "first", "later"] = "every"
    each: bool = field(default=False, metadata={"description": "a call of its own for every card"})
    when: Condition | None = None
    spoken: bool = True
    lines: Mapping[str, Texts] = field(
        default_factory=dict, metadata={"description": "this edition's words for `open`, `ask`, `close`"}
    )

    def roles(self) -> tuple[str, ...]:
        """Every role that this step may wake."""
        return self.wakes + self.anywhere + self.joins + (self.instead.wakes if self.instead else ())


@dataclass(frozen=True)
class Hand(Part):
    """What a player holds."""

    cards: Literal[1, 2] = 1
    kind: Literal["single", "numbered", "ordered"] = field(
        default="single", metadata={"description": "two cards: `numbered` (both count) or `ordered` (the front one)"}
    )
    misdeals: tuple[tuple[frozenset[Word], frozenset[Word]], ...] = field(
        default=(), metadata={"description": "pairs of role lists that may not meet"}
    )
    spare: int = field(default=0, metadata={"description": "cards left over on the table", "ge": 0, "le": 4})


@dataclass(frozen=True)
class Office(Part):
    """An office that the table gives on the first day (the sheriff)."""

    id: Word = field(metadata={"alias": "office"})
    votes: int = field(default=2, metadata={"ge": 1, "le": 9})
    name: Texts = field(default_factory=dict)


@dataclass(frozen=True)
class Day(Part):
    """How a day runs."""

    talk: Literal["ordered", "free"] = "ordered"
    direction: Literal["counterclockwise", "clockwise"] = "counterclockwise"
    calling: Literal["reverse", "speaking"] = field(
        default="reverse", metadata={"description": "`reverse` of the speaking order, or `speaking`"}
    )
    ties: tuple[Literal["tied", "others", "nobody"], ...] = field(
        default=("tied", "others"), metadata={"description": "who speaks after each tie in turn"}
    )
    last_tie: Literal["nobody_out", "game_drawn", "all_out"] | OptionRef = field(
        default="nobody_out", metadata={"description": "when there is still a tie"}
    )
    votes: Literal["one", "cards"] = field(
        default="one", metadata={"description": "`one` a player, or one per living card: `cards`"}
    )
    split: bool = False
    counting: str = field(default="standard", metadata={"description": "how ballots become a result"})
    ballots_only: bool = False
    reveal: tuple[Literal["night", "vote"], ...] = field(
        default=(), metadata={"description": "when the dead card's role is announced"}
    )
    office: Office | None = None


@dataclass(frozen=True)
class Ending(Part):
    """A camp's victory, or a draw."""

    winner: Word
    when: Condition


@dataclass(frozen=True)
class Succession(Part):
    """When the last card that plays `role` dies, the next living `heir` plays it."""

    role: Word
    heir: Word


@dataclass(frozen=True)
class Notice(Part):
    """A line said at nightfall, once, as soon as its condition holds."""

    id: str = field(metadata={"description": "key of the line in the script", "alias": "notice"})
    when: Condition


@dataclass(frozen=True)
class Ruleset(Part):
    """One edition of the game."""

    id: Word
    name: Texts
    about: Texts = field(metadata={"description": "one line: what kind of game it is"})
    seats: tuple[SeatCount, SeatCount]
    citizen: Word = field(metadata={"description": "the plain role, which takes the cards that are left"})
    roles: Mapping[Word, Role]
    night: tuple[Step, ...]
    endings: tuple[Ending, ...] = field(metadata={"min_length": 1})
    rules: Texts = field(default_factory=dict, metadata={"description": "a short summary of the rules"})
    camps: Mapping[Word, Texts] = field(default_factory=dict)
    hand: Hand = Hand()
    day: Day = Day()
    options: Mapping[Word, Option] = field(
        default_factory=dict, metadata={"description": "an option of its own, or the default of a usual one"}
    )
    last_words: Literal["quota", "all", "none"] = "quota"
    identify: Literal["at_call", "first"] = field(
        default="at_call", metadata={"description": "`at_call`, or a round of `first` calls before anybody acts"}
    )
    settling: str = field(default="standard", metadata={"description": "how a night is settled"})
    succession: Succession | None = None
    notices: tuple[Notice, ...] = ()
    reminders: tuple[str, ...] = field(default=(), metadata={"description": "lines of the script added at nightfall"})
    lines: Mapping[str, Texts] = field(
        default_factory=dict, metadata={"description": "this edition's words for lines of the script, by their keys"}
    )

    def __post_init__(self) -> None:
        for parts in (self.roles, self.options):
            for key, part in parts.items():
                object.__setattr__(part, "id", key)

    def step(self, step_id: str) -> Step:
        """The step of that id; KeyError if there is none."""
        return self._steps[step_id]

    @cached_property
    def _steps(self) -> dict[str, Step]:
        return {step.id: step for step in self.night}

    @cached_property
    def traits(self) -> dict[str, Mapping[str, str]]:
        """Role -> what is printed on it (type, look, sex), for editions whose cards have such."""
        return {role.id: role.traits for role in self.roles.values() if role.traits}

    def trait_values(self, trait: str) -> tuple[str, ...]:
        """Everything that is printed on any card for a trait, in the order of the cards."""
        return self._trait_values.get(trait, ())

    @cached_property
    def _trait_values(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for traits in self.traits.values():
            for trait, value in traits.items():
                found.setdefault(trait, []).append(value)
        return {trait: tuple(dict.fromkeys(values)) for trait, values in found.items()}

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
        if seats not in self._counts:
            self._counts[seats] = self._count(seats)
        return self._counts[seats].copy()

    @cached_property
    def _counts(self) -> dict[int, dict[str, int]]:
        return {}

    def _count(self, seats: int) -> dict[str, int]:
        counts = {role.id: role.dealt(seats) for role in self.roles.values()}
        cards = seats * self.hand.cards + self.hand.spare
        counts[self.citizen] = cards - sum(n for role, n in counts.items() if role != self.citizen)
        return counts
