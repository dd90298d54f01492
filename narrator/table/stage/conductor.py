"""The conductor: says queued lines one after the other, with their silences, and holds the calls of the night open.

It knows nothing of rules or secrets. All its methods are called under the table's lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from narrator.clock import Timer
from narrator.narration.lines import Line
from narrator.speech.utterance import Utterance

NEVER = float("-inf")
"""When a hold was tapped for which nobody is waited: it lasts as long as though somebody were."""


@dataclass
class Say:
    """A line to be spoken. When it starts, the table has heard of so many events."""

    seq: int
    """The number of the journal's entry it comes from, 1 for the first command; 0 for what belongs to none."""
    line: Line
    upto: int = 0
    """How many of the events that everybody may know of have been heard once this line starts; 0: no further ones."""
    passing: bool = False
    """Whether a later line makes it pointless, as the next speaker's name does the one before."""
    correction: bool = False
    """Whether it stands in for something the table has heard that is undone."""
    anew: bool = False
    """Whether no more than these events are heard once it starts, whatever the table had heard before."""


@dataclass
class Rest:
    """A silence, drawn beforehand."""

    seq: int
    seconds: float
    correction: bool = False


@dataclass
class Hold:
    """A call of the night kept open: the next line waits for the judge, and for a drawn time."""

    seq: int
    step: str
    """Step of the night, or the name of what is waited for; the judge's times are kept by it."""
    least: float
    """Seconds it lasts at least."""
    cover: float
    """Seconds from the judge's tap to the next line."""
    habit: float
    """If nobody can answer: seconds after which it is taken to be tapped; in a call the table taps by itself."""
    idle: bool = False
    """Whether nobody can answer."""
    since: float | None = None
    """When it began: the end of the line before it."""
    tapped: float | None = None
    """When the judge tapped."""
    correction: bool = False

    def opens(self) -> float:
        """When the next line may start. Only for a hold that has begun and been tapped."""
        assert self.since is not None
        assert self.tapped is not None
        tapped = self.since + self.habit if self.idle or self.tapped == NEVER else self.tapped
        return max(self.since + self.least, tapped + self.cover)

    def shift(self, seconds: float, before: float) -> None:
        """Move everything that happened before a moment later by some seconds, as though time had stood still."""
        if self.since is not None:
            self.since += seconds
        if self.tapped is not None and self.tapped < before:
            self.tapped += seconds


Item = Say | Rest | Hold


class Podium(Protocol):
    """What the conductor needs around it."""

    def now(self) -> float:
        """The clock."""

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Make a call later, under the table's lock."""

    def utter(self, say: Say) -> Utterance:
        """Put a line into the words of the language that is spoken now, under a new number."""

    def speak(self, utterance: Utterance) -> float:
        """Hand it to the speaker; returns the seconds after which it should long be over."""

    def hush(self) -> None:
        """Stop the speaker at once."""

    def heard(self, say: Say, utterance: Utterance) -> None:
        """The line has begun: what it says is known from now on."""

    def idle_over(self, hold: Hold) -> None:
        """A call that nobody can answer has been open long enough."""

    def overdue(self, utterance: Utterance) -> None:
        """The speaker has not told the end of a line in time; the game goes on without it."""


