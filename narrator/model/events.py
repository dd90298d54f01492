"""What has happened. State is a fold over these; the table hears only the public ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from narrator.model.state import Call, Death, Reaction


class Event:
    """Base of all events."""

    kind: str
    public: ClassVar[bool] = False
    """Whether everybody at the table may know of it."""


@dataclass(frozen=True)
class NightFell(Event):
    """Everybody closes their eyes."""

    public: ClassVar[bool] = True
    round: int
    calls: tuple[Call, ...]
    notices: tuple[str, ...] = ()
    kind: Literal["night_fell"] = "night_fell"


@dataclass(frozen=True)
class CallOpened(Event):
    """A group is told to open its eyes. `asking` is secret: `identify`, or empty."""

    public: ClassVar[bool] = True
    call: Call
    asking: str = ""
    kind: Literal["call_opened"] = "call_opened"


@dataclass(frozen=True)
class Identified(Event):
    """Seats have shown which roles they hold."""

    roles: Mapping[str, tuple[int, ...]]
    """Role -> cards."""
    kind: Literal["identified"] = "identified"


@dataclass(frozen=True)
class Asked(Event):
    """The group is asked for its choice. That the question is spoken is public; `asking` is secret."""

    public: ClassVar[bool] = True
    call: Call
    asking: str
    kind: Literal["asked"] = "asked"


@dataclass(frozen=True)
class Chosen(Event):
    """The judge has recorded a choice."""

    call: Call
    choice: Mapping[str, Any]
    kind: Literal["chosen"] = "chosen"


@dataclass(frozen=True)
class Answered(Event):
    """An answer is to be shown to the group, silently."""

    call: Call
    answer: Any
    kind: Literal["answered"] = "answered"


@dataclass(frozen=True)
class CallClosed(Event):
    """The group is told to close its eyes."""

    public: ClassVar[bool] = True
    call: Call
    kind: Literal["call_closed"] = "call_closed"


@dataclass(frozen=True)
class PowerSpent(Event):
    """A once-a-game power has been used."""

    power: str
    kind: Literal["power_spent"] = "power_spent"


@dataclass(frozen=True)
class RoleTaken(Event):
    """A card plays another role from now on."""

    card: int
    plays: str
    kind: Literal["role_taken"] = "role_taken"


@dataclass(frozen=True)
class Remembered(Event):
    """An ability notes something under its own key."""

    key: str
    value: Any
    kind: Literal["remembered"] = "remembered"


@dataclass(frozen=True)
class Needled(Event):
    """A treatment that was not needed: `needles` are the new totals, `card/role` -> needles."""

    needles: Mapping[str, int]
    kind: Literal["needled"] = "needled"


@dataclass(frozen=True)
class Dawned(Event):
    """Everybody opens their eyes."""

    public: ClassVar[bool] = True
    round: int
    kind: Literal["dawned"] = "dawned"


@dataclass(frozen=True)
class Died(Event):
    """Cards have died together. The seats are public, the causes are not. Empty: nobody has."""

    public: ClassVar[bool] = True
    deaths: tuple[Death, ...]
    how: str
    """`night`, `vote`, `reaction`: when it was announced."""
    kind: Literal["died"] = "died"


@dataclass(frozen=True)
class Revealed(Event):
    """A role is announced."""

    public: ClassVar[bool] = True
    seat: int
    role: str
    reason: str = "dead"
    """`dead`: a card is turned over; `wins_apart`: its holder has won apart from the others."""
    kind: Literal["revealed"] = "revealed"


@dataclass(frozen=True)
class Left(Event):
    """A seat leaves the game without having died."""

    public: ClassVar[bool] = True
    seat: int
    reason: str
    kind: Literal["left"] = "left"


@dataclass(frozen=True)
class Announced(Event):
    """Something an edition announces of its own: a line of the script with its parameters."""

    public: ClassVar[bool] = True
    line: str
    values: Mapping[str, Any]
    kind: Literal["announced"] = "announced"


@dataclass(frozen=True)
class Silenced(Event):
    """Seats that may not speak today."""

    public: ClassVar[bool] = True
    seats: tuple[int, ...]
    reason: str = ""
    """Why, where the edition announces it: `asleep`."""
    kind: Literal["silenced"] = "silenced"


@dataclass(frozen=True)
class ReactionsDue(Event):
    """Choices that deaths have set off; the judge asks for the first of them now."""

    reactions: tuple[Reaction, ...]
    kind: Literal["reactions_due"] = "reactions_due"


@dataclass(frozen=True)
class Reacted(Event):
    """A choice set off by a death has been made, or declined (`target` None)."""

    reaction: Reaction
    target: int | None
    kind: Literal["reacted"] = "reacted"


@dataclass(frozen=True)
class OfficeGiven(Event):
    """The office goes to a seat, or to nobody."""

    public: ClassVar[bool] = True
    office: str
    seat: int | None
    elected: bool
    kind: Literal["office_given"] = "office_given"


@dataclass(frozen=True)
class ElectionCalled(Event):
    """The table elects the holder of its office."""

    public: ClassVar[bool] = True
    office: str
    kind: Literal["election_called"] = "election_called"


@dataclass(frozen=True)
class LastWordsBegan(Event):
    """These seats have last words, in this order."""

    public: ClassVar[bool] = True
    seats: tuple[int, ...]
    kind: Literal["last_words_began"] = "last_words_began"


@dataclass(frozen=True)
class DayBegan(Event):
    """The talk begins; `order` is the speaking order, silenced seats in their places, () where talk is free."""

    public: ClassVar[bool] = True
    order: tuple[int, ...]
    speaking: tuple[int, ...]
    free: bool = False
    kind: Literal["day_began"] = "day_began"


@dataclass(frozen=True)
class TurnPassed(Event):
    """The next one speaks (`speaker` is the index in the running order), or an earlier one again."""

    public: ClassVar[bool] = True
    speaker: int
    kind: Literal["turn_passed"] = "turn_passed"


@dataclass(frozen=True)
class VoteCalled(Event):
    """The candidates are called, in this order (() where there is no order: everybody names one)."""

    public: ClassVar[bool] = True
    number: int
    candidates: tuple[int, ...]
    kind: Literal["vote_called"] = "vote_called"


@dataclass(frozen=True)
class Claimed(Event):
    """What the seat under observation said it was; None: nothing."""

    seat: int
    role: str | None
    kind: Literal["claimed"] = "claimed"


@dataclass(frozen=True)
class Voted(Event):
    """The result of one vote: candidate -> votes, weights included."""

    public: ClassVar[bool] = True
    number: int
    tally: Mapping[int, int]
    ballots: Mapping[int, tuple[int, ...]]
    """Voter -> whom it named, where ballots were recorded."""
    invalid: tuple[int, ...] = ()
    """Voters whose ballots do not count."""
    announced: str = "all"
    """What the table hears: `all`, `ballots` (but no tally), `nothing`; never whom an invalid ballot named."""
    kind: Literal["voted"] = "voted"


@dataclass(frozen=True)
class Tied(Event):
    """Several have the most votes; `speaking` are those who speak before the next vote."""

    public: ClassVar[bool] = True
    number: int
    seats: tuple[int, ...]
    speakers: str
    speaking: tuple[int, ...]
    kind: Literal["tied"] = "tied"


@dataclass(frozen=True)
class NobodyOut(Event):
    """The day's voting takes nobody: `no_votes`, `tie`, `void`, `tied` (a first and last tie), or `spared`."""

    public: ClassVar[bool] = True
    reason: str
    kind: Literal["nobody_out"] = "nobody_out"


@dataclass(frozen=True)
class DaySkipped(Event):
    """Nobody died: the next night follows at once."""

    public: ClassVar[bool] = True
    kind: Literal["day_skipped"] = "day_skipped"


@dataclass(frozen=True)
class GameEnded(Event):
    """The game is over: a camp, `draw`, or `abandoned`; `reason`: `ending both third_tie empty_table abandoned`."""

    public: ClassVar[bool] = True
    winner: str
    reason: str
    kind: Literal["game_ended"] = "game_ended"


EVENTS: tuple[type[Event], ...] = tuple(Event.__subclasses__())
"""Every kind of event, in the order of a game."""
