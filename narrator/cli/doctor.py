"""`narrator doctor`: what this machine has for a table, on one page, with a cure beside each fault."""

from __future__ import annotations

import http.client
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import click

from narrator import __version__
from narrator.storage.folders import Folders, StorageError, user_folders

if TYPE_CHECKING:
    from webpanel.network import Network, Place

PORT = 8765
OK, MIND, FAULT = "ok", "mind", "fault"
"""States: as it should be; something is less than it could be; something that a table needs is missing."""
LIBRARIES = ("flask", "uvicorn", "ifaddr", "zeroconf", "pygame-ce", "pyttsx3", "espeakng-loader", "numpy", "miniaudio")
"""Whose versions an issue report should hold."""
FULL, LOW = 20, 200
"""Megabytes of free disk: with less no evening is safe, with less it is told."""
LATER = 3600.0
"""Seconds that the clock may stand before the newest file without being wrong: time zones of old disks."""
ANSWER_SECONDS = 5.0
"""How long a page is waited for."""
FIREWALLS = {
    "ufw": (("cat", "/etc/ufw/ufw.conf"), r"^ENABLED=yes", "sudo ufw allow {port}/tcp"),
    "firewalld": (("firewall-cmd", "--state"), r"^running", "sudo firewall-cmd --add-port={port}/tcp"),
    "Windows Firewall": (
        ("netsh", "advfirewall", "show", "currentprofile", "state"),
        r"\bON\b",
        "allow Python in private networks when Windows asks, or under 'Allow an app through the firewall'",
    ),
    "the macOS firewall": (
        ("/usr/libexec/ApplicationFirewall/socketfilterfw", "--getglobalstate"),
        r"\benabled\b",
        "let Python receive connections: System Settings, Network, Firewall",
    ),
}
"""Firewall -> what to ask, what stands in the answer when it is on, how to let phones through."""
REPORT = (
    "this page, as it is printed here or with --json",
    "what you did, step by step, and on which phone and browser",
    "what you expected, and what came instead, with the exact words",
    "where it is about a game: its journal from {games}, once the game is over (it holds every secret)",
)
"""What an issue report should hold."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    state: str
    text: str
    cure: str = ""


@dataclass(frozen=True)
class Machine:
    """What is looked at. Everything that comes from outside can be replaced."""

    folders: Folders
    port: int = PORT
    now: Callable[[], float] = time.time
    network: Callable[[], Network] = field(default_factory=lambda: this_network)
    run: Callable[[tuple[str, ...]], str] = field(default_factory=lambda: answer_of)


@click.command()
@click.option(
    "--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help="Port that phones shall use."
)
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.pass_context
def doctor(context: click.Context, port: int, as_json: bool) -> None:
    """Tell what this computer has for a table, with a cure beside each fault. Ends with 1 if something is missing."""
    machine = Machine(user_folders(), port)
    findings = [finding for check in CHECKS for finding in examined(check, machine)]
    wanted = [line.format(games=at_home(machine.folders.root / "games")) for line in REPORT]
    if as_json:
        click.echo(
            json.dumps({"findings": list(map(asdict, findings)), "report": wanted}, indent=2, ensure_ascii=False)
        )
    else:
        show(findings, wanted)
    context.exit(any(finding.state == FAULT for finding in findings))


def show(findings: list[Finding], wanted: list[str]) -> None:
    """Print the page."""
    width = max(len(finding.subject) for finding in findings)
    before = ""
    for finding in findings:
        subject = "" if finding.subject == before else finding.subject
        before = finding.subject
        colour = {OK: "green", MIND: "yellow", FAULT: "red"}[finding.state]
        click.echo(f"{click.style(f'{finding.state:5}', fg=colour)}  {subject:{width}}  {finding.text}")
        if finding.cure:
            click.echo(f"{'':5}  {'':{width}}  -> {finding.cure}")
    faults = sum(finding.state == FAULT for finding in findings)
    click.echo(f"\n{faults or 'No'} {'fault' if faults == 1 else 'faults'}. An issue report should hold:")
    for line in wanted:
        click.echo(f"  - {line}")


def examined(check: Callable[[Machine], Iterator[Finding]], machine: Machine) -> list[Finding]:
    """What a check finds; that it failed itself is a finding, too."""
    found: list[Finding] = []
    try:
        found.extend(check(machine))
    except Exception as fault:
        said = f"could not be looked at: {type(fault).__name__}: {fault}"
        found.append(Finding(check.__name__, FAULT, said, "please report this"))
    return found


def at_home(path: Path) -> str:
    """A path without the user's own name in it."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path)


