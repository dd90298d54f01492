"""What is settled before a game: which rulesets there are, the draft of the next game, and the judge's preferences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from narrator.language_tags import meant
from narrator.loading.files.problem import nearest_first
from narrator.loading.files.yaml_lines import Document
from narrator.loading.rulesets import RulesetProblems
from narrator.narration.scripts import languages
from narrator.storage.folders import Folders
from narrator.storage.settings import FILE, Settings, load_settings, save_settings
from narrator.storage.setup_file import KeptSetup, load_setup, save_setup
from narrator.table.setup.draft import Draft, DraftProblem, SetupProblem
from narrator.table.setup.kept import kept, taken_up
from narrator.table.setup.shelf import Shelf


class Preparation:
    """The set-up of a table. Its methods are called under the table's lock."""

    def __init__(self, folders: Folders, first_ruleset: str = "") -> None:
        """`first_ruleset` is the id of the one offered as long as none is remembered.

        StorageError if the data folder cannot be used.
        """
        self._home = folders.home
        self._first_ruleset = first_ruleset
        self.shelf = Shelf(folders.rules)
        settings, fault = load_settings(self._home)
        self.settings, strange = usable(settings.changed(**_with_known_tags(settings.model_dump())), self._home)
        """The judge's preferences."""
        self.kept, lost = load_setup(self._home)
        """The set-up as it is on the disk."""
        self.problems = [*filter(None, [fault, lost]), *strange, *self.shelf.problems]
        """What was wrong with the files, each in a sentence."""
        self.draft = self.remembered()
        """The set-up in the making."""

    def take_up(self, order: int) -> None:
        """Go on with the kept draft, unless it was played: `order` is that of the latest game."""
        if self.kept.draft is not None and order <= self.kept.order:
            self.draft, misfits = taken_up(self.draft, self.kept.draft, self.shelf.ruleset)
            self.problems += misfits

    def keep(self, draft: Draft | None, order: int, given_up: Iterable[str]) -> None:
        """Keep a draft (None: there is none) on the disk; `order` is that of the latest game, `given_up` ids of games.

        StorageError if it cannot be written.
        """
        wanted = KeptSetup(order=order, given_up=tuple(sorted(given_up)), draft=kept(draft) if draft else None)
        if wanted != self.kept:
            save_setup(self._home, wanted)
            self.kept = wanted

    def look(self) -> bool:
        """Take up what has been changed in the user's own rulesets; whether there was anything."""
        if not self.shelf.look():
            return False
        self._renew(self.draft.ruleset.id, self.draft.extras)
        return True

    def changed(self, draft: Mapping[str, Any], preferences: Mapping[str, Any]) -> tuple[Draft, Settings]:
        """Draft and settings with these changes; SetupProblem with everything that is wrong with either."""
        problems: list[DraftProblem] = []
        new_draft, new_settings = self.draft, self.settings
        try:
            new_draft = self.draft.changed(draft, self.shelf.ruleset)
        except SetupProblem as found:
            problems += map(self._explained, found.problems)
        try:
            new_settings = self.settings.changed(**_with_known_tags(preferences))
        except ValueError as fault:
            problems.append(DraftProblem("setting", {"what": str(fault)}))
        shown = new_settings.panel_language
        for language in (*new_settings.languages, *([shown] if shown else [])):
            if language not in languages():
                problems.append(_unknown_language(language))
        if problems:
            raise SetupProblem(problems)
        return new_draft, new_settings

    def _explained(self, problem: DraftProblem) -> DraftProblem:
        """A problem; where a ruleset is not known, with those there are."""
        if problem.reason != "unknown_ruleset":
            return problem
        known = nearest_first(problem.values["ruleset"], [ruleset.id for ruleset in self.shelf.rulesets])
        return replace(problem, values={**problem.values, "there_are": ", ".join(known)})

    def document(self) -> Document:
        """The draft's ruleset as the journal keeps it."""
        return self.shelf.document(self.draft.ruleset.id, self.draft.extras)

    def remember(self) -> None:
        """The draft is played: the next one will be like it."""
        draft = self.draft
        self.settings = self.settings.changed(ruleset=draft.ruleset.id, seats=draft.seats, names=draft.names)

    def save(self) -> None:
        """Keep the settings for next time. StorageError if they cannot be written."""
        save_settings(self._home, self.settings)

    def remembered(self) -> Draft:
        """A draft like the last game."""
        rulesets = {ruleset.id: ruleset for ruleset in self.shelf.rulesets}
        wished = (self.settings.ruleset, self._first_ruleset, *rulesets)
        chosen = next(rulesets[name] for name in wished if name in rulesets)
        return Draft.of(chosen, self.settings.seats, self.settings.names)

    def _renew(self, name: str, extras: tuple[str, ...]) -> None:
        """Take the ruleset as it is now, with these extra roles if they still can be added."""
        try:
            ruleset = self.shelf.ruleset(name, extras)
        except KeyError:
            self.draft = self.remembered()
        except RulesetProblems:
            self._renew(name, ())
        else:
            if ruleset is not self.draft.ruleset:
                self.draft = self.draft.renewed(ruleset, extras)


def usable(settings: Settings, home: Path) -> tuple[Settings, list[str]]:
    """The settings without languages that nobody speaks here, and a sentence for each that gave way to its default."""
    problems: list[str] = []
    wanted: dict[str, Any] = {}
    spoken = tuple(tag for tag in settings.languages if tag in languages())
    if spoken != settings.languages:
        wanted["languages"] = spoken or Settings().languages
    if settings.panel_language not in (None, *languages()):
        wanted["panel_language"] = None
    for name, value in wanted.items():
        there_are = ", ".join(languages())
        got = getattr(settings, name)
        problems.append(f"{home / FILE}: {name} must be of {there_are}; got {got!r}; {value!r} is used instead")
    return settings.changed(**wanted), problems


def _with_known_tags(preferences: Mapping[str, Any]) -> dict[str, Any]:
    """The same preferences, each language by the tag of its script, where there is one for it."""
    found = dict(preferences)
    if isinstance(spoken := found.get("languages"), list | tuple):
        found["languages"] = tuple(dict.fromkeys(map(_known_tag, spoken)))
    if "panel_language" in found:
        found["panel_language"] = _known_tag(found["panel_language"])
    if isinstance(voices := found.get("voices"), Mapping):
        found["voices"] = {_known_tag(tag): voice for tag, voice in voices.items()}
    return found


def _known_tag(tag: Any) -> Any:
    return (meant(tag, languages()) or tag) if isinstance(tag, str) else tag


def _unknown_language(tag: str) -> DraftProblem:
    return DraftProblem("unknown_language", {"language": tag, "there_are": ", ".join(nearest_first(tag, languages()))})
