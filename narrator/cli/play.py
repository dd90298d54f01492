"""`narrator play`: opens a table, prints the code for the judge's phone, and serves the pages until it is stopped."""

from __future__ import annotations

import locale
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from narrator.cli.ending import stopping
from narrator.cli.invitation import Invitation
from narrator.cli.phones import Doorkeeper
from narrator.cli.rules import known, warning_line
from narrator.cli.words import ruleset_of, spoken_languages
from narrator.hearing.words import ENGINES
from narrator.language_tags import meant
from narrator.model.errors import Refused
from narrator.narration.scripts import Script, isolated, languages
from narrator.speech.backends import AUTO, VOICES, open_speaker
from narrator.speech.outputs.pages import Broadcast
from narrator.storage.devices import DeviceStore
from narrator.storage.door_log import DoorLog
from narrator.storage.folders import Folders, StorageError, user_folders
from narrator.storage.hatch import Answer, Hatch
from narrator.storage.loudspeakers import LoudspeakerStore
from narrator.table import SetupProblem, Table

if TYPE_CHECKING:
    from webpanel.hosts import Hosts
    from webpanel.mdns import Announcer
    from webpanel.network import Network
    from webpanel.pairing import Pairing

PORT = 8765
LATEST = ""
"""Which game `--resume` goes on with where it stands alone."""
FIRST_RULESET = "killers-2"
"""What is offered as long as nothing has been played."""
CODE = "code.png"
"""In the data folder: the code to scan, where the terminal cannot show it."""
NAME = "narrator"
"""What this machine is called in its network, with `.local` behind it."""
LOOK = 0.5
"""Seconds between two looks at whether to stop."""


@click.command("play")
@click.option("--host", default="", help="Address of this computer to listen on.  [default: all]")
@click.option("--port", type=click.IntRange(0, 65535), help=f"Port to listen on.  [default: {PORT}, or the next free]")
@click.option("--address", default="", help="What phones shall use instead: NAME, NAME:PORT or http://NAME:PORT.")
@click.option("--name", default=NAME, show_default=True, help="Name to have in the network: NAME.local; '' for none.")
@click.option("--qr", "picture", type=click.Path(path_type=Path), help="Write the code to scan to this PNG file, too.")
@click.option("--language", "-l", type=spoken_languages, default="", help="Spoken language, or two: zh-Hans,en.")
@click.option("--ruleset", type=ruleset_of(known), default="", help="Which edition, as in 'narrator rules list'.")
@click.option("--seats", type=int, help="How many players.")
@click.option(
    "--speaker", default="", help="Where to speak: pyttsx3, page, silent, wav:FOLDER.  [default: as last time]"
)
@click.option("--voice", type=click.Choice(VOICES), default=AUTO, show_default=True, help="Recordings, or the engine.")
@click.option("--listen/--no-listen", default=False, help="Hear the closing word, by day.")
@click.option("--listen-engine", type=click.Choice(ENGINES), default=ENGINES[0], help="What tells words apart.")
@click.option("--model", type=click.Path(path_type=Path), help="Folder of the whisper engine's model.")
@click.option(
    "--resume",
    metavar="[GAME|FILE]",
    is_flag=False,
    flag_value=LATEST,
    default=None,
    help="Go on with the latest interrupted game, or with this one, unasked.",
)
@click.option("--tls", is_flag=True, help="Encrypt the pages (https), with a certificate of the table's own.")
@click.option("--forget-phones", is_flag=True, help="Let every phone come in anew, the judge's too.")
@click.option("--new", is_flag=True, help="Leave interrupted games and start anew, unasked.")
def play_command(
    host: str,
    port: int | None,
    address: str,
    name: str,
    picture: Path | None,
    language: str,
    ruleset: str,
    seats: int | None,
    speaker: str,
    voice: str,
    listen: bool,
    listen_engine: str,
    model: Path | None,
    resume: str | None,
    tls: bool,
    forget_phones: bool,
    new: bool,
) -> None:
    """Open a table: speak the lines, and let the judge's phone in."""
    from webpanel.certificate import table_certificate
    from webpanel.network import Network

    if new and resume is not None:
        raise click.UsageError("either --resume or --new; got both")
    folders = user_folders()
    broadcast = Broadcast()
    with plainly_told(), opened(folders, speaker, voice, broadcast) as table:
        prepare(table, wishes(folders, language, ruleset, seats), resume, new=new)
        for doubt in doubted(table.settings.languages):
            click.echo(doubt, err=True)
        table.listen_with(listen_engine, model)
        store = DeviceStore(folders.home)
        if forget_phones:
            store.forget_all()
        certificate = table_certificate(folders.home) if tls else None
        network = Network(host, address, scheme="https" if tls else "http")
        with served(table, store, network, port, name, broadcast, certificate) as pairing, stopping() as stop:
            invitation = Invitation(network, pairing.secret, picture, folders.home / CODE)
            doorkeeper = Doorkeeper(pairing, lambda: network.link(network.best, f"/pair/{pairing.secret}"))
            with closing(invitation), hatch(folders.home, network.port) as serve:
                announce(invitation, pairing, table, certificate)
                if store.problem:
                    click.echo(store.problem, err=True)
                if listen:
                    table.listen_on()
                watch_over(table, pairing, invitation, stop, doorkeeper, serve)
        with suppress(OSError):  # the terminal may be gone
            click.echo("The table is closed. An interrupted game can be gone on with next time.")


