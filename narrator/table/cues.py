"""From what the table may hear to what the conductor does: forms become lines with their silences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from narrator.model.ruleset import Ruleset
from narrator.model.state import State
from narrator.narration.lines import Line, lines_for
from narrator.table.habits import Habits
from narrator.table.items import NEVER, Form, Hold, Item, Rest, Say
from narrator.table.pauses import COVER, OPEN, SETTLED, SHOWN, Pauses

PASSING = "turn_passed"
"""The kind of form whose lines are pointless once another comes."""

SHOWING, REACTION = "(showing)", "(reaction)"
"""What the holds are called in which seats show their roles, and in which a death may set off a choice."""

ANNOUNCED = ("died", "revealed", "silenced", "announced", "left")
"""Kinds of form that belong to the announcement of a death."""


@dataclass
class Cued:
    """What a batch of forms brings."""

    items: list[Item]
    silent: list[tuple[int, Form]]
    """Forms after the last line: they become known with whatever is said next."""

    @property
    def speaks(self) -> bool:
        """Whether anything is said."""
        return any(isinstance(item, Say) for item in self.items)


class Cuer:
    """Makes items out of forms, for one game. It sees public forms only, and draws alike for alike forms."""

    def __init__(self, ruleset: Ruleset, counts: Mapping[str, int], pauses: Pauses, habits: Habits) -> None:
        """`counts` is the deck: role -> cards."""
        self._ruleset = ruleset
        self._counts = counts
        self._pauses = pauses
        self._habits = habits
        self._settles = sets_off_choices(ruleset)

    def cue(self, forms: Sequence[tuple[int, Form]], views: Sequence[Mapping[str, Any]], *, correction: bool) -> Cued:
        """The items for these forms, each given with its entry's number; `views` are what was true before each."""
        cued = Cued([], [])
        settling = False
        for (seq, form), before in zip(forms, views, strict=True):
            if settling and form["kind"] not in ANNOUNCED:
                self._settle(cued, seq)
                settling = False
            settling = settling or bool(self._settles and form["kind"] == "died" and form["deaths"])
            cued.silent.append((seq, form))
            for line in lines_for(form, before, self._ruleset, self._counts):
                self._add_line(cued, seq, line, form["kind"] == PASSING, correction)
        if settling:
            self._settle(cued, forms[-1][0])
        return cued

    def line(self, seq: int, line: Line, *, correction: bool = False) -> list[Item]:
        """A line that comes from no form, with its silence."""
        cued = Cued([], [])
        self._add_line(cued, seq, line, False, correction)
        return cued.items

    def _add_line(self, cued: Cued, seq: int, line: Line, passing: bool, correction: bool) -> None:
        cued.items.append(Say(seq, line, cued.silent, passing, correction))
        cued.items.append(Rest(seq, self._pauses.after(line.pause_after)))
        cued.silent = []

    def _settle(self, cued: Cued, seq: int) -> None:
        """Time in which a choice set off by a death could be declined, whether or not there is one."""
        least, cover = self._pauses.within(SETTLED), self._pauses.within(COVER)
        hold_last(cued.items, Hold(seq, REACTION, least, cover, self._habits.draw(REACTION), tapped=NEVER))


def sets_off_choices(ruleset: Ruleset) -> bool:
    """Whether deaths may set off choices in this edition."""
    return ruleset.day.office is not None or any(role.on_death for role in ruleset.roles.values())


def call_hold(state: State, seq: int, pauses: Pauses, habits: Habits) -> Hold:
    """The hold of the call that is open; draws alike whoever is asked and whatever can be answered."""
    call = state.calls[state.call]
    shown = state.asking == "identify"
    least, cover = pauses.within(SHOWN if shown else OPEN), pauses.within(COVER)
    step = SHOWING if shown else call.step
    return Hold(seq, step, least, cover, habits.draw(step), state.asking == "idle")


def hold_last(items: list[Item], hold: Hold) -> None:
    """Put a hold behind the items, in place of the silence there: it counts from the end of the last line."""
    if items and isinstance(items[-1], Rest):
        items.pop()
    items.append(hold)
