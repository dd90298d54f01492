"""What a page of the judge shows at night: who woke, what is asked, what is shown, what has been recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webpanel import cells
from webpanel.cells import Cell
from webpanel.shape.base import Base
from webpanel.showing import Shown, show

Json = Mapping[str, Any]


class NightPage(Base):
    """The prompts of the night, and all that are answered by tapping seats."""

    @property
    def group(self) -> str:
        """Who is awake, or whose choice it is."""
        return self.words.listed(self.words.role(role) for role in self.prompt.get("roles", ()))

    @property
    def fields(self) -> list[Json]:
        """What is asked: the prompt's own fields; for an identification, one for each role that wakes."""
        if self.prompt["kind"] == "identify":
            return [self._holders(role, count) for role, count in self.prompt["counts"].items()]
        return list(self.prompt.get("fields", ()))

    def _holders(self, role: str, count: int) -> Json:
        """Seats with a card nobody has shown yet may hold the role."""
        seats = [s["seat"] for s in self.game["seats"] if any(card["role"] is None for card in s["cards"])]
        known = {str(s["seat"]): "already_known" for s in self.game["seats"] if s["seat"] not in seats}
        least = max(0, count - self.spare)
        field = {"name": role, "kind": "seats", "allowed": seats, "barred": known, "warned": {}, "apart": True}
        return {**field, "least": least, "most": count, "optional": least == 0}

    @property
    def spare(self) -> int:
        """How many cards lie on the table that nobody has been told of."""
        held = sum(len(seat["cards"]) for seat in self.game["seats"])
        return 0 if self.game.get("spare") else max(0, sum(self.game["counts"].values()) - held)

    def cells(self, field: Json) -> list[Cell]:
        """What can be tapped for a field."""
        return cells.cells(field, self.game["seats"], self.words, self.t)

    def role_count(self, field: Json) -> str:
        """`Police: 3`."""
        return self.t("identify.count", role=self.words.role(field["name"]), count=field["most"])

    @property
    def counts_text(self) -> str:
        """How many must be named, of which role."""
        counts = self.words.listed(self.role_count(field) for field in self.fields)
        told = self.t("identify.counts", counts=counts)
        return f"{told} {self.t('identify.fewer')}" if self.spare else told

    def field_label(self, field: Json) -> str:
        """What a field is called; '' where it is plain."""
        if len(self.fields) == 1 and field["kind"] != "flag":
            return ""
        if field["kind"] == "role" and field["name"] == "target":
            return self.t("field.taken")
        return self.words.field(field["name"])

    def is_switch(self, field: Json) -> bool:
        """Whether a field is laid out as a switch: a yes that goes with something else."""
        return field["kind"] == "flag" and len(self.fields) > 1

    @property
    def tasks(self) -> list[str]:
        """What the roles that are awake do."""
        tasks = self.judge["texts"]["tasks"]
        return [tasks[role] for role in self.prompt["roles"] if tasks.get(role)]

    @property
    def briefing(self) -> list[str]:
        """What the group is shown before it chooses."""
        if not self._own_entry.get("answered"):
            return []
        answer = self.prompt["answer"]
        if isinstance(answer, Mapping):
            return self.words.pairs(answer)
        return [self.t("answer.shown", answer=self.words.value(answer))]

    @property
    def call_title(self) -> str:
        """The step of the night that is open."""
        return self.words.step(self.prompt["call"])

    @property
    def awake(self) -> str:
        """Whose eyes are open."""
        awake = self.prompt.get("awake")
        return self.t("choose.awake", seats=self.words.seats(awake)) if awake else ""

    @property
    def none_label(self) -> str:
        """What the button beside the confirm says; '' where something must be given."""
        if not all(field["optional"] for field in self.fields):
            return ""
        kinds = {field["kind"] for field in self.fields}
        return self.t("choose.nobody" if kinds <= {"seat", "seats", "card", "cards"} else "choose.nothing")

    # What is shown, what was recorded

    @property
    def _own_entry(self) -> Json:
        """What tonight's record has of the call that is open."""
        call = self.prompt.get("call") or {}
        return next((entry for entry in self.game.get("tonight", ()) if entry["id"] == call.get("id")), {})

    @property
    def shown(self) -> Shown:
        """What the group is shown."""
        return show(self.prompt.get("answer"), self.words, self.t)

    @property
    def chosen(self) -> str:
        """Whom the open call has chosen."""
        choice = self._own_entry.get("choice")
        return self.t("show.chosen", choice=self.words.choice(choice)) if choice else ""

    @property
    def tonight(self) -> list[dict[str, str]]:
        """What has been recorded this night."""
        entries = self.game.get("tonight", ()) if self.game.get("stage") == "night" else ()
        return [self._tonight(entry) for entry in entries if entry["id"] != (self.prompt.get("call") or {}).get("id")]

    def _tonight(self, entry: Json) -> dict[str, str]:
        answer = show(entry["answer"], self.words, self.t).label if entry["answered"] else ""
        chosen = self.words.choice(entry["choice"]) if entry["choice"] or not answer else ""
        return {"step": self.words.step(entry), "choice": chosen, "answer": answer}
