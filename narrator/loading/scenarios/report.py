"""What an entry of a scenario has brought, in the words of `expect`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from narrator.engine.cards import living_seats, on_cards
from narrator.engine.speaking import calling, order, unsilenced
from narrator.model import events as ev
from narrator.model.state import State


def report(before: State, events: Sequence[ev.Event], after: State) -> dict[str, Any]:
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
