"""`narrator rules`: which games there are, what one says, whether a file is sound, and rulesets of one's own."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import yaml

from narrator.cli.words import language
from narrator.editions import ABILITIES
from narrator.engine.ability import Ability, parameters
from narrator.loading.checks.wording import Vocabulary
from narrator.loading.files.ability_params import is_standard
from narrator.loading.files.problem import did_you_mean, nearest_first
from narrator.loading.files.ruleset_file import json_schema
from narrator.loading.files.yaml_lines import Document
from narrator.loading.house.copies import SCHEMA_FILE, CannotCopy, Copy, copy_of
from narrator.loading.rulesets import (
    RulesetProblems,
    RulesetReport,
    addable,
    document,
    examine,
    examine_text,
    library,
    load,
    shipped,
)
from narrator.model.ruleset import Condition, OnDeath, Option, Role, Ruleset, Step
from narrator.narration.keys import KEYS
from narrator.narration.scripts import languages, localized
from narrator.storage.folders import StorageError, user_folders, write_atomically


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
        there = f"there are {', '.join(nearest_first(ruleset, rulesets))}{did_you_mean(ruleset, rulesets)}"
        raise click.ClickException(f"neither a ruleset nor a file; {there}; got {ruleset}")
    return path


def script() -> Vocabulary:
    """What the narrator has words for."""
    return Vocabulary(languages(), KEYS)


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


ID = re.compile(r"[a-z][a-z0-9_-]{0,39}")
RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d|common")
"""Names that no file can have on some systems, or that stand for something else."""


@click.command()
@click.argument("ruleset_id", metavar="ID")
@click.option("--from", "original", metavar="ID|FILE", required=True, help="The ruleset to begin with.")
@click.option("--add", "added", metavar="ROLE", multiple=True, help="Add a role: hunter, or doctor@killers-3.")
@click.option(
    "--language",
    "-l",
    "wanted",
    type=language,
    multiple=True,
    help="Keep only texts in this (or these).",
)
def new(ruleset_id: str, original: str, added: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    """Begin a ruleset of your own: a copy of another, with comments, in your data folder."""
    source = found(original)
    folder = own_folder()
    path = folder / f"{checked(ruleset_id, folder)}.yaml"
    needs_sound(examine(source, script()), f"{source} cannot be copied as long as it is not sound")
    roles_added = tuple((role, book) for role, _, book in (name.partition("@") for name in added))
    try:
        text = copy_of(source.read_text("utf-8-sig"), Copy(ruleset_id, source.stem, wanted, roles_added))
    except CannotCopy as why:
        raise click.ClickException(f"{why}; nothing has been written") from why
    report = examine_text(text, str(path), script())
    needs_sound(report, "nothing has been written")
    write(path, text)
    click.echo(f"Wrote {path}, a copy of {source.stem}.")
    for line in brought(report.brought[len(report.brought) - len(added) :]):
        click.echo(line)
    click.echo(f"Next:\n  narrator rules check {ruleset_id}\n  narrator play --ruleset {ruleset_id}")


def own_folder() -> Path:
    """The folder of the user's rulesets."""
    try:
        return user_folders().rules
    except StorageError as fault:
        raise click.ClickException(str(fault)) from fault


def checked(ruleset_id: str, folder: Path) -> str:
    """An id that is still free. Raises ClickException, with the cure, if it is none."""
    if not ID.fullmatch(ruleset_id) or RESERVED.fullmatch(ruleset_id):
        rule = "an id is a word of up to 40 small letters, digits, _ and -, beginning with a letter, like our-house"
        raise click.ClickException(f"{rule}; got {ruleset_id}")
    if ruleset_id in shipped():
        raise click.ClickException(f"a shipped ruleset has this id; choose another one; got {ruleset_id}")
    if (folder / f"{ruleset_id}.yaml").exists():
        there = folder / f"{ruleset_id}.yaml"
        raise click.ClickException(f"{there} exists already; edit it, delete it, or choose another id")
    return ruleset_id


def needs_sound(report: RulesetReport, otherwise: str) -> None:
    """Raise ClickException with every problem, if there is any."""
    if report.problems:
        raise click.ClickException("\n".join([f"{otherwise}:", *report.problems]))


def write(path: Path, text: str) -> None:
    """Write a ruleset, and beside it the schema for editors."""
    try:
        write_atomically(path, text)
        write_atomically(path.with_name(SCHEMA_FILE), json_schema())
    except StorageError as fault:
        raise click.ClickException(str(fault)) from fault


