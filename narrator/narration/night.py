"""What is said at night and at dawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from narrator.model.ruleset import Step
from narrator.narration.lines import Context, Form, Line, places, role_of, says


@says("night_fell")
def _night_fell(form: Form, context: Context) -> Iterator[Line]:
    if context.before["stage"] == "vote" and context.deaths("vote"):
        yield from no_last_words(context)
    yield from (Line(notice, pause_after="news") for notice in form["notices"])
    yield Line("night.falls", pause_after="dawn")
    if context.before["deaths"]:
        yield from (Line(reminder, pause_after="breath") for reminder in context.ruleset.reminders)


def no_last_words(context: Context) -> Iterator[Line]:
    """Where the table counts last words: that the latest dead have none."""
    if context.ruleset.last_words == "quota":
        yield Line("last_words.none", pause_after="news")


@says("call_opened")
def _call_opened(form: Form, context: Context) -> Iterator[Line]:
    step = context.ruleset.step(form["call"]["step"])
    if not step.spoken:
        return
    yield _part("open", form["call"], step, context, "open")
    yield from _joining(form["call"], step, context)
    if meets_partners(form["call"], step, context):
        yield Line("call.partners", pause_after="open")


def _joining(call: Form, step: Step, context: Context) -> Iterator[Line]:
    """On the first night: the roles that open their eyes with those by whose name a step is called."""
    named = role_of(step, context.ruleset)
    roles = [role for role in (*step.wakes, *step.anywhere, *step.joins) if role != named]
    if roles and context.before["round"] == 1 and step.ability != "meet" and not step.each:
        yield Line("call.joining", {"roles": roles, "count": len(roles)}, "open")


def meets_partners(call: Form, step: Step, context: Context) -> bool:
    """Whether this is the first time that the members of a group of several see each other."""
    first = context.before["round"] == 1 and not call["number"] and not call["meeting"]
    return first and step.ability not in ("meet", "bind") and _awake(step, context) > 1


def _awake(step: Step, context: Context) -> int:
    """How many cards of the deck a step wakes when all of them live."""
    if step.each:
        return 1
    roles = {*step.wakes, *step.anywhere, *step.joins}
    return sum(context.counts.get(role, 0) for role in roles)


@says("asked")
def _asked(form: Form, context: Context) -> Iterator[Line]:
    step = context.ruleset.step(form["call"]["step"])
    if step.spoken:
        yield _part("ask", form["call"], step, context, "work")


@says("call_closed")
def _call_closed(form: Form, context: Context) -> Iterator[Line]:
    step = context.ruleset.step(form["call"]["step"])
    if step.spoken:
        yield _part("close", form["call"], step, context, "call")


def _part(part: str, call: Form, step: Step, context: Context, pause: str) -> Line:
    role = role_of(step, context.ruleset)
    params: dict[str, Any] = {"step": step.id, "role": role}
    if call["meeting"]:
        count = _called_together(step, context)
        return Line(_meeting_key(part, step), {**params, "count": count, "meeting": True}, pause)
    if call["number"]:
        return Line(f"calls.{step.id}.{part}_numbered", {**params, "number": call["number"]}, pause)
    return Line(f"calls.{step.id}.{part}", {**params, "count": _called(step, context)}, pause)


def _called_together(step: Step, context: Context) -> int:
    return sum(context.counts.get(role, 0) for role in {*step.wakes, *step.anywhere})


def _called(step: Step, context: Context) -> int:
    """How many are spoken to; two where a step is for nobody's role (the lovers)."""
    roles = {*step.wakes, *step.anywhere}
    return (1 if step.each else sum(context.counts.get(role, 0) for role in roles)) if roles else 2


def _meeting_key(part: str, step: Step) -> str:
    return "call.meet" if part == "ask" else f"calls.{step.id}.{part}"


@says("dawned")
def _dawned(form: Form, context: Context) -> Iterator[Line]:
    yield Line("dawn.breaks", pause_after="dawn")


@says("died")
def _died(form: Form, context: Context) -> Iterator[Line]:
    if form["deaths"]:
        yield from _deaths(form, context)
        yield from _out(form, context)
    elif form["how"] == "night":
        yield Line("deaths.none", pause_after="news")


def _deaths(form: Form, context: Context) -> Iterator[Line]:
    numbers = [death["card"] if context.cards else death["seat"] for death in form["deaths"]]
    voted = _voted_out(form, numbers, context)
    if len(voted) > 1:
        yield Line("tie.all_out", pause_after="breath")
    if form["how"] == "night":
        yield from _night_deaths(form, numbers, context)
    elif voted:
        yield _dead("deaths.vote", voted, context)
    rest = [] if form["how"] == "night" else [number for number in numbers if number not in voted]
    if rest:
        yield _dead("deaths.more", rest, context)


def _night_deaths(form: Form, numbers: list[int], context: Context) -> Iterator[Line]:
    """All together; kind by kind in editions that announce how somebody died."""
    kinds = [death.get("kind") for death in form["deaths"]]
    if not any(kinds):
        yield _dead("deaths.night", numbers, context)
        return
    for kind in sorted(set(kinds), key=kinds.index):
        seats = [death["seat"] for death in form["deaths"] if death.get("kind") == kind]
        yield Line(f"deaths.{kind or 'killed'}", {"seats": seats, "count": len(seats)}, "news")


def _voted_out(form: Form, numbers: list[int], context: Context) -> list[int]:
    """Those of the dead that had the most votes: nobody else is said to have been voted out."""
    if form["how"] != "vote" or form.get("lie"):
        return []
    tally = {int(place): votes for place, votes in context.before["vote"]["tally"].items()}
    most = max(tally.values(), default=0)
    return [number for number in numbers if not tally or tally.get(number) == most]


def _dead(key: str, numbers: list[int], context: Context) -> Line:
    if context.several and not context.cards:
        seats = sorted(set(numbers))
        return Line(f"{key}_front", {"seats": seats, "count": len(seats)}, "news")
    return Line(key, places(context.ruleset, numbers), "news")


def _out(form: Form, context: Context) -> Iterator[Line]:
    """Where a seat has more than one card: that it has lost its last one."""
    seats = sorted({death["seat"] for death in form["deaths"] if death["out"]})
    if seats and context.several:
        yield Line("deaths.out", {"seats": seats, "count": len(seats)}, "news")


@says("revealed")
def _revealed(form: Form, context: Context) -> Iterator[Line]:
    key = "wins_apart" if form.get("reason") == "wins_apart" else "role.revealed"
    yield Line(key, {"seat": form["seat"], "role": form["role"]}, "news")


@says("left")
def _left(form: Form, context: Context) -> Iterator[Line]:
    if form["reason"] != "wins_apart":
        yield Line("seat.left", {"seat": form["seat"]}, "news")


@says("silenced")
def _silenced(form: Form, context: Context) -> Iterator[Line]:
    if form.get("reason") == "asleep":
        yield from (Line("asleep", {"seat": seat}, "news") for seat in form["seats"])
    elif form["seats"]:
        yield Line("silenced", {"seats": list(form["seats"]), "count": len(form["seats"])}, "news")


@says("announced")
def _announced(form: Form, context: Context) -> Iterator[Line]:
    yield Line(form["line"], dict(form["values"]), "news")
