"""What can be wrong with the steps of a night and the parameters of their abilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from narrator.editions import ABILITIES
from narrator.loading.checks.ruleset_parts import condition_problems
from narrator.loading.files.ability_params import (
    fits,
    is_fixed,
    kinds_named,
    named,
    option_of,
    options_of,
    param_hints,
    read_params,
)
from narrator.loading.files.problem import Problem, Where, did_you_mean, unknown
from narrator.loading.files.ruleset_file import RulesetFile
from narrator.model.ruleset import Step


def problems_of_night(source: RulesetFile) -> Iterator[Problem]:
    """Every problem of the night."""
    seen: set[str] = set()
    for index, step in enumerate(source.night):
        path = ("night", index)
        if step.id in seen:
            yield Problem((*path, "step"), f"two steps are called {step.id!r}; give one another name")
        seen.add(step.id)
        for role in step.roles():
            if role not in source.roles:
                yield Problem(path, unknown("role", role, source.roles))
        yield from _ability(path, step, source)
        if step.when:
            yield from condition_problems((*path, "when"), step.when, source)
    yield from _uncalled(source)


def _ability(path: Where, step: Step, source: RulesetFile) -> Iterator[Problem]:
    if step.ability not in ABILITIES:
        yield Problem((*path, "ability"), unknown("ability", step.ability, ABILITIES))
        return
    yield from _options(path, step, source)
    params, problems = read_params(step)
    yield from dict.fromkeys(_of_form(path, step, where, what, source) for where, what in problems)
    for group in ABILITIES[step.ability].one_of:
        if not set(group) & step.params.keys():
            yield Problem(path, f"the ability {step.ability!r} needs `with: {{{' or '.join(group)}: …}}`")
    for param, kind, word in named(step.ability, params):
        yield from _name((*path, "with", param), kind, word, source)
    if step.ability == "take_card" and not source.hand.spare:
        what = f"no cards are left over for {step.id!r} to see; give `hand: {{spare: 2}}`, or leave the role out"
        yield Problem(path, what)


def _of_form(path: Where, step: Step, where: Where, what: str, source: RulesetFile) -> Problem:
    """A problem with the form of the parameters, as one of the night."""
    known = param_hints(step.ability)
    param = str(where[0])
    if option_of(step.params.get(param)) is not None and param in known:
        return Problem((*path, "with", param), f"{param} cannot depend on an option; write its value")
    if len(where) == 1 and param not in known:
        others = f"{did_you_mean(param, known)}; it has: {', '.join(known) or 'none'}"
        return Problem((*path, "with", param), f"the ability {step.ability!r} has no parameter {param!r}{others}")
    if len(where) == 1 and param not in step.params:
        kinds = sorted(kinds_named(step.ability, param))
        before = [one.id for one in source.night[: int(path[-1])]]
        steps = f"; steps before it: {', '.join(before)}" if "earlier step" in kinds else ""
        value = kinds[0].split()[-1].upper() if kinds else "…"
        return Problem(path, f"the ability {step.ability!r} needs `with: {{{param}: {value}}}`{steps}")
    if len(where) == 1 and not is_fixed(step.ability, param):
        what = what.replace("; got", ", or {option: NAME}; got")
    return Problem((*path, "with", *where), what)


def _options(path: Where, step: Step, source: RulesetFile) -> Iterator[Problem]:
    """Parameters that are left to an option."""
    for param, name in options_of(step).items():
        option = source.options.get(name)
        if option is None:
            yield Problem((*path, "with", param), unknown("option", name, source.options))
            continue
        unfit = [choice for choice in option.choices if not fits(step, param, choice)]
        if unfit:
            what = f"{param} cannot be {unfit[0]!r}, which the option {name!r} may be; give the option other choices"
            yield Problem((*path, "with", param), what, mild=True)


def _name(path: Where, kind: str, word: Any, source: RulesetFile) -> Iterator[Problem]:
    """What is wrong with something that a parameter names."""
    if kind == "condition":
        yield from condition_problems(path, word, source)
        return
    steps = [one.id for one in source.night]
    known = {
        "role": list(source.roles),
        "doer": list(source.roles),
        "camp": list(source.camps),
        "step": steps,
        "earlier step": steps,
        "trait": list(dict.fromkeys(name for role in source.roles.values() for name in role.traits)),
    }[kind]
    index = int(path[1])
    if word not in known:
        what = {"doer": "role", "earlier step": "step"}.get(kind, kind)
        yield Problem(path, unknown(what, word, known))
    elif kind == "earlier step" and word not in steps[:index]:
        yield Problem(path, f"the step {word!r} comes later in the night; put {steps[index]!r} after it")


def _uncalled(source: RulesetFile) -> Iterator[Problem]:
    called = {role for step in source.night for role in (*step.wakes, *step.anywhere, *step.joins)}
    for role in source.roles:
        if role != source.citizen and role not in called and source.hand.cards == 1:
            yield Problem(
                ("roles", role),
                f"nobody calls the role {role!r}, so the judge could not learn who holds it; "
                f"add a step that wakes it, if only {{step: {role}, ability: meet, nights: first}}",
            )
