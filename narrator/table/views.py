"""What the table shows, as JSON: one page for the judge, one for everybody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.engine.cards import hand
from narrator.model.ruleset import Ruleset, Texts
from narrator.model.state import State
from narrator.narration.scripts import Script, languages, localized
from narrator.storage.settings import Settings
from narrator.table.heard import Heard, is_night
from narrator.table.setup.draft import Draft
from narrator.table.setup.shelf import Shelf, role_texts

Json = dict[str, Any]


def ruleset_line(ruleset: Ruleset, language: str) -> Json:
    """A ruleset in a list of them."""
    return {
        "id": ruleset.id,
        "name": localized(ruleset.name, language, ruleset.id),
        "about": localized(ruleset.about, language, ""),
        "seats": list(ruleset.seats),
    }


def setup_view(draft: Draft, shelf: Shelf, language: str) -> Json:
    """The set-up in the making, with everything that can be chosen and everything that is wrong."""
    ruleset = draft.ruleset
    return {
        "ruleset": ruleset.id,
        "rulesets": [ruleset_line(one, language) for one in shelf.rulesets],
        "broken": [{"id": one.id, "problem": one.problem} for one in shelf.broken],
        "rules": localized(ruleset.rules, language, ""),
        "seats": draft.seats,
        "names": list(draft.names),
        "counts": draft.counts,
        "suggested": draft.suggested,
        "cards": draft.cards,
        "roles": [
            {
                "id": role.id,
                "name": localized(role.name, language, role.id),
                "task": localized(role.task, language, ""),
                "camp": role.camp,
            }
            for role in ruleset.roles.values()
        ],
        "citizen": ruleset.citizen,
        "extras": {"chosen": list(draft.extras), "known": addable_view(draft, shelf, language)},
        "options": [
            {
                "id": option.id,
                "text": localized(option.text, language, option.id),
                "value": draft.options[option.id],
                "choices": list(option.choices),
            }
            for option in ruleset.options.values()
        ],
        "hand": {"cards": ruleset.hand.cards, "kind": ruleset.hand.kind},
        "dealt": draft.hands is not None,
        "passing": None if draft.seen is None else {"seat": draft.turn, "seen": draft.seen},
        "problems": [problem.to_json() for problem in draft.problems()],
    }


def addable_view(draft: Draft, shelf: Shelf, language: str) -> list[Json]:
    """The roles of other editions that can be added to this one."""
    found = []
    for role, book in shelf.addable(draft.ruleset.id).items():
        texts = role_texts(role, book)
        name, task = localized(texts.get("name", {}), language, role), localized(texts.get("task", {}), language, "")
        found.append({"id": role, "name": name, "task": task, "from": book})
    return found


def texts_view(ruleset: Ruleset, language: str) -> Json:
    """What roles, camps and steps are called."""
    roles = {role.id: localized(role.name, language, role.id) for role in ruleset.roles.values()}
    steps, script = {}, Script.load(language)
    for step in ruleset.night:
        named = step.id if step.id in roles else next(iter(step.roles()), step.id)
        steps[step.id] = roles.get(named) or script.word("role", named)
    camps: Mapping[str, Texts] = ruleset.camps
    return {
        "ruleset": localized(ruleset.name, language, ruleset.id),
        "rules": localized(ruleset.rules, language, ""),
        "roles": roles,
        "tasks": {role.id: localized(role.task, language, "") for role in ruleset.roles.values()},
        "camps": {camp: localized(text, language, camp) for camp, text in camps.items()},
        "steps": steps,
    }


def languages_view(settings: Settings) -> Json:
    """Which languages are spoken and shown, and which there are."""
    return {
        "narration": list(settings.languages),
        "panel": panel_language(settings),
        "available": [{"id": tag, "name": Script.load(tag).name} for tag in languages()],
    }


def panel_language(settings: Settings) -> str:
    """The language of the judge's pages."""
    return settings.panel_language or settings.languages[0]


def public_game(heard: Heard, ruleset: Ruleset, language: str) -> Json:
    """What has been heard of a game."""
    return {
        "ruleset": {"id": ruleset.id, "name": localized(ruleset.name, language, ruleset.id)},
        "view": heard_view(heard.state),
        "line": heard.line,
        "calling": heard.calling,
        "texts": texts_view(ruleset, language),
    }


def heard_view(state: State) -> Json:
    """The game as far as it has been heard, for the public page."""
    waking, vote = state.waking, state.vote
    deaths = [
        {"card": death.card, "seat": death.seat, "out": death.out}
        | ({"kind": death.kind} if death.kind else {})
        | {"round": round_, "how": how}
        for death, (round_, how) in zip(state.deaths, state.announced, strict=True)
    ]
    return {
        "ruleset": state.ruleset.id,
        "stage": state.stage,
        "round": state.round,
        "phase": "night" if is_night(state) else "day",
        "seats": [heard_seat(state, seat) for seat in range(1, state.seats + 1)],
        "call": waking and {"step": waking.step, "number": waking.number, "meeting": waking.meeting},
        "deaths": deaths,
        "speaking": list(state.speaking),
        "speaker": state.speaker,
        "order": list(state.order),
        "vote": {
            "number": vote.number,
            "candidates": list(vote.candidates),
            "tally": dict(vote.tally),
            "tied": list(vote.tied),
        },
        "winner": state.winner,
        "reason": state.ended_by,
    }


def heard_seat(state: State, seat: int) -> Json:
    """A seat as everybody sees it."""
    return {
        "seat": seat,
        "alive": seat in state.lives.fronts,
        "silenced": seat in state.silenced,
        "office": state.memo.get("office") == seat,
        "cards": [
            {"number": card.number, "alive": card.alive, "revealed": state.revealed.get(card.number)}
            for card in hand(state, seat)
        ],
    }
