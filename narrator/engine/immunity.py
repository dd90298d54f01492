"""Whom a hit cannot kill."""

from __future__ import annotations

from narrator.model.state import State


def immune(state: State, card: int, by: str) -> bool:
    """Whether hits by a role do not kill this card tonight."""
    role = state.ruleset.roles.get(state.cards[card - 1].plays or "")
    return role is not None and any(
        by in immunity.against and _unspent_at_nightfall(state, immunity.while_unspent, card)
        for immunity in role.immune
    )


def _unspent_at_nightfall(state: State, power: str, card: int) -> bool:
    round_spent = state.spent.get(power) or state.spent.get(f"{power}.{card}")
    return not power or round_spent is None or round_spent == state.round
