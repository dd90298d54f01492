"""`narrator demo`: a game of chance that plays itself, spoken, on the real table."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from narrator.cli.words import ruleset_of, spoken_languages
from narrator.clock import Clock, FakeClock, SystemClock
from narrator.engine.legal import prompt
from narrator.loading.rulesets import shipped
from narrator.speech.backends import DEFAULT, open_speaker
from narrator.speech.speaker import Speaker
from narrator.speech.troubles import Trouble
from narrator.speech.utterance import Utterance
from narrator.storage.folders import Folders
from narrator.table import SetupProblem, Table
from narrator.table.random_players import Players
from narrator.table.setup.draft import HANDS_FIRST

PORT = 8765
THINKING = {"begin": 3.0, "identify": 3.0, "choose": 3.0, "show": 3.0, "speech": 4.0, "last_words": 4.0, "vote": 5.0}
"""Seconds the players take, by what they are asked."""
OTHER_THINKING = 3.0
STEP = 0.5
"""Seconds between two looks at whether the voice is done."""


@click.command()
@click.option(
    "--language",
    "-l",
    type=spoken_languages,
    default="zh-Hans",
    show_default=True,
    help="One, or two: zh-Hans,en.",
)
@click.option("--speaker", default=DEFAULT, show_default=True, help="Where to speak, as for 'narrator play'.")
@click.option(
    "--fast", is_flag=True, help="Without a sound, a page, or a moment's waiting; wav:FOLDER writes the lines."
)
@click.option("--seed", type=int, help="Play the very game of this number again.")
@click.option(
    "--ruleset",
    type=ruleset_of(shipped),
    default="killers-2",
    show_default=True,
    help="As in 'rules list'.",
)
@click.option("--seats", type=int, default=12, show_default=True, help="How many players.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Of the public page.")
def demo(language: str, speaker: str, fast: bool, seed: int | None, ruleset: str, seats: int, port: int) -> None:
    """Play a game of twelve seats all by itself, spoken."""
    number = random.SystemRandom().randrange(10_000) if seed is None else seed
    with tempfile.TemporaryDirectory(prefix="narrator-demo-") as home:
        show = Show(Path(home), _speaker(speaker, fast), FakeClock() if fast else SystemClock(), number)
        try:
            show.set_up(language.split(","), ruleset, seats)
            click.echo(f"Game {number}: --seed {number} plays it again.")
            with public_page(show.table, None if fast else port):
                show.play()
                show.stay()
        finally:
            show.table.close()


def _speaker(name: str, fast: bool) -> str:
    """Where to speak: in a hurry nowhere, unless into files."""
    return "silent" if fast and not name.startswith("wav:") else name


class Show:
    """The table, its players, and the time they share."""

    def __init__(self, home: Path, speaker: str, clock: Clock, seed: int) -> None:
        """ClickException if there is no such speaker."""
        self._clock = clock
        self._players = Players(random.Random(seed))
        self._speaker: Speaker | None = None
        self._told = 0
        try:
            self.table = Table(
                Folders(home),
                clock=clock,
                chance=random.Random(seed),
                speaker=speaker,
                speaker_factory=self._open_speaker,
            )
        except ValueError as fault:
            raise click.ClickException(str(fault)) from fault

    def set_up(self, languages: list[str], ruleset: str, seats: int) -> None:
        """Choose the game and deal the cards. ClickException with everything that is wrong."""
        spoken = {"languages": languages, "panel_language": languages[0]}
        try:
            self.table.configure(self.table.revision, {**spoken, "ruleset": ruleset, "seats": seats})
            if any(problem.reason == HANDS_FIRST for problem in self.table.draft.problems()):
                self.table.deal(self.table.revision)
        except SetupProblem as found:
            raise click.ClickException("\n".join(map(str, found.problems))) from found

    def play(self) -> None:
        """Play to the end, and until its last word has been spoken. ClickException if there can be no such game."""
        try:
            self.table.start(self.table.revision)
        except SetupProblem as found:
            raise click.ClickException("\n".join(map(str, found.problems))) from found
        while self._turn():
            pass
        self._until_heard()
        click.echo()
        for line in self.table.public().story or ():
            click.echo(line.text if line.kind == "heading" else f"  {line.text}")

    def stay(self) -> None:
        """Leave the page open for whoever looks at it."""
        if isinstance(self._clock, SystemClock) and sys.stdin.isatty():
            click.echo("\nThe page shows the whole story until you press Ctrl-C.")
            while True:
                time.sleep(3600)

    def _turn(self) -> bool:
        """Let the players answer what is asked; False once the game is over."""
        self._until_heard()
        state = self.table.state
        assert state is not None
        asked = prompt(state).kind
        if asked == "idle":
            self._pass(STEP)
            return True
        self._pass(THINKING.get(asked, OTHER_THINKING))
        command = self._players.answer(state)
        if command is not None:
            self.table.submit(self.table.revision, command)
            self._settle()
            self._tell()
        return command is not None

    def _tell(self) -> None:
        """Print what the judge has recorded since the last time."""
        record = self.table.judge().record
        self._told = min(self._told, len(record)) if len(record) >= self._told else 0
        for sentence in record[self._told :]:
            click.echo(f"      {sentence}")
        self._told = len(record)

    def _until_heard(self) -> None:
        """Let time pass until everything has been said, and only an answer is wanted."""
        self._settle()
        while not self.table.is_at_rest:
            self._pass(STEP)
            self._settle()

    def _pass(self, seconds: float) -> None:
        if isinstance(self._clock, FakeClock):
            self._clock.advance(seconds)
            self._settle()
        else:
            time.sleep(seconds)

    def _settle(self) -> None:
        """With a clock turned by hand: let the speaker's own thread come to rest before it is turned on."""
        if isinstance(self._clock, FakeClock) and self._speaker is not None:
            self._speaker.settle()

    def _open_speaker(
        self,
        name: str,
        clock: Clock,
        *,
        on_started: Callable[[Utterance], None],
        on_trouble: Callable[[Trouble], None],
        **more: Any,
    ) -> Speaker:
        def started(utterance: Utterance) -> None:
            click.echo(f"» {utterance.text()}")
            on_started(utterance)

        def troubled(trouble: Trouble) -> None:
            click.echo(trouble.detail, err=True)
            on_trouble(trouble)

        self._speaker = open_speaker(name, clock, on_started=started, on_trouble=troubled, **more)
        return self._speaker


@contextmanager
def public_page(table: Table, port: int | None) -> Iterator[None]:
    """The public page, as long as the game runs; none without a port."""
    if port is None:
        yield
        return
    from narrator.storage.devices import DeviceStore
    from webpanel.app import create_app
    from webpanel.network import Network
    from webpanel.pairing import Pairing
    from webpanel.server import NoPort, Server

    with tempfile.TemporaryDirectory(prefix="narrator-demo-") as phones:
        app = create_app(table, Pairing(DeviceStore(Path(phones))))
        try:
            server = Server(app, "", port)
        except NoPort as fault:
            click.echo(f"There is no public page: {fault}", err=True)
            yield
            return
        server.start()
        network = Network()
        network.port = server.port
        click.echo(f"What the table sees: {network.link(network.best, '/table')}")
        try:
            yield
        finally:
            server.stop()
