"""Whether the game is over, and who has won."""

from __future__ import annotations

from narrator.engine.cards import living
from narrator.engine.conditions import holds
from narrator.model.state import State

DRAW = "draw"


def victory(state: State) -> tuple[str, str] | None:
    """(winner, reason) if the game is over now, else None.

    Exactly one camp's condition: it wins; two at once, or an empty table: a draw; a draw condition only counts if no
    camp has won.
    """
    true = [ending.winner for ending in state.ruleset.endings if holds(state, ending.when)]
    camps = {winner for winner in true if winner != DRAW}
    if not living(state):
        return DRAW, "empty_table"
    if len(camps) > 1:
        return DRAW, "both"
    if camps:
        return camps.pop(), "ending"
    return (DRAW, "ending") if DRAW in true else None
