"""The order of speakers on the judge's phone, and whom a voter may name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from narrator.clock import FakeClock
from narrator.engine.game import decide, fold, new_game
from narrator.loading.rulesets import load, shipped
from narrator.model.state import Setup, State
from narrator.storage.folders import Folders
from narrator.table import Table
from narrator.table.views import GameView, JudgeView, RulesetWords
from webpanel.questions import SpeechView, VoteView
from webpanel.texts import Words, texts

Asked = TypeVar("Asked", SpeechView, VoteView)


def judge_of(tmp_path: Path, state: State) -> JudgeView:
    """What the judge's page would be made of, if the table were at that state."""
    table = Table(Folders(tmp_path), clock=FakeClock(), speaker="silent")
    view = replace(table.judge(), game=GameView.of(state), words=RulesetWords.of(state.ruleset, "en"))
    table.close()
    return view


def question(kind: type[Asked], judge: JudgeView) -> Asked:
    t = texts("en")
    assert judge.game
    return kind(judge, judge.game, Words(t, judge.words), t)


def played(name: str, held: dict[int, str], seats: int, choices: dict[str, Any]) -> State:
    rules = load(shipped()[name])
    hands = {seat: (held.get(seat, rules.citizen),) for seat in range(1, seats + 1)}
    options = {option.id: option.default for option in rules.options.values()}
    state = new_game(Setup(rules, seats, {}, options, hands, (rules.citizen,) * rules.hand.spare))
    state = fold(state, decide(state, {"do": "begin"}))
    while state.stage == "night":
        call = state.calls[state.call]
        given = (
            {"do": "choose", "choice": choices.get(call.step, {})} if state.asking == "choose" else {"do": "proceed"}
        )
        state = fold(state, decide(state, given))
    return state


def test_a_silenced_seat_stands_in_its_place_and_is_marked(tmp_path: Path) -> None:
    held = {1: "killer", 2: "elder", 3: "police", 4: "doctor", 5: "sniper", 6: "butterfly"}
    state = played("killers-4", held, 12, {"killer": {"target": 12}, "elder": {"target": 9}})
    state = fold(state, decide(state, {"do": "proceed"}))
    order = question(SpeechView, judge_of(tmp_path, state)).order
    assert [turn.seat for turn in order] == [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert [turn.seat for turn in order if turn.mute] == [9]
    assert [turn.seat for turn in order if turn.now] == [11]


def test_nobody_is_offered_a_candidate_for_whom_he_may_not_vote(tmp_path: Path) -> None:
    held = {1: "werewolf", 2: "cupid", 3: "seer", 4: "witch"}
    state = played("box-werewolf", held, 8, {"cupid": {"target": (6, 7)}, "werewolf": {"target": 8}})
    for command in ("proceed", "elect", "to_vote"):
        state = fold(state, decide(state, {"do": command}))
    voters = {voter.seat: voter for voter in question(VoteView, judge_of(tmp_path, state)).voters}
    assert voters[6].candidates == (1, 2, 3, 4, 5, 6)
    assert voters[7].candidates == (1, 2, 3, 4, 5, 7)
    assert voters[1].candidates == (1, 2, 3, 4, 5, 6, 7)
