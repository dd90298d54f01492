"""A line on its way through the speaker."""

from __future__ import annotations

from collections.abc import Callable

from narrator.speech.output import Output, Take
from narrator.speech.rendering import Request
from narrator.speech.utterance import Utterance

SPOKEN = "spoken"
"""The line was heard to its end, or lasted its time as text where there is no sound at all."""
SKIPPED = "skipped"
"""The line was stopped, or dropped before it began."""
FAILED = "failed"
"""The line could not be rendered, wholly or in one of its languages; what was missing went by as text."""


class Line:
    """The state of the line being spoken. The speaker's lock guards it."""

    def __init__(self, utterance: Utterance) -> None:
        self.utterance = utterance
        self.requests: tuple[Request, ...] = ()
        """What must be rendered for it; may change until it is ready."""
        self.is_ready = False
        """Whether its sound was fetched."""
        self.ending: str | None = None
        """SPOKEN, SKIPPED or FAILED once it is over."""
        self.incomplete = False
        """Whether something of it could not be rendered."""
        self.losses = 0
        """How often the device went away under it."""
        self.began = False
        """Whether its beginning was told."""
        self._output: Output | None = None
        self._run = 0

    @property
    def unnamed(self) -> tuple[Request, ...]:
        """What must be rendered for it but for the names after it."""
        return tuple(request for request in self.requests if not request.segment.is_name)

    @property
    def is_playing(self) -> bool:
        """Whether an output is at it."""
        return self._output is not None

    def begin(self, output: Output, take: Take, told: Callable[[int, bool], None]) -> None:
        """Play it; `told` gets the number of this run, for `over`, and whether it came to its end."""
        self._run += 1
        self._output = output
        run = self._run
        output.start(take, lambda complete: told(run, complete))

    def over(self, run: int, complete: bool) -> None:
        """A run came to its end, or lost its device; runs that were stopped in between are of no interest."""
        if run != self._run or self._output is None:
            return
        self._output = None
        if complete:
            self.ending = FAILED if self.incomplete else SPOKEN
        else:
            self.losses += 1

    def interrupt(self) -> None:
        """Silence, but not the end."""
        output, self._output = self._output, None
        if output:
            output.stop()

    def end(self, ending: str) -> None:
        """Silence for good, unless it is over already."""
        self.interrupt()
        self.ending = self.ending or ending
