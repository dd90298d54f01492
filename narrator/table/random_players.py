"""Players of chance: they answer whatever is asked, legally, for demonstrations and tests."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from narrator.engine.game import decide
from narrator.engine.legal import prompt
from narrator.model.errors import Refused
from narrator.model.prompts import Field, Prompt
from narrator.model.state import State

TRIES = 400
"""Random answers that are tried before the safest is given."""
DECLINE = 0.1
"""How often something optional is declined."""
ABSTAIN = 0.1
"""How often a vote is not cast."""


class Players:
    """Everybody at a table, judge included; the same chance and the same state give the same answer."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def answer(self, state: State) -> dict[str, Any] | None:
        """A legal command for what is asked now; None once the game is over."""
        asked = prompt(state)
        if asked.kind == "over":
            return None
        for _ in range(TRIES):
            command = self._try(state, asked)
            if is_legal(state, command):
                return command
        safest: dict[str, dict[str, Any]] = {
            "identify": {"do": "identify"},
            "choose": {"do": "choose"},
            "vote": {"do": "vote", "totals": {}},
        }
        return safest.get(asked.kind, {"do": "abandon"})

    def _try(self, state: State, asked: Prompt) -> dict[str, Any]:
        if asked.kind == "begin":
            return {"do": "begin"}
        if asked.kind == "identify":
            return {"do": "identify", "roles": self._shown(state, asked.counts)}
        if asked.kind == "choose":
            return {"do": "choose", "choice": self._choice(asked)}
        if asked.kind == "react":
            return {"do": "react", "target": self._value(asked.fields[0])}
        if asked.kind == "elect":
            return {"do": "elect", "seat": self._value(asked.fields[0])}
        if asked.kind == "vote":
            return self._vote(state, asked)
        return {"do": "proceed"}

    def _shown(self, state: State, counts: Mapping[str, int]) -> dict[str, list[int]]:
        """Seats that turn out to hold these roles."""
        hidden = [card.seat for card in state.cards if card.role is None]
        self._chance.shuffle(hidden)
        return {role: sorted(hidden.pop() for _ in range(min(count, len(hidden)))) for role, count in counts.items()}

    def _choice(self, asked: Prompt) -> dict[str, Any]:
        """A value for every field; a role is one of the cards named before it, if any are."""
        choice: dict[str, Any] = {}
        named: list[Any] = []
        for field in asked.fields:
            if field.kind == "role" and named:
                field = replace(field, allowed=tuple(named))
            choice[field.name] = value = self._value(field, asked.awake)
            if field.kind == "roles":
                named = value or []
        return choice

    def _value(self, field: Field, spared: Sequence[int] = ()) -> Any:
        """A value for a field; seats that are `spared` (whoever is awake) only if there are no others."""
        if not field.allowed or (field.optional and self._chance.random() < DECLINE):
            return None
        if field.kind == "roles":  # the same may be given twice
            return self._chance.choices(field.allowed, k=field.most)
        if field.kind == "seats":
            return self._chance.sample(field.allowed, min(field.most, len(field.allowed)))
        others = [value for value in field.allowed if field.kind != "seat" or value not in spared]
        return self._chance.choice(others or field.allowed)

    def _vote(self, state: State, asked: Prompt) -> dict[str, Any]:
        """Everybody votes for one of a few suspects, so that votes do not scatter for ever."""
        suspects = self._chance.sample(asked.candidates, min(3, len(asked.candidates)))
        voters = [seat for seat, votes in asked.votes.items() if votes and self._chance.random() >= ABSTAIN]
        ballots = {seat: self._chance.choice(suspects) for seat in voters}
        if state.ruleset.day.ballots_only or self._chance.random() < 0.2:
            return {"do": "ballots", "ballots": ballots}
        totals: dict[int, int] = {}
        for seat, named in ballots.items():
            totals[named] = totals.get(named, 0) + asked.votes[seat]
        return {"do": "vote", "totals": totals}


def is_legal(state: State, command: Mapping[str, Any]) -> bool:
    """Whether the engine would carry it out."""
    try:
        decide(state, command)
    except Refused:
        return False
    return True
