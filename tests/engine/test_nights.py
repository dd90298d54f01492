"""Nights out of the ordinary."""

from __future__ import annotations

from narrator.engine.game import new_game, play
from narrator.loading.rulesets import document, from_document, shipped
from narrator.model.state import Setup, State


def play_through(state: State, rounds: int) -> State:
    """Pass, vote for nobody and choose nothing until so many rounds are over."""
    commands = {"dealt": {"do": "begin"}, "vote": {"do": "vote", "totals": {}}}
    while state.round <= rounds and state.stage != "over":
        _, state = play(state, commands.get(state.stage, {"do": "proceed"}))
    return state


def test_nights_in_which_nobody_is_called_have_their_days_even_where_quiet_nights_have_none() -> None:
    found = document(shipped()["killers-2"])
    found["night"] = [{"step": role, "ability": "meet", "nights": "first"} for role in ("killer", "police")]
    ruleset = from_document(found)
    options = {name: option.default for name, option in ruleset.options.items()} | {"no_death_skips_day": True}
    hands = dict(enumerate([("killer",), ("killer",), ("police",), ("police",), *[("civilian",)] * 4], 1))
    state = play_through(new_game(Setup(ruleset, 8, ruleset.counts(8), options, hands)), 3)
    assert (state.round, state.winner) == (4, None)
