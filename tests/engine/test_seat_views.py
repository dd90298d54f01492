"""What one player may know: pairs of games that differ in one secret are the same to every seat that may not know it.

NARRATOR_PAIRS sets how many pairs are compared in each edition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

import pytest

from narrator.engine.cards import deal
from narrator.engine.game import fold, new_game, play
from narrator.engine.players import Deal, Move
from narrator.engine.seen import EVERYBODY, JUDGE, before, seat_events, seat_view, seat_viewer, seen
from narrator.model import events as ev
from narrator.model.events import Event
from narrator.model.ruleset import Ruleset, Step
from narrator.model.state import Setup, State
from tests.amounts import amount
from tests.engine.games import NAMES, all_events, law, ruleset
from tests.table.secrets import Game, Pair, pair

PAIRS = amount("NARRATOR_PAIRS", 20, 50)
"""Pairs compared in each edition."""
ALIKE = 8
"""How many of the events that everybody hears of are the same in both games of a pair at least."""
EDITIONS = tuple(dict.fromkeys((*NAMES, "box-doctor+bubble")))


@dataclass(frozen=True)
class World:
    """One of two games that differ in a secret, as far as everybody hears the same of both."""

    deal: Deal
    events: tuple[Event, ...]
    """What really happens."""
    roles: dict[int, set[str]]
    """Seat -> the roles that it holds, or plays at some time."""

    @property
    def acts(self) -> dict[tuple[int, str, str], tuple[ev.Chosen | ev.Answered, int]]:
        """Round, call and kind -> what a group chose or was shown, and the seat of the card that is called."""
        found: dict[tuple[int, str, str], tuple[ev.Chosen | ev.Answered, int]] = {}
        round_ = 0
        for event in self.events:
            if isinstance(event, ev.NightFell):
                round_ = event.round
            if isinstance(event, ev.Chosen | ev.Answered):
                size = self.deal.setup.ruleset.hand.cards
                found[round_, event.call.id, event.kind] = event, (event.call.card + size - 1) // size
        return found

    def of(self, *kinds: type[Event]) -> list[Any]:
        """The events of some kinds."""
        return [event for event in self.events if isinstance(event, kinds)]

    def holders(self, roles: Iterable[str]) -> set[int]:
        """The seats that hold, or come to play, one of the roles."""
        return {seat for seat, held in self.roles.items() if held & set(roles)}


def world(game: Game, heard: int) -> World:
    """A game up to that many of the events that everybody may know of."""
    state, events, count = new_game(game.deal.setup), [], 0
    roles = {seat: set(hand) for seat, hand in game.deal.hands.items()}
    for step in game.steps:
        news, state = play(state, step.command)
        for event in news:
            if count == heard:
                break
            events.append(event)
            count += seen(event, EVERYBODY) is not None
            if isinstance(event, ev.RoleTaken):
                roles[state.cards[event.card - 1].seat].add(event.plays)
    return World(game.deal, tuple(events), roles)


def insiders(rules: Ruleset, one: World, other: World) -> set[int]:
    """The seats that may know of the secret in which two games differ, or come to know of it.

    Worked out from what really happens and from the ruleset, without regard to who is said to see what: whoever holds
    other cards, or is called together with those cards, or with what a thief has become; whoever belongs to a group
    that chooses otherwise or is shown something else; the lovers; whoever is asked for a choice that a death sets off.
    """
    changed = {seat for seat in one.deal.hands if one.deal.hands[seat] != other.deal.hands[seat]}
    roles = {role for seat in changed for hands in (one.deal.hands, other.deal.hands) for role in hands[seat]}
    found = set(changed)
    if one.of(ev.RoleTaken) != other.of(ev.RoleTaken):
        taken = [event for both in (one, other) for event in both.of(ev.RoleTaken)]
        roles |= {event.plays for event in taken}
        size = rules.hand.cards
        found |= {(event.card + size - 1) // size for event in taken}
    for both in (one, other):
        for step in rules.night:
            if roles.intersection(acquainted(step)):
                found |= both.holders(step.roles())
    acts = [(both, both.acts) for both in (one, other)]
    for where in acts[0][1].keys() | acts[1][1].keys():
        if acts[0][1].get(where) != acts[1][1].get(where):
            for both, done in acts:
                found |= called(rules, both, where[1], done.get(where))
    reactions = [{(type(event), str(event)) for event in both.of(ev.ReactionsDue, ev.Reacted)} for both in (one, other)]
    if reactions[0] != reactions[1]:
        for both in (one, other):
            found |= {reaction.seat for due in both.of(ev.ReactionsDue) for reaction in due.reactions}
    return found


def acquainted(step: Step) -> tuple[str, ...]:
    """The roles of whose holders a step tells: those called together, and those it shows."""
    shown = [step.params.get(name) for name in ("names", "group")]
    told = [role for roles in shown for role in (roles if isinstance(roles, tuple | list) else ())]
    return (*(() if step.each else step.roles()), *told)


def called(rules: Ruleset, both: World, call: str, act: tuple[ev.Chosen | ev.Answered, int] | None) -> set[int]:
    """The seats that a call may mean, and those whose fates it binds together."""
    step = rules.step(call.partition(".")[0])
    found: set[int] = set()
    if act is not None and step.ability == "bind" and isinstance(act[0], ev.Chosen):
        found.update(act[0].choice.get("target") or ())
    if step.each:
        return found | ({act[1]} if act else set())
    stand_ins = {role for one in rules.night if "sleeper" in one.params for role in one.roles()}
    return found | both.holders(step.roles()) | (both.holders(stand_ins) if step.ability == "deduce" else set())


@cache
def pairs(name: str) -> tuple[Pair, ...]:
    """Pairs of games of an edition, each alike to everybody through the first calls at least."""
    rules, chance = ruleset(name), Random(name)
    found: list[Pair] = []
    while len(found) < PAIRS:
        two = pair(rules, chance, {"call_dead_roles": True}, nights=2)
        if two.alike >= ALIKE:
            found.append(two)
    return tuple(found)


@pytest.mark.parametrize("name", EDITIONS)
def test_a_seat_that_may_not_know_a_secret_sees_the_same_whatever_it_is(name: str) -> None:
    rules, secrets, compared = ruleset(name), Counter[str](), 0
    for two in pairs(name):
        one, other = world(two.one, two.alike), world(two.other, two.alike)
        setups = one.deal.setup, other.deal.setup
        outsiders = set(one.deal.hands) - insiders(rules, one, other)
        for seat in outsiders:
            start, same = (before(setup, seat_viewer(deal(setup), seat)) for setup in setups)
            assert start == same, two.secret
        streams = [seat_events(both.deal.setup, both.events, outsiders) for both in (one, other)]
        assert streams[0] == streams[1], two.secret
        secrets[two.secret] += 1
        compared += len(outsiders)
    print(f"{name}: {dict(secrets)}, {compared} seats")
    assert compared >= PAIRS
    assert len(secrets) > 1


@pytest.mark.parametrize("name", EDITIONS)
def test_equal_events_make_equal_views(name: str) -> None:
    """What is compared above, once more as the views that players would have."""
    for two in pairs(name)[:2]:
        one, other = world(two.one, two.alike), world(two.other, two.alike)
        outsiders = sorted(set(one.deal.hands) - insiders(ruleset(name), one, other))
        for seat in outsiders[:2]:
            view = seat_view(one.deal.setup, one.events, seat)
            assert view == seat_view(other.deal.setup, other.events, seat)
            assert {card.seat for card in view.cards if card.role is not None} <= {seat}


LEAKS: dict[str, tuple[type[Event], str]] = {
    "who has shown which card": (ev.Identified, "killers-2"),
    "what another group has chosen": (ev.Chosen, "killers-3"),
    "what another group was shown": (ev.Answered, "box-angel-devil"),
    "which card the thief has taken": (ev.RoleTaken, "box-werewolf"),
    "who is bound to whom": (ev.Remembered, "box-werewolf"),
    "which card is called": (ev.CallOpened, "killers-5"),
    "who has got a needle": (ev.Needled, "box-doctor"),
    "which power is spent": (ev.PowerSpent, "killers-5"),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_the_comparison_sees_a_leak(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, name = LEAKS[leak]
    plain = kind.seen
    monkeypatch.setattr(kind, "seen", lambda event, viewer: event if viewer.kind == "seat" else plain(event, viewer))
    with pytest.raises(AssertionError):
        test_a_seat_that_may_not_know_a_secret_sees_the_same_whatever_it_is(name)


# Every view is one fold, and holds what everybody's holds


@law(depth=1)
def test_the_judge_sees_the_game_as_it_is(dealt: Deal, game: list[Move]) -> None:
    events = [seen(event, JUDGE) for event in all_events(game)]
    assert fold(before(dealt.setup, JUDGE), [event for event in events if event is not None]) == game[-1].after


@law(depth=1)
def test_a_seat_knows_at_least_what_everybody_knows(dealt: Deal, game: list[Move]) -> None:
    seat = Random(len(game)).randint(1, dealt.setup.seats)
    state = deal(dealt.setup)
    views = [before(dealt.setup, viewer) for viewer in (EVERYBODY, seat_viewer(state, seat))]
    for event in all_events(game):
        shown = [seen(event, viewer) for viewer in (EVERYBODY, seat_viewer(state, seat))]
        if shown[0] is not None:
            mine = shown[1]
            assert (replace(mine, awake=()) if isinstance(mine, ev.Asked) else mine) == shown[0]
        views = [fold(view, [news] if news else []) for view, news in zip(views, shown, strict=True)]
        state = fold(state, (event,))
    assert public_part(views[0]) == public_part(views[1])


def public_part(view: State) -> list[Any]:
    """What everybody knows of a game; a player may be asked for a choice of his own meanwhile."""
    parts = (
        *("round", "phase", "calls", "call", "waking", "silenced", "deaths", "announced", "fresh", "reference"),
        *("speaking", "speaker", "order", "vote", "words", "memo", "revealed", "winner", "ended_by"),
    )
    return [[card.alive for card in view.cards], *(getattr(view, name) for name in parts)]


# What a player does know


def table(name: str, hands: Iterable[tuple[str, ...] | str], **more: Any) -> State:
    """A game whose cards are dealt like this, seat by seat, at its first call."""
    rules = ruleset(name)
    held = {seat: (hand,) if isinstance(hand, str) else hand for seat, hand in enumerate(hands, 1)}
    counts = Counter(role for hand in (*held.values(), more.get("spare", ())) for role in hand)
    options = {option.id: option.default for option in rules.options.values()}
    return new_game(Setup(rules, len(held), dict(counts), options, held, **more))


@dataclass
class Night:
    """A game whose events are kept."""

    state: State

    def __post_init__(self) -> None:
        self.setup, self.events = self.state.setup, list[Event]()
        self.do("begin")

    def do(self, what: str, **given: Any) -> None:
        news, self.state = play(self.state, {"do": what, **given})
        self.events += news

    def come_to(self, call: str) -> Night:
        """Nobody does anything until that call."""
        while self.state.calls[self.state.call].id != call:
            self.do("choose", choice={}) if self.state.asking == "choose" else self.do("proceed")
        return self

    def choose(self, **choice: Any) -> Night:
        self.do("choose", choice=choice)
        return self

    def to_dawn(self) -> Night:
        while self.state.stage == "night":
            self.do("choose", choice={}) if self.state.asking == "choose" else self.do("proceed")
        return self

    def view(self, seat: int) -> State:
        return seat_view(self.setup, self.events, seat)


def known(view: State) -> dict[int, str]:
    """Card -> its role, as far as a view knows it."""
    return {card.number: card.role for card in view.cards if card.role is not None}


BASIC = ("killer", "killer", "police", "police", *["civilian"] * 4)


def test_a_player_knows_his_own_card_and_no_other() -> None:
    night = Night(table("killers-2", BASIC)).to_dawn()
    assert [known(night.view(seat)) for seat in (1, 3, 8)] == [{1: "killer"}, {3: "police"}, {8: "civilian"}]
    assert night.view(1).setup.hands is None


def test_whoever_wakes_together_has_met_and_knows_the_groups_choice() -> None:
    night = Night(table("killers-2", BASIC)).come_to("killer").choose(target=6)
    for seat in (1, 2):
        assert night.view(seat).met == {"killer": (1, 2)}
        assert night.view(seat).choices == {"killer": {"target": 6}}
    for seat in (3, 6):
        assert (night.view(seat).met, night.view(seat).choices) == ({"police": (3, 4)} if seat == 3 else {}, {})


def test_the_police_know_what_they_were_shown_and_nobody_else_does() -> None:
    night = Night(table("killers-2", BASIC)).come_to("police").choose(target=1)
    assert [night.view(seat).answers for seat in (3, 4)] == [{"police": True}] * 2
    assert all(night.view(seat).answers == {} for seat in (1, 2, 5))


def test_who_joins_a_group_sees_what_it_does_and_whom_it_points_at() -> None:
    hands = ("killer", "killer", "killer_boss", "undercover_killer", "police", "police", "police_boss")
    night = Night(table("box-undercover", (*hands, "undercover_police", "civilian", "civilian")))
    night.come_to("killer").choose(target=9).come_to("police")
    assert night.view(8).met["killer"] == (1, 2, 3, 8)
    assert night.view(8).choices["killer"] == {"target": 9}
    assert night.view(4).met == {"undercover_killer": (3, 4), "police": (4, 5, 6, 7)}


CARDS = (
    *(("killer", "doctor"), ("killer", "doctor"), ("police", "civilian"), ("police", "secret_police")),
    *(("undercover", "civilian"), ("butterfly", "secret_police"), ("civilian", "civilian")),
)


def test_who_is_called_one_by_one_sees_nobody_else() -> None:
    night = Night(table("killers-5", CARDS)).come_to("doctor.1").choose(target=7)
    night.come_to("doctor.2").choose(target=9).come_to("police.2").choose(target=1)
    first, second, watching = night.view(1), night.view(2), night.view(4)
    assert first.met["doctor.1"] == (1,)
    assert (first.choices["doctor.1"], first.choices.get("doctor.2")) == ({"target": 7}, None)
    assert (second.choices["doctor.2"], second.choices.get("doctor.1")) == ({"target": 9}, None)
    assert watching.answers == {"police.2": True}
    assert night.view(3).answers == night.view(5).answers == {}
    assert all(call.card == 0 for call in first.calls)


TWICE = (
    *(("special_killer", "civilian"), ("killer", "sniper"), ("killer", "civilian"), ("police", "civilian")),
    *(("police", "civilian"), ("sniper", "civilian"), ("civilian", "police"), ("civilian", "civilian")),
)


def test_an_heir_is_not_told_and_knows_his_two_cards() -> None:
    night = Night(table("dual-identity", TWICE)).come_to("sniper.2").choose(target=1).to_dawn()
    assert night.state.cards[2].plays == "special_killer"
    heir = night.view(2)
    assert [(card.role, card.plays) for card in heir.cards[2:4]] == [("killer", "killer"), ("sniper", "sniper")]
    assert known(heir) == {3: "killer", 4: "sniper"}
    assert heir.revealed == {1: "special_killer"}


WOLVES = ("thief", "cupid", "seer", "werewolf", "werewolf", "witch", "hunter", "villager", "villager")


def test_the_thief_knows_what_lay_there_and_what_he_has_become() -> None:
    night = Night(table("box-werewolf", WOLVES, spare=("villager", "werewolf")))
    night.come_to("thief").choose(target="werewolf").come_to("werewolf").choose(target=8)
    thief = night.view(1)
    assert thief.answers["thief"] == ("villager", "werewolf")
    assert (thief.cards[0].role, thief.cards[0].plays) == ("thief", "werewolf")
    assert thief.met["werewolf"] == night.view(4).met["werewolf"] == (1, 4, 5)
    assert all(night.view(seat).cards[0].role is None for seat in range(2, 10))


def test_lovers_meet_and_cupid_knows_whom_he_has_bound() -> None:
    night = Night(table("box-werewolf", WOLVES, spare=("villager", "villager")))
    night.come_to("cupid").choose(target=[3, 9]).come_to("seer").choose(target=4)
    assert [night.view(seat).met.get("lovers") for seat in (2, 3, 9)] == [None, (3, 9), (3, 9)]
    assert list(night.view(2).choices["cupid"]["target"]) == [3, 9]
    assert night.view(3).answers == {"seer": "werewolf"}
    assert all("bound" not in night.view(seat).memo for seat in range(1, 10))


def test_the_witch_is_shown_the_victim_and_knows_which_potion_she_has_spent() -> None:
    night = Night(table("box-werewolf", WOLVES, spare=("villager", "villager")))
    night.come_to("werewolf").choose(target=8).come_to("witch").choose(heal=True)
    assert night.view(6).answers == {"witch": 8}
    assert night.view(6).spent == {"witch.heal": 1}
    assert all(night.view(seat).spent == {} for seat in (4, 8))


def test_a_choice_that_a_death_sets_off_is_asked_of_its_own_player_only() -> None:
    night = Night(table("box-werewolf", WOLVES, spare=("villager", "villager")))
    night.come_to("werewolf").choose(target=7).to_dawn()
    assert [reaction.seat for reaction in night.view(7).reactions] == [7]
    assert (night.view(7).stage, night.view(4).stage, night.view(4).reactions) == ("react", "dawn", ())
    night.do("react", target=None)
    assert night.view(7).reactions == ()


def test_who_is_told_another_groups_news_knows_it() -> None:
    hands = ("killer", "killer", "police", "police", "devil", "angel", "civilian", "civilian")
    night = Night(table("box-angel-devil", hands)).come_to("killer").choose(target=7).come_to("police").choose(target=1)
    night.to_dawn()
    assert night.view(5).answers == {"devil": {"seat": 1, "result": True}}
    assert night.view(6).answers == {"angel": {"seat": 1, "result": True, "hit": 7}}
    assert night.view(1).answers == {}


def test_a_doctor_is_not_told_of_needles_and_nobody_of_who_is_observed() -> None:
    night = Night(table("box-doctor+bubble", ("killer", "killer", "police", "police", "doctor", "bubble", *BASIC[4:6])))
    night.come_to("doctor").choose(target=7).come_to("bubble").choose(target=8).to_dawn()
    assert night.state.needles == {"7/doctor": 1}
    assert night.state.memo["observed"] == 8
    for seat in range(1, 9):
        assert night.view(seat).needles == {}
        assert "observed" not in night.view(seat).memo
    assert night.view(6).choices["bubble"] == {"target": 8}


def test_with_cards_dealt_by_hand_a_player_is_known_to_himself_once_he_has_shown_his_card() -> None:
    dealt = table("killers-2", BASIC)
    night = Night(new_game(replace(dealt.setup, hands=None)))
    assert known(night.view(1)) == {}
    night.do("identify", roles={"killer": [1, 2]})
    assert [known(night.view(seat)) for seat in (1, 2, 3)] == [{1: "killer"}, {2: "killer"}, {}]
    assert night.view(1).met == {"killer": (1, 2)}


def test_looks_and_suits_are_known_of_ones_own_cards() -> None:
    hands = (("killer", "police"), *[("civilian", "civilian")] * 5)
    extras = {
        "suits": {"1": "spade", "3": "heart"},
        "looks": {"killer": {"look": "child"}, "sniper": {"look": "adult"}},
    }
    setup = table("dual-identity", hands, extras=extras).setup
    assert before(setup, EVERYBODY).setup.extras == {}
    assert before(setup, seat_viewer(deal(setup), 2)).setup.extras == {"suits": {"3": "heart"}}
    own = {"suits": {"1": "spade"}, "looks": {"killer": {"look": "child"}}}
    assert before(setup, seat_viewer(deal(setup), 1)).setup.extras == own