class Conductor:
    """The queue of a table."""

    def __init__(self, podium: Podium) -> None:
        self._podium = podium
        self._queue: deque[Item] = deque()
        self._current: Item | None = None
        self._utterance: Utterance | None = None
        self._begun = False
        self._until = 0.0
        self._timer: Timer | None = None
        self._paused_at: float | None = None
        self._last: Say | None = None
        self._heard_upto = 0
        self._kept = 0

    # What is going on

    @property
    def state(self) -> str:
        """`paused`, `speaking`, `pause` (a silence), `waiting` (a call is held open) or `silent`."""
        if self._paused_at is not None:
            return "paused"
        names = {Say: "speaking", Rest: "pause", Hold: "waiting"}
        return "silent" if self._current is None else names[type(self._current)]

    @property
    def queued(self) -> int:
        """How many lines wait."""
        return sum(isinstance(item, Say) for item in self._queue)

    @property
    def heard_upto(self) -> int:
        """The number of the latest entry of which the table has heard something."""
        return self._heard_upto

    @property
    def text(self) -> str:
        """The line that is being spoken, or was spoken last."""
        return self._utterance.text() if self._utterance else ""

    def lines_ahead(self) -> list[Line]:
        """The lines that wait, in order."""
        return [item.line for item in self._queue if isinstance(item, Say)]

    def holding(self) -> Hold | None:
        """The hold that waits for the judge, running or queued."""
        current = [] if self._current is None else [self._current]
        holds = [item for item in [*current, *self._queue] if isinstance(item, Hold) and item.tapped is None]
        return holds[-1] if holds else None

    # What comes from the table

    def add(self, items: Iterable[Item]) -> None:
        """Queue items behind all others; silences of no length are left out."""
        for item in items:
            if isinstance(item, Rest) and not item.seconds:
                continue
            if isinstance(item, Say):
                item.upto = max(item.upto, self._kept)
            self._queue.append(item)
        self._go()

    def keep(self, upto: int) -> None:
        """So many events have no line to come any more: the last of them become known with whatever is said next."""
        self._kept = max(self._kept, upto)

    def release(self) -> None:
        """The judge has tapped: the waiting hold, if any, ends as soon as it may."""
        if hold := self.holding():
            hold.tapped = self._podium.now()
            if hold is self._current:
                self._wait_for(hold)

    def drop_passing(self) -> None:
        """Lines that what comes now makes pointless are not spoken; what they tell is known with the next line."""
        for say in [item for item in self._queue if isinstance(item, Say) and item.passing]:
            place = self._queue.index(say)
            del self._queue[place]
            if place < len(self._queue) and isinstance(self._queue[place], Rest):
                del self._queue[place]
            self.keep(say.upto)

    def retract(self, seq: int, upto: int) -> bool:
        """Entries after `seq`, and the events after the first `upto`, are undone: drop what they would have said.

        True: the table heard some of it.
        """
        owed = self._heard_upto > seq or any(item.correction and item.seq > seq for item in self._waiting_items())
        self._withdraw(seq, upto, owed)
        self._heard_upto = min(self._heard_upto, seq)
        if self._current is not None and (owed or self._current.seq > seq):
            self._drop_current()
        self._reopen(seq)
        self._go()
        return owed

    def clear(self, heard_upto: int = 0) -> None:
        """Drop everything, and be as new; the table knows of entries up to `heard_upto`."""
        self._queue.clear()
        self._drop_current()
        self._paused_at = self._last = self._utterance = None
        self._kept, self._heard_upto = 0, heard_upto

    # What comes from the judge

    def pause(self) -> None:
        """Be silent at once and let no time pass until `go_on`; a line that is cut will be said again."""
        if self._paused_at is not None:
            return
        self._paused_at = self._podium.now()
        if isinstance(self._current, Say):
            self._requeue_line()
        elif isinstance(self._current, Rest):
            self._current.seconds = max(0.0, self._until - self._paused_at)
            self._queue.appendleft(self._current)
            self._current = None
        self._cancel()

    def go_on(self) -> None:
        """Go on where it was paused."""
        if self._paused_at is None:
            return
        at, self._paused_at = self._paused_at, None
        for item in self._waiting_items():
            if isinstance(item, Hold):
                item.shift(self._podium.now() - at, at)
        if isinstance(self._current, Hold):
            self._wait_for(self._current)
        self._go()

    def skip(self, rests: bool) -> None:
        """End the line that is being spoken; with `rests`, a silence too. Calls stay open as long as they must."""
        if isinstance(self._current, Say):
            self._podium.hush()
            self._finish()
        elif rests and isinstance(self._current, Rest):
            self._finish()

    def repeat(self) -> bool:
        """Say the line again: the one being spoken from its beginning, else the last. False: there is none."""
        if self._paused_at is not None:
            self.go_on()
            return True
        if isinstance(self._current, Say):
            self._requeue_line()
        elif self._last is None:
            return False
        else:
            self._put_back()
            self._queue.appendleft(Say(0, self._last.line))
        self._go()
        return True

    def restart(self) -> None:
        """The line being spoken begins again, through whatever speaker there is now."""
        if isinstance(self._current, Say):
            self._requeue_line()
            self._go()

    # What comes from the speaker

    def started(self, number: int) -> None:
        """The speaker has begun a line; numbers of lines that are no longer current are ignored."""
        say = self._current
        if isinstance(say, Say) and self._utterance and self._utterance.number == number and not self._begun:
            self._begin_to_be_heard(say, self._utterance)

    def ended(self, number: int) -> None:
        """The speaker has ended a line, or given it up."""
        if isinstance(self._current, Say) and self._utterance and self._utterance.number == number:
            self._finish()

    # Inside

    def _go(self) -> None:
        while self._current is None and self._queue and self._paused_at is None:
            self._start(self._queue.popleft())

    def _start(self, item: Item) -> None:
        self._current = item
        if isinstance(item, Say):
            self._say(item)
        elif isinstance(item, Rest):
            self._until = self._podium.now() + item.seconds
            self._at(self._until, self._finish)
        else:
            item.since = self._podium.now()
            self._wait_for(item)

    def _say(self, say: Say) -> None:
        utterance = self._utterance = self._podium.utter(say)
        self._begun = False
        patience = self._podium.speak(utterance)
        if self._current is not say or self._utterance is not utterance:
            return  # the speaker gave it up at once
        self._at(self._podium.now() + patience, lambda: self._give_up(utterance))

    def _give_up(self, utterance: Utterance) -> None:
        self._podium.overdue(utterance)
        self._podium.hush()
        self.ended(utterance.number)

    def _begin_to_be_heard(self, say: Say, utterance: Utterance) -> None:
        self._begun = True
        self._last = say
        self._heard_upto = max(self._heard_upto, say.seq)
        self._podium.heard(say, utterance)
        say.anew = False

    def _wait_for(self, hold: Hold) -> None:
        self._cancel()
        if self._paused_at is not None or hold.since is None:
            return
        if hold.tapped is not None:
            self._at(hold.opens(), self._finish)
        elif hold.idle:
            self._at(hold.since + hold.habit, lambda: self._podium.idle_over(hold))

    def _finish(self) -> None:
        self._cancel()
        if isinstance(self._current, Say) and not self._begun and self._utterance:
            self._begin_to_be_heard(self._current, self._utterance)
        self._current = None
        self._go()

    def _drop_current(self) -> None:
        if isinstance(self._current, Say):
            self._podium.hush()
        self._cancel()
        self._current = None

    def _requeue_line(self) -> None:
        assert isinstance(self._current, Say)
        self._queue.appendleft(self._current)
        self._drop_current()

    def _put_back(self) -> None:
        """What is running waits for a line put before it; a hold counts anew from that line's end."""
        if isinstance(self._current, Rest):
            self._current.seconds = max(0.0, self._until - self._podium.now())
        if self._current is not None:
            self._queue.appendleft(self._current)
        self._cancel()
        self._current = None

    def _withdraw(self, seq: int, upto: int, owed: bool) -> None:
        """Take from the queue what is undone; what a dropped line told that still holds waits for the next one."""
        kept = [] if owed else [item for item in self._queue if item.seq <= seq]
        dropped = [item.upto for item in self._queue if isinstance(item, Say) and item not in kept]
        self._kept = 0 if owed else min(max([self._kept, *dropped]), upto)
        self._queue = deque(kept)

    def _reopen(self, seq: int) -> None:
        """The tap that ended the hold of entry `seq` is undone."""
        for item in self._waiting_items():
            if isinstance(item, Hold) and item.seq == seq and item.tapped != NEVER:
                item.tapped = None
        if isinstance(self._current, Hold):
            self._wait_for(self._current)

    def _waiting_items(self) -> list[Item]:
        return [*([] if self._current is None else [self._current]), *self._queue]

    def _at(self, moment: float, call: Callable[[], None]) -> None:
        self._cancel()
        self._timer = self._podium.later(max(0.0, moment - self._podium.now()), call)

    def _cancel(self) -> None:
        timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
