"""The edition of single characters: what is announced and what is not, the opening, the calls, and random games."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

import pytest

from narrator.engine.cards import is_alive
from narrator.engine.game import decide, fold, new_game
from narrator.engine.legal import prompt
from narrator.engine.players import Deal, Move
from narrator.engine.seen import EVERYBODY, seen
from narrator.loading.files.event_records import event_from_json, event_to_json
from narrator.loading.rulesets import document, from_document, load, shipped
from narrator.model import events as ev
from narrator.model.ruleset import Ruleset
from narrator.model.state import Setup
from tests.engine.games import all_events, law, states

NAME = "detective-team"
Kind = TypeVar("Kind", bound=ev.Event)
CAST = ["conan", "kogoro", "heiji", "ran", "boss", "gin", "vodka", "vermouth", "sonoko", "jodie", "ai", "aoyama"]
SEAT = {role: seat for seat, role in enumerate(CAST, 1)}
LOOKS = {
    "boss": {"look": "child", "sex": "female"},
    "aoyama": {"type": "killer", "look": "youth", "sex": "male"},
}
EVERY_NIGHT = [
    *("aoyama", "gin", "boss", "vodka", "vermouth", "conan", "heiji", "ran", "sonoko", "jodie", "ai", "kogoro"),
    *("vermouth_told", "deduction"),
]
KNOWING = ["conan", "kogoro", "heiji", "ran", "boss", "gin", "vodka", "vermouth", "sonoko", "aoyama"]


@cache
def ruleset() -> Ruleset:
    return load(shipped()[NAME])


class Table:
    """A game being played, with what the last steps have brought."""

    def __init__(self, looks: Mapping[str, Any] | None = LOOKS, by_hand: bool = False) -> None:
        hands = None if by_hand else {seat: (role,) for role, seat in SEAT.items()}
        counts = {**dict.fromkeys(CAST, 1), "civilian": 0}
        options = {name: option.default for name, option in ruleset().options.items()}
        extras = {"looks": looks} if looks else {}
        self.state = new_game(Setup(ruleset(), 12, counts, options, hands, (), extras))
        self.events: list[ev.Event] = []

    def do(self, name: str, **values: Any) -> None:
        events = decide(self.state, {"do": name, **values})
        self.events += events
        self.state = fold(self.state, events)

    def night(self, **choices: Mapping[str, Any]) -> list[ev.Event]:
        """One whole night, from its first call to what dawn announces."""
        while self.state.stage not in ("night", "over"):
            self._pass()
        round_ = self.state.round
        fallen = [index for index, event in enumerate(self.events) if isinstance(event, ev.NightFell)]
        self.events = self.events[fallen[-1] :]
        while self.state.stage == "night" and self.state.round == round_:
            self._call(choices)
        return self.events

    def _pass(self) -> None:
        if self.state.stage == "vote":
            self.do("ballots", ballots={})
        else:
            self.do({"dealt": "begin", "speech": "to_vote"}.get(self.state.stage, "proceed"))

    def _call(self, choices: Mapping[str, Mapping[str, Any]]) -> None:
        asked = prompt(self.state)
        if asked.kind == "choose":
            assert asked.call is not None
            self.do("choose", choice=dict(choices.get(asked.call.step, {})))
        elif asked.kind == "identify":
            self.do("identify", roles={role: [SEAT[role]] for role in asked.counts})
        else:
            self.do("proceed")

    def vote(self, ballots: Mapping[int, int]) -> list[ev.Event]:
        """The day's one vote."""
        self.to_vote()
        self.events = []
        self.do("ballots", ballots=dict(ballots))
        return self.events

    def to_vote(self) -> None:
        while self.state.stage != "vote":
            self._pass()


def heard(events: list[ev.Event], kind: type[Kind]) -> list[Kind]:
    """The events of a kind as everybody hears of them."""
    return [shown for event in events if isinstance(shown := seen(event, EVERYBODY), kind)]


def told(events: list[ev.Event]) -> dict[str, Any]:
    return {event.call.step: event.answer for event in events if isinstance(event, ev.Answered)}