@contextmanager
def plainly_told() -> Iterator[None]:
    """Turn what may go wrong into one sentence."""
    try:
        yield
    except (StorageError, ValueError) as fault:
        raise click.ClickException(str(fault)) from fault


@contextmanager
def opened(folders: Folders, speaker: str, voice: str = AUTO, broadcast: Broadcast | None = None) -> Iterator[Table]:
    """A table, closed again at the end."""
    folders.check_writable()
    speaks = partial(open_speaker, voice=voice, own=folders.voices, broadcast=broadcast)
    table = Table(folders, speaker=speaker or None, ruleset=FIRST_RULESET, speaker_factory=speaks)
    try:
        yield table
    finally:
        table.close()


def wishes(folders: Folders, language: str, ruleset: str, seats: int | None) -> dict[str, Any]:
    """What the options want set; without any memory of an earlier game, the system's language too."""
    wanted: dict[str, Any] = {}
    first = not (folders.home / "settings.json").exists()
    if spoken := language or (system_language() if first else ""):
        wanted["languages"] = [tag.strip() for tag in spoken.split(",") if tag.strip()]
    if ruleset:
        wanted["ruleset"] = ruleset
    if seats is not None:
        wanted["seats"] = seats
    return wanted


def system_language() -> str:
    """The language of this computer, if the narrator speaks it; else ''."""
    names = [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    return meant(next(filter(None, names), locale.getlocale()[0] or ""), languages()) or ""


def prepare(table: Table, wanted: dict[str, Any], resume: str | None = None, *, new: bool = False) -> None:
    """Set what was wished, and settle what becomes of an interrupted game. ClickException if that cannot be.

    `resume`: the id or file of the game to go on with, LATEST, or None; `new`: whether to start anew.
    """
    if new:
        table.new(table.revision)
    try:
        table.configure(table.revision, wanted)
    except SetupProblem as found:
        raise click.ClickException("\n".join(map(str, found.problems))) from found
    if resume is not None:
        go_on(table, resume)


def doubted(spoken: Iterable[str]) -> list[str]:
    """What is perhaps not meant in the scripts of the spoken languages."""
    return [warning_line(doubt) for tag in spoken for doubt in Script.load(tag).doubts]


def go_on(table: Table, name: str) -> None:
    """Go on with the game of that id or file, or with the latest that was interrupted.

    What is damaged is told, and asked about: here, or on the judge's phone where nobody sits at a keyboard.
    """
    game = table.find_game(name)
    if game is None:
        raise click.ClickException(nothing_to_go_on_with(table, name))
    if game.problem:
        click.echo(f"{game.problem}", err=True)
        if not game.rescue:
            raise click.ClickException(f"this game cannot be gone on with; got {game.id}")
        if not at_a_keyboard() and name == LATEST:
            click.echo("The judge's phone asks whether the game shall go on up to there.")
            return
        if not click.confirm(f"Go on with {game.id} up to there? The damaged file is kept beside it"):
            raise click.ClickException("the game was left as it is")
    try:
        table.resume_file(game.path, damaged=bool(game.problem))
    except Refused as refused:
        raise click.ClickException(str(refused.values.get("why") or refused)) from refused
    click.echo(f"Going on with {game.id}.")


def nothing_to_go_on_with(table: Table, name: str) -> str:
    """The sentence for that, with what there is."""
    if name != LATEST:
        known = ", ".join(game.id for game in table.interrupted()) or "none"
        return f"there is no such interrupted game; there are: {known} ('narrator games' lists all); got {name}"
    return "there is no interrupted game to go on with; start without --resume"


def at_a_keyboard() -> bool:
    """Whether somebody can answer a question in the terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


@contextmanager
def served(
    table: Table,
    store: DeviceStore,
    network: Network,
    port: int | None,
    name: str = "",
    broadcast: Broadcast | None = None,
    certificate: Path | None = None,
) -> Iterator[Pairing]:
    """The pages, served until the end. ClickException if no port can be listened on."""
    from webpanel.app import create_app
    from webpanel.chorus import Chorus
    from webpanel.hosts import Hosts
    from webpanel.pairing import Pairing
    from webpanel.server import NoPort, Server

    pairing = Pairing(store, log=DoorLog(store.folder))
    hosts, chorus = Hosts(network.names), Chorus(LoudspeakerStore(store.folder))
    app = create_app(table, pairing, hosts, broadcast=broadcast, network=network, chorus=chorus)
    try:
        server = Server(
            app, network.host, PORT if port is None else port, exactly=port is not None, certificate=certificate
        )
    except NoPort as fault:
        raise click.ClickException(f"{fault}; choose another with --port, or leave it out") from fault
    network.port = server.port
    server.start()
    with ExitStack() as afterwards, ExitStack() as end:
        end.callback(server.stop)
        if name:
            announcer = called(name, network, hosts)
            afterwards.callback(announcer.close)
            end.callback(announcer.leave)
        yield pairing


def called(name: str, network: Network, hosts: Hosts) -> Announcer:
    """What gives the machine that name in its network. ValueError if it cannot be one."""
    from webpanel.mdns import Announcer

    def tell(found: str) -> None:
        if found:
            hosts.also(found)
        network.name = found

    announcer = Announcer(name, tell)
    network.follow(lambda: announcer.announce(network.named, network.port))
    announcer.announce(network.named, network.port)
    announcer.start()
    return announcer


# What the terminal shows


def announce(invitation: Invitation, pairing: Pairing, table: Table, certificate: Path | None = None) -> None:
    """The code to scan, the addresses, where it speaks, how to stop. ClickException if the picture fails."""
    try:
        invitation.show()
    except OSError as fault:
        raise click.ClickException(f"the code cannot be written as a picture: {fault}") from fault
    if certificate:
        tell_certificate(certificate)
    click.echo(f"Speaking:           {where_it_speaks(table)}")
    if pairing.judge():
        click.echo("The judge's phone of this evening is still known; others must be let in.")
    click.echo("Ready. Ctrl-C closes the table.\n")


def tell_certificate(certificate: Path) -> None:
    """Print what each phone will ask once."""
    from webpanel.certificate import fingerprint

    click.echo("Each phone warns once that nobody vouches for this page: that is this computer's own certificate.")
    click.echo(f"Its SHA-256:        {fingerprint(certificate)}")


def where_it_speaks(table: Table) -> str:
    """In words."""
    backend, _, folder = table.judge().speech.backend.partition(":")
    if backend == "page":
        return "through every device that shows the page /speaker"
    if backend == "silent":
        return "nowhere; the lines appear on the pages (--speaker pyttsx3 speaks them)"
    return f"into the folder {folder}" if folder else f"through this computer's loudspeaker ({backend})"


# Until it is stopped


def watch_over(
    table: Table,
    pairing: Pairing,
    invitation: Invitation,
    stop: threading.Event,
    doorkeeper: Doorkeeper,
    serve: Callable[[Callable[[str], Answer]], None],
) -> None:
    """Tell of troubles, of phones that knock and of other networks, and take answers, until `stop` is set.

    `serve` hands on what is asked by `narrator phones`.
    """
    told: set[tuple[str, str]] = set()
    watch = table.watch("judge")
    if at_a_keyboard():
        threading.Thread(target=take_answers, args=(doorkeeper, invitation), name="keyboard", daemon=True).start()
    while not stop.is_set():
        tell_troubles(table, told)
        tell_knocks(pairing, told)
        invitation.look()
        invitation.use(pairing.secret)
        serve(doorkeeper.do)
        watch.wait(LOOK)
    watch.close()


@contextmanager
def hatch(home: Path, port: int) -> Iterator[Callable[[Callable[[str], Answer]], None]]:
    """Where `narrator phones` reaches this table, or a word that it cannot."""
    try:
        opened = Hatch(home, port)
    except StorageError as fault:
        click.echo(f"Mind: {fault}", err=True)
        yield lambda answer: None
        return
    with closing(opened):
        yield opened.serve


def tell_troubles(table: Table, told: set[tuple[str, str]]) -> None:
    """Print each trouble once."""
    judge = table.judge()
    deaf = ("hearing", judge.hearing.text)
    for found in [*((trouble.kind, trouble.detail) for trouble in judge.troubles), *([deaf] if deaf[1] else [])]:
        if found not in told:
            told.add(found)
            click.echo(f"Mind: {found[1]}")


def tell_knocks(pairing: Pairing, told: set[tuple[str, str]]) -> None:
    """Print each phone that knocks once."""
    for knocker in pairing.waiting():
        if (found := ("knock", knocker.token_hash)) not in told:
            told.add(found)
            who = f"Phone {knocker.number}" + (f" ({isolated(knocker.name)})" if knocker.name else "")
            click.echo(
                f"{who} would like to come in. Type '{knocker.number}' to let it in as a helper, "
                f"'{knocker.number} judge' to make it the judge's phone (the one before is out), "
                f"'{knocker.number} no' to refuse it; 'help' tells what else can be typed."
            )


def take_answers(
    doorkeeper: Doorkeeper, invitation: Invitation, lines: Callable[[], str] = lambda: sys.stdin.readline()
) -> None:
    """Take answers from the keyboard until there are none any more."""
    while line := lines():
        if line.strip().lower() == "address":
            invitation.another()
        else:
            click.echo(doorkeeper.do(line).text)
