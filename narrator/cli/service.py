"""`narrator service`: a table that stands by itself on a Linux machine, as a service of the user's own systemd."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from narrator.cli.words import spoken_languages
from narrator.storage.folders import VARIABLE, StorageError, write_atomically

UNIT = "narrator.service"
SPEAKERS = ("page", "pyttsx3", "silent")
NO_SYSTEMD = (
    "this needs Linux with systemd; elsewhere let the system start 'narrator play' when you log in "
    "(macOS: Login Items; Windows: a shortcut in the folder that 'shell:startup' opens)"
)
NO_BUS = "systemd did not do it ({fault}); log in to this machine as {user}, not by su or sudo, and try again"
TEXT = """\
[Unit]
Description=Narrator, a voice for the judge of the Killer game family
After=sound.target pipewire.service wireplumber.service pulseaudio.service
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart={command}
{environment}Restart=always
RestartSec=2
TimeoutStopSec=10

[Install]
WantedBy=default.target
"""
NEXT = """\
The table stands, and is there again after a fault{always}.
  Its address and its code:  journalctl --user --unit narrator --output cat --lines 60
  Letting phones in:         narrator phones
  Whether it is well:        systemctl --user status narrator
  Taking it away again:      narrator service remove"""
ASKED = f"Start it with the machine, though nobody logs in? ('loginctl enable-linger {getpass.getuser()}')"


@click.group()
def service() -> None:
    """Let a table stand by itself: on a Raspberry Pi, or an old laptop, with systemd."""


@service.command()
@click.option("--speaker", type=click.Choice(SPEAKERS), help="Pages, or the sound card.  [default: as last time]")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.  [default: as 'narrator play']")
@click.option("--language", "-l", type=spoken_languages, default="", help="Spoken language, or two: zh-Hans,en.")
@click.option("--linger/--no-linger", default=None, help="Start with the machine, or at login only.  [default: ask]")
@click.option("--dry-run", is_flag=True, help="Only print what would be written and done.")
def install(speaker: str | None, port: int | None, language: str, linger: bool | None, dry_run: bool) -> None:
    """Install and start the service, or install it anew with other options."""
    options = {"--speaker": speaker or "", "--port": str(port or ""), "--language": language}
    text = unit([word for option, value in options.items() if value for word in (option, value)])
    if dry_run:
        click.echo(f"# {place()}\n{text}")
        for command in (*STARTING, lingering()):
            click.echo(f"# {' '.join(command)}")
        return
    needs_systemd()
    try:
        place().parent.mkdir(parents=True, exist_ok=True)
        write_atomically(place(), text)
    except (OSError, StorageError) as fault:
        raise click.ClickException(f"{place()} cannot be written: {fault}") from fault
    for command in STARTING:
        do(command)
    click.echo(NEXT.format(always=" and whenever the machine starts" if with_the_machine(linger) else ""))


@service.command()
def remove() -> None:
    """Stop the service and take it away. Games, settings and phones stay."""
    needs_systemd()
    if not place().exists():
        raise click.ClickException(f"there is no service: {place()} does not exist")
    do(("systemctl", "--user", "disable", "--now", UNIT))
    place().unlink(missing_ok=True)
    do(("systemctl", "--user", "daemon-reload"))
    click.echo("The service is gone; games, settings and phones are kept.")
    if is_lingering():
        click.echo(f"If nothing else needs it: loginctl disable-linger {getpass.getuser()}")


STARTING = (
    ("systemctl", "--user", "daemon-reload"),
    ("systemctl", "--user", "enable", UNIT),
    ("systemctl", "--user", "restart", UNIT),
)


def place() -> Path:
    """Where the unit lies."""
    home = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(home) if home else Path.home() / ".config") / "systemd" / "user" / UNIT


def unit(options: Sequence[str]) -> str:
    """The unit's text: `narrator play` with these options, by this very Python."""
    words = [sys.executable, "-P", "-m", "narrator", "play", *options]
    if set(sys.executable) & set("\"'\\$"):  # systemd takes such a path from others only
        words.insert(0, "/usr/bin/env")
    kept = {"PYTHONUNBUFFERED": "1", VARIABLE: os.environ.get(VARIABLE, "")}
    environment = "".join(f"Environment={quoted(f'{name}={value}')}\n" for name, value in kept.items() if value)
    return TEXT.format(command=" ".join(quoted(word, "$") for word in words), environment=environment)


def quoted(word: str, doubled: str = "") -> str:
    """A word as a unit has it, whatever signs are in it; those that a unit would fill in are doubled."""
    for sign in f"%{doubled}":
        word = word.replace(sign, sign * 2)
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return escaped if escaped and escaped == word and not set(word) & set(" \t';") else f'"{escaped}"'


# The system


def needs_systemd() -> None:
    """ClickException where there is no systemd."""
    if not shutil.which("systemctl"):
        raise click.ClickException(NO_SYSTEMD)


def do(command: Sequence[str]) -> None:
    """Let systemd do something. ClickException with what it says if it does not."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        fault = " ".join(done.stderr.split()) or f"status {done.returncode}"
        raise click.ClickException(NO_BUS.format(fault=fault, user=getpass.getuser()))


def with_the_machine(wanted: bool | None) -> bool:
    """Whether it starts with the machine: as it stands, as wanted, or as is answered."""
    if is_lingering():
        return True
    if wanted is None and sys.stdin is not None and sys.stdin.isatty():
        wanted = click.confirm(ASKED, default=True)
    if wanted and subprocess.run(lingering(), capture_output=True).returncode == 0:
        return True
    if wanted is not False:
        click.echo(f"So that it starts with the machine, though nobody logs in: sudo {' '.join(lingering())}")
    return False


def lingering() -> tuple[str, ...]:
    """The command that lets the user's services start with the machine."""
    return "loginctl", "enable-linger", getpass.getuser()


def is_lingering() -> bool:
    """Whether the user's services start with the machine already."""
    if not shutil.which("loginctl"):
        return False
    asked = ("loginctl", "show-user", getpass.getuser(), "--property", "Linger", "--value")
    return subprocess.run(asked, capture_output=True, text=True).stdout.strip() == "yes"
