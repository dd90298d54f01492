"""A game being performed: what happens in it is brought before the table, at its own pace.

What is undone that the table has heard is set right by a short line without a secret; then comes the prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from narrator.engine.seen import EVERYBODY, before
from narrator.engine.state_changes import fold
from narrator.model.events import (
    CallOpened,
    Dawned,
    DayBegan,
    Died,
    ElectionCalled,
    Event,
    LastWordsBegan,
    Tied,
    TurnPassed,
    VoteCalled,
    Voted,
)
from narrator.model.state import State
from narrator.narration.lines import Line
from narrator.table.game import Entry, Game
from narrator.table.heard import Heard, is_night
from narrator.table.record import Record
from narrator.table.stage.conductor import NEVER, Conductor, Hold, Item, Say
from narrator.table.stage.cues import Cuer, call_hold, hold_last
from narrator.table.stage.habits import Habits
from narrator.table.stage.pauses import Pauses

OPENING: Mapping[str, tuple[type[Event], ...]] = {
    "night": (CallOpened,),
    "elect": (ElectionCalled,),
    "last_words": (LastWordsBegan, TurnPassed),
    "speech": (DayBegan, Tied, TurnPassed),
    "talk": (DayBegan,),
    "vote": (VoteCalled,),
}
"""Stage -> the kinds of event that bring its prompts before the table."""


def correction(heard: State, true: State, undone: Iterable[Event]) -> Line:
    """The line for going back from the game that was heard to the one that is true, both as everybody sees them.

    `undone` are the events, of those that everybody knew of, that fall away.
    """
    return Line(f"correction.{_which(heard, true, {type(event) for event in undone})}", pause_after="call")


def _which(heard: State, true: State, undone: set[type[Event]]) -> str:
    if true.stage == "dealt":
        return "deal"
    if heard.stage == "over":
        return "to_night" if is_night(true) else "over"
    if is_night(true):
        return "eyes_closed" if heard.waking else "night" if is_night(heard) else "to_night"
    if is_night(heard):
        return "to_day"
    if Voted in undone:
        return "vote"
    return "deaths" if Died in undone else "day"


def opening(stage: str, events: Sequence[Event]) -> int:
    """The place, among all events that everybody sees, of the one that brought the present prompt before the table."""
    kinds = OPENING.get(stage, ())
    return last_place(events, kinds, otherwise=len(events))


def last_place(events: Sequence[Event], kinds: tuple[type[Event], ...], otherwise: int) -> int:
    """Where the last event of these kinds stands; `otherwise` if there is none."""
    return next((place for place in reversed(range(len(events))) if isinstance(events[place], kinds)), otherwise)


class GamePerformance:
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
        self._start = before(setup, EVERYBODY)
        self._ahead = fold(self._start, game.seen)
        """The game as everybody will see it once everything that has happened has been heard."""
        self.heard = Heard(setup, game.seen[: game.seen_upto(game.heard())])
        conductor.clear(game.heard())
        conductor.keep(len(game.seen))
        if game.state.stage == "night":
            conductor.add([self._call_hold(idle=False)])

    def welcome(self) -> None:
        """Greet the table and have the cards looked at."""
        ruleset = self.game.setup.ruleset
        lines = (Line("welcome", {"ruleset": ruleset.id}), Line(f"deal.{ruleset.hand.kind}", pause_after="turn"))
        self._conductor.add([item for line in lines for item in self._cuer.line(Say(0, line))])

    def timed(self, entry: Entry, now: float) -> Entry:
        """The entry, which is about to be written down, with the time for which the table has waited for it."""
        hold = self._conductor.holding()
        if hold is None or hold.idle or entry.auto or not entry.seen:
            return entry
        return replace(entry, took=(hold.step, 0.0 if hold.since is None else round(now - hold.since, 3)))

    def perform(self, entry: Entry) -> None:
        """Bring the latest entry before the table."""
        number = self.game.length
        events = [(number, event) for event in entry.seen]
        cued = self._cuer.cue(events, self._ahead, len(self.game.seen) - len(events), correction=False)
        self._ahead = cued.state
        if events:
            self._conductor.release()
        self._learn([entry])
        if cued.speaks:
            self._conductor.drop_passing()
        self._conductor.add(self._held(cued.items))
        self._conductor.keep(cued.upto)

    def take_back(self, undone: Sequence[Entry]) -> None:
        """The latest entries, `undone`, have been taken back: unheard, they leave no trace; else it is set right."""
        length, events = self.game.length, self.game.seen
        self._ahead = fold(self._start, events)
        if self._conductor.retract(length, len(events)):
            line = correction(self.heard.state, self._ahead, [event for entry in undone for event in entry.seen])
            self._present(opening(self.game.state.stage, events), self._cuer.line(Say(length, line)))
        else:
            self._conductor.add(self._held([]))

    def recall(self) -> None:
        """After a game was resumed: say what stands before the table now."""
        events = self.game.seen
        if not events:
            self.welcome()
            return
        place = opening(self.game.state.stage, events)
        if self.game.state.phase == "day":
            place = min(place, self.game.seen_upto(self.game.heard()), len(events) - 1)
            place = max(place, last_place(events, (Dawned,), otherwise=0))
        self._conductor.clear(0)
        self._present(place, [])

    def _present(self, place: int, items: list[Item]) -> None:
        """Say `items`, then what everybody sees from that place on; what is heard goes back to what was true before."""
        events = list(zip(self.game.origins(), self.game.seen, strict=True))
        cued = self._cuer.cue(events[place:], fold(self._start, self.game.seen[:place]), place, correction=True)
        items += cued.items
        first = next((item for item in items if isinstance(item, Say)), None)
        if first is not None:
            first.correction, first.anew, first.upto = True, True, max(first.upto, place)
        self._conductor.add(self._held(items))
        self._conductor.keep(cued.upto)

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
