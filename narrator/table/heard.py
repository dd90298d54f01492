"""What the table has heard of a game: so many of the events that everybody may know of, and the game that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from narrator.engine.seen import EVERYBODY, before
from narrator.engine.state_changes import fold
from narrator.model.events import Event
from narrator.model.state import Setup, State
from narrator.narration.lines import Line

CALLING = ("vote.candidate", "vote.abstain", "vote.ballot")
"""Keys of the lines that ask for hands."""


class Heard:
    """What the table has heard of a game."""

    def __init__(self, setup: Setup, events: Sequence[Event] = ()) -> None:
        """`events`: what has been heard of already, as everybody sees it."""
        self._start = before(setup, EVERYBODY)
        self.number = len(events)
        """How many of the events that everybody may know of have been heard: an event is when its line begins."""
        self.state = fold(self._start, events)
        """The game as far as it has been heard."""
        self.line = ""
        """The line that is spoken, or was spoken last."""
        self.calling: Mapping[str, Any] | None = None
        """For whom hands are being counted."""

    def hear(self, line: Line, text: str, events: Sequence[Event], upto: int, *, anew: bool) -> None:
        """A line has begun: so many of the events are heard; `anew`: no more than these, whatever was heard before."""
        self.line = text
        if anew:
            self.state = fold(self._start, events[:upto])
            self.number = upto
        elif upto > self.number:
            self.state = fold(self.state, events[self.number : upto])
            self.number = upto
        self.calling = dict(line.params) if line.key in CALLING else None

    @property
    def is_over(self) -> bool:
        """Whether the end of the game has been heard."""
        return self.state.stage == "over"

    @property
    def scene(self) -> str:
        """`night` or `day`, '' before the first night and after the end."""
        if self.state.stage in ("dealt", "over"):
            return ""
        return "night" if self.state.stage == "night" else "day"

    @property
    def turn(self) -> tuple[object, ...]:
        """What changes when somebody else gets the floor."""
        state = self.state
        return state.stage, state.round, state.vote.number, state.speaking, state.speaker

    @property
    def speaker(self) -> int | None:
        """The seat whose turn to speak it is, as far as has been heard."""
        state = self.state
        if state.stage not in ("speech", "last_words") or state.speaker >= len(state.speaking):
            return None
        return state.speaking[state.speaker]


def is_night(state: State) -> bool:
    """Whether it is night at the table: before the first night falls it is not."""
    return state.phase == "night" and state.stage != "dealt"
