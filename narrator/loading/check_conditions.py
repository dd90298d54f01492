"""Whether a condition speaks of what there is."""

from __future__ import annotations

from collections.abc import Iterator

from narrator.loading.problem import Problem, Where
from narrator.loading.schema import ConditionFile, RulesetFile
from narrator.loading.spelling import unknown


def condition_problems(path: Where, condition: ConditionFile, source: RulesetFile) -> Iterator[Problem]:
    """What is wrong with a condition that stands at `path`."""
    given = condition.model_dump(exclude_none=True, by_alias=True)
    if len(given) != 1:
        yield Problem(path, f"a condition has exactly one key, not {len(given)}: {', '.join(given) or 'none'}")
        return
    kind, value = next(iter(given.items()))
    for parts in (condition.all, condition.any, condition.not_):
        for index, one in enumerate(parts or ()):
            yield from condition_problems((*path, kind, index), one, source)
    if kind == "option" and value not in source.options:
        yield Problem(path, unknown("option", value, source.options))
    roles = value["roles"] if kind == "alive_is" else value if isinstance(value, list) else []
    for role in roles:
        if isinstance(role, str) and role not in source.roles:
            yield Problem(path, unknown("role", role, source.roles))
