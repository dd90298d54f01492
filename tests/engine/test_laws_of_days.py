"""Days worked out a second time, by hand, from what was announced: last words, speeches, calling, ties, victory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from narrator.engine.deaths import victory
from narrator.engine.players import Deal, Move
from narrator.model import events as ev
from narrator.model.state import State
from tests.engine.games import all_events, law, states

ORDINARY_DAYS = (
    "killers-2",
    "box-basic",
    "killers-es",
    "killers-3",
    "box-doctor",
    "box-secret-police",
    "killers-4",
    "box-butterfly",
    "box-undercover",
    "box-angel-devil",
    "box-werewolf",
    "killers-6",
    "dual-identity",
    "killers-2+bubble",
    "killers-4+bubble",
    "box-angel-devil+bubble",
    "box-werewolf+bubble",
)
WITH_QUOTA = tuple(
    name for name in ORDINARY_DAYS if not name.startswith(("box-werewolf", "killers-6", "dual-identity"))
)


def quota_of(dealt: Deal) -> int:
    return sum(role in ("killer", "killer_boss") for hand in dealt.hands.values() for role in hand)


@law(*WITH_QUOTA)
def test_the_first_deaths_have_last_words_as_many_as_killers_were_dealt(dealt: Deal, game: list[Move]) -> None:
    left, fresh, silenced = quota_of(dealt), [], set()
    for event in all_events(game):
        if isinstance(event, ev.Died):
            fresh += event.deaths
        elif isinstance(event, ev.Silenced):
            silenced = set(event.seats)
        elif isinstance(event, ev.LastWordsBegan | ev.DayBegan | ev.NightFell):
            due = tuple(death.seat for death in fresh if death.last_words and death.seat not in silenced)[:left]
            assert due == (event.seats if isinstance(event, ev.LastWordsBegan) else ())
            left -= len(due)
            fresh = []
        if isinstance(event, ev.NightFell):
            silenced = set()


@law(*ORDINARY_DAYS)
def test_speeches_go_round_from_next_to_the_latest_dead(dealt: Deal, game: list[Move]) -> None:
    day = dealt.setup.ruleset.day
    step = -1 if day.direction == "counterclockwise" else 1
    seats = dealt.setup.seats
    first_of_the_latest: int | None = None
    latest: list[int] = []
    for move in game:
        for event in move.events:
            if isinstance(event, ev.Died):
                together = latest if event.how == "reaction" or event_follows_a_vote(move, event) else []
                latest = together + [death.seat for death in event.deaths]
                first_of_the_latest = latest[0] if latest else first_of_the_latest
            if isinstance(event, ev.DayBegan):
                start = 1 if first_of_the_latest is None else first_of_the_latest + step
                around = [(start + step * i - 1) % seats + 1 for i in range(seats)]
                living = {card.seat for card in move.after.cards if card.alive}
                assert event.order == tuple(seat for seat in around if seat in living)
                assert event.speaking == tuple(seat for seat in event.order if seat not in move.after.silenced)


def event_follows_a_vote(move: Move, died: ev.Died) -> bool:
    """A second death of one vote: the liar's."""
    deaths = [event for event in move.events if isinstance(event, ev.Died) and event.how == "vote"]
    return len(deaths) > 1 and died is deaths[1]


@law(*ORDINARY_DAYS)
def test_candidates_are_called_as_the_edition_says_and_only_the_tied_after_a_tie(dealt: Deal, game: list[Move]) -> None:
    calling = dealt.setup.ruleset.day.calling
    order: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    for event in all_events(game):
        if isinstance(event, ev.DayBegan):
            order, tied = event.order, ()
        elif isinstance(event, ev.Tied):
            tied = event.seats
        elif isinstance(event, ev.VoteCalled):
            called = order if calling == "speaking" else order[::-1]
            assert event.candidates == tuple(seat for seat in called if not tied or seat in tied)


@law(*ORDINARY_DAYS)
def test_a_vote_takes_its_leader_or_is_tied_or_takes_nobody(dealt: Deal, game: list[Move]) -> None:
    ties = dealt.setup.ruleset.day.ties
    for move in game:
        for event in (event for event in move.events if isinstance(event, ev.Voted)):
            assert sum(event.tally.values()) <= votes_of_all(move.before)
            most = max(event.tally.values(), default=0)
            top = tuple(sorted(seat for seat, votes in event.tally.items() if votes == most and most))
            tied = next((other.seats for other in move.events if isinstance(other, ev.Tied)), ())
            nobody = next((other.reason for other in move.events if isinstance(other, ev.NobodyOut)), "")
            died = [death.seat for other in move.events if isinstance(other, ev.Died) for death in other.deaths]
            assert tied == (top if len(top) > 1 and event.number <= len(ties) else ())
            assert nobody == ("no_votes" if not top else "tie" if len(top) > 1 and not tied else "")
            assert died[:1] == list(top) if len(top) == 1 else True
            assert not (tied and died)
            speakers = [other for other in move.events if isinstance(other, ev.Tied)]
            for extra in speakers:
                assert (set(extra.speaking) <= set(tied)) == (extra.speakers == "tied") or not extra.speaking
                assert not set(extra.speaking) & set(move.before.silenced)


