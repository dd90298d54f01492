"""Events and set-ups as JSON and back, for the journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from narrator.form_faults import place, what_is_wrong
from narrator.loading.files.problem import FileProblems, unknown
from narrator.loading.rulesets import from_document
from narrator.model.events import EVENTS, Event
from narrator.model.state import Setup


class RecordProblem(ValueError):
    """A record of a journal that means nothing to this program."""


@cache
def _events() -> TypeAdapter[Event]:
    union: Any = reduce(or_, EVENTS)
    form: Any = Annotated[union, Field(discriminator="kind")]
    return TypeAdapter(form)


def event_to_json(event: Event) -> dict[str, Any]:
    """An event as JSON."""
    found: dict[str, Any] = _events().dump_python(event, mode="json")
    return found


def event_from_json(record: Mapping[str, Any]) -> Event:
    """The event that was written as this JSON. Raises RecordProblem."""
    try:
        return _events().validate_python(_frozen(record))
    except ValidationError as error:
        details = error.errors()[0]
        what = f"{place(details['loc'][1:])}: {what_is_wrong(details, details['input'])}"
        raise RecordProblem(f"the event {record.get('kind')!r} cannot be read: {what}") from None


def _frozen(value: Any) -> Any:
    """Lists as tuples, all the way down: what the engine's own events hold."""
    if isinstance(value, Mapping):
        return {key: _frozen(one) for key, one in value.items()}
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value


def setup_to_json(setup: Setup) -> dict[str, Any]:
    """A set-up as JSON, without its ruleset, which the journal holds beside it."""
    hands = None if setup.hands is None else {str(seat): list(hand) for seat, hand in setup.hands.items()}
    return {
        "seats": setup.seats,
        "counts": dict(setup.counts),
        "options": dict(setup.options),
        "hands": hands,
        "spare": list(setup.spare),
        "extras": dict(setup.extras),
    }


def setup_from_json(record: Mapping[str, Any], ruleset: Mapping[str, Any]) -> Setup:
    """The set-up that was written as this JSON, with the ruleset document beside it.

    Raises RecordProblem, also if the two do not fit each other, or RulesetProblems if the ruleset is not sound.
    """
    try:
        hands = record["hands"]
        setup = Setup(
            ruleset=from_document(ruleset, "the ruleset in the journal"),
            seats=int(record["seats"]),
            counts={str(role): int(count) for role, count in record["counts"].items()},
            options=dict(record["options"]),
            hands=None if hands is None else {int(seat): tuple(hand) for seat, hand in hands.items()},
            spare=tuple(record.get("spare", ())),
            extras=dict(record.get("extras", {})),
        )
    except FileProblems:
        raise
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise RecordProblem(f"the set-up of the game cannot be read: {error}") from None
    if fault := next(_misfits(setup), None):
        raise RecordProblem(f"the set-up of the game does not fit its ruleset: {fault}")
    return setup


def _misfits(setup: Setup) -> Iterator[str]:
    """Everything in a set-up that its ruleset does not know."""
    roles, hand, options = setup.ruleset.roles, setup.ruleset.hand, setup.ruleset.options
    dealt = [role for cards in (setup.hands or {}).values() for role in cards]
    for role in [*setup.counts, *dealt, *setup.spare]:
        if role not in roles:
            yield unknown("role", role, roles)
    cards = setup.seats * hand.cards + hand.spare
    if sum(setup.counts.values()) != cards or min(setup.counts.values()) < 0:
        yield f"{setup.seats} seats need {cards} cards; got {dict(setup.counts)}"
    if setup.hands is not None and sorted(setup.hands) != list(range(1, setup.seats + 1)):
        yield f"every seat from 1 to {setup.seats} must have a hand; got {sorted(setup.hands)}"
    if any(len(cards) != hand.cards for cards in (setup.hands or {}).values()):
        yield f"every seat must have as many cards as the others: {hand.cards}"
    for name, value in setup.options.items():
        if name not in options:
            yield unknown("option", name, options)
        elif not any(type(value) is type(choice) and value == choice for choice in options[name].choices):
            yield f"the option {name!r} must be one of {', '.join(map(repr, options[name].choices))}; got {value!r}"
    for name in options.keys() - setup.options.keys():
        yield f"the option {name!r} is missing"
