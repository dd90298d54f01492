"""From what the table may hear to what the conductor does: forms become lines with their silences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from narrator.model.ruleset import Ruleset
from narrator.model.state import Setup, State
from narrator.narration.lines import Line, lines_for
from narrator.table.heard import NumberedForm, PublicForm
from narrator.table.stage.conductor import NEVER, Hold, Item, Rest, Say
from narrator.table.stage.habits import Habits
from narrator.table.stage.pauses import COVER, OPEN, OPEN_UNKNOWN, SETTLED, SHOWN, Pauses

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
    silent: list[NumberedForm]
    """Forms after the last line: they become known with whatever is said next."""

    @property
    def speaks(self) -> bool:
        """Whether anything is said."""
        return any(isinstance(item, Say) for item in self.items)


class Cuer:
    """Makes items out of forms, for one game. It sees public forms only, and draws alike for alike forms."""

    def __init__(self, setup: Setup, pauses: Pauses, habits: Habits) -> None:
        self._ruleset = setup.ruleset
        self._counts = setup.counts
        self._pauses = pauses
        self._habits = habits
        self._settles = sets_off_choices(setup.ruleset)
        self._showing = steps_that_show(setup)

    def cue(self, forms: Sequence[NumberedForm], views: Sequence[Mapping[str, Any]], *, correction: bool) -> Cued:
        """The items for these forms, each given with its entry's number; `views` are what was true before each."""
        cued = Cued([], [])
        settling, last = False, ""
        for (seq, form), before in zip(forms, views, strict=True):
            if (last, form["kind"]) == ("call_opened", "asked") and self._could_show(form, before):
                self._wait(cued, seq, SHOWING, SHOWN)
            last = form["kind"]
            if settling and form["kind"] not in ANNOUNCED:
                self._wait(cued, seq, REACTION, SETTLED)
                settling = False
            settling = settling or bool(self._settles and form["kind"] == "died" and form["deaths"])
            cued.silent.append((seq, form))
            for line in lines_for(form, before, self._ruleset, self._counts):
                self._add_line(cued, seq, line, form["kind"] == PASSING, correction)
        if settling:
            self._wait(cued, forms[-1][0], REACTION, SETTLED)
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

    def _could_show(self, asked: PublicForm, before: Mapping[str, Any]) -> bool:
        """Whether seats would have to show their roles before this question, for all that the table knows."""
        return before["round"] == 1 and not asked["call"]["meeting"] and asked["call"]["step"] in self._showing

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