def votes_of_all(state: State) -> int:
    if state.ruleset.day.votes == "cards":
        return sum(card.alive for card in state.cards)
    seats = {card.seat for card in state.cards if card.alive}
    return len(seats) + (1 if state.memo.get("office") in seats else 0)


Roles = Counter[str]


def nobody(alive: Roles, *roles: str) -> bool:
    return not any(alive[role] for role in roles)


def many(alive: Roles) -> bool:
    return 2 * alive["killer"] >= alive.total() > 0 and alive["killer"] > 0


SPECIALS = ("butterfly", "sniper", "police", "doctor", "elder")
WON: dict[str, Callable[[Roles], dict[str, bool]]] = {
    "killers-2": lambda a: {
        "good": nobody(a, "killer"),
        "killers": nobody(a, "police"),
        "draw": nobody(a, "civilian"),
    },
    "box-basic": lambda a: {"good": nobody(a, "killer"), "killers": nobody(a, "police") or nobody(a, "civilian")},
    "killers-3": lambda a: {
        "good": nobody(a, "killer"),
        "killers": nobody(a, "police", "doctor", "secret_police"),
        "draw": nobody(a, "civilian"),
    },
    "box-doctor": lambda a: {
        "good": nobody(a, "killer"),
        "killers": nobody(a, "police", "doctor") or nobody(a, "civilian"),
    },
    "box-secret-police": lambda a: {
        "good": nobody(a, "killer"),
        "killers": nobody(a, "police", "doctor", "secret_police") or nobody(a, "civilian"),
    },
    "killers-4": lambda a: {"good": nobody(a, "killer"), "killers": nobody(a, *SPECIALS) or many(a)},
    "box-undercover": lambda a: {
        "good": nobody(a, "killer", "killer_boss", "undercover_killer"),
        "killers": nobody(a, "police", "police_boss", "undercover_police"),
    },
    "box-angel-devil": lambda a: {
        "good": nobody(a, "killer", "devil"),
        "killers": nobody(a, "police") or nobody(a, "civilian"),
    },
    "killers-5": lambda a: {
        "good": nobody(a, "killer", "undercover"),
        "killers": nobody(a, "police", "secret_police"),
    },
    "killers-6": lambda a: {"good": nobody(a, "killer"), "killers": nobody(a, "police") or nobody(a, "civilian")},
    "dual-identity": lambda a: {"good": nobody(a, "killer", "special_killer"), "killers": nobody(a, "police")},
}
WON["killers-es"] = WON["killers-2"]
WON["box-butterfly"] = WON["killers-4"]


def winner_of(name: str, alive: Roles) -> str | None:
    """Who has won, by the rules as a person reads them."""
    if not alive.total():
        return "draw"
    won = {camp for camp, has in WON[name](alive).items() if has}
    camps = won - {"draw"}
    if len(camps) > 1:
        return "draw"
    return next(iter(camps), None) or ("draw" if "draw" in won else None)


def looked_at(game: list[Move]) -> Iterator[State]:
    """The states after every dawn and every vote, with all that they set off."""
    for move in game:
        if move.after.stage != "react" and any(isinstance(e, ev.Died | ev.NobodyOut | ev.Reacted) for e in move.events):
            yield move.after


@law(*WON)
def test_a_game_ends_just_when_a_camp_has_won(dealt: Deal, game: list[Move]) -> None:
    name = dealt.setup.ruleset.id
    for state in looked_at(game):
        alive = Counter(card.plays or state.ruleset.citizen for card in state.cards if card.alive)
        won = winner_of(name, alive)
        if state.ended_by == "third_tie":
            assert (won, state.winner) == (None, "draw")
        else:
            assert state.winner == won


@law()
def test_while_a_game_goes_on_nobody_has_won(dealt: Deal, game: list[Move]) -> None:
    for state in states(game)[1:]:
        if state.stage in ("speech", "talk", "vote", "last_words", "elect"):
            assert victory(state) is None
    end = game[-1].after
    assert end.ended_by == "third_tie" or victory(end) == (end.winner, end.ended_by)


@law()
def test_the_dead_do_not_speak_and_the_silenced_are_passed_over(dealt: Deal, game: list[Move]) -> None:
    for state in states(game):
        living = {card.seat for card in state.cards if card.alive}
        if state.stage == "speech":
            assert set(state.speaking) <= living - set(state.silenced)
        if state.stage == "last_words":
            assert not set(state.speaking) & set(state.silenced)
            assert len(set(state.speaking)) == len(state.speaking)
        if state.stage in ("speech", "last_words"):
            assert 0 <= state.speaker < len(state.speaking)
