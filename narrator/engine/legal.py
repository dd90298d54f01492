"""The one home of legality: what can be done now, and whether a choice may be made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from narrator.engine.abilities.knowing import loses
from narrator.engine.ability import actor_numbers
from narrator.engine.cards import living_seats, lying, to_identify
from narrator.engine.night import awake_in
from narrator.engine.rules import Place, rules_of
from narrator.engine.vote import all_votes, barred_votes, candidates, check_living
from narrator.model.errors import Refused
from narrator.model.prompts import Field, Prompt
from narrator.model.state import Call, State


def prompt(state: State) -> Prompt:
    """What the judge is asked now."""
    return PROMPTS[state.stage](state)


def current(state: State) -> tuple[Call, Place]:
    """The call that is open, and its step; Refused if it is not night."""
    if state.stage != "night":
        raise Refused("not_now", stage=state.stage)
    call = state.calls[state.call]
    return call, rules_of(state).at[call.step]


def fields_now(state: State) -> tuple[Field, ...]:
    """What the open call may choose: worked out once, when it is asked."""
    call, place = current(state)
    if state.asking != "choose":
        return ()
    if state.offered is None:
        state.offered = place.ability.fields(state, call, place.step)
    return state.offered


def warned_fields(state: State) -> tuple[Field, ...]:
    """What the open call may choose, with a word to the judge where the effect may surprise."""
    call, place = current(state)
    fields = fields_now(state)
    void = bool(fields) and loses(state, actor_numbers(state, call, place.step), "act")
    return tuple(
        replace(field, warned=dict.fromkeys(field.allowed, "void") if void else warned) if void or warned else field
        for field in fields
        for warned in (place.ability.warnings(state, call, place.step, field),)
    )


def _night(state: State) -> Prompt:
    call, place = current(state)
    if state.asking == "identify":
        return Prompt("identify", call, place.roles, counts=to_identify(state, call))
    acting = place.actors(state, call, place.step)
    roles = tuple(dict.fromkeys(card.plays or "" for card in acting)) or place.step.wakes
    return Prompt(
        state.asking,
        call,
        roles,
        awake_in(state, call),
        warned_fields(state),
        state.answers.get(call.id),
    )


def _react(state: State) -> Prompt:
    reaction = state.reactions[0]
    living = living_seats(state)
    field = Field("target", "seat", living, {s: "dead_seat" for s in range(1, state.seats + 1) if s not in living})
    return Prompt("react", roles=(reaction.role,), fields=(field,), seat=reaction.seat)


def _speaking(state: State) -> Prompt:
    return Prompt(state.stage, seat=state.speaking[state.speaker], claim=claim_is_due(state))


def _elect(state: State) -> Prompt:
    field = Field("seat", "seat", living_seats(state))
    return Prompt("elect", fields=(field,), claim=claim_is_due(state))


def _vote(state: State) -> Prompt:
    return Prompt(
        "vote",
        candidates=candidates(state),
        votes=all_votes(state),
        barred_votes=barred_votes(state),
        claim=claim_is_due(state),
    )


PROMPTS: dict[str, Callable[[State], Prompt]] = {
    "dealt": lambda state: Prompt("begin"),
    "night": _night,
    "react": _react,
    "last_words": _speaking,
    "speech": _speaking,
    "elect": _elect,
    "talk": lambda state: Prompt("talk", claim=claim_is_due(state)),
    "vote": _vote,
    "over": lambda state: Prompt("over"),
}


def claim_is_due(state: State) -> bool:
    """Whether a seat is under observation today, so that what it claims is to be recorded."""
    return state.memo.get("observed") is not None


def check_choice(state: State, given: Mapping[str, Any]) -> dict[str, Any]:
    """A choice as it may be recorded; Refused if it may not be made now."""
    call, place = current(state)
    if state.asking != "choose":
        raise Refused("nobody_awake" if state.asking == "idle" else "not_now", call=call.id)
    fields = state.offered or fields_now(state)
    if len(given) > 1 or len(fields) > 1 or fields[0].name not in given:
        _refuse_others(fields, given)
    choice = {}
    for field in fields:
        value = check_field(field, given.get(field.name))
        if value is not None:
            choice[field.name] = value
    if place.restricts:
        place.ability.check(state, call, place.step, choice)
    return choice


def _refuse_others(fields: Sequence[Field], given: Mapping[str, Any]) -> None:
    """Refuse values for fields that are not among those asked."""
    names = [field.name for field in fields]
    for name, value in given.items():
        if name not in names and value is not None:
            raise Refused("unknown_field", field=name, known=", ".join(names))


def check_field(field: Field, value: Any) -> Any:
    """A value as the field takes it; Refused if it may not be given."""
    if value is None:
        if field.optional:
            return None
        raise Refused("must_take_one" if field.kind == "role" else "too_few", least=field.least)
    if field.kind in ("seats", "roles"):
        return _check_list(field, value)
    return check_value(field, value)


def _check_list(field: Field, value: Any) -> tuple[Any, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        value = (value,)
    found = tuple(check_value(field, one) for one in value)
    if field.kind == "seats" and len(set(found)) < len(found):
        raise Refused("twice", seat=next(seat for seat in found if found.count(seat) > 1))
    if len(found) < field.least:
        raise Refused("too_few", least=field.least)
    if len(found) > field.most:
        raise Refused("too_many", most=field.most)
    return found


NO_SUCH = {"seat": "no_such_seat", "seats": "no_such_seat", "card": "no_such_seat", "role": "unknown_role"}


def check_value(field: Field, value: Any) -> Any:
    """One value of a field; Refused with the reason if it is barred or does not exist."""
    if type(value) is int and value in field.allowed and field.kind != "flag":
        return value
    for one in field.allowed:
        if one == value and isinstance(one, bool) == isinstance(value, bool):
            return one
    if isinstance(value, int | str) and value in field.barred:
        raise Refused(field.barred[value], seat=value)
    raise Refused(NO_SUCH.get(field.kind, "not_allowed"), seat=value)


def check_identified(state: State, given: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Role -> cards as they may be recorded for the open call; Refused if they do not fit the deck."""
    call, _ = current(state)
    if state.asking != "identify":
        raise Refused("not_now", call=call.id)
    wanted = to_identify(state, call)
    unknown = [role for role in given if role not in wanted and given[role]]
    if unknown:
        raise Refused("unknown_role", role=unknown[0])
    found = {role: _check_holders(state, role, given.get(role, ()), count) for role, count in wanted.items()}
    named = [card for cards in found.values() for card in cards]
    if len(set(named)) < len(named):
        raise Refused("twice", seat=next(card for card in named if named.count(card) > 1))
    _check_table(state, call, wanted, found)
    return {role: cards for role, cards in found.items() if cards}


