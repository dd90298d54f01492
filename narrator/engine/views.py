"""What the judge sees of a game, as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from narrator.engine.cards import front, hand, is_alive
from narrator.engine.day import order
from narrator.engine.deaths import quota
from narrator.engine.legal import prompt
from narrator.model.prompts import Prompt
from narrator.model.state import Call, Card, Death, State

Json = dict[str, Any]


def judge_view(state: State) -> Json:
    """Everything the judge's page shows."""
    limit = quota(state)
    return {
        "stage": state.stage,
        "round": state.round,
        "phase": state.phase,
        "counts": dict(state.setup.counts),
        "hand": state.ruleset.hand.kind,
        "voting": {name: getattr(state.ruleset.day, name) for name in ("split", "ballots_only")},
        "seats": [_seat(state, seat) for seat in range(1, state.seats + 1)],
        "spare": list(state.spare),
        "prompt": prompt_view(prompt(state)),
        "tonight": _tonight(state),
        "deaths": _deaths(state),
        "speaking": list(state.speaking),
        "speaker": state.speaker,
        "order": list(state.order or (order(state) if state.stage not in ("dealt", "night") else ())),
        "vote": {"number": state.vote.number, "tied": list(state.vote.tied)},
        "silenced": list(state.silenced),
        "observed": state.memo.get("observed") if state.phase == "day" else None,
        "claim": state.memo.get("claim"),
        "last_words_left": None if limit is None else max(0, limit - state.words),
        "winner": state.winner,
        "ended_by": state.ended_by,
    }


def _seat(state: State, seat: int) -> Json:
    first = front(state, seat)
    return {
        "seat": seat,
        "alive": is_alive(state, seat),
        "silenced": seat in state.silenced,
        "office": state.memo.get("office") == seat,
        "bound": any(state.cards[number - 1].seat == seat for number in state.memo.get("bound", ())),
        "cards": [_card(state, card, card == first) for card in hand(state, seat)],
    }


def _card(state: State, card: Card, is_front: bool) -> Json:
    needles = {
        key.partition("/")[2]: count
        for key, count in state.needles.items()
        if key.partition("/")[0] == str(card.number)
    }
    shown = {"number": card.number, "alive": card.alive, "role": card.role, "plays": card.plays}
    return {**shown, "front": is_front, "needles": needles}


def prompt_view(asked: Prompt) -> Json:
    """A prompt as JSON; the keys of `barred` and `warned` become strings."""
    view = asdict(asked)
    view["call"] = call_view(asked.call) if asked.call else None
    for field in view["fields"]:
        for name in ("barred", "warned"):
            field[name] = {str(value): reason for value, reason in field[name].items()}
    view["votes"] = {str(seat): votes for seat, votes in asked.votes.items()}
    view["barred_votes"] = {str(seat): list(barred) for seat, barred in asked.barred_votes.items()}
    return view


def call_view(call: Call) -> Json:
    """A call as JSON."""
    return {"id": call.id, "step": call.step, "number": call.number, "card": call.card, "meeting": call.meeting}


def _tonight(state: State) -> list[Json]:
    return [
        {
            **call_view(call),
            "choice": dict(state.choices.get(call.id, {})),
            "answer": state.answers.get(call.id),
            "answered": call.id in state.answers,
        }
        for call in state.calls
        if call.id in state.choices or call.id in state.answers
    ]


def _deaths(state: State) -> list[Json]:
    return [_death(death) for death in state.deaths]


def _death(death: Death) -> Json:
    return asdict(death)
