"""What everybody may know: events without their secrets, and the view of a game as far as it has been spoken.

All that the table does with public forms of events begins here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from narrator.engine.public import PublicView, public_form
from narrator.model.events import Event
from narrator.model.state import Setup
from narrator.narration.lines import Line

PublicForm = Mapping[str, Any]
"""An event as everybody may know it."""
NumberedForm = tuple[int, PublicForm]
"""A form with the number of the journal's entry it belongs to."""


def public_forms(events: Iterable[Event]) -> list[PublicForm]:
    """What everybody may know of these events."""
    return [form for event in events if (form := public_form(event)) is not None]


def first_view(setup: Setup) -> PublicView:
    """What everybody sees before the first night."""
    return PublicView.start(setup)


class Heard:
    """What the table has heard of a game."""

    def __init__(self, setup: Setup, forms: Iterable[NumberedForm] = ()) -> None:
        self._start = first_view(setup)
        self._view = folded(self._start, forms)
        self.line = ""
        """The line that is spoken, or was spoken last."""
        self.calling: Mapping[str, Any] | None = None
        """For whom hands are being counted."""

    def hear(self, line: Line, text: str, forms: Iterable[NumberedForm], rewind: Iterable[NumberedForm] | None) -> None:
        """A line has begun, and tells these forms; with `rewind`, nothing is true but those, and these after them."""
        self.line = text
        if rewind is not None:
            self._view = folded(self._start, rewind)
        self._view = folded(self._view, forms)
        self.calling = dict(line.params) if line.key in CALLING else None

    @property
    def view(self) -> dict[str, Any]:
        """The public view as JSON."""
        return self._view.to_json()

    @property
    def is_over(self) -> bool:
        """Whether the end of the game has been heard."""
        return bool(self.view["stage"] == "over")

    @property
    def scene(self) -> str:
        """`night` or `day`, '' before the first night and after the end."""
        view = self.view
        if view["stage"] in ("waiting", "dealt", "over"):
            return ""
        return "night" if view["stage"] == "night" else "day"

    @property
    def turn(self) -> tuple[object, ...]:
        """What changes when somebody else gets the floor."""
        view = self.view
        return view["stage"], view["round"], view["vote"]["number"], tuple(view["speaking"]), view["speaker"]

    @property
    def speaker(self) -> int | None:
        """The seat whose turn to speak it is, as far as has been heard."""
        view = self.view
        if view["stage"] not in ("speech", "last_words") or view["speaker"] >= len(view["speaking"]):
            return None
        return int(view["speaking"][view["speaker"]])


CALLING = ("vote.candidate", "vote.abstain", "vote.ballot")
"""Keys of the lines that ask for hands."""


def folded(view: PublicView, forms: Iterable[NumberedForm]) -> PublicView:
    """The view after these forms."""
    for _, form in forms:
        view = view.after(form)
    return view


def views_before(view: PublicView, forms: Iterable[NumberedForm]) -> tuple[list[dict[str, Any]], PublicView]:
    """What was true before each form, and the view after all of them."""
    views = []
    for _, form in forms:
        views.append(view.to_json())
        view = view.after(form)
    return views, view
