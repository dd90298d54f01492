"""A ruleset file that has been found sound, as the model that the engine plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.loading import schema as file
from narrator.model import ruleset as model


def build(source: file.RulesetFile) -> model.Ruleset:
    """The model of a ruleset."""
    return model.Ruleset(
        id=source.id,
        name=source.name,
        about=source.about,
        rules=source.rules,
        seats=source.seats,
        hand=_hand(source.hand),
        citizen=source.citizen,
        roles={role_id: _role(role_id, role, source.seats) for role_id, role in source.roles.items()},
        camps=source.camps,
        options={option_id: _option(option_id, option) for option_id, option in source.options.items()},
        night=tuple(_step(step) for step in source.night),
        day=_day(source.day),
        endings=tuple(model.Ending(ending.winner, condition(ending.when)) for ending in source.endings),
        last_words=source.last_words,
        identify=source.identify,
        settling=source.settling,
        succession=model.Succession(source.succession.role, source.succession.heir) if source.succession else None,
        notices=tuple(model.Notice(notice.notice, condition(notice.when)) for notice in source.notices),
        traits={role_id: role.traits for role_id, role in source.roles.items() if role.traits},
        reminders=tuple(source.reminders),
    )


def condition(source: file.ConditionFile) -> model.Condition:
    """The model of a condition; ValueError unless exactly one key is given."""
    given = source.model_dump(exclude_none=True, by_alias=True)
    if len(given) != 1:
        raise ValueError(f"a condition has exactly one key, not {len(given)}: {', '.join(given) or 'none'}")
    kind, value = next(iter(given.items()))
    return condition_from(kind, value)


def condition_from(kind: str, value: Any) -> model.Condition:
    """The model of a condition given as its key and what stands behind it."""
    if kind in ("all", "any", "not"):
        return model.Condition(kind, parts=tuple(condition_from(*_only(part)) for part in value))
    if kind == "alive_is":
        return model.Condition(kind, tuple(value["roles"]), number=value["number"])
    if kind == "option":
        return model.Condition(kind, option=value)
    return model.Condition(kind, () if value is True else tuple(value))


def _only(part: Mapping[str, Any]) -> tuple[str, Any]:
    return next(iter(part.items()))


def counts(source: int | Mapping[str, int] | None, seats: tuple[int, int]) -> tuple[tuple[int, int, int], ...]:
    """(fewest seats, most seats, cards); ValueError if a range is not like `8-10` or `12`."""
    if source is None:
        return ()
    if isinstance(source, int):
        return ((*seats, source),)
    return tuple((*_range(text), count) for text, count in source.items())


def _range(text: str) -> tuple[int, int]:
    low, _, high = str(text).partition("-")
    return int(low), int(high or low)


def _hand(source: file.HandFile) -> model.Hand:
    misdeals = tuple((frozenset(one), frozenset(other)) for one, other in source.misdeals)
    return model.Hand(source.cards, source.kind, misdeals, source.spare)


def _role(role_id: str, source: file.RoleFile, seats: tuple[int, int]) -> model.Role:
    immune = tuple(model.Immunity(frozenset(one.against), one.while_unspent) for one in source.immune)
    return model.Role(
        id=role_id,
        camp=source.camp,
        name=source.name,
        task=source.task,
        counts=counts(source.count, seats),
        immune=immune,
        on_death=_on_death(source.on_death),
        gives_last_words=source.gives_last_words,
    )


def _on_death(source: file.OnDeathFile | None) -> model.OnDeath | None:
    if source is None:
        return None
    return model.OnDeath(source.ability, tuple(source.killed_by), tuple(source.never_by), source.last_words)


def _option(option_id: str, source: file.OptionFile | bool | str) -> model.Option:
    if not isinstance(source, file.OptionFile):
        return model.Option(option_id, source)
    choices = source.choices if source.choices is not None else (True, False)
    return model.Option(option_id, source.default, tuple(choices), source.text)


def _step(source: file.StepFile) -> model.Step:
    instead = source.instead
    key = source.key or source.step
    return model.Step(
        id=source.step,
        ability=source.ability,
        wakes=tuple([source.step] if source.wakes is None else source.wakes),
        key=key,
        anywhere=tuple(source.anywhere),
        joins=tuple(source.joins),
        instead=model.Instead(tuple(instead.wakes), instead.key or key) if instead else None,
        params={name: param(value) for name, value in source.with_.items()},
        nights=source.nights,
        each=source.each,
        when=condition(source.when) if source.when else None,
        spoken=source.spoken,
        lines=source.lines,
    )


def param(value: Any) -> Any:
    """A parameter of an ability: lists become tuples, `{option: x}` a reference, conditions conditions."""
    if isinstance(value, Mapping):
        if set(value) == {"option"}:
            return model.OptionRef(value["option"])
        return {key: condition_from(*_only(one)) if key == "when" else param(one) for key, one in value.items()}
    if isinstance(value, list):
        return tuple(param(one) for one in value)
    return value


def _day(source: file.DayFile) -> model.Day:
    office = model.Office(source.office.office, source.office.votes, source.office.name) if source.office else None
    last_tie = source.last_tie
    return model.Day(
        talk=source.talk,
        direction=source.direction,
        calling=source.calling,
        ties=tuple(source.ties),
        last_tie=model.OptionRef(last_tie.option) if isinstance(last_tie, file.OptionUse) else last_tie,
        votes=source.votes,
        split=source.split,
        counting=source.counting,
        ballots_only=source.ballots_only,
        reveal=tuple(source.reveal),
        office=office,
    )
