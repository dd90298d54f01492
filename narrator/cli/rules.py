"""`narrator rules`: which games there are, what one says, whether a file is sound, and rulesets of one's own."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import yaml

from narrator.cli.describing import description, line_of
from narrator.cli.house import abilities, new, roles
from narrator.cli.shelf import found, known, script
from narrator.loading.files.ruleset_file import json_schema
from narrator.loading.files.yaml_lines import Document
from narrator.loading.rulesets import RulesetProblems, document, examine, load

language_option = click.option(
    "--language", "-l", default="en", show_default=True, help="Language of the texts: zh-Hans, zh-Hant, es or en."
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


@rules.command()
@click.argument("ruleset", metavar="ID|FILE")
@language_option
@click.option("--source", is_flag=True, help="Print the file itself.")
@click.option("--whole", is_flag=True, help="Print it with everything usual and taken over filled in.")
def show(ruleset: str, language: str, source: bool, whole: bool) -> None:
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
        for line in [*report.problems, *map(warning, report.warnings)]:
            click.echo(line)
        if not report.problems:
            click.echo(f"ok {path}")
    if faulty:
        sys.exit(1)


def warning(problem: str) -> str:
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
