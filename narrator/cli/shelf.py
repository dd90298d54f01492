"""Which rulesets there are, for the commands that speak of them."""

from __future__ import annotations

from pathlib import Path

import click

from narrator.loading.checks.wording import Vocabulary
from narrator.loading.files.problem import did_you_mean
from narrator.loading.rulesets import shipped
from narrator.narration.keys import KEYS
from narrator.narration.scripts import languages
from narrator.storage.folders import user_folders
from narrator.storage.problems import StorageError


def known() -> dict[str, Path]:
    """Ruleset id -> file: the shipped ones, then the user's own; one of the same id takes a shipped one's place."""
    try:
        own = sorted(user_folders().rules.glob("*.yaml"))
    except StorageError:
        own = []
    return shipped() | {path.stem: path for path in own}


def found(ruleset: str) -> Path:
    """The file of a known id, or the file itself. Raises ClickException if there is neither."""
    rulesets = known()
    path = rulesets.get(ruleset, Path(ruleset))
    if not path.is_file():
        there = f"there are {', '.join(rulesets)}{did_you_mean(ruleset, rulesets)}"
        raise click.ClickException(f"neither a ruleset nor a file; {there}; got {ruleset}")
    return path


def script() -> Vocabulary:
    """What the narrator has words for."""
    return Vocabulary(languages(), frozenset(KEYS))
