"""The `narrator` command. A subcommand's module is imported only when that subcommand is called."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from narrator import __version__

COMMANDS: dict[str, tuple[str, str]] = {
    "play": ("narrator.cli.play:play_command", "Open a table: speak the lines, and let the judge's phone in."),
    "phones": ("narrator.cli.phones:phones_command", "List the phones of the open table, and decide about them."),
    "demo": ("narrator.cli.demo:demo", "Play a game of twelve seats all by itself, spoken."),
    "rules": ("narrator.cli.rules:rules", "List, show and check rulesets."),
    "scenario": ("narrator.cli.scenario:scenario", "Check written-down games against the rules."),
    "games": ("narrator.cli.games:games", "List the games in the data folder."),
    "replay": ("narrator.cli.games:replay", "Tell the story of a game."),
    "voices": ("narrator.cli.speech:voices", "List the voices by language."),
    "say": ("narrator.cli.speech:say", "Speak a line, or write it to a file."),
    "sounds": ("narrator.cli.sounds:sounds", "Make the sounds of night, dawn and day anew."),
    "service": ("narrator.cli.service:service", "Let a table stand by itself, on a Raspberry Pi or an old laptop."),
    "doctor": ("narrator.cli.doctor:doctor", "Tell what this computer has for a table, and what it lacks."),
    "bench": ("narrator.cli.bench:bench", "Measure how fast the engine plays, or how soon a tap is heard."),
}
"""Name of each subcommand -> where it is (module:name), and its line in the help."""


class LazyGroup(click.Group):
    """A group that knows its subcommands by the table above, so that help and start-up import none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


def load_command(name: str) -> click.Command:
    """Import the subcommand of that name; KeyError if there is none, TypeError if what stands there is no command."""
    module, _, attribute = COMMANDS[name][0].partition(":")
    command = getattr(importlib.import_module(module), attribute)
    if not isinstance(command, click.Command):
        raise TypeError(f"the subcommand {name!r} must be a click command; got {command!r}")
    return command


def print_anything() -> None:
    """Let a console that lacks a character show a question mark for it, instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="replace")


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="narrator")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Narrator speaks the judge's lines of the Killer game family; the judge taps the choices on a phone."""
    from narrator.cli.ending import watched
    from narrator.cli.terminal import is_dumb

    ctx.with_resource(watched())
    print_anything()
    if is_dumb():
        ctx.color = False
