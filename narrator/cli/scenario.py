"""`narrator scenario`: play games that are written down, and compare."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from narrator.cli.rules import known, warning_line
from narrator.loading.scenarios import Played, ScenarioProblems, play_scenario, read_scenario

NOT_OK, UNREADABLE = 1, 2


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print what really happened, as one JSON document.")
def scenario(files: tuple[Path, ...], as_json: bool) -> None:
    """Play the scenarios in FILES and say of each whether it holds.

    Exit status: 0 if all hold, 1 if one does not, 2 if a file cannot be read.
    """
    status = 0
    found: list[dict[str, Any]] = []
    for path in files:
        try:
            source = read_scenario(path, known())
        except ScenarioProblems as problems:
            status = UNREADABLE
            click.echo("\n".join(problems.problems), err=True)
            continue
        for warning in source.warnings:
            click.echo(warning_line(warning), err=True)
        played = play_scenario(source)
        status = max(status, 0 if played.ok else NOT_OK)
        found.append({"name": played.name, "ok": played.ok, "steps": _public_steps(played)})
        if not as_json:
            click.echo(_line(played))
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    sys.exit(status)


def _line(played: Played) -> str:
    if played.ok:
        return f"ok {played.name}"
    return f"not ok {played.name}: {'; '.join(played.differences)}"


def _public_steps(played: Played) -> list[dict[str, Any]]:
    return [{key: value for key, value in step.items() if key != "why"} for step in played.steps]
