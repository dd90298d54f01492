"""A draft as it is kept on disk, and taken up again from there, as far as it still fits the rulesets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from narrator.storage.setup_file import KeptDraft
from narrator.table.setup.draft import Draft, RulesetOf, SetupProblem


def kept(draft: Draft) -> KeptDraft:
    """What is kept of a draft."""
    hands = None if draft.hands is None else {str(seat): cards for seat, cards in draft.hands.items()}
    return KeptDraft(
        ruleset=draft.ruleset.id,
        seats=draft.seats,
        names=draft.names,
        extras=draft.extras,
        counts=dict(draft.chosen_counts),
        options=dict(draft.chosen_options),
        hands=hands,
        spare=draft.spare,
        seen=draft.seen,
        again=draft.again,
    )


def taken_up(draft: Draft, found: KeptDraft, ruleset_of: RulesetOf) -> tuple[Draft, list[str]]:
    """The kept draft in place of this one, and what of it does not fit any more, each in a sentence."""
    problems: list[str] = []
    before: dict[str, Any] = {
        "ruleset": found.ruleset,
        "extras": found.extras,
        "seats": found.seats,
        "names": found.names,
        "counts": found.counts,
        "options": found.options,
    }
    for name, value in before.items():
        draft = _changed(draft, {name: value}, ruleset_of, problems)
    if found.hands is None or problems:
        return draft, problems
    dealt = _changed(draft, {"hands": found.hands}, ruleset_of, problems)
    if problems:
        return draft, problems
    spare = found.spare if sorted(found.spare) == sorted(dealt.spare) else dealt.spare
    seen = None if found.seen is None else min(found.seen, dealt.seats)
    again = found.again if seen and found.again and found.again <= seen else None
    return replace(dealt, spare=spare, seen=seen, again=again), problems


def _changed(draft: Draft, change: Mapping[str, Any], ruleset_of: RulesetOf, problems: list[str]) -> Draft:
    try:
        return draft.changed(change, ruleset_of)
    except SetupProblem as fault:
        problems.append(f"of the set-up that was kept, this does not fit any more: {fault}")
        return draft
