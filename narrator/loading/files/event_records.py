"""Events and set-ups as JSON and back, for the journal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from narrator.form_faults import place, what_is_wrong
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

    Raises RecordProblem, or RulesetProblems if the ruleset is not sound.
    """
    try:
        hands = record["hands"]
        return Setup(
            ruleset=from_document(ruleset, "the ruleset in the journal"),
            seats=int(record["seats"]),
            counts={str(role): int(count) for role, count in record["counts"].items()},
            options=dict(record["options"]),
            hands=None if hands is None else {int(seat): tuple(hand) for seat, hand in hands.items()},
            spare=tuple(record.get("spare", ())),
            extras=dict(record.get("extras", {})),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise RecordProblem(f"the set-up of the game cannot be read: {error}") from None
