"""What can be wrong with a ruleset although its form is right."""

from __future__ import annotations

from narrator.loading.checks.doubts import doubts_of
from narrator.loading.checks.endings_reach import problems_of_reach
from narrator.loading.checks.night_steps import problems_of_night
from narrator.loading.checks.ruleset_parts import problems_of_parts
from narrator.loading.checks.wording import Vocabulary, missing_words
from narrator.loading.files.problem import Problem
from narrator.loading.files.ruleset_file import RulesetFile


def problems_of(source: RulesetFile) -> list[Problem]:
    """Every problem for which a ruleset whose form is right could not be built or played at all."""
    return [*problems_of_parts(source), *problems_of_night(source)]


def senseless(source: RulesetFile, vocabulary: Vocabulary | None = None) -> list[Problem]:
    """What makes no sense in a sound ruleset; with `vocabulary`, also what the narrator would lack words for."""
    words = list(missing_words(source, vocabulary)) if vocabulary else []
    if any(not problem.mild for problem in problems_of(source)):
        return words
    return [*doubts_of(source), *problems_of_reach(source), *words]
