"""Playing a scenario through the engine, entry by entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from narrator.engine.ability import Ability
from narrator.engine.cards import key_of, living_seats, on_cards
from narrator.engine.day import calling, order, unsilenced
from narrator.engine.game import decide, fold, new_game
from narrator.engine.legal import current, prompt
from narrator.engine.rules import Place
from narrator.loading.scenarios.scenario_file import EXPECTED, Scenario, ScenarioEntry
from narrator.model import events as ev
from narrator.model.errors import Refused
from narrator.model.events import Event
from narrator.model.prompts import Field
from narrator.model.state import State

DECLINED = (None, "none")


@dataclass
class Played:
    """What has come of a scenario."""

    name: str
    steps: list[dict[str, Any]] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether everything that was expected has come."""
        return not self.differences


def play_scenario(scenario: Scenario) -> Played:
    """Play a scenario to its end, noting every difference."""
    played = Played(scenario.name)
    state = new_game(scenario.setup)
    for index, entry in enumerate(scenario.play):
        state, found = _play_entry(state, entry, _chosen_next(scenario.play[index + 1 :]))
        played.steps.append(found)
        played.differences += _differences(index, entry, found)
    return played


def _chosen_next(following: Sequence[ScenarioEntry]) -> frozenset[str]:
    """Who makes a choice set off by a death in the next entry; entries to be refused are tried on the way."""
    chosen: set[str] = set()
    for entry in following:
        chosen |= set(entry.react or {})
        if not entry.expect.refused:
            break
    return frozenset(chosen)


def _play_entry(state: State, entry: ScenarioEntry, chosen_next: frozenset[str]) -> tuple[State, dict[str, Any]]:
    run = _Run(state)
    try:
        ENTRY[entry.kind()](run, getattr(entry, entry.kind()))
        run.decline_reactions(chosen_next)
    except Refused as refused:
        return state, {**entry_report(state, (), state), "refused": True, "why": str(refused)}
    return run.state, {**entry_report(state, tuple(run.events), run.state), "refused": False}


class _Run:
    """One entry being played; nothing counts unless all of it is legal."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def do(self, name: str, **values: Any) -> None:
        events = decide(self.state, {"do": name, **values})
        self.events += events
        self.state = fold(self.state, events)

    def pass_to(self, stage: str) -> None:
        """Let the table talk until `stage`; nothing of that belongs to the entry."""
        while self.state.stage != stage and self.state.stage in PASS:
            PASS[self.state.stage](self)
        if self.state.stage != stage:
            raise Refused("game_over" if self.state.stage == "over" else "not_now", stage=self.state.stage)
        self.events.clear()

    def decline_reactions(self, chosen_next: frozenset[str]) -> None:
        """Choices set off by a death that the next entry does not make have been declined."""
        while self.state.stage == "react" and self.state.reactions[0].role not in chosen_next:
            self.do("react", target=None)


PASS: dict[str, Callable[[_Run], None]] = {
    "dealt": lambda run: run.do("begin"),
    "last_words": lambda run: run.do("proceed"),
    "speech": lambda run: run.do("to_vote"),
    "talk": lambda run: run.do("proceed"),
    "elect": lambda run: run.do("elect", seat=None),
    "react": lambda run: run.do("react", target=None),
    "vote": lambda run: run.do("vote", totals={}),
}
BEFORE_VOTE = ("last_words", "speech", "talk", "elect")


def _night(run: _Run, given: Mapping[str, Any]) -> None:
    run.pass_to("night")
    run.events += shown_already(run.state)
    round_ = run.state.round
    choices = _Choices(given)
    while run.state.stage == "night" and run.state.round == round_:
        if run.state.asking == "choose":
            run.do("choose", choice=choices.of(run.state))
        else:
            run.do("proceed")
    choices.check_used()


class _Choices:
    """The choices of one night, by the words of the scenario."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.left = {key: value for key, value in given.items() if not _declines(value)}
        for key, value in self.left.items():
            if isinstance(value, Mapping):
                self.left[key] = dict(value)

    def of(self, state: State) -> dict[str, Any]:
        """The choice for the open call, in the form that its fields have."""
        call, place = current(state)
        key = key_of(state, call, place.step)
        value = self._of_card(state, call.card, key) if call.card else self.left.pop(key, None)
        fields = prompt(state).fields
        return _as_choice(place, fields, value) | self._apart(place.ability, fields, key)

    def _apart(self, ability: Ability, fields: Sequence[Field], key: str) -> dict[str, Any]:
        """The fields that stand under words of their own."""
        offered = {field.name for field in fields}.intersection(ability.apart)
        return {name: self.left.pop(word) for name in offered if (word := f"{key}_{name}") in self.left}

    def _of_card(self, state: State, card: int, key: str) -> Any:
        own = card if on_cards(state) else state.cards[card - 1].seat
        values = self.left.get(key, {})
        if not isinstance(values, dict):
            raise Refused("own_card_first", role=key)
        return values.pop(own, None)

    def check_used(self) -> None:
        """Refuse choices for which nobody was awake."""
        for key, value in self.left.items():
            if not isinstance(value, dict) or not all(map(_declines, value.values())):
                raise Refused("nobody_awake", role=key)


