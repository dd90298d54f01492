"""What every page of the judge shows: where the evening stands, what is being said, who sits where."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from narrator.narration import Script
from webpanel import cells
from webpanel.texts import Texts
from webpanel.words import Words

Json = Mapping[str, Any]


class Base:
    """The judge's page at one revision."""

    def __init__(self, judge: Json, t: Texts) -> None:
        self.judge = judge
        self.t = t
        self.script = Script.load(t.language)
        self.words = Words(judge, t, self.script)
        self.mode: str = judge["mode"]
        self.revision: int = judge["revision"]
        self.game: Json = judge.get("game") or {}
        self.setup: Json = judge.get("setup") or {}
        self.speech: Json = judge["speech"]
        self.prompt: Json = self.game.get("prompt") or {"kind": ""}
        self.undo: Json | None = judge.get("undo")
        self.record: list[str] = list(judge.get("record") or ())
        self.interrupted: list[Json] = list(judge.get("interrupted") or ())
        self.timer: Json | None = judge.get("timer") or None

    # The whole page

    @property
    def plays(self) -> bool:
        """Whether there is a game on the table."""
        return self.mode in ("game", "over")

    @property
    def phase(self) -> str:
        """`night` or `day`: how dark the page is."""
        return "night" if self.game.get("stage") == "night" else "day"

    @cached_property
    def key(self) -> str:
        """The same as long as the same is asked: a half-made choice is kept only so long."""
        asked = {**self.prompt, "round": self.game.get("round"), "vote": self.game.get("vote"), "mode": self.mode}
        return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()[:16]

    @property
    def heading(self) -> str:
        """Where the evening stands."""
        if not self.plays:
            return self.t(f"head.{self._before}")
        stage, number = self.game["stage"], self.game["round"]
        if stage in ("dealt", "over"):
            return self.t(f"head.{stage}")
        if stage == "night":
            call = self.prompt.get("call")
            return self.t("head.night_call", number=number, step=self.words.step(call)) if call else self.night
        return self.t("head.day_stage", number=number, stage=self.t(f"stage.{stage}"))

    @property
    def _before(self) -> str:
        """What comes before the game: `resume`, `setup`, or `dealt` while the phone goes round."""
        if self.mode == "resume?":
            return "resume"
        return "dealt" if (self.setup.get("passing") or {}).get("seat") else "setup"

    @property
    def night(self) -> str:
        """`Night 2`."""
        return self.t("head.night", number=self.game["round"])

    @property
    def spoken(self) -> str:
        """The language of the line that is shown."""
        return str(self.judge["languages"]["narration"][0])

    @property
    def troubles(self) -> list[str]:
        """What is wrong, in words."""
        return [self._trouble(trouble) for trouble in self.judge.get("troubles") or ()]

    def _trouble(self, trouble: Json) -> str:
        key = f"mishap.{trouble['kind']}"
        return self.t(key) if self.t.has(key) else self.t("mishap.other", text=trouble["text"])

    def name(self, seat: int) -> str:
        """The player's name, or ''."""
        return self.words.name(seat)

    def seat_name(self, seat: int) -> str:
        """The seat with the player's name."""
        return self.words.seat(seat)

    @property
    def deal(self) -> list[tuple[str, int]]:
        """Role -> cards in the deck."""
        return [(self.words.role(role), count) for role, count in self.game["counts"].items() if count]

    @property
    def cards_known(self) -> bool:
        """Whether the table knows who holds what."""
        return all(card["role"] for seat in self.game["seats"] for card in seat["cards"])

    @property
    def seat_list(self) -> list[dict[str, Any]]:
        """Every seat with what the judge knows of it."""
        return [self._seat_line(seat) for seat in self.game.get("seats", ())]

    def _seat_line(self, seat: Json) -> dict[str, Any]:
        roles = [self.words.role(cells.role_of(card)) or self.t("overview.unknown") for card in seat["cards"]]
        notes = self.words.listed(self._notes(seat))
        return {
            "label": self.words.seat(seat["seat"]),
            "alive": seat["alive"],
            "roles": " / ".join(roles),
            "notes": f"({notes})" if notes else "",
        }

    def _notes(self, seat: Json) -> Iterator[str]:
        needles = sum(count for card in seat["cards"] for count in card.get("needles", {}).values())
        if needles:
            yield self.t("overview.needles", count=needles)
        if seat.get("office"):
            yield self.t("overview.office")
        if seat.get("bound"):
            yield self.t("overview.bound")
