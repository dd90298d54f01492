"""`narrator rules`: which games there are, what one says, and whether a file of one's own is sound."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from narrator.loading.rulesets import RulesetProblems, check, load, shipped
from narrator.loading.schema import RulesetFile
from narrator.model.ruleset import Condition, Option, Role, Ruleset, Step
from narrator.narration.scripts import localized
from narrator.storage.folders import user_folders
from narrator.storage.problems import StorageError

language_option = click.option(
    "--language", "-l", default="en", show_default=True, help="Language of the texts: zh-Hans, zh-Hant, es or en."
)


@click.group()
def rules() -> None:
    """List, show and check rulesets."""


@rules.command("list")
@language_option
def list_(language: str) -> None:
    """List the rulesets: those that come with Narrator, then those in your data folder."""
    unsound = False
    for ruleset_id, path in known().items():
        try:
            click.echo(line_of(load(path), language))
        except RulesetProblems as error:
            unsound = True
            click.echo(f"{ruleset_id}: cannot be played; see 'narrator rules check {path}'", err=True)
            click.echo(f"  {error.problems[0]}", err=True)
    if unsound:
        sys.exit(1)


@rules.command()
@click.argument("ruleset", metavar="ID|FILE")
@language_option
@click.option("--source", is_flag=True, help="Print the file itself: a start for a ruleset of your own.")
def show(ruleset: str, language: str, source: bool) -> None:
    """Show what a ruleset says."""
    path = found(ruleset)
    if source:
        click.echo(path.read_text("utf-8"), nl=False)
        return
    try:
        loaded = load(path)
    except RulesetProblems as error:
        raise click.ClickException("\n".join(error.problems)) from error
    for line in description(loaded, language):
        click.echo(line)


@rules.command("check")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
def check_(files: tuple[Path, ...]) -> None:
    """Check ruleset files and tell everything that is wrong with them; exit status 1 if anything is."""
    faulty = False
    for file in files:
        problems = check(file)
        faulty = faulty or bool(problems)
        for line in problems or [f"ok {file}"]:
            click.echo(line)
    if faulty:
        sys.exit(1)


@rules.command()
def schema() -> None:
    """Print the JSON Schema of ruleset files, for editors."""
    document = {"$schema": "https://json-schema.org/draft/2020-12/schema", **RulesetFile.model_json_schema()}
    click.echo(json.dumps(document, indent=2, ensure_ascii=False))


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
        raise click.ClickException(f"neither a ruleset nor a file; there are {', '.join(rulesets)}; got {ruleset}")
    return path


def line_of(ruleset: Ruleset, language: str) -> str:
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
    camp = localized(ruleset.camps.get(role.camp, {}), language, role.camp)
    task = localized(role.task, language, "")
    name = localized(role.name, language, role.id)
    return f"{role.id} ({name}), {camp}: {'; '.join(filter(None, [counts_text(role), task]))}"


def counts_text(role: Role) -> str:
    if not role.counts:
        return "the rest"
    return ", ".join(
        f"{count} at {low}-{high}" if low < high else f"{count} at {low}" for low, high, count in role.counts
    )


def step_line(step: Step) -> str:
    woken = ", ".join(step.roles()) or step.id
    night = {"first": ", first night only", "later": ", from the second night on"}.get(step.nights, "")
    return f"{step.id}: {step.ability}{f' ({woken})' if woken != step.id else ''}{night}"


def option_line(option: Option, language: str) -> str:
    choices = ", ".join(choice_text(choice) for choice in option.choices)
    return f"{option.id}: {choice_text(option.default)} (of {choices}); {localized(option.text, language, '')}"


def choice_text(choice: bool | str) -> str:
    return {True: "yes", False: "no"}.get(choice, str(choice)) if isinstance(choice, bool) else choice


def condition_text(condition: Condition) -> str:
    """A condition in words, as in `none alive: killer, sniper`."""
    if condition.parts:
        return f"{condition.kind} of ({'; '.join(map(condition_text, condition.parts))})"
    details = [*condition.roles, *([condition.option] if condition.option else [])]
    number = f" {condition.number}" if condition.kind == "alive_is" else ""
    return f"{condition.kind.replace('_', ' ')}{number}{': ' if details else ''}{', '.join(details)}"
