"""What is shown while the phone goes round: whose turn it is, and to that player alone what he holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from narrator.table.setup.dealing import OwnCard
from webpanel.shape.base import Base

Json = Mapping[str, Any]


class DealingPage(Base):
    """The deal by phone."""

    @property
    def passing(self) -> Json:
        """The deal by phone: `seat`, whose turn it is, and how many have `seen`; empty if there is none."""
        return self.setup.get("passing") or {}

    @property
    def goes_round(self) -> bool:
        """Whether the phone is on its way round the table."""
        return bool(self.passing.get("seat"))

    @property
    def went_round(self) -> bool:
        """Whether everybody has seen his cards."""
        return bool(self.passing) and not self.goes_round

    @property
    def ordered(self) -> bool:
        """Whether each player settles which of his cards is in front."""
        return bool(self.setup["hand"]["kind"] == "ordered")

    @property
    def is_last(self) -> bool:
        """Whether nobody comes after the one whose turn it is."""
        return bool(self.passing["seen"] + 1 >= self.setup["seats"])

    @property
    def seen_seats(self) -> list[int]:
        """Those who have seen their cards."""
        return list(range(1, self.passing.get("seen", 0) + 1))

    def hand(self, cards: Sequence[OwnCard]) -> list[dict[str, Any]]:
        """Cards as their owner reads them."""
        return [self._own(card) for card in cards]

    def _own(self, card: OwnCard) -> dict[str, Any]:
        roles = {role["id"]: role for role in self.setup["roles"]}
        calls = [self.words.step({"step": call.step, "number": call.number}) for call in card.called]
        return {
            "name": self.words.role(card.role),
            "camp": self.words.camp(roles[card.role]["camp"]),
            "task": roles[card.role]["task"],
            "title": self._title(card),
            "called": self.words.listed(calls),
        }

    def _title(self, card: OwnCard) -> str:
        if card.number is not None:
            return self.t("pick.card", card=card.number)
        return self.t("pass.front" if card.place == 1 else "pass.back") if card.place else ""