# --- the opening


def test_before_the_first_night_each_is_shown_what_it_knows_and_no_more() -> None:
    shown = told(Table().night())
    assert {step: answer for step, answer in shown.items() if step.startswith("know_")} == {
        "know_conan": (SEAT["kogoro"], SEAT["heiji"], SEAT["ran"]),
        "know_kogoro": {"ran": SEAT["ran"]},
        "know_heiji": {"conan": SEAT["conan"]},
        "know_ran": {"sonoko": SEAT["sonoko"]},
        "know_boss": (SEAT["gin"], SEAT["vodka"]),
        "know_gin": {"boss": SEAT["boss"]},
        "know_vodka": {"gin": SEAT["gin"]},
        "know_vermouth": {"boss": SEAT["boss"]},
        "know_sonoko": {"ran": SEAT["ran"]},
    }


def test_the_opening_is_for_the_first_night_only() -> None:
    table = Table()
    table.night()
    assert not [step for step in told(table.night()) if step.startswith("know_")]


def test_cards_dealt_by_hand_are_shown_to_the_judge_before_anybody_is_told_anything() -> None:
    table = Table(by_hand=True)
    events = table.night()
    kinds = [type(event) for event in events if isinstance(event, ev.Identified | ev.Answered)]
    assert kinds.index(ev.Answered) == len(CAST)
    assert [card.role for card in table.state.cards] == CAST


@pytest.mark.parametrize("by_hand", [True, False])
def test_looks_that_were_not_settled_before_are_asked_for_in_the_opening(by_hand: bool) -> None:
    table = Table(looks=None, by_hand=by_hand)
    events = table.night(
        know_boss={"look": "child", "sex": "female"},
        know_aoyama={"type": "killer", "look": "youth", "sex": "male"},
        heiji={"target": SEAT["aoyama"]},
        kogoro={"target": SEAT["boss"]},
        sonoko={"target": SEAT["boss"]},
    )
    assert {step: answer for step, answer in told(events).items() if step in ("heiji", "kogoro", "sonoko")} == {
        "heiji": "killer",
        "kogoro": "child",
        "sonoko": "female",
    }


def test_looks_that_were_settled_before_are_not_asked_for() -> None:
    asked = {event.call.step: event.asking for event in Table().night() if isinstance(event, ev.Asked)}
    assert asked["know_aoyama"] == "idle"
    assert asked["know_boss"] == "show"


# --- the calls


def test_whoever_changes_what_others_see_is_called_before_them() -> None:
    table = Table()
    first = [event.call.step for event in table.night() if isinstance(event, ev.CallOpened)]
    later = [event.call.step for event in table.night() if isinstance(event, ev.CallOpened)]
    assert first == [*(f"know_{role}" for role in KNOWING), *EVERY_NIGHT[:-1], "boss_told", "deduction"]
    assert later == EVERY_NIGHT


@law(NAME, call_dead_roles=True)
def test_every_night_sounds_the_same_whoever_lives(dealt: Deal, game: list[Move]) -> None:
    for event in all_events(game):
        if isinstance(event, ev.NightFell) and event.round > 1:
            assert [call.step for call in event.calls] == EVERY_NIGHT


@law(NAME)
def test_nobody_acts_who_is_dead_or_asleep(dealt: Deal, game: list[Move]) -> None:
    for move in game:
        asked = prompt(move.before)
        if asked.kind == "choose":
            asleep = {move.before.cards[card - 1].seat for card in move.before.memo.get("asleep", ())}
            assert asked.awake
            assert all(is_alive(move.before, seat) and seat not in asleep for seat in asked.awake)


@law(NAME)
def test_nothing_happens_more_often_than_it_may(dealt: Deal, game: list[Move]) -> None:
    spent = [event.power for event in all_events(game) if isinstance(event, ev.PowerSpent)]
    assert len(set(spent)) == len(spent)
    for state in states(game):
        assert state.memo.get("escapes", 0) <= 2
        parts = state.memo.get("parts", ())
        assert len(set(parts)) == len(parts)


