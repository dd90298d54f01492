"""A game can be written down, read back and played on, from any of its moments."""

from __future__ import annotations

import json

from narrator.engine.game import decide, fold, new_game
from narrator.engine.legal import prompt
from narrator.engine.players import Deal, Move
from narrator.loading.files.event_records import event_from_json, event_to_json, setup_from_json, setup_to_json
from narrator.loading.rulesets import document, shipped
from narrator.table.views import GameView
from tests.engine.games import all_events, law, states

MANY = 150


@law()
def test_every_event_survives_being_written_and_read(dealt: Deal, game: list[Move]) -> None:
    for event in all_events(game):
        written = json.dumps(event_to_json(event), ensure_ascii=False)
        assert event_from_json(json.loads(written)) == event


@law()
def test_what_was_written_makes_the_very_state_again(dealt: Deal, game: list[Move]) -> None:
    state = new_game(dealt.setup)
    for move in game:
        lines = [json.dumps(event_to_json(event)) for event in move.events]
        state = fold(state, [event_from_json(json.loads(line)) for line in lines])
    assert state == game[-1].after


@law(depth=2)
def test_a_game_read_back_goes_on_as_it_would_have(dealt: Deal, game: list[Move]) -> None:
    state = new_game(dealt.setup)
    for move in game[:MANY]:
        lines = [json.dumps(event_to_json(event)) for event in decide(state, json.loads(json.dumps(move.command)))]
        assert [event_from_json(json.loads(line)) for line in lines] == list(move.events)
        state = fold(state, [event_from_json(json.loads(line)) for line in lines])


@law(*shipped(), depth=2)
def test_a_set_up_survives_being_written_and_read(dealt: Deal, game: list[Move]) -> None:
    written = json.dumps([setup_to_json(dealt.setup), document(shipped()[dealt.setup.ruleset.id])])
    assert setup_from_json(*json.loads(written)) == dealt.setup


@law()
def test_undoing_any_command_leads_back_to_the_exact_state(dealt: Deal, game: list[Move]) -> None:
    """Undo refolds what was before: at every move the events so far make the state that was there."""
    state = new_game(dealt.setup)
    assert state == game[0].before
    for move in game[:MANY]:
        assert state == move.before
        state = fold(state, move.events)


@law(depth=2)
def test_every_state_has_a_view_for_the_judge(dealt: Deal, game: list[Move]) -> None:
    for state in states(game)[:MANY]:
        view = GameView.of(state)
        assert view.prompt == prompt(state)
        assert len(view.order) == len(set(view.order))
        assert [seat.alive for seat in view.seats] == [
            any(card.alive for card in state.cards if card.seat == seat) for seat in range(1, state.seats + 1)
        ]
