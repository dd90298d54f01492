"""What has happened. State is a fold over these; each says of itself what others than the judge may know of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, Literal

from narrator.model.state import Call, Death, Reaction
from narrator.model.values import value


@value
class Viewer:
    """Somebody who looks at the game, at the moment at which something happens."""

    kind: Literal["judge", "everybody", "seat"]
    seat: int = 0
    """A player's seat, else 0."""
    cards: frozenset[int] = frozenset()
    """The cards at that seat."""
    met: tuple[int, ...] = ()
    """The seats whose eyes are open, if this seat's are."""

    @property
    def awake(self) -> bool:
        """Whether this seat's eyes are open in the call that is going on."""
        return self.seat in self.met


JUDGE = Viewer("judge")
EVERYBODY = Viewer("everybody")


class Event:
    """Base of all events: what only the judge may know of."""

    __slots__ = ()
    kind: str

    def seen(self, viewer: Viewer) -> Event | None:
        """The event as a viewer who is not the judge may know of it; None if he may not."""
        return None


class Public(Event):
    """What everybody may know of, whole."""

    __slots__ = ()

    def seen(self, viewer: Viewer) -> Event | None:
        return self


@value
class NightFell(Public):
    """Everybody closes their eyes."""

    round: int
    calls: tuple[Call, ...]
    notices: tuple[str, ...] = ()
    kind: Literal["night_fell"] = "night_fell"

    def seen(self, viewer: Viewer) -> Event:
        """Which groups will be called tells who lives, where dead roles are not called."""
        return replace(self, calls=())


@value
class CallOpened(Public):
    """A group is told to open its eyes. `asking` is secret: `identify`, or empty."""

    call: Call
    asking: str = ""
    kind: Literal["call_opened"] = "call_opened"

    def seen(self, viewer: Viewer) -> Event:
        """Everybody hears the call; which card is called, and whether it is to show itself, is not said.

        So those who are called one by one do not learn of each other.
        """
        return CallOpened(heard_call(self.call))


@value
class Identified(Event):
    """Seats have shown which roles they hold."""

    roles: Mapping[str, tuple[int, ...]]
    """Role -> cards."""
    kind: Literal["identified"] = "identified"

    def seen(self, viewer: Viewer) -> Event | None:
        """A player knows his own cards, and of others only whose eyes were open with his: not what they hold."""
        own = {role: tuple(card for card in cards if card in viewer.cards) for role, cards in self.roles.items()}
        known = {role: cards for role, cards in own.items() if cards}
        return Identified(known) if known else None


@value
class Asked(Public):
    """The group is asked for its choice. That the question is spoken is public; `asking` is secret."""

    call: Call
    asking: str
    awake: tuple[int, ...] = field(default=(), metadata={"exclude": True})
    """Whose eyes are open: only as one of them sees it, never in a journal."""
    kind: Literal["asked"] = "asked"

    def seen(self, viewer: Viewer) -> Event:
        """Everybody hears the question; whoever is awake sees who else is."""
        return Asked(heard_call(self.call), "", viewer.met if viewer.awake else ())


@value
class Chosen(Event):
    """The judge has recorded a choice."""

    call: Call
    choice: Mapping[str, Any]
    kind: Literal["chosen"] = "chosen"

    def seen(self, viewer: Viewer) -> Event | None:
        """Whoever is awake sees what is chosen: his group's choice, those who only join it included."""
        return Chosen(heard_call(self.call), self.choice) if viewer.awake else None


@value
class Answered(Event):
    """An answer is to be shown to the group, silently."""

    call: Call
    answer: Any
    kind: Literal["answered"] = "answered"

    def seen(self, viewer: Viewer) -> Event | None:
        """Whoever is awake sees what is shown; nothing, where his sign was taken from him."""
        return Answered(heard_call(self.call), self.answer) if viewer.awake else None


@value
class CallClosed(Public):
    """The group is told to close its eyes."""

    call: Call
    kind: Literal["call_closed"] = "call_closed"

    def seen(self, viewer: Viewer) -> Event:
        return CallClosed(heard_call(self.call))


@value
class PowerSpent(Event):
    """A once-a-game power has been used."""

    power: str
    kind: Literal["power_spent"] = "power_spent"

    def seen(self, viewer: Viewer) -> Event | None:
        """By night, whoever is awake knows what the choice has used up; what a vote uses up is not said."""
        return self if viewer.awake else None


@value
class RoleTaken(Event):
    """A card plays another role from now on."""

    card: int
    plays: str
    kind: Literal["role_taken"] = "role_taken"

    def seen(self, viewer: Viewer) -> Event | None:
        """A player who chose the role knows it (the thief); of one that falls to him he is not told (an heir)."""
        return self if viewer.awake and self.card in viewer.cards else None


@value
class Remembered(Event):
    """An ability notes something under its own key: nobody else's business.

    Whoever chose it has seen the choice; those it concerns meet, or are told, in events of their own.
    """

    key: str
    value: Any
    kind: Literal["remembered"] = "remembered"


@value
class Needled(Event):
    """A treatment that was not needed: `needles` are the new totals, `card/role` -> needles.

    Neither the doctor nor the patient is told: it would tell whom nobody has hit.
    """

    needles: Mapping[str, int]
    kind: Literal["needled"] = "needled"


@value
class Dawned(Public):
    """Everybody opens their eyes."""

    round: int
    kind: Literal["dawned"] = "dawned"


@value
class Died(Public):
    """Cards have died together. The seats are public, the causes are not. Empty: nobody has."""

    deaths: tuple[Death, ...]
    how: str
    """`night`, `vote`, `reaction`: when it was announced."""
    kind: Literal["died"] = "died"

    def seen(self, viewer: Viewer) -> Event:
        """Why somebody died is secret, but for a lie that was told aloud."""
        return replace(self, deaths=tuple(map(heard_death, self.deaths)))