def program(machine: Machine) -> Iterator[Finding]:
    """Which program this is, and on what it runs."""
    yield Finding("program", OK, f"narrator {__version__}, Python {platform.python_version()}, {platform.platform()}")
    versions = {name: version_of(name) for name in LIBRARIES}
    yield Finding("program", OK, ", ".join(f"{name} {version or 'not there'}" for name, version in versions.items()))
    terminal = f"{sys.stdout.encoding}, TERM {os.environ.get('TERM') or 'not set'}"
    yield Finding("program", OK, f"terminal: {terminal}")


def version_of(name: str) -> str:
    """The version of a library; '' if it is not there."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def sound(machine: Machine) -> Iterator[Finding]:
    """Whether this computer can be heard."""
    from narrator.clock import SystemClock
    from narrator.speech.outputs.mixer import MixerOutput, sdl_devices
    from narrator.speech.outputs.output import NoSoundDeviceError

    mixer = MixerOutput(SystemClock())
    try:
        mixer.open()
        names = ", ".join(sdl_devices()) or "the system's device"
        yield Finding("sound", OK, f"can be played on {names}")
    except NoSoundDeviceError as fault:
        cure = "choose a device in the system's settings; or let phones speak: narrator play --speaker page"
        yield Finding("sound", FAULT, f"no device to play on ({fault})", cure)
    finally:
        mixer.close()


def voices(machine: Machine) -> Iterator[Finding]:
    """Which voices there are for the narrator's languages."""
    from narrator.narration.scripts import languages
    from narrator.speech.packs import PackError, pack_voices
    from narrator.speech.renderers.auto import offered_voices
    from narrator.speech.voices import RECORDED, VoicesError, list_voices, speaking

    broken: list[PackError] = []
    pack_voices([machine.folders.voices], broken.append)
    for fault in broken:
        yield Finding("voices", MIND, f"a voice of your own cannot be used: {fault}", "repair it, or take it away")
    try:
        list_voices()
    except VoicesError as fault:
        yield Finding("voices", MIND, str(fault), "recorded lines are heard all the same, but no names")
    try:
        found = offered_voices(machine.folders.voices)
    except VoicesError:
        found = ()
    for tag in languages():
        fitting = speaking(tag, found)
        recorded = sum(voice.engine == RECORDED for voice in fitting)
        if fitting:
            counted = f"{recorded} recorded, {len(fitting) - recorded} of the system; first: {fitting[0].name}"
            yield Finding("voices", OK, f"{tag}: {counted}")
        else:
            yield Finding("voices", FAULT, f"{tag}: none", "pip install espeakng-loader brings one")


def microphone(machine: Machine) -> Iterator[Finding]:
    """Whether it could be listened (only 'narrator play --listen' needs that)."""
    from narrator.hearing.words import Unavailable

    try:
        from narrator.hearing.microphones import find_microphone

        way = find_microphone()
    except (Unavailable, ImportError) as fault:
        yield Finding("microphone", MIND, str(fault), "nothing needs it but --listen")
    else:
        yield Finding("microphone", OK, f"there is one ({getattr(way, '__name__', 'PyAudio').removesuffix('Source')})")


def addresses(machine: Machine) -> Iterator[Finding]:
    """Where phones could reach this computer."""
    from narrator.cli.invitation import MARKS, marked

    network = machine.network()
    if network.best.kind == "nowhere":
        yield Finding("addresses", FAULT, "no network", "join the phones' Wi-Fi, or open a hotspot on this computer")
        return
    for place in network.places:
        text = f"{place.host}{marked(place)}"
        if place == network.best and place.kind in MARKS:
            yield Finding("addresses", FAULT, text, "no address that phones could reach: join their Wi-Fi")
        else:
            yield Finding("addresses", MIND if place.kind in MARKS else OK, text)


