"""Every line that may be said in a game of a ruleset, and the name of its recording: made, or missed, beforehand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from narrator.model.events import Asked, CallClosed, CallOpened
from narrator.model.ruleset import Ruleset, Step
from narrator.model.state import Call, Setup, State
from narrator.narration.keys import KEYS, SPOKEN
from narrator.narration.lines import Line, lines_for

SHORT_OF_TIME = 10
"""Seconds before the end of a speech at which the speaker is warned."""
MORE_CARDS = 2
"""How many cards of a role a table may put in beyond the most that the ruleset suggests."""

NAMELESS = ("tally",)
"""Parameters with too many values to have recordings."""

_NIGHT = ("sound_check", "welcome", "deal.", "night.", "call", "dawn.", "deaths.")
"""How the keys of the first lines of an evening begin."""
_ELSEWHERE = ("takes.", "deal.again")
_OF_SEVERAL = ("tie.tied", "tie.others", "tie.nobody", "vote.between", "last_words.many")
_APART = ("asleep", "deduction.look", "deduction.role", "deduction.boss", "deduction.none", "wins_apart")


def repertoire(ruleset: Ruleset) -> Iterator[Line]:
    """The lines, some of them more than once.

    Lists of seats are not said in every combination: each seat comes alone, first, in the middle and last.
    """
    yield from _calls(ruleset)
    for key in sorted(SPOKEN):
        if not key.startswith(("calls.", "call.", "asks.")):
            yield from _said(key, ruleset)


def likely(ruleset: Ruleset, seats: int) -> Iterator[Line]:
    """Every line with one seat of the table at most, those of a night first; nothing of it depends on a game."""
    lines = [line for line in repertoire(ruleset) if not line.key.startswith(_ELSEWHERE)]
    for of_night in (True, False):
        for line in lines:
            if line.key.startswith(_NIGHT) == of_night and all(_is_small(it, seats) for it in line.params.values()):
                yield line


def _is_small(value: object, seats: int) -> bool:
    if isinstance(value, list | tuple):
        return len(value) <= 1 and all(_is_small(one, seats) for one in value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value <= seats
    return not isinstance(value, dict)


def recording_name(line: Line) -> str:
    """The key, and the parameters behind hyphens: `night.falls`, `speech.next-5`, `role.revealed-5-killer`.

    Lists of seats are joined by hyphens; cards are called `card5`. Empty for lines that cannot be recorded as a whole.
    """
    if line.key not in KEYS or any(name in line.params for name in NAMELESS):
        return ""
    if line.key.startswith("calls."):
        number = line.params.get("number")
        return f"{line.key}-{number}" if number else line.key
    names = sorted(name for name in KEYS[line.key].params - {"count"} if name in line.params)
    return "-".join([line.key, *(_value_word(name, line.params) for name in names)])


def _value_word(name: str, params: Mapping[str, Any]) -> str:
    value = params[name]
    many = value if isinstance(value, list | tuple) else [value]
    card = "card" if name in ("place", "places") and params.get("cards") else ""
    return "-".join(f"{card}{one}" for one in many)


def _said(key: str, ruleset: Ruleset) -> Iterator[Line]:
    needs = KEYS[key].needs
    if not _occurs(key, ruleset):
        return
    if not needs:
        yield Line(key)
    elif needs == {"seat"} or needs == {"place"}:
        [name] = needs
        yield from (Line(key, {name: number, **_cards(ruleset)}) for number in _numbers(name, ruleset))
    else:
        yield from _WITH[min(needs, key=_ORDER.index)](key, ruleset)


def _occurs(key: str, ruleset: Ruleset) -> bool:
    """Whether lines that cost many recordings can be said in this ruleset."""
    if key == "role.revealed":
        return bool(ruleset.day.reveal)
    if key in _APART:
        return bool(ruleset.traits)
    if key.startswith("office."):
        return ruleset.day.office is not None
    if key.startswith("deaths.") and key.endswith("_front"):
        return ruleset.hand.kind == "ordered"
    return True


def _numbers(name: str, ruleset: Ruleset) -> range:
    seats = ruleset.seats[1]
    many = seats * ruleset.hand.cards if name in ("place", "places") and ruleset.hand.kind == "numbered" else seats
    return range(1, many + 1)


def _cards(ruleset: Ruleset) -> dict[str, bool]:
    return {"cards": ruleset.hand.kind == "numbered"}


def _lists(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Lists in which each number is alone, first, in the middle and last."""
    for number in numbers:
        one, other = [some for some in (*numbers[:3],) if some != number][:2]
        yield from ([number], [number, one], [one, number], [one, number, other])


def _with_list(key: str, ruleset: Ruleset) -> Iterator[Line]:
    [name] = KEYS[key].needs & {"seats", "places"}
    least = 2 if key in _OF_SEVERAL else 1
    for numbers in _lists(_numbers(name, ruleset)):
        if len(numbers) >= least:
            yield Line(key, {name: numbers, "count": len(numbers), **_cards(ruleset)})


