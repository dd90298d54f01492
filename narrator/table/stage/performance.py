"""A game being performed: what happens in it is brought before the table, at its own pace.

What is undone that the table has heard is set right by a short line without a secret; then comes the prompt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from narrator.narration.lines import Line
from narrator.table.game import Entry, Game
from narrator.table.heard import Heard, NumberedForm, PublicForm, first_view, views_before
from narrator.table.record import Record
from narrator.table.stage.conductor import NEVER, Conductor, Hold, Item, Say
from narrator.table.stage.cues import Cuer, call_hold, hold_last
from narrator.table.stage.habits import Habits
from narrator.table.stage.pauses import Pauses

OPENING: Mapping[str, tuple[str, ...]] = {
    "night": ("call_opened",),
    "elect": ("election_called",),
    "last_words": ("last_words_began", "turn_passed"),
    "speech": ("day_began", "tied", "turn_passed"),
    "talk": ("day_began",),
    "vote": ("vote_called",),
}
"""Stage -> the kinds of form that bring its prompts before the table."""


def correction(heard: Mapping[str, Any], true: Mapping[str, Any], undone: Sequence[PublicForm]) -> Line:
    """The line for going back from what was heard to what is true; `undone` are the public forms that fall away."""
    return Line(f"correction.{_which(heard, true, {form['kind'] for form in undone})}", pause_after="call")


def _which(heard: Mapping[str, Any], true: Mapping[str, Any], undone: set[str]) -> str:
    if true["stage"] == "dealt":
        return "deal"
    if heard["stage"] == "over":
        return "over" if true["phase"] == "day" else "to_night"
    was, now = heard["phase"], true["phase"]
    if now == "night":
        return "to_night" if was == "day" else "eyes_closed" if heard["call"] else "night"
    if was == "night":
        return "to_day"
    if "voted" in undone:
        return "vote"
    return "deaths" if "died" in undone else "day"


def opening(stage: str, forms: Sequence[NumberedForm]) -> int:
    """Where, among all public forms, those begin that brought the present prompt before the table."""
    kinds = OPENING.get(stage, ())
    return max((place for place, (_, form) in enumerate(forms) if form["kind"] in kinds), default=len(forms))


class Performance:
    """Leads the conductor through one game. Called under the table's lock, like the conductor itself."""

    def __init__(self, game: Game, conductor: Conductor, pauses: Pauses, habits: Habits) -> None:
        """Of a resumed game, the table knows what its journal says it has heard; nothing is spoken."""
        self.game = game
        self.record = Record(game)
        self._conductor = conductor
        self._pauses = pauses
        self._habits = habits
        setup = game.setup
        self._cuer = Cuer(setup, pauses, habits)
        self._learn(game.entries)
        self._start = first_view(setup)
        heard, forms = game.heard(), game.forms()
        self.heard = Heard(setup, [pair for pair in forms if pair[0] <= heard])
        self._ahead = views_before(self._start, forms)[1]
        conductor.clear(heard)
        conductor.keep([pair for pair in forms if pair[0] > heard])
        if game.state.stage == "night":
            conductor.add([self._call_hold(idle=False)])

    def welcome(self) -> None:
        """Greet the table and have the cards looked at."""
        ruleset = self.game.setup.ruleset
        lines = (Line("welcome", {"ruleset": ruleset.id}), Line(f"deal.{ruleset.hand.kind}", pause_after="turn"))
        self._conductor.add([item for line in lines for item in self._cuer.line(0, line)])

    def timed(self, entry: Entry, now: float) -> Entry:
        """The entry, which is about to be written down, with the time for which the table has waited for it."""
        hold = self._conductor.holding()
        if hold is None or hold.idle or entry.auto or not entry.forms:
            return entry
        return replace(entry, took=(hold.step, 0.0 if hold.since is None else round(now - hold.since, 3)))

    def perform(self, entry: Entry) -> None:
        """Bring the latest entry before the table."""
        number = self.game.length
        forms = [(number, form) for form in entry.forms]
        views, self._ahead = views_before(self._ahead, forms)
        cued = self._cuer.cue(forms, views, correction=False)
        if forms:
            self._conductor.release()
        self._learn([entry])
        if cued.speaks:
            self._conductor.drop_passing()
        self._conductor.add(self._held(cued.items))
        self._conductor.keep(cued.silent)

    def take_back(self, undone: Sequence[Entry]) -> None:
        """The latest entries, `undone`, have been taken back: unheard, they leave no trace; else it is set right."""
        length, forms = self.game.length, self.game.forms()
        views, self._ahead = views_before(self._start, forms)
        heard = self.heard.view
        if self._conductor.retract(length):
            line = correction(heard, self._ahead.to_json(), [form for entry in undone for form in entry.forms])
            self._present(forms, views, opening(self.game.state.stage, forms), self._cuer.line(length, line))
        else:
            self._conductor.add(self._held([]))

    def recall(self) -> None:
        """After a game was resumed: say what stands before the table now."""
        forms = self.game.forms()
        if not forms:
            self.welcome()
            return
        place = opening(self.game.state.stage, forms)
        if self.game.state.phase == "day":
            unheard = [at for at, (number, _) in enumerate(forms) if number > self.game.heard()]
            place = min([place, *unheard, len(forms) - 1])
            place = max([place, *(at for at, (_, form) in enumerate(forms) if form["kind"] == "dawned")])
        self._conductor.clear(0)
        self._present(forms, views_before(self._start, forms)[0], max(place, 0), [])

    def _present(self, forms: Sequence[NumberedForm], views: Sequence[Any], place: int, items: list[Item]) -> None:
        """Say `items`, then the forms from `place` on; the view goes back to what was true before them."""
        cued = self._cuer.cue(forms[place:], views[place:], correction=True)
        items += cued.items
        first = next((item for item in items if isinstance(item, Say)), None)
        if first is not None:
            first.correction, first.rewind = True, tuple(forms[:place])
        self._conductor.add(self._held(items))
        self._conductor.keep(cued.silent)

    def _learn(self, entries: Sequence[Entry]) -> None:
        """Remember how long the judge took, also in the part of a game that was played before the power went."""
        for entry in entries:
            if entry.took is not None:
                self._habits.note(*entry.took)

    def _held(self, items: list[Item]) -> list[Item]:
        """The items, with the call that is open held open behind them, or the choice that a death has set off."""
        stage = self.game.state.stage
        if stage == "night" and self._conductor.holding() is None:
            hold_last(items, self._call_hold())
        last = items[-1] if items else None
        if stage == "react" and isinstance(last, Hold) and last.tapped == NEVER:
            last.tapped = None
        return items

    def _call_hold(self, *, idle: bool = True) -> Hold:
        """The hold of the open call; with `idle` false, one that never ends by itself."""
        hold = call_hold(self.game.state, self.game.length, self._pauses, self._habits)
        hold.idle = hold.idle and idle
        return hold
