"""The public page, for a screen or the players' phones: what the table has heard, and nothing else."""

from __future__ import annotations

import math
from dataclasses import dataclass

from flask import Blueprint, Response, current_app, render_template, request

from narrator.table import Table
from narrator.table.views import PublicPage, PublicSeat
from webpanel.access import OPEN, allow
from webpanel.live import Streams, new_page_id, page_owner
from webpanel.texts import Words, texts

pages = Blueprint("public", __name__, url_prefix="/table")

MIDDLE = 500.0
"""The drawing is a field of 1000 by 1000."""


@pages.get("")
@allow(OPEN)
def page() -> str:
    """The public page."""
    return shown("table.html", table().public(), id=new_page_id())


@pages.get("/fragment")
@allow(OPEN)
def fragment() -> str:
    """What stands on it now; many pages ask for the same at the same time, so it is kept."""
    public, kept = table().public(), current_app.extensions.get("fragment")
    if kept is None or kept[0] != public:
        kept = current_app.extensions["fragment"] = public, shown("table_fragment.html", public)
    return str(kept[1])


@pages.get("/events")
@allow(OPEN)
def events() -> Response:
    """Tick whenever the page would show something else; never when only the judge's would."""
    streams: Streams = current_app.extensions["streams"]
    shown_table, owner = table(), page_owner(request.args.get("page", ""))
    return streams.response("public", owner, lambda ring: shown_table.watch("public", ring).close)


def table() -> Table:
    """The table of this application."""
    found: Table = current_app.extensions["table"]
    return found


def shown(template: str, public: PublicPage, **more: str) -> str:
    """The public page, or a part of it."""
    shown_page = TablePage(public)
    return render_template(template, page=shown_page, t=shown_page.t, **more)


@dataclass(frozen=True)
class Place:
    """A seat on the ring."""

    number: int
    name: str
    x: float
    y: float
    radius: float
    state: str
    """`alive dead speaks called tied`"""
    notes: str
    """Office, silence, revealed cards."""

    @property
    def number_size(self) -> float:
        """Size of the number."""
        return round(self.radius * (0.72 if self.name else 0.95), 1)

    @property
    def number_y(self) -> float:
        """Where the number stands: in the middle, or above the name."""
        return round(self.number_size * 0.35 - (self.radius * 0.24 if self.name else 0), 1)

    @property
    def name_size(self) -> float:
        """Size of the name: as large as the circle takes it."""
        wide = sum(2 if ord(sign) > 0x2E7F else 1.1 for sign in self.name.strip("\u2068\u2069"))
        return round(min(self.radius * 0.42, self.radius * 3.0 / max(wide, 1)), 1)

    @property
    def name_y(self) -> float:
        """Where the name stands."""
        return round(self.radius * 0.56, 1)


class TablePage:
    """The public page at one moment: the seats in a ring, the line, the turn."""

    def __init__(self, public: PublicPage) -> None:
        self.public = public
        self.game = public.game
        self.t = texts(public.language)
        self.words = Words(self.t, public.words, public.names)

    @property
    def stage(self) -> str:
        """Where the game stands."""
        return self.game.stage if self.game else "waiting"

    @property
    def phase(self) -> str:
        """`night` or `day`: how dark the page is."""
        return "night" if self.stage == "night" else "day"

    @property
    def heading(self) -> str:
        """`Night 2`."""
        if self.game is None or self.game.stage == "dealt":
            return self.t(f"public.{self.stage}")
        if self.game.stage == "over":
            return self.t("public.over")
        return self.t(f"public.{self.game.phase}", number=self.game.round)

    @property
    def seats(self) -> tuple[PublicSeat, ...]:
        """The seats of the game."""
        return self.game.seats if self.game else ()

    @property
    def living(self) -> int:
        """How many seats are alive."""
        return sum(seat.alive for seat in self.seats)

    @property
    def summary(self) -> str:
        """The ring in words."""
        return self.t("public.table", living=self.living, seats=len(self.seats))

    @property
    def speaker(self) -> int | None:
        """Whose turn to speak it is."""
        if self.game is None or self.stage not in ("speech", "last_words"):
            return None
        return next(iter(self.game.speaking[self.game.speaker :]), None)

    @property
    def now(self) -> str:
        """What is going on by day, in one line."""
        if self.speaker is not None:
            key = "public.last_words" if self.stage == "last_words" else "public.speaks"
            return self.t(key, seat=self.words.seat(self.speaker))
        if self.stage == "vote":
            return self.called or self.vote_title
        return self.t(f"public.{self.stage}") if self.stage in ("talk", "elect") else ""

    @property
    def vote_title(self) -> str:
        """`Vote`, or `Vote 2`."""
        number = self.game.vote.number if self.game else 0
        return self.t("public.vote") if number <= 1 else self.t("public.vote_again", number=number)

    @property
    def called(self) -> str:
        """For whom hands are being counted."""
        calling = self.public.calling
        if calling is None:
            return ""
        if calling.seat is not None:
            return self.t("public.asked", seat=self.words.seat(calling.seat))
        if not calling.place:
            return self.t("public.abstain")
        candidate = self.t("pick.card", card=calling.place) if calling.cards else self.words.seat(calling.place)
        return self.t("public.called", seat=candidate)

    @property
    def tally(self) -> list[tuple[str, int, int]]:
        """Candidate, votes, and how long its bar is (percent), the most first."""
        votes = {place: count for place, count in self.game.vote.tally.items() if count} if self.game else {}
        most = max(votes.values(), default=1)
        ranked = sorted(votes.items(), key=lambda item: (-item[1], item[0]))
        return [(self.words.seat(seat), count, round(100 * count / most)) for seat, count in ranked]

    @property
    def tied_seats(self) -> tuple[int, ...]:
        """Who has the same number of votes."""
        return self.game.vote.tied if self.game else ()

    @property
    def tied(self) -> str:
        """The same in words."""
        return self.words.seats(self.tied_seats)

    @property
    def outcome(self) -> str:
        """Who has won."""
        return self.words.outcome(self.game.winner) if self.game else ""

    @property
    def cloth(self) -> float:
        """The radius of the table inside the ring."""
        places = self.places
        return round(MIDDLE - 2 * places[0].radius - 40, 1) if places else 0

    @property
    def places(self) -> list[Place]:
        """The seats in a ring, seat 1 at the top, clockwise."""
        count = max(len(self.seats), 1)
        radius = min(96.0, 0.82 * (MIDDLE - 90) * math.sin(math.pi / max(count, 3)))
        return [self._place(seat, 2 * math.pi * at / count, radius) for at, seat in enumerate(self.seats)]

    def _place(self, seat: PublicSeat, angle: float, radius: float) -> Place:
        reach = MIDDLE - radius - 6
        x, y = MIDDLE + reach * math.sin(angle), MIDDLE - reach * math.cos(angle)
        name, state = self.words.name(seat.number), self._state(seat)
        return Place(seat.number, name, round(x, 1), round(y, 1), round(radius, 1), state, self._notes(seat))

    def _state(self, seat: PublicSeat) -> str:
        if not seat.alive:
            return "dead"
        if seat.number == self.speaker:
            return "speaks"
        calling = self.public.calling
        if calling and not calling.cards and seat.number in (calling.place, calling.seat):
            return "called"
        return "tied" if seat.number in self.tied_seats else "alive"

    def _notes(self, seat: PublicSeat) -> str:
        notes = [self.words.role(role) for role in seat.revealed]
        if seat.office:
            notes.append(self.t("public.office"))
        if seat.silenced:
            notes.append(self.t("public.silenced"))
        return self.words.listed(notes)