@law(NAME)
def test_its_events_come_back_from_the_journal_as_they_were(dealt: Deal, game: list[Move]) -> None:
    for event in all_events(game):
        assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


@law(NAME)
def test_the_table_never_hears_the_sums_of_a_vote_nor_a_role_but_one(dealt: Deal, game: list[Move]) -> None:
    events = all_events(game)
    assert all(event.tally == {} for event in heard(events, ev.Voted))
    assert {event.role for event in heard(events, ev.Revealed)} <= {"aoyama"}
    assert len(heard(events, ev.Revealed)) <= 1


@law(NAME)
def test_it_ends_when_a_head_falls_and_not_before(dealt: Deal, game: list[Move]) -> None:
    playing = {card.plays for card in game[-1].after.cards if card.alive}
    fallen = {"boss": "good", "conan": "black"}
    winners = {winner for role, winner in fallen.items() if role not in playing}
    assert game[-1].after.winner == (winners.pop() if len(winners) == 1 else "draw")
    for state in states(game)[:-1]:
        assert state.winner is None


# --- what dawn announces


def test_dawn_says_how_everybody_was_lost() -> None:
    table = Table()
    table.night()
    events = table.night(boss={"target": SEAT["heiji"]}, jodie={"target": SEAT["vermouth"]})
    deaths = heard(events, ev.Died)[0].deaths
    assert [(death.seat, death.kind) for death in deaths] == [
        (SEAT["heiji"], "killed"),
        (SEAT["vermouth"], "arrested"),
    ]


def test_who_is_killed_and_kidnapped_dies_once_and_both_are_announced() -> None:
    table = Table()
    table.night()
    table.night()
    events = table.night(boss={"target": SEAT["ai"]}, vodka={"kidnap": True})
    assert [(death.seat, death.kind) for death in heard(events, ev.Died)[0].deaths] == [(SEAT["ai"], "killed")]
    announced = {event.line: event.values for event in heard(events, ev.Announced)}
    assert announced["deaths.kidnapped"]["seats"] == (SEAT["ai"],)


def test_who_stands_in_dies_the_death_that_was_meant_for_another() -> None:
    table = Table()
    table.night(boss={"target": SEAT["ai"]})
    table.night()
    events = table.night(vodka={"kidnap": True})
    assert [(death.seat, death.kind) for death in heard(events, ev.Died)[0].deaths] == [(SEAT["sonoko"], "kidnapped")]
    cause = table.state.deaths[-1].causes[0]
    assert (cause.kind, cause.by, cause.through) == ("kidnapped", "vodka", SEAT["conan"])


@pytest.mark.parametrize(
    ("said", "line", "values"),
    [
        ({}, "deduction.none", {}),
        ({"seat": 6, "look": "child"}, "deduction.look", {"seat": 6, "look": "child"}),
        ({"seat": 6, "role": "gin"}, "deduction.role", {"seat": 6, "role": "gin"}),
        ({"seat": 9, "culprit": True}, "deduction.role", {"seat": 9, "role": "boss"}),
    ],
)
def test_dawn_tells_the_deduction_as_it_was_made(said: Any, line: str, values: Any) -> None:
    events = Table().night(deduction=said)
    assert [(event.line, event.values) for event in heard(events, ev.Announced)] == [(line, values)]


def test_a_shield_is_not_announced() -> None:
    quiet, shielded = Table(), Table()
    for table in (quiet, shielded):
        table.night()
    said = {"seat": SEAT["boss"], "culprit": True}
    plain = quiet.night(deduction=said)
    events = shielded.night(deduction=said, vodka={"target": SEAT["boss"], "shield": True})
    assert heard(plain, ev.Event) == heard(events, ev.Event)


def test_who_has_fallen_asleep_is_announced_and_stays_silent_day_after_day() -> None:
    table = Table()
    first = table.night(conan={"target": SEAT["gin"], "watch": True})
    second = table.night()
    for events in (first, second):
        assert heard(events, ev.Silenced) == [ev.Silenced((SEAT["kogoro"],), "asleep")]
        assert SEAT["kogoro"] not in table.state.speaking


