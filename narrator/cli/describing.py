"""A ruleset in words, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from narrator.model.ruleset import Condition, Option, Role, Ruleset, Step
from narrator.narration.scripts import localized


def line_of(ruleset: Ruleset, language: str) -> str:
    """A ruleset in a list."""
    low, high = ruleset.seats
    name, about = localized(ruleset.name, language, ""), localized(ruleset.about, language, "")
    return f"{ruleset.id:18} {low:2}-{high:<2}  {name} - {about}"


def description(ruleset: Ruleset, language: str) -> Iterator[str]:
    """Everything a person wants to know of a ruleset, line by line."""
    yield f"{ruleset.id}: {localized(ruleset.name, language, '')}"
    yield localized(ruleset.about, language, "")
    yield f"{ruleset.seats[0]} to {ruleset.seats[1]} seats"
    parts = {
        "Roles": [role_line(ruleset, role, language) for role in ruleset.roles.values()],
        "Night": [step_line(step) for step in ruleset.night],
        "Endings": [f"{ending.winner}: {condition_text(ending.when)}" for ending in ruleset.endings],
        "Options": [option_line(option, language) for option in ruleset.options.values()],
        "Rules": localized(ruleset.rules, language, "").splitlines(),
    }
    for heading, lines in parts.items():
        if lines:
            yield ""
            yield heading
            yield from (f"  {line}" for line in lines)


def role_line(ruleset: Ruleset, role: Role, language: str) -> str:
    """A role, its camp, how many there are, and what it does."""
    camp = localized(ruleset.camps.get(role.camp, {}), language, role.camp)
    task = localized(role.task, language, "")
    name = localized(role.name, language, role.id)
    return f"{role.id} ({name}), {camp}: {'; '.join(filter(None, [counts_text(role, ruleset.seats), task]))}"


def counts_text(role: Role, seats: tuple[int, int]) -> str:
    """How many cards of a role are dealt."""
    if role.count is None:
        return "the rest"
    counts = ((*seats, role.count),) if isinstance(role.count, int) else role.counts
    return ", ".join(f"{count} at {low}-{high}" if low < high else f"{count} at {low}" for low, high, count in counts)


def step_line(step: Step) -> str:
    """A step of the night."""
    woken = ", ".join(step.roles()) or step.id
    night = {"first": ", first night only", "later": ", from the second night on"}.get(step.nights, "")
    return f"{step.id}: {step.ability}{f' ({woken})' if woken != step.id else ''}{night}"


def option_line(option: Option, language: str) -> str:
    """An option with its choices."""
    choices = ", ".join(choice_text(choice) for choice in option.choices)
    return f"{option.id}: {choice_text(option.default)} (of {choices}); {localized(option.text, language, '')}"


def choice_text(choice: bool | str) -> str:
    """A choice in words."""
    return {True: "yes", False: "no"}.get(choice, str(choice)) if isinstance(choice, bool) else choice


def condition_text(condition: Condition) -> str:
    """A condition in words, as in `none alive: killer, sniper`."""
    if condition.parts:
        return f"{condition.kind} of ({'; '.join(map(condition_text, condition.parts))})"
    details = [*condition.roles, *([condition.option] if condition.option else [])]
    number = f" {condition.number}" if condition.kind == "alive_is" else ""
    return f"{condition.kind.replace('_', ' ')}{number}{': ' if details else ''}{', '.join(details)}"
