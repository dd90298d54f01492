"""What the table has heard: events without their secrets, and the view that they make.

The narrator and the public page are fed nothing else, so neither can tell what it does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from narrator.model import events as ev
from narrator.model.state import Call, Death, Setup

Form = dict[str, Any]
FORMS: dict[type[ev.Event], Callable[[Any], Form | None]] = {}


def form_of(kind: type[ev.Event]) -> Callable[[Callable[[Any], Form | None]], Callable[[Any], Form | None]]:
    """Register the public form of an event; a second registration is a ValueError."""

    def register(function: Callable[[Any], Form | None]) -> Callable[[Any], Form | None]:
        if kind in FORMS:
            raise ValueError(f"{kind.__name__} has two public forms")
        FORMS[kind] = function
        return function

    return register


def public_form(event: ev.Event) -> Form | None:
    """The event as everybody may know it; None if nobody but the judge may."""
    function = FORMS.get(type(event))
    found = function(event) if function else None
    return None if found is None else {"kind": event.kind, **found}


def _call(call: Call) -> Form:
    return {"step": call.step, "number": call.number, "meeting": call.meeting}


def _death(death: Death) -> Form:
    kind = {"kind": death.kind} if death.kind else {}
    return {"card": death.card, "seat": death.seat, "out": death.out, **kind}


@form_of(ev.NightFell)
def _night_fell(event: ev.NightFell) -> Form:
    return {"round": event.round, "notices": list(event.notices)}


@form_of(ev.CallOpened)
@form_of(ev.Asked)
@form_of(ev.CallClosed)
def _calls(event: ev.CallOpened | ev.Asked | ev.CallClosed) -> Form:
    return {"call": _call(event.call)}


@form_of(ev.Dawned)
def _dawned(event: ev.Dawned) -> Form:
    return {"round": event.round}


@form_of(ev.Died)
def _died(event: ev.Died) -> Form:
    lie = [death.card for death in event.deaths if any(cause.kind == "lie" for cause in death.causes)]
    return {"deaths": [_death(death) for death in event.deaths], "how": event.how, "lie": bool(lie)}


@form_of(ev.Revealed)
def _revealed(event: ev.Revealed) -> Form:
    return {"seat": event.seat, "role": event.role, "reason": event.reason}


@form_of(ev.Left)
def _left(event: ev.Left) -> Form:
    return {"seat": event.seat, "reason": event.reason}


@form_of(ev.Announced)
def _announced(event: ev.Announced) -> Form:
    return {"line": event.line, "values": dict(event.values)}


@form_of(ev.Silenced)
def _silenced(event: ev.Silenced) -> Form:
    return {"seats": list(event.seats), "reason": event.reason}


@form_of(ev.ElectionCalled)
def _election_called(event: ev.ElectionCalled) -> Form:
    return {"office": event.office}


@form_of(ev.OfficeGiven)
def _office_given(event: ev.OfficeGiven) -> Form:
    return {"office": event.office, "seat": event.seat, "elected": event.elected}


@form_of(ev.LastWordsBegan)
def _last_words_began(event: ev.LastWordsBegan) -> Form:
    return {"seats": list(event.seats)}


@form_of(ev.DayBegan)
def _day_began(event: ev.DayBegan) -> Form:
    return {"order": list(event.order), "speaking": list(event.speaking), "free": event.free}


@form_of(ev.TurnPassed)
def _turn_passed(event: ev.TurnPassed) -> Form:
    return {"speaker": event.speaker}


@form_of(ev.VoteCalled)
def _vote_called(event: ev.VoteCalled) -> Form:
    return {"number": event.number, "candidates": list(event.candidates)}


@form_of(ev.Voted)
def _voted(event: ev.Voted) -> Form:
    if event.announced == "nothing":
        return {"number": event.number, "tally": {}, "ballots": {}, "invalid": []}
    ballots = {voter: list(named) for voter, named in event.ballots.items() if voter not in event.invalid}
    tally = dict(event.tally) if event.announced == "all" else {}
    return {"number": event.number, "tally": tally, "ballots": ballots, "invalid": list(event.invalid)}


@form_of(ev.Tied)
def _tied(event: ev.Tied) -> Form:
    return {
        "number": event.number,
        "seats": list(event.seats),
        "speakers": event.speakers,
        "speaking": list(event.speaking),
    }


@form_of(ev.NobodyOut)
def _nobody_out(event: ev.NobodyOut) -> Form:
    return {"reason": event.reason}


@form_of(ev.DaySkipped)
def _day_skipped(event: ev.DaySkipped) -> Form:
    return {}


@form_of(ev.GameEnded)
def _game_ended(event: ev.GameEnded) -> Form:
    return {"winner": event.winner, "reason": event.reason}


class PublicView:
    """The table as everybody sees it; a value: `after` gives the next one."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        self._view = view

    @classmethod
    def start(cls, setup: Setup) -> PublicView:
        """The view before the first night."""
        size = setup.ruleset.hand.cards
        seats = [_seat(seat, size) for seat in range(1, setup.seats + 1)]
        return cls({"ruleset": setup.ruleset.id, "stage": "dealt", "round": 0, "phase": "day", "seats": seats, **EMPTY})

    def after(self, form: Mapping[str, Any]) -> PublicView:
        """The view once the table has heard this event."""
        change = CHANGES.get(str(form["kind"]))
        return PublicView({**self._view, **change(self._view, form)}) if change else self

    def to_json(self) -> dict[str, Any]:
        """The view as JSON."""
        return dict(self._view)