@value
class Revealed(Public):
    """A role is announced."""

    seat: int
    role: str
    reason: str = "dead"
    """`dead`: a card is turned over; `wins_apart`: its holder has won apart from the others."""
    kind: Literal["revealed"] = "revealed"


@value
class Left(Public):
    """A seat leaves the game without having died."""

    seat: int
    reason: str
    kind: Literal["left"] = "left"


@value
class Announced(Public):
    """Something an edition announces of its own: a line of the script with its parameters."""

    line: str
    values: Mapping[str, Any]
    kind: Literal["announced"] = "announced"


@value
class Silenced(Public):
    """Seats that may not speak today."""

    seats: tuple[int, ...]
    reason: str = ""
    """Why, where the edition announces it: `asleep`."""
    kind: Literal["silenced"] = "silenced"


@value
class ReactionsDue(Event):
    """Choices that deaths have set off; the judge asks for the first of them now."""

    reactions: tuple[Reaction, ...]
    kind: Literal["reactions_due"] = "reactions_due"

    def seen(self, viewer: Viewer) -> Event | None:
        """A player is asked for his own choice; that another is asked, or nobody, is not said."""
        own = tuple(reaction for reaction in self.reactions if reaction.seat == viewer.seat)
        return ReactionsDue(own) if own else None


@value
class Reacted(Event):
    """A choice set off by a death has been made, or declined (`target` None)."""

    reaction: Reaction
    target: int | None
    kind: Literal["reacted"] = "reacted"

    def seen(self, viewer: Viewer) -> Event | None:
        """The choice is its maker's own; what comes of it is heard of by itself."""
        return self if viewer.seat == self.reaction.seat else None


@value
class OfficeGiven(Public):
    """The office goes to a seat, or to nobody."""

    office: str
    seat: int | None
    elected: bool
    kind: Literal["office_given"] = "office_given"


@value
class ElectionCalled(Public):
    """The table elects the holder of its office."""

    office: str
    kind: Literal["election_called"] = "election_called"


@value
class LastWordsBegan(Public):
    """These seats have last words, in this order."""

    seats: tuple[int, ...]
    kind: Literal["last_words_began"] = "last_words_began"


@value
class DayBegan(Public):
    """The talk begins; `order` is the speaking order, silenced seats in their places, () where talk is free."""

    order: tuple[int, ...]
    speaking: tuple[int, ...]
    free: bool = False
    kind: Literal["day_began"] = "day_began"


@value
class TurnPassed(Public):
    """The next one speaks (`speaker` is the index in the running order), or an earlier one again."""

    speaker: int
    kind: Literal["turn_passed"] = "turn_passed"


@value
class VoteCalled(Public):
    """The candidates are called, in this order (() where there is no order: everybody names one)."""

    number: int
    candidates: tuple[int, ...]
    kind: Literal["vote_called"] = "vote_called"


@value
class Claimed(Event):
    """What the seat under observation said it was; None: nothing.

    Everybody has heard the word, but nobody may learn from the record that this seat is observed; not even itself.
    """

    seat: int
    role: str | None
    kind: Literal["claimed"] = "claimed"


@value
class Voted(Public):
    """The result of one vote: candidate -> votes, weights included."""

    number: int
    tally: Mapping[int, int]
    ballots: Mapping[int, tuple[int, ...]]
    """Voter -> whom it named, where ballots were recorded."""
    invalid: tuple[int, ...] = ()
    """Voters whose ballots do not count."""
    announced: str = "all"
    """What the table hears: `all`, `ballots` (but no tally), `nothing`; never whom an invalid ballot named."""
    kind: Literal["voted"] = "voted"

    def seen(self, viewer: Viewer) -> Event:
        """What is announced of the count; never whom an invalid ballot named."""
        if self.announced == "nothing":
            return Voted(self.number, {}, {}, (), self.announced)
        ballots = {voter: named for voter, named in self.ballots.items() if voter not in self.invalid}
        tally = self.tally if self.announced == "all" else {}
        return Voted(self.number, tally, ballots, self.invalid, self.announced)


@value
class Tied(Public):
    """Several have the most votes; `speaking` are those who speak before the next vote."""

    number: int
    seats: tuple[int, ...]
    speakers: str
    speaking: tuple[int, ...]
    kind: Literal["tied"] = "tied"


@value
class NobodyOut(Public):
    """The day's voting takes nobody: `no_votes`, `tie`, `void`, `tied` (a first and last tie), or `spared`."""

    reason: str
    kind: Literal["nobody_out"] = "nobody_out"


@value
class DaySkipped(Public):
    """Nobody died: the next night follows at once."""

    kind: Literal["day_skipped"] = "day_skipped"


@value
class GameEnded(Public):
    """The game is over: a camp, `draw`, or `abandoned`; `reason`: `ending both third_tie empty_table abandoned`."""

    winner: str
    reason: str
    kind: Literal["game_ended"] = "game_ended"


def heard_call(call: Call) -> Call:
    """A call without the card that it means."""
    return Call(call.step, call.number, 0, call.meeting)


def heard_death(death: Death) -> Death:
    """A death as it is announced: without its causes, and without whether its own rule denies it last words."""
    return replace(death, causes=tuple(cause for cause in death.causes if cause.kind == "lie"), last_words=True)


EVENTS: tuple[type[Event], ...] = tuple(
    kind for kind in globals().values() if isinstance(kind, type) and issubclass(kind, Event) and hasattr(kind, "kind")
)
"""Every kind of event, in the order of a game."""