def brought(roles_: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    """What the added roles have brought."""
    for first, *more in roles_:
        yield f"  {first}"
        yield from (f"    {note}" for note in more)


@click.command()
@click.argument("ruleset", metavar="[ID|FILE]", required=False)
@click.option("--language", "-l", type=language, default="en", show_default=True, help="Language of the texts.")
def roles(ruleset: str | None, language: str) -> None:
    """List the roles of all games, or those that can be added to one."""
    books = library()
    if ruleset is None:
        sources = {role: name for name in reversed(list(books)) for role in books[name]["roles"]}
    else:
        try:
            sources = addable(document(found(ruleset)))
        except RulesetProblems as error:
            raise click.ClickException("\n".join(error.problems)) from error
    for role, book in sorted(sources.items()):
        texts = books[book]["roles"][role]
        name, task = (localized(texts.get(key, {}), language, "") for key in ("name", "task"))
        click.echo(f"{role:18} {name}: {task} ({book})")


@click.command()
def abilities() -> None:
    """List what a role can be made of: abilities with their parameters, and conditions."""
    for heading, lines in catalogue().items():
        click.echo(f"{heading}\n")
        for line in lines:
            click.echo(line)
        click.echo()


def catalogue() -> dict[str, list[str]]:
    """Everything that a ruleset can be made of, from the code's own registries."""
    kinds = {name: ability for name, ability in sorted(ABILITIES.items()) if is_standard(ability)}
    others = {name: ability for name, ability in sorted(ABILITIES.items()) if not is_standard(ability)}
    return {
        "Abilities at night (`ability:`, with their parameters under `with:`)": list(_abilities(kinds)),
        "Abilities made for one edition": list(_abilities(others)),
        "Choices set off by a death (`on_death:` of a role)": list(_fields(OnDeath)),
        "Conditions (`when:`)": list(_fields(Condition)),
    }


def _abilities(kinds: Mapping[str, type[Ability]]) -> Iterator[str]:
    for name, ability in kinds.items():
        yield f"  {name}: {_first_line(ability)}"
        for param, meaning in parameters(ability).items():
            yield from textwrap.wrap(f"{param}: {meaning}", 110, initial_indent="      ", subsequent_indent="        ")


def _first_line(ability: type[Ability]) -> str:
    return (inspect.getdoc(ability) or "").partition("\n")[0]


def _fields(part: type[Condition | OnDeath]) -> Iterator[str]:
    for field in dataclasses.fields(part):
        yield f"  {field.metadata.get('alias', field.name)}: {field.metadata.get('description', field.default)}"


language_option = click.option(
    "--language",
    "-l",
    type=language,
    default="en",
    show_default=True,
    help="Language of the texts: zh-Hans, zh-Hant, es or en.",
)


@click.group()
def rules() -> None:
    """List, show and check rulesets, and begin one of your own."""


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


@rules.command("show")
@click.argument("ruleset", metavar="ID|FILE")
@language_option
@click.option("--source", is_flag=True, help="Print the file itself.")
@click.option("--whole", is_flag=True, help="Print it with everything usual and taken over filled in.")
def show_(ruleset: str, language: str, source: bool, whole: bool) -> None:
    """Show what a ruleset says."""
    path = found(ruleset)
    if source:
        click.echo(path.read_text("utf-8"), nl=False)
        return
    try:
        loaded, completed = load(path), document(path)
    except RulesetProblems as error:
        raise click.ClickException("\n".join(error.problems)) from error
    if whole:
        click.echo(as_yaml(completed), nl=False)
        return
    for line in description(loaded, language):
        click.echo(line)


def as_yaml(found: Document) -> str:
    """A document as a ruleset file."""
    plain = json.loads(json.dumps(found, ensure_ascii=False))
    text: str = yaml.safe_dump(plain, allow_unicode=True, sort_keys=False, width=120)
    return text


@rules.command("check")
@click.argument("rulesets", metavar="ID|FILE...", nargs=-1, required=True)
def check_(rulesets: tuple[str, ...]) -> None:
    """Check rulesets and tell everything that is wrong with them; exit status 1 if anything is.

    Warnings are about what can be played but is perhaps not meant; they leave the exit status as it is.
    """
    faulty = False
    for ruleset in rulesets:
        path = known().get(ruleset, Path(ruleset))
        report = examine(path, script())
        faulty = faulty or bool(report.problems)
        for line in [*report.problems, *map(warning_line, report.warnings)]:
            click.echo(line)
        if not report.problems:
            click.echo(f"ok {path}")
    if faulty:
        sys.exit(1)


def warning_line(problem: str) -> str:
    """`file:line: warning: what`."""
    where, _, what = problem.partition(": ")
    return f"{where}: warning: {what}"


@rules.command()
def schema() -> None:
    """Print the JSON Schema of ruleset files, for editors."""
    click.echo(json_schema(), nl=False)


rules.add_command(new)
rules.add_command(roles)
rules.add_command(abilities)
