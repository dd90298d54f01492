"""What everybody may see: the view as far as it has been spoken. It knows of nothing else, so it cannot tell it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from narrator.engine.public import PublicView
from narrator.model.state import Setup
from narrator.table.stage.conductor import Form, Say

Json = dict[str, Any]


class Heard:
    """What the table has heard of a game."""

    def __init__(self, setup: Setup, forms: Iterable[tuple[int, Form]] = ()) -> None:
        self._start = PublicView.start(setup)
        self._view = folded(self._start, forms)
        self.line = ""
        """The line that is spoken, or was spoken last."""
        self.calling: Mapping[str, Any] | None = None
        """For whom hands are being counted."""

    def hear(self, say: Say, text: str) -> None:
        """A line has begun."""
        self.line = text
        if say.rewind is not None:
            self._view = folded(self._start, say.rewind)
        self._view = folded(self._view, say.forms)
        self.calling = dict(say.line.params) if say.line.key in CALLING else None

    @property
    def view(self) -> Json:
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


def folded(view: PublicView, forms: Iterable[tuple[int, Form]]) -> PublicView:
    """The view after these forms."""
    for _, form in forms:
        view = view.after(form)
    return view


def views_before(view: PublicView, forms: Iterable[tuple[int, Form]]) -> tuple[list[Json], PublicView]:
    """What was true before each form, and the view after all of them."""
    views = []
    for _, form in forms:
        views.append(view.to_json())
        view = view.after(form)
    return views, view
