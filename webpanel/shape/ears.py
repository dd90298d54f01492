"""What a page of the judge shows of listening."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from webpanel.shape.base import Base

Json = Mapping[str, Any]


class EarsPage(Base):
    """Whether it is listened, what was heard, and whose words are known."""

    @property
    def ears(self) -> Json:
        """What the table tells of its ears."""
        found: Json = self.judge["hearing"]
        return found

    @property
    def ears_state(self) -> str:
        """In a word or two."""
        return {
            "off": self.t("ears.not_on"),
            "closed": self.t("ears.closed"),
            "listening": self.t("ears.listening", word=self.closing_word),
            "muted": self.t("ears.muted"),
            "noisy": self.t("ears.noisy"),
            "heard": self.t("ears.listening", word=self.closing_word),
            "unavailable": self.ears_trouble,
        }[self.ears["state"]]

    @property
    def ears_note(self) -> str:
        """What the judge should know of it while a game is on; '' for nothing."""
        if not self.ears["on"]:
            return ""
        if self.ears["reason"] == "no_takes" and self.ears["state"] in ("listening", "muted"):
            return self.t("ears.no_takes")
        return self.t("ears.night") if self.ears["reason"] == "night" and self.phase == "night" else self.ears_state

    @property
    def ears_trouble(self) -> str:
        """Why it cannot be listened, and what to do; '' if it can."""
        return {
            "no_library": self.t("ears.no_library"),
            "no_microphone": self.t("ears.no_microphone"),
            "no_model": self.t("ears.no_model"),
            "no_files": self.t("ears.no_files"),
            "lost": self.t("ears.lost"),
        }.get(self.ears["reason"], "")

    @property
    def heard_line(self) -> str:
        """The word that was heard, and what it will bring about; '' if there is none."""
        if self.ears["state"] != "heard":
            return ""
        return self.t("ears.heard", word=self.ears["word"], seconds=math.ceil(self.ears["seconds_left"]))

    @property
    def hint_next(self) -> bool:
        """Whether it has been silent so long that the speaker may have ended."""
        return bool(self.ears["silence"])

    @property
    def closing_word(self) -> str:
        """How a speaker ends."""
        return str(self.ears["closing_words"][0])

    @property
    def surest_words(self) -> str:
        """The forms that are recognised best."""
        return self.words.listed(self.ears["closing_words"][1:])

    @property
    def takes_given(self) -> str:
        """How many players can be heard."""
        players = self.ears["players"]
        return self.t("ears.known", count=sum(one["ready"] for one in players), seats=len(players))

    @property
    def take_rows(self) -> list[dict[str, Any]]:
        """Every seat, with whether its word is known."""
        return [{**one, "label": self.words.seat(one["seat"])} for one in self.ears["players"]]

    @property
    def command_rows(self) -> list[dict[str, Any]]:
        """The judge's own words."""
        return [{"id": id, "word": word, "ready": self.ears["judge"][id]} for id, word in self.ears["commands"].items()]

    @property
    def recording(self) -> dict[str, Any] | None:
        """Who is asked for which word, and how it goes."""
        asked = self.ears["recording"]
        if asked is None:
            return None
        who = self.t("ears.you") if asked["seat"] is None else self.words.seat(asked["seat"])
        word = self.ears["commands"].get(asked["word"], self.closing_word)
        count = self.t("ears.kept", kept=asked["kept"], of=asked["of"])
        return {"who": who, "word": word, "count": count, "verdict": self._verdict(asked["verdict"])}

    def _verdict(self, verdict: str) -> str:
        return {
            "": "",
            "kept": self.t("ears.good"),
            "unlike": self.t("ears.unlike"),
            "long": self.t("ears.long"),
            "noisy": self.t("ears.too_noisy"),
        }[verdict]