def _with_place(key: str, ruleset: Ruleset) -> Iterator[Line]:
    """Whom a place got its votes from."""
    for place in _numbers("place", ruleset):
        yield Line(key, {"place": place, "seats": [1], "count": 1, **_cards(ruleset)})
    for seats in _lists(_numbers("seats", ruleset)):
        yield Line(key, {"place": 1, "seats": seats, "count": len(seats), **_cards(ruleset)})


def _with_tally(key: str, ruleset: Ruleset) -> Iterator[Line]:
    places = _numbers("place", ruleset)
    office = ruleset.day.office
    votes = ruleset.seats[1] * ruleset.hand.cards + (office.votes - 1 if office else 0)
    for place in places:
        yield Line(key, {"tally": {place: 1}, **_cards(ruleset)})
        yield Line(key, {"tally": {place: 2, places[0] if place > 1 else 2: 1}, **_cards(ruleset)})
    for count in range(1, votes + 1):
        yield Line(key, {"tally": {1: count}, **_cards(ruleset)})
        yield Line(key, {"tally": {1: count, 2: 1}, **_cards(ruleset)})


def _with_role(key: str, ruleset: Ruleset) -> Iterator[Line]:
    for seat in _numbers("seat", ruleset):
        yield from (Line(key, {"seat": seat, "role": role}) for role in _told_roles(key, ruleset))


def _told_roles(key: str, ruleset: Ruleset) -> Iterable[str]:
    """The roles that a line may name with a seat."""
    params = {name: value for step in ruleset.night for name, value in step.params.items()}
    if key == "wins_apart":
        return [role for step in ruleset.night if "wins_at" in step.params for role in step.wakes]
    if key in _APART:
        culprit, others = params.get("culprit"), params.get("roles")
        return [str(role) for role in (culprit, *(others if isinstance(others, tuple) else ())) if role]
    return ruleset.roles


def _with_look(key: str, ruleset: Ruleset) -> Iterator[Line]:
    for seat in _numbers("seat", ruleset):
        yield from (Line(key, {"seat": seat, "look": look}) for look in ruleset.trait_values("look"))


def _with_office(key: str, ruleset: Ruleset) -> Iterator[Line]:
    office = ruleset.day.office
    if office is None:
        return
    params: dict[str, Any] = {"office": office.id}
    if "votes" in KEYS[key].needs:
        params["votes"] = office.votes
    seats = _numbers("seat", ruleset) if "seat" in KEYS[key].needs else ()
    yield from [Line(key, {**params, "seat": seat}) for seat in seats] or [Line(key, params)]


def _with_camp(key: str, ruleset: Ruleset) -> Iterator[Line]:
    winners = dict.fromkeys(ending.winner for ending in ruleset.endings if f"won.{ending.winner}" not in KEYS)
    yield from (Line(key, {"camp": camp}) for camp in winners if camp != "draw")


_WITH: dict[str, Callable[[str, Ruleset], Iterator[Line]]] = {
    "tally": _with_tally,
    "office": _with_office,
    "look": _with_look,
    "role": _with_role,
    "place": _with_place,
    "places": _with_list,
    "seats": _with_list,
    "camp": _with_camp,
    "ruleset": lambda key, ruleset: iter([Line(key, {"ruleset": ruleset.id})]),
    "seconds": lambda key, ruleset: iter([Line(key, {"seconds": SHORT_OF_TIME})]),
}
"""Parameter -> the lines whose texts need it; the first that a key has, in the order of the table, makes its lines."""
_ORDER = [*_WITH, "seat", "votes"]


# The night


def _calls(ruleset: Ruleset) -> Iterator[Line]:
    """What is said in the calls, to one and to several."""
    for count in (1, 2):
        deck = dict.fromkeys((*ruleset.roles, ruleset.citizen), count)
        for step in ruleset.night:
            yield from _step(step, ruleset, deck)


def _step(step: Step, ruleset: Ruleset, deck: Mapping[str, int]) -> Iterator[Line]:
    before = State(Setup(ruleset, 0, deck, {}), (), round=1)
    for call in _calls_of(step, ruleset):
        for event in (CallOpened(call), Asked(call, ""), CallClosed(call)):
            yield from lines_for(event, before)


def _calls_of(step: Step, ruleset: Ruleset) -> Iterator[Call]:
    """A step's calls; a role of one card is called without a number."""
    yield Call(step.id)
    if step.each:
        most = max((high for role in step.roles() for _, _, high in ruleset.roles[role].counts), default=0)
        yield from (Call(step.id, number) for number in range(1, most + MORE_CARDS + 1))
    if ruleset.identify == "first":
        yield Call(step.id, meeting=True)
