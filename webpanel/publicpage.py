"""What the public page shows, worked out of what the table tells everybody: the seats in a ring, the line, the turn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from narrator.narration import Script
from webpanel.texts import Texts
from webpanel.words import Words

Json = Mapping[str, Any]
MIDDLE = 500.0
"""The drawing is a field of 1000 by 1000."""


@dataclass(frozen=True)
class Place:
    """A seat on the ring."""

    number: int
    name: str
    x: float
    y: float
    radius: float
    state: str
    """`alive`, `dead`; and what is special: `speaks`, `called`, `tied`."""
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
        wide = sum(2 if ord(sign) > 0x2E7F else 1.1 for sign in self.name)
        return round(min(self.radius * 0.42, self.radius * 3.0 / max(wide, 1)), 1)

    @property
    def name_y(self) -> float:
        """Where the name stands."""
        return round(self.radius * 0.56, 1)


class PublicPage:
    """The public page at one moment."""

    def __init__(self, public: Json, t: Texts) -> None:
        self.public = public
        self.t = t
        self.mode: str = public["mode"]
        self.view: Json = public.get("view") or {}
        self.line: str = public.get("line") or ""
        self.timer: Json | None = public.get("timer") or None
        self.calling: Json | None = public.get("calling")
        self.story: list[Any] = list(public.get("story") or ())
        named = {"texts": public.get("texts") or {}, "names": public.get("names") or ()}
        self.words = Words(named, t, Script.load(t.language))

    @property
    def phase(self) -> str:
        """`night` or `day`: how dark the page is."""
        return "night" if self.view.get("stage") == "night" else "day"

    @property
    def stage(self) -> str:
        """Where the game stands."""
        return str(self.view.get("stage") or "waiting")

    @property
    def heading(self) -> str:
        """`Night 2`."""
        if self.mode == "over" or self.stage == "over":
            return self.t("public.over")
        if self.stage in ("waiting", "dealt"):
            return self.t(f"public.{self.stage}")
        return self.t(f"public.{self.view['phase']}", number=self.view["round"])

    @property
    def living(self) -> int:
        """How many seats are alive."""
        return sum(seat["alive"] for seat in self.view.get("seats", ()))

    @property
    def summary(self) -> str:
        """The ring in words."""
        return self.t("public.table", living=self.living, seats=len(self.view.get("seats", ())))

    @property
    def speaker(self) -> int | None:
        """Whose turn to speak it is."""
        speaking, at = self.view.get("speaking") or [], self.view.get("speaker", 0)
        return speaking[at] if self.stage in ("speech", "last_words") and at < len(speaking) else None

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
        number = self.view["vote"]["number"]
        return self.t("public.vote") if number <= 1 else self.t("public.vote_again", number=number)

    @property
    def called(self) -> str:
        """For whom hands are being counted."""
        if self.calling is None:
            return ""
        if "seat" in self.calling:
            return self.t("public.asked", seat=self.words.seat(self.calling["seat"]))
        place = self.calling.get("place")
        return self.t("public.called", seat=self._candidate(place)) if place else self.t("public.abstain")

    def _candidate(self, place: int) -> str:
        cards = bool(self.calling and self.calling.get("cards"))
        return self.t("pick.card", card=place) if cards else self.words.seat(place)

    @property
    def clock(self) -> str:
        """The time left to the speaker."""
        left = int((self.timer or {}).get("left", 0))
        return f"{left // 60}:{left % 60:02}"

    @property
    def tally(self) -> list[tuple[str, int, int]]:
        """Candidate, votes, and how long its bar is (percent), the most first."""
        votes = {int(seat): count for seat, count in (self.view.get("vote") or {}).get("tally", {}).items() if count}
        most = max(votes.values(), default=1)
        ranked = sorted(votes.items(), key=lambda item: (-item[1], item[0]))
        return [(self.words.seat(seat), count, round(100 * count / most)) for seat, count in ranked]

    @property
    def tied(self) -> str:
        """Who has the same number of votes."""
        return self.words.seats((self.view.get("vote") or {}).get("tied") or [])

    @property
    def outcome(self) -> str:
        """Who has won."""
        winner = self.view.get("winner")
        if not winner:
            return ""
        if winner in ("draw", "abandoned"):
            return self.t("over.drawn" if winner == "draw" else "over.abandoned")
        return self.t("over.won", camp=self.words.camp(winner))

    @property
    def cloth(self) -> float:
        """The radius of the table inside the ring."""
        places = self.places
        return round(MIDDLE - 2 * places[0].radius - 40, 1) if places else 0

    @property
    def places(self) -> list[Place]:
        """The seats in a ring, seat 1 at the top, clockwise."""
        seats = self.view.get("seats", ())
        count = max(len(seats), 1)
        radius = min(96.0, 0.82 * (MIDDLE - 90) * math.sin(math.pi / max(count, 3)))
        return [self._place(seat, 2 * math.pi * at / count, radius) for at, seat in enumerate(seats)]

    def _place(self, seat: Json, angle: float, radius: float) -> Place:
        reach = MIDDLE - radius - 6
        x, y = MIDDLE + reach * math.sin(angle), MIDDLE - reach * math.cos(angle)
        name = self.words.name(seat["seat"])
        return Place(
            seat["seat"], name, round(x, 1), round(y, 1), round(radius, 1), self._state(seat), self._notes(seat)
        )

    def _state(self, seat: Json) -> str:
        if not seat["alive"]:
            return "dead"
        if seat["seat"] == self.speaker:
            return "speaks"
        if seat["seat"] in self._asked:
            return "called"
        return "tied" if seat["seat"] in (self.view.get("vote") or {}).get("tied", ()) else "alive"

    @property
    def _asked(self) -> tuple[int, ...]:
        """Seats that are being voted on, or asked for their vote."""
        calling = self.calling or {}
        return () if calling.get("cards") else tuple(filter(None, (calling.get("place"), calling.get("seat"))))

    def _notes(self, seat: Json) -> str:
        notes = [self.words.role(card["revealed"]) for card in seat["cards"] if card["revealed"]]
        if seat["office"]:
            notes.append(self.t("public.office"))
        if seat["silenced"]:
            notes.append(self.t("public.silenced"))
        return self.words.listed(notes)