def _check_table(state: State, call: Call, wanted: Mapping[str, int], found: Mapping[str, Sequence[int]]) -> None:
    """Refuse if more cards than lie on the table have not been shown."""
    missing = {role: count - len(found[role]) for role, count in wanted.items() if count > len(found[role])}
    if missing and sum([*missing.values(), *lying(state, call).values()]) > state.ruleset.hand.spare:
        role = next(iter(missing))
        raise Refused("wrong_count", role=role, count=wanted[role], given=len(found[role]))


def _check_holders(state: State, role: str, seats: Any, count: int) -> tuple[int, ...]:
    if not isinstance(seats, list | tuple):
        seats = (seats,)
    cards = tuple(sorted(_unknown_card(state, seat) for seat in seats))
    fewest = max(0, count - state.ruleset.hand.spare) if not state.spare else count
    if not fewest <= len(cards) <= count:
        raise Refused("wrong_count", role=role, count=count, given=len(cards))
    return cards


def _unknown_card(state: State, seat: object) -> int:
    if not isinstance(seat, int) or isinstance(seat, bool) or not 1 <= seat <= state.seats:
        raise Refused("no_such_seat", seat=seat)
    size = state.ruleset.hand.cards
    card = next((c for c in state.cards[(seat - 1) * size : seat * size] if c.role is None), None)
    if card is None:
        raise Refused("already_known", seat=seat)
    return card.number


def check_reaction(state: State, target: int | None) -> int | None:
    """The target of a choice set off by a death; Refused if it does not live."""
    if state.stage != "react":
        raise Refused("not_now", stage=state.stage)
    return None if target is None else check_living(state, target)
