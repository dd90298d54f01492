"""What has happened, in words for the judge: this round's record, what an undo would take back, the whole story."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from narrator.engine.seen import EVERYBODY, before
from narrator.engine.state_changes import apply, fold
from narrator.model.events import Died, Event, NightFell, Voted
from narrator.model.state import Death
from narrator.narration.lines import lines_for
from narrator.narration.scripts import Script
from narrator.narration.story import StoryLine, explain_death, story
from narrator.table.game import Game
from narrator.table.stage.utterances import words_of

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ExplainedDeath:
    """A death with its causes in words."""

    seat: int
    card: int
    text: str


class Record:
    """The record of one game. Sentences are made once for each entry that comes or goes."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._kept: dict[tuple[str, int], tuple[object, list[StoryLine]]] = {}

    def whole(self, language: str) -> tuple[StoryLine, ...]:
        """The whole story, with every secret."""
        return tuple(self._story(language, self._game.length))

    def of_round(self, language: str) -> tuple[str, ...]:
        """The sentences of the round that is being played."""
        round_ = self._game.state.round
        lines = told(self._story(language, self._game.length))
        return tuple(line.text for line in lines if line.round == round_ and line.kind != "heading")

    def fresh_deaths(self, language: str) -> tuple[ExplainedDeath, ...]:
        """The deaths of this dawn or vote."""
        state = self._game.state
        names = {seat: name for seat, name in enumerate(self._game.names, 1) if name}
        return tuple(
            ExplainedDeath(death.seat, death.card, explain_death(state, death, language, names))
            for death in fresh(self._game.events)
        )

    def undo_label(self, language: str) -> str | None:
        """What the next undo takes back, in words; None if there is nothing."""
        undone = len(self._game.undoable())
        if not undone:
            return None
        keep = self._game.length - undone
        now, then = self._story(language, self._game.length), self._story(language, keep)
        new = told(now)[len(told(then)) :]
        known = {line.text for line in then}
        texts = [line.text for line in new if line.kind != "heading"]
        texts = texts or [line.text for line in now if line.kind == "deal" and line.text not in known]
        texts = texts or self._spoken(language, keep)[:1] or [line.text for line in new]
        return " ".join(texts)

    def _spoken(self, language: str, keep: int) -> list[str]:
        """What the narrator says of the entries after `keep`."""
        setup, script = self._game.setup, Script.load(language)
        place = self._game.seen_upto(keep)
        state = fold(before(setup, EVERYBODY), self._game.seen[:place])
        said = []
        for event in self._game.seen[place:]:
            said += [words_of(line, script, setup.ruleset)[0] for line in lines_for(event, state)]
            state = apply(state, event)
        return [words for words in said if words]

    def _story(self, language: str, length: int) -> list[StoryLine]:
        entries = self._game.entries[:length]
        last = entries[-1] if entries else None
        kept = self._kept.get((language, length))
        if kept is None or kept[0] is not last:
            events = [event for entry in entries for event in entry.events]
            kept = last, self._told(events, language)
            self._kept = {key: one for key, one in self._kept.items() if key[1] >= self._game.length - 8}
            self._kept[language, length] = kept
        return kept[1]

    def _told(self, events: list[Event], language: str) -> list[StoryLine]:
        """The story; empty where words are missing for it, so that the panel never lacks more than its record."""
        try:
            return story(self._game.setup, events, language)
        except (LookupError, TypeError, ValueError, RuntimeError):
            _log.exception("the story cannot be told in %s", language)
            return []


def fresh(events: Sequence[Event]) -> list[Death]:
    """Who has died since the last night fell, or the last vote was counted."""
    found: list[Death] = []
    for event in reversed(events):
        if isinstance(event, NightFell | Voted):
            break
        if isinstance(event, Died):
            found[:0] = event.deaths
    return found


def told(lines: Sequence[StoryLine]) -> list[StoryLine]:
    """The story without the deal, which grows backwards as the judge learns who holds what."""
    return [line for line in lines if line.kind != "deal" and not (line.kind == "heading" and line.round == 0)]