def _declines(value: Any) -> bool:
    return value in DECLINED or value is False


def _as_choice(place: Place, fields: Sequence[Field], value: Any) -> dict[str, Any]:
    if _declines(value):
        return {}
    if isinstance(value, Mapping):
        value = {name: None if _declines(one) else one for name, one in value.items()}
    return place.ability.spelled(place.step, fields, value)


def _vote(run: _Run, totals: Mapping[int, int]) -> None:
    _to_vote(run)
    run.do("vote", totals=totals)


def _ballots(run: _Run, ballots: Mapping[int, Any]) -> None:
    _to_vote(run)
    run.do("ballots", ballots={voter: None if named in DECLINED else named for voter, named in ballots.items()})


def _to_vote(run: _Run) -> None:
    day = run.state.round
    while run.state.stage in BEFORE_VOTE and run.state.round == day:
        PASS[run.state.stage](run)
    run.pass_to("vote") if run.state.stage == "vote" else _not_now(run)


def _not_now(run: _Run) -> None:
    raise Refused("game_over" if run.state.stage == "over" else "not_now", stage=run.state.stage)


def _elect(run: _Run, seat: int | str | None) -> None:
    while run.state.stage == "last_words":
        PASS["last_words"](run)
    run.events.clear()
    run.do("elect", seat=None if seat in DECLINED else seat)


def _react(run: _Run, given: Mapping[str, Any]) -> None:
    for role, target in given.items():
        while run.state.stage == "react" and run.state.reactions[0].role not in given:
            run.do("react", target=None)
        if run.state.stage != "react" or run.state.reactions[0].role != role:
            raise Refused("nobody_awake", role=role)
        run.do("react", target=None if target in DECLINED else target)


def _claim(run: _Run, given: Mapping[int, str | None]) -> None:
    for seat, role in given.items():
        run.do("claim", seat=seat, role=None if role in DECLINED else role)


ENTRY: dict[str, Callable[[_Run, Any], None]] = {
    "night": _night,
    "vote": _vote,
    "ballots": _ballots,
    "elect": _elect,
    "react": _react,
    "claim": _claim,
}
IN_ORDER = ("speaking", "calling")


def _differences(index: int, entry: ScenarioEntry, found: Mapping[str, Any]) -> list[str]:
    where = f"play[{index + 1}] {entry.kind()}"
    expect = entry.expect
    if found["refused"] and not expect.refused:
        return [f"{where}: expected to be accepted, got refused ({found['why']})"]
    given = {name: getattr(expect, name) for name in EXPECTED if name in expect.model_fields_set}
    return [
        f"{where} {name}: expected {_show(value)}, got {_show(found[name])}"
        for name, value in given.items()
        if not _same(name, value, found[name])
    ]