def test_the_one_who_deduces_for_the_sleeper_is_awake_for_it() -> None:
    table = Table()
    table.night(conan={"target": SEAT["gin"], "watch": True})
    table.night(deduction={"seat": 4, "look": "adult"})
    opened = [(move.call.step, move.asking) for move in table.events if isinstance(move, ev.Asked)]
    assert dict(opened)["kogoro"] == "idle"
    assert dict(opened)["deduction"] == "choose"


def test_aoyamas_win_is_announced_once_and_the_others_play_on() -> None:
    table = Table()
    events = [event for _ in range(5) for event in table.night()]
    assert heard(events, ev.Revealed) == [ev.Revealed(SEAT["aoyama"], "aoyama", "wins_apart")]
    assert [event.seat for event in heard(events, ev.Left)] == [SEAT["aoyama"]]
    assert table.state.winner is None


# --- what the vote announces


def test_ballots_are_announced_without_sums_and_without_whom_a_void_one_named() -> None:
    table = Table()
    table.night(vodka={"target": 2}, deduction={"seat": 7, "role": "vodka"})
    voted = heard(table.vote({1: 7, 2: 9, 3: 9}), ev.Voted)[0]
    assert voted.ballots == {1: (7,), 3: (9,)}
    assert voted.invalid == (2,)
    assert voted.tally == {}
    assert table.state.deaths[-1].seat == SEAT["vodka"]


def test_a_vote_that_the_court_voids_stays_secret() -> None:
    table = Table()
    table.night(vodka={"target": 2})
    events = table.vote({1: SEAT["boss"], 2: 9})
    assert heard(events, ev.Voted) == [ev.Voted(1, {}, {}, (), "nothing")]
    assert [event.reason for event in heard(events, ev.NobodyOut)] == ["void"]


def test_an_escape_sounds_like_nobody_being_out_and_the_ballots_are_told() -> None:
    table = Table()
    table.night()
    events = table.vote({1: SEAT["aoyama"]})
    assert [event.reason for event in heard(events, ev.NobodyOut)] == ["spared"]
    assert heard(events, ev.Voted)[0].ballots == {1: (SEAT["aoyama"],)}


def test_totals_are_taken_as_they_are() -> None:
    table = Table()
    table.night(vodka={"target": 1}, deduction={"seat": 4, "role": "gin"})
    table.to_vote()
    table.do("vote", totals={"3": 2, "4": 1})
    assert table.state.deaths[-1].seat == 3


# --- other casts


def test_the_abilities_know_no_names_so_that_another_cast_can_play() -> None:
    renamed = {role: f"{role}_x" for role in CAST}
    cast = from_document(_renamed(document(shipped()[NAME]), renamed))
    hands = {seat: (renamed[role],) for role, seat in SEAT.items()}
    options = {name: option.default for name, option in cast.options.items()}
    state = new_game(Setup(cast, 12, dict.fromkeys(renamed.values(), 1), options, hands))
    table = Table()
    table.state = state
    events = table.night(boss_x={"target": SEAT["vermouth"]}, conan_x={"target": SEAT["gin"], "watch": True})
    answers = told(events)
    assert answers["boss_x_told"] == {"vermouth_x": SEAT["vermouth"]}
    assert answers["conan_x"] == "adult"
    assert table.state.silenced == (SEAT["kogoro"],)
    table.vote({1: SEAT["boss"]})
    table.night()
    table.vote({1: SEAT["boss"]})
    assert table.state.winner == "good"


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {_word(key, names): _renamed(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one, names) for one in value]
    return _word(value, names)


def _word(value: Any, names: Mapping[str, str]) -> Any:
    if not isinstance(value, str):
        return value
    parts = [names.get(part, part) for part in value.split("_")]
    return names.get(value, "_".join(parts) if value.startswith(("know_", "boss_", "vermouth_")) else value)
