"""Cards dealt by hand: which ones nobody has shown to the judge yet, and when they are to be shown."""

from __future__ import annotations

from collections import Counter

from narrator.model.state import Call, State


def unidentified(state: State) -> dict[str, int]:
    """Role -> cards of it that nobody has shown yet; empty when every card is known."""
    if state.lives.known:
        return {}
    left = Counter(state.setup.counts)
    left.subtract(Counter(card.role for card in state.cards if card.role))
    left.subtract(Counter(state.spare))
    return {role: count for role, count in left.items() if count > 0}


def to_identify(state: State, call: Call) -> dict[str, int]:
    """Role -> cards that are to be shown when this call opens; what an earlier call did not show lies on the table."""
    if state.lives.known:
        return {}
    unknown, asked = unidentified(state), asked_before(state, call)
    roles = dict.fromkeys(state.ruleset.step(call.step).roles())
    return {role: unknown[role] for role in roles if role in unknown and role not in asked}


def lying(state: State, call: Call) -> dict[str, int]:
    """Role -> cards of it that lie on the table for certain, since an earlier call of the night did not show them."""
    asked = asked_before(state, call)
    return {role: count for role, count in unidentified(state).items() if role in asked}


def asked_before(state: State, call: Call) -> set[str]:
    """The roles whose holders have been asked to show themselves before this call."""
    earlier = state.calls[: state.calls.index(call)]
    return {role for one in earlier for role in state.ruleset.step(one.step).roles()}
