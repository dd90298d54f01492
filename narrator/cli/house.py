"""Rulesets of one's own: begin one from another, and look at what there is to make it of."""

from __future__ import annotations

import dataclasses
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from narrator.cli.shelf import found, script
from narrator.engine.abilities import ABILITIES, Ability
from narrator.loading.checks.night_steps import STANDARD
from narrator.loading.files.ruleset_file import json_schema
from narrator.loading.house.copies import SCHEMA_FILE, CannotCopy, Copy, copied
from narrator.loading.rulesets import (
    RulesetProblems,
    RulesetReport,
    addable,
    document,
    examine,
    examine_text,
    library,
    shipped,
)
from narrator.model.ruleset import Condition, OnDeath
from narrator.narration.scripts import languages, localized
from narrator.storage.atomic import write_atomically
from narrator.storage.folders import user_folders
from narrator.storage.problems import StorageError

ID = re.compile(r"[a-z][a-z0-9_-]{0,39}")
RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d|common")
"""Names that no file can have on some systems, or that stand for something else."""


@click.command()
@click.argument("ruleset_id", metavar="ID")
@click.option("--from", "original", metavar="ID|FILE", required=True, help="The ruleset to begin with.")
@click.option("--add", "added", metavar="ROLE", multiple=True, help="Add a role: hunter, or doctor@killers-3.")
@click.option("--language", "-l", "wanted", multiple=True, help="Keep only the texts in this language (or these).")
def new(ruleset_id: str, original: str, added: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    """Begin a ruleset of your own: a copy of another, with comments, in your data folder."""
    source = found(original)
    folder = own_folder()
    path = folder / f"{checked(ruleset_id, folder)}.yaml"
    for tag in wanted:
        if tag not in languages():
            raise click.ClickException(f"the languages are {', '.join(languages())}; got {tag}")
    needs_sound(examine(source, script()), f"{source} cannot be copied as long as it is not sound")
    roles_added = tuple((role, book) for role, _, book in (name.partition("@") for name in added))
    try:
        text = copied(source.read_text("utf-8-sig"), Copy(ruleset_id, source.stem, wanted, roles_added))
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
@click.option("--language", "-l", default="en", show_default=True, help="Language of the texts.")
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
    kinds = {name: ability for name, ability in sorted(ABILITIES.items()) if name in STANDARD}
    others = {name: ability for name, ability in sorted(ABILITIES.items()) if name not in STANDARD}
    return {
        "Abilities at night (`ability:`, with their parameters under `with:`)": list(_abilities(kinds)),
        "Abilities made for one edition": list(_abilities(others)),
        "Choices set off by a death (`on_death:` of a role)": list(_fields(OnDeath)),
        "Conditions (`when:`)": list(_fields(Condition)),
    }


def _abilities(kinds: Mapping[str, Ability]) -> Iterator[str]:
    for name, ability in kinds.items():
        yield f"  {name}: {_first_line(ability)}"
        for param, meaning in ability.params.items():
            yield from textwrap.wrap(f"{param}: {meaning}", 110, initial_indent="      ", subsequent_indent="        ")


def _first_line(ability: Ability) -> str:
    return (inspect.getdoc(type(ability)) or "").partition("\n")[0]


def _fields(part: type[Condition | OnDeath]) -> Iterator[str]:
    for field in dataclasses.fields(part):
        yield f"  {field.metadata.get('alias', field.name)}: {field.metadata.get('description', field.default)}"
