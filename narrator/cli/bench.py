"""`narrator bench`: how fast the engine plays."""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random

import click

from narrator.cli import bench_voice
from narrator.engine.players import deal, play_out
from narrator.loading import rulesets
from narrator.model.ruleset import Ruleset
from narrator.narration.scripts import languages
from narrator.speech.backends import AUTO, VOICES

USUAL = ("killers-2",)
COLUMNS = "{:<20} {:>6} {:>8} {:>10} {:>10}"


@dataclass(frozen=True)
class Measured:
    """What one ruleset's games have taken."""

    ruleset: str
    seats: int
    games: int
    seconds: float
    """Of processor time, the dealing included."""
    rounds: float
    """Of an average game."""

    @property
    def rate(self) -> float:
        """Games per second on one core."""
        return self.games / self.seconds


def measure(ruleset: Ruleset, seats: int, seconds: float, seed: int) -> Measured:
    """Play whole games of random legal commands until `seconds` of processor time have passed."""
    chance = Random(seed)
    games = rounds = 0
    start = time.process_time()
    taken = 0.0
    while taken < seconds or not games:
        rounds += play_out(deal(ruleset, seats, chance), chance).round
        games += 1
        taken = time.process_time() - start
    return Measured(ruleset.id, seats, games, taken, rounds / games)


@click.command()
@click.option("--ruleset", "names", multiple=True, help="A ruleset to measure; may be given several times.")
@click.option("--all", "every", is_flag=True, help="Measure every ruleset that is shipped.")
@click.option("--seats", type=click.IntRange(3, 40), help="Seats at the table; 12, or the nearest that fits.")
@click.option("--seconds", type=click.FloatRange(0.01, 600), default=2.0, show_default=True, help="For each ruleset.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--voice", "spoken", is_flag=True, help="Measure instead how soon a tap is heard.")
@click.option("--language", "-l", type=click.Choice(languages()), default="en", show_default=True, help="With --voice.")
@click.option("--engine", type=click.Choice(VOICES), default=AUTO, show_default=True, help="With --voice: who speaks.")
@click.option("--taps", type=click.IntRange(2, 500), default=30, show_default=True, help="With --voice: how many.")
@click.option("--starts", type=click.IntRange(1, 50), default=5, show_default=True, help="With --voice: cold starts.")
def bench(
    names: tuple[str, ...],
    every: bool,
    seats: int | None,
    seconds: float,
    seed: int,
    spoken: bool,
    language: str,
    engine: str,
    taps: int,
    starts: int,
) -> None:
    """Measure how many whole games the engine plays in a second, or how soon a tap is heard.

    The games are made of random legal commands, every speech, call and vote included; nothing is spoken or written.
    With --voice, a game is really spoken: from the judge's tap to the first sample handed to the device, in the middle
    of an evening and at its very beginning, beside plain pyttsx3.
    """
    if spoken:
        for line in bench_voice.report(language, engine, taps, starts):
            click.echo(line)
        return
    shipped = rulesets.shipped()
    chosen = tuple(shipped) if every else names or USUAL
    for name in chosen:
        if name not in shipped:
            raise click.BadParameter(
                f"there is no ruleset {name!r}; there are: {', '.join(shipped)}", param_hint="--ruleset"
            )
    tables = [(ruleset, fitting(ruleset, seats)) for ruleset in (rulesets.load(shipped[name]) for name in chosen)]
    click.echo(COLUMNS.format("ruleset", "seats", "games", "games/s", "rounds"))
    for ruleset, size in tables:
        click.echo(_row(measure(ruleset, size, seconds, seed)))


def fitting(ruleset: Ruleset, seats: int | None) -> int:
    """The seats asked for, if the ruleset has such a table; 12, or the nearest, if none were asked for."""
    low, high = ruleset.seats
    if seats is None:
        return min(max(low, 12), high)
    if not low <= seats <= high:
        raise click.BadParameter(f"{ruleset.id} is for {low} to {high} seats, not {seats}", param_hint="--seats")
    return seats


def _row(found: Measured) -> str:
    return COLUMNS.format(found.ruleset, found.seats, found.games, f"{found.rate:.0f}", f"{found.rounds:.1f}")