def reachability(machine: Machine) -> Iterator[Finding]:
    """Whether the port is free, and a browser gets the page at every address; and what may keep phones out."""
    from webpanel.server import NoPort, listen

    port = machine.port
    try:
        listen("", port, 1)[0].close()
        yield Finding("port", OK, f"{port} is free")
    except NoPort:
        cure = "a running table has it perhaps; 'narrator play' takes the next free one, --port another"
        yield Finding("port", MIND, f"{port} is taken", cure)
        port = 0
    network = machine.network()
    with real_page(port) as served:
        for place in network.places:
            fault = page_fault(place, served)
            text = f"the page at {place.host} " + (f"does not come: {fault}" if fault else "comes")
            cure = "see what a firewall or a security program on this computer lets through" if fault else ""
            yield Finding("browser", FAULT if fault else OK, text, cure)
    for name, (words, sign, cure) in FIREWALLS.items():
        if re.search(sign, machine.run(words), re.MULTILINE):
            yield Finding("browser", MIND, f"{name} is on; it must let phones in", cure.format(port=machine.port))


@contextmanager
def real_page(port: int) -> Iterator[int]:
    """The real pages of an empty table, at that port or, for 0, at any; the port."""
    from narrator.storage.devices import DeviceStore
    from narrator.table import Table
    from webpanel.app import create_app
    from webpanel.pairing import Pairing
    from webpanel.server import Server

    with tempfile.TemporaryDirectory(prefix="narrator-doctor-", ignore_cleanup_errors=True) as home:
        table = Table(Folders(Path(home)), speaker="silent")
        server = Server(create_app(table, Pairing(DeviceStore(Path(home)))), "", port)
        server.start()
        try:
            yield server.port
        finally:
            server.stop()
            table.close()


def page_fault(place: Place, port: int) -> str:
    """What keeps a browser on this computer from the page at that place; '' for nothing."""
    connection = http.client.HTTPConnection(place.host, port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/table")
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as fault:
        return str(fault) or type(fault).__name__
    finally:
        connection.close()
    return "" if status == 200 else f"it answers {status}"


def disk(machine: Machine) -> Iterator[Finding]:
    """Whether games can be kept."""
    where = at_home(machine.folders.root)
    try:
        machine.folders.check_writable()
        free = shutil.disk_usage(machine.folders.home).free // 1_000_000
    except (StorageError, OSError) as fault:
        yield Finding("disk", FAULT, str(fault), "choose another folder: set NARRATOR_HOME to it")
        return
    state = FAULT if free < FULL else MIND if free < LOW else OK
    cure = "" if state == OK else "make room, or set NARRATOR_HOME to a folder on another disk"
    yield Finding("disk", state, f"{where} can be written, {free} MB are free", cure)
    yield Finding("disk", OK, f"{len(list(machine.folders.games.glob('*.jsonl')))} games are kept")


def clock(machine: Machine) -> Iterator[Finding]:
    """Whether the clock could be right: it cannot stand before what has already been written."""
    now = machine.now()
    files = [Path(__file__), *machine.folders.root.glob("games/*.jsonl")]
    newest = max(file.stat().st_mtime for file in files)
    shown = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M UTC")
    if now + LATER < newest:
        last = datetime.fromtimestamp(newest, UTC).strftime("%Y-%m-%d %H:%M UTC")
        cure = "set it (sudo timedatectl set-ntp true, or the system's settings); games go on all the same"
        yield Finding("clock", MIND, f"it says {shown}, before something written at {last}", cure)
    else:
        yield Finding("clock", OK, f"it says {shown}")


def this_network() -> Network:
    """The networks of this machine."""
    from webpanel.network import Network

    return Network()


def answer_of(words: tuple[str, ...]) -> str:
    """What another program prints; '' if it cannot be asked."""
    if not shutil.which(words[0]):
        return ""
    try:
        ran = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=ANSWER_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout


CHECKS = (program, sound, voices, microphone, addresses, reachability, disk, clock)