NO_VOTE: Form = {"number": 0, "candidates": [], "tally": {}, "tied": []}
EMPTY: Form = {
    "call": None,
    "deaths": [],
    "speaking": [],
    "speaker": 0,
    "order": [],
    "vote": NO_VOTE,
    "winner": None,
    "reason": "",
}


def _seat(seat: int, size: int) -> Form:
    cards = [{"number": (seat - 1) * size + place, "alive": True, "revealed": None} for place in range(1, size + 1)]
    return {"seat": seat, "alive": True, "silenced": False, "office": False, "cards": cards}


View = Mapping[str, Any]
Change = Callable[[View, View], Form]


def _seats(view: View, changed: Callable[[Form], Form]) -> list[Form]:
    return [{**seat, **changed(seat)} for seat in view["seats"]]


def _view_night(view: View, form: View) -> Form:
    seats = _seats(view, lambda seat: {"silenced": False})
    return {
        **EMPTY,
        "deaths": view["deaths"],
        "stage": "night",
        "phase": "night",
        "round": form["round"],
        "seats": seats,
    }


def _view_died(view: View, form: View) -> Form:
    dead = {death["card"]: death for death in form["deaths"]}
    out = {death["seat"] for death in form["deaths"] if death["out"]}

    def changed(seat: Form) -> Form:
        cards = [{**card, "alive": card["alive"] and card["number"] not in dead} for card in seat["cards"]]
        return {"cards": cards, "alive": seat["alive"] and seat["seat"] not in out}

    deaths = [{**death, "round": view["round"], "how": form["how"]} for death in form["deaths"]]
    return {"seats": _seats(view, changed), "deaths": [*view["deaths"], *deaths]}


def _view_revealed(view: View, form: View) -> Form:
    last = next((death["card"] for death in reversed(view["deaths"]) if death["seat"] == form["seat"]), None)

    def changed(seat: Form) -> Form:
        if seat["seat"] != form["seat"]:
            return {}
        return {"cards": [{**c, "revealed": form["role"]} if last in (None, c["number"]) else c for c in seat["cards"]]}

    return {"seats": _seats(view, changed)}


def _view_left(view: View, form: View) -> Form:
    def changed(seat: Form) -> Form:
        return {"alive": False, "cards": [{**card, "alive": False} for card in seat["cards"]]}

    return {"seats": _seats(view, lambda seat: changed(seat) if seat["seat"] == form["seat"] else {})}


def _view_tied(view: View, form: View) -> Form:
    vote = {**view["vote"], "tied": form["seats"]}
    return {"stage": "speech", "vote": vote, "speaking": form["speaking"], "speaker": 0}


def _view_voting(view: View, form: View) -> Form:
    vote = {**view["vote"], "number": form["number"], "candidates": form["candidates"], "tally": {}}
    return {"stage": "vote", "vote": vote, "speaking": [], "speaker": 0}


CHANGES: dict[str, Change] = {
    "night_fell": _view_night,
    "call_opened": lambda view, form: {"call": form["call"]},
    "call_closed": lambda view, form: {"call": None},
    "dawned": lambda view, form: {"stage": "dawn", "phase": "day", "call": None},
    "died": _view_died,
    "revealed": _view_revealed,
    "left": _view_left,
    "silenced": lambda view, form: {"seats": _seats(view, lambda seat: {"silenced": seat["seat"] in form["seats"]})},
    "office_given": lambda view, form: {"seats": _seats(view, lambda seat: {"office": seat["seat"] == form["seat"]})},
    "election_called": lambda view, form: {"stage": "elect"},
    "last_words_began": lambda view, form: {"stage": "last_words", "speaking": form["seats"], "speaker": 0},
    "day_began": lambda view, form: {
        "stage": "talk" if form["free"] else "speech",
        "order": form["order"],
        "speaking": form["speaking"],
        "speaker": 0,
    },
    "turn_passed": lambda view, form: {"speaker": form["speaker"]},
    "vote_called": _view_voting,
    "voted": lambda view, form: {"vote": {**view["vote"], "tally": form["tally"]}},
    "tied": _view_tied,
    "game_ended": lambda view, form: {"stage": "over", "winner": form["winner"], "reason": form["reason"]},
}