def _same(name: str, expected: Any, got: Any) -> bool:
    if name == "told":
        return all(role in got and _told_same(value, got[role]) for role, value in expected.items())
    if isinstance(expected, list) and name not in IN_ORDER:
        return sorted(expected) == sorted(got)
    if isinstance(expected, dict):
        return {str(key): value for key, value in expected.items()} == {str(key): value for key, value in got.items()}
    return bool(expected == got)


def _told_same(expected: Any, got: Any) -> bool:
    """Told answers are the same; a number is no truth value, and lists are sets."""
    if isinstance(expected, dict) and isinstance(got, dict):
        keys = {str(key): value for key, value in got.items()}
        return {str(key) for key in expected} == set(keys) and all(
            _told_same(value, keys[str(key)]) for key, value in expected.items()
        )
    if isinstance(expected, list) and isinstance(got, list):
        return sorted(map(str, expected)) == sorted(map(str, got))
    return type(expected) is type(got) and bool(expected == got)


def _show(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return str(value)


def entry_report(before: State, events: Sequence[ev.Event], after: State) -> dict[str, Any]:
    """Every key of `expect` but `refused`, for the events of one entry."""
    speaking, called = _coming(after)
    deaths = [death for event in events if isinstance(event, ev.Died) for death in event.deaths]
    left = [event.seat for event in events if isinstance(event, ev.Left)]
    return {
        "deaths": sorted(death.card if on_cards(after) else death.seat for death in deaths),
        "out": sorted({death.seat for death in deaths if death.out} | set(left)),
        "told": _told(events, after),
        "silenced": [] if _day_is_over(after) else list(after.silenced),
        "revealed": {event.seat: event.role for event in events if isinstance(event, ev.Revealed)},
        "last_words": [seat for event in events if isinstance(event, ev.LastWordsBegan) for seat in event.seats],
        "speaking": list(speaking),
        "calling": list(called),
        "tied": _tied(events),
        "living": list(living_seats(after)),
        "winner": after.winner,
    }


def shown_already(state: State) -> tuple[ev.Event, ...]:
    """What has been shown this night so far: its first call opens with the end of the day before."""
    return tuple(ev.Answered(call, state.answers[call.id]) for call in state.calls if call.id in state.answers)


def _day_is_over(state: State) -> bool:
    """Whether the day's voting is done, so that nobody's silence matters any more."""
    return state.vote.number > 0 and state.stage not in ("speech", "vote")


def _told(events: Sequence[ev.Event], state: State) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for event in events:
        if isinstance(event, ev.NightFell):
            break
        if not isinstance(event, ev.Answered):
            continue
        answer = list(event.answer) if isinstance(event.answer, tuple) else event.answer
        card = event.call.card
        if card:
            role = state.cards[card - 1].plays or event.call.step
            own = card if on_cards(state) else state.cards[card - 1].seat
            told.setdefault(role, {})[own] = answer
        else:
            step = state.ruleset.step(event.call.step)
            told[step.key or step.id] = answer
    return told


def _coming(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The speaking and the calling order of the round of speeches that comes; () where none comes."""
    if state.stage == "speech":
        return state.speaking, calling(state, state.order)
    if state.stage == "elect" or (state.stage == "last_words" and state.vote.number == 0):
        day = order(state)
        return unsilenced(state, day), calling(state, day) if day else ()
    if state.stage == "vote" and state.order:
        return (), calling(state, state.order)
    return (), ()


def _tied(events: Sequence[ev.Event]) -> list[int]:
    tied: list[int] = []
    for event in events:
        if isinstance(event, ev.Voted) and event.tally:
            most = max(event.tally.values())
            top = sorted(seat for seat, votes in event.tally.items() if votes == most)
            tied = top if len(top) > 1 and most > 0 else []
    return tied
