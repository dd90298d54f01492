"""What a page of the judge shows by day: deaths, speakers, votes, the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webpanel.shape.base import Base

Json = Mapping[str, Any]


class DayPage(Base):
    """Deaths, speeches, votes and the outcome."""

    @property
    def fresh(self) -> list[dict[str, str]]:
        """The deaths of this dawn or vote, each with a sentence that says why."""
        return [
            {"card": str(death["card"]), "who": self._dead(death), "why": str(death["text"])}
            for death in self.judge["deaths"]
        ]

    def _dead(self, death: Json) -> str:
        if self.game["hand"] == "numbered":
            return self.t("pick.card_of", card=death["card"], seat=death["seat"])
        return self.words.seat(death["seat"])

    @property
    def calm(self) -> bool:
        """Whether the night has taken nobody."""
        return not self.fresh and self.game["vote"]["number"] == 0

    @property
    def silenced(self) -> str:
        """Who may not speak today."""
        return self.words.seats(self.game.get("silenced") or [])

    @property
    def tied(self) -> str:
        """Who has the same number of votes."""
        return self.words.seats(self.game["vote"]["tied"]) if self.game.get("vote") else ""

    @property
    def last_words_left(self) -> int | None:
        """How many more of the dead will have last words after this one; None where all have them."""
        left = self.game.get("last_words_left")
        return None if left is None else int(left)

    @property
    def order(self) -> list[dict[str, Any]]:
        """The speakers in their order: who has spoken, who speaks, and in their places those who may not."""
        speaking, now = self.game["speaking"], self.game["speaker"]
        if len(speaking) < 2:
            return []
        whole = (
            self.game["order"] if set(self.game["order"]) - set(self.game["silenced"]) == set(speaking) else speaking
        )
        return [
            {"seat": seat, "now": seat == speaking[now], "done": seat in speaking[:now], "mute": seat not in speaking}
            for seat in whole
        ]

    def may_name(self, voter: int) -> list[int]:
        """The candidates for whom a voter may vote, by number."""
        barred = self.prompt["barred_votes"].get(str(voter), [])
        return sorted(set(self.candidates) - set(barred))

    @property
    def next_speaker(self) -> int | None:
        """Who speaks next; None after the last."""
        following = self.game["speaker"] + 1
        return self.game["speaking"][following] if following < len(self.game["speaking"]) else None

    @property
    def can_go_back(self) -> bool:
        """Whether somebody has spoken before."""
        return bool(self.game["speaker"] > 0)

    @property
    def clock(self) -> str:
        """The time left to the speaker."""
        left = int((self.timer or {}).get("left", 0))
        return f"{left // 60}:{left % 60:02}"

    # The vote

    @property
    def vote_number(self) -> int:
        """1 for the first vote of the day."""
        return int(self.game["vote"]["number"])

    @property
    def voters(self) -> int:
        """How many votes there are, weights included."""
        return sum(self.prompt["votes"].values())

    @property
    def candidates(self) -> list[int]:
        """Who can be voted for, in calling order."""
        return list(self.prompt["candidates"])

    @property
    def called(self) -> int | None:
        """The candidate for whom hands are being counted."""
        return (self.judge["calling"] or {}).get("place")

    @property
    def asked(self) -> int | None:
        """The voter who is being asked."""
        return (self.judge["calling"] or {}).get("seat")

    @property
    def next_call(self) -> str:
        """What the narrator calls next: each candidate in turn, at last those who abstain; '' after that."""
        if self.judge["calling"] == {}:
            return ""
        following = self.candidates.index(self.called) + 1 if self.called in self.candidates else 0
        return f"candidate.{self.candidates[following]}" if following < len(self.candidates) else "abstain"

    @property
    def next_call_label(self) -> str:
        """That, on a button."""
        _, _, place = self.next_call.partition(".")
        return self.t("vote.call", seat=place) if place else self.t("vote.call_abstain")

    @property
    def next_ballot(self) -> str:
        """Which voter the narrator asks next, where votes are recorded by voter; '' after the last."""
        voters = [int(seat) for seat in self.prompt["votes"]]
        following = voters.index(self.asked) + 1 if self.asked in voters else 0
        return f"ballot.{voters[following]}" if following < len(voters) else ""

    @property
    def next_ballot_label(self) -> str:
        """That, on a button."""
        return self.t("vote.ask", seat=self.next_ballot.partition(".")[2])

    @property
    def votes_on_cards(self) -> bool:
        """Whether candidates are cards, not seats."""
        return bool(self.game["hand"] == "numbered")

    def candidate_name(self, candidate: int) -> str:
        """The player's name, or the seat that a card lies at."""
        if not self.votes_on_cards:
            return self.words.name(candidate)
        seat = next(s["seat"] for s in self.game["seats"] if any(c["number"] == candidate for c in s["cards"]))
        return self.words.name(seat) or self.t("pick.seat", seat=seat)

    @property
    def hands(self) -> bool:
        """Whether hands may be counted; else votes are recorded by voter only."""
        return not self.game["voting"]["ballots_only"]

    @property
    def ballot_rows(self) -> list[dict[str, int]]:
        """Each voter with the boxes to fill in, and what each box counts."""
        split = bool(self.game["voting"]["split"])
        return [
            {"seat": int(seat), "boxes": votes if split else 1, "weight": 1 if split else votes}
            for seat, votes in self.prompt["votes"].items()
        ]

    @property
    def claimed(self) -> str | None:
        """What the seat under observation has said so far."""
        claim = self.game.get("claim")
        return str(claim) if claim else None

    @property
    def roles(self) -> list[tuple[str, str]]:
        """Every role by id and name."""
        return [(role, self.words.role(role)) for role in self.judge["texts"]["roles"]]

    # The end

    @property
    def outcome(self) -> str:
        """Who has won."""
        winner = self.game["winner"]
        if winner in ("draw", "abandoned"):
            return self.t("over.drawn" if winner == "draw" else "over.abandoned")
        return self.t("over.won", camp=self.words.camp(winner))

    @property
    def ending(self) -> str:
        """Why it ended, where that is not plain."""
        key = f"over.{self.game['ended_by']}"
        return self.t(key) if self.game["ended_by"] != "abandoned" and self.t.has(key) else ""
