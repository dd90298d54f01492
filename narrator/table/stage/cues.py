"""From what the table may hear to what the conductor does: events become lines with their silences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from narrator.engine.state_changes import apply
from narrator.model.events import Announced, Asked, CallOpened, Died, Event, Left, Revealed, Silenced, TurnPassed
from narrator.model.ruleset import Ruleset
from narrator.model.state import Setup, State
from narrator.narration.lines import lines_for
from narrator.table.stage.conductor import NEVER, Hold, Item, Rest, Say
from narrator.table.stage.habits import Habits
from narrator.table.stage.pauses import COVER, OPEN, OPEN_UNKNOWN, SETTLED, SHOWN, Pauses

SHOWING, REACTION = "(showing)", "(reaction)"
"""What the holds are called in which seats show their roles, and in which a death may set off a choice."""

ANNOUNCED = (Died, Revealed, Silenced, Announced, Left)
"""Events that belong to the announcement of a death."""


@dataclass
class Cued:
    """What a batch of events brings."""

    items: list[Item]
    state: State
    """The game after these events, as everybody sees it."""
    upto: int
    """How many events everybody has seen with these."""

    @property
    def speaks(self) -> bool:
        """Whether anything is said."""
        return any(isinstance(item, Say) for item in self.items)


class Cuer:
    """Makes items out of events, for one game. It sees what everybody sees, and draws alike for what looks alike."""

    def __init__(self, setup: Setup, pauses: Pauses, habits: Habits) -> None:
        self._pauses = pauses
        self._habits = habits
        self._settles = sets_off_choices(setup.ruleset)
        self._showing = steps_that_show(setup)

    def cue(self, events: Sequence[tuple[int, Event]], before: State, upto: int, *, correction: bool) -> Cued:
        """The items for these events, each given with the number of its entry.

        `before` is the game before them, as everybody sees it, and `upto` the number of events that have led to it.
        """
        cued = Cued([], before, upto)
        settling, last = False, None
        for seq, event in events:
            if isinstance(last, CallOpened) and isinstance(event, Asked) and self._could_show(event, cued.state):
                self._wait(cued, seq, SHOWING, SHOWN)
            last = event
            if settling and not isinstance(event, ANNOUNCED):
                self._wait(cued, seq, REACTION, SETTLED)
                settling = False
            settling = settling or (self._settles and isinstance(event, Died) and bool(event.deaths))
            cued.upto += 1
            passing = isinstance(event, TurnPassed)  # pointless once another line comes
            for line in lines_for(event, cued.state):
                cued.items += self.line(Say(seq, line, cued.upto, passing, correction))
            cued.state = apply(cued.state, event)
        if settling:
            self._wait(cued, events[-1][0], REACTION, SETTLED)
        return cued

    def line(self, say: Say) -> list[Item]:
        """A line that comes from no event, with its silence."""
        return [say, Rest(say.seq, self._pauses.after(say.line.pause_after))]

    def _could_show(self, asked: Asked, before: State) -> bool:
        """Whether seats would have to show their roles before this question, for all that the table knows."""
        return before.round == 1 and not asked.call.meeting and asked.call.step in self._showing

    def _wait(self, cued: Cued, seq: int, what: str, least: tuple[float, float]) -> None:
        """Time for the judge, though he is not asked: for a choice set off by a death, or for roles to be shown."""
        hold = Hold(seq, what, self._pauses.within(least), self._pauses.within(COVER), self._habits.draw(what))
        hold.tapped = NEVER
        hold_last(cued.items, hold)


def steps_that_show(setup: Setup) -> frozenset[str]:
    """The steps of a first night at which roles are shown, unless their cards are known to lie in the middle.

    Where no card is left over, they are always shown, and nothing has to be hidden.
    """
    ruleset = setup.ruleset
    if setup.hands is not None or not ruleset.hand.spare or ruleset.identify == "first":
        return frozenset()
    left = {role for role, count in setup.counts.items() if count}
    found = set()
    for step in ruleset.night:
        if step.nights != "later" and left.intersection(step.roles()):
            found.add(step.id)
            left.difference_update(step.roles())
    return frozenset(found)


def sets_off_choices(ruleset: Ruleset) -> bool:
    """Whether deaths may set off choices in this edition."""
    return ruleset.day.office is not None or any(role.on_death for role in ruleset.roles.values())


def may_be_missing(ruleset: Ruleset) -> bool:
    """Whether a role may have nobody to wake on the first night: its card lies in the middle, or behind another."""
    return bool(ruleset.hand.spare) or ruleset.hand.kind == "ordered"


def call_hold(state: State, seq: int, pauses: Pauses, habits: Habits) -> Hold:
    """The hold of the call that is open; draws alike whoever is asked and whatever can be answered."""
    shown = state.asking == "identify"
    unknown = state.round == 1 and may_be_missing(state.ruleset)
    least = pauses.within(SHOWN if shown else OPEN_UNKNOWN if unknown else OPEN)
    cover = pauses.within(COVER)
    step = SHOWING if shown else state.calls[state.call].step
    return Hold(seq, step, least, cover, habits.draw(step), state.asking == "idle")


def hold_last(items: list[Item], hold: Hold) -> None:
    """Put a hold behind the items, in place of the silence there: it counts from the end of the last line."""
    if items and isinstance(items[-1], Rest):
        items.pop()
    items.append(hold)
