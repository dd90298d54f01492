"""`narrator bench`: how fast the engine plays, and how soon a tap is heard; see `narrator.making`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from narrator.cli.words import language, ruleset_of
from narrator.loading import rulesets
from narrator.model.ruleset import Ruleset
from narrator.speech.backends import AUTO, VOICES

USUAL = ("killers-2",)
COLUMNS = ("ruleset", "seats", "games", "games/s", "rounds")
BESIDE = ("werewolf-engine", "ratio")
WIDTHS = "{:<20} {:>6} {:>8} {:>10} {:>10}"
BESIDE_WIDTHS = " {:>16} {:>7}"


@click.command()
@click.option(
    "--ruleset", "names", type=ruleset_of(rulesets.shipped), multiple=True, help="To measure; several if wished."
)
@click.option("--all", "every", is_flag=True, help="Measure every ruleset that is shipped.")
@click.option("--seats", type=click.IntRange(3, 40), help="Seats at the table; 12, or the nearest that fits.")
@click.option("--seconds", type=click.FloatRange(0.01, 600), default=2.0, show_default=True, help="For each ruleset.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--beside", type=click.Choice(BESIDE[:1]), help="Play in turns with this package, if it is installed.")
@click.option("--voice", "spoken", is_flag=True, help="Measure instead how soon a tap is heard.")
@click.option("--language", "-l", type=language, default="en", show_default=True, help="With --voice.")
@click.option("--engine", type=click.Choice(VOICES), default=AUTO, show_default=True, help="With --voice: who speaks.")
@click.option("--taps", type=click.IntRange(2, 500), default=30, show_default=True, help="With --voice: how many.")
@click.option("--starts", type=click.IntRange(1, 50), default=5, show_default=True, help="With --voice: cold starts.")
def bench(
    names: tuple[str, ...],
    every: bool,
    seats: int | None,
    seconds: float,
    seed: int,
    beside: str | None,
    spoken: bool,
    language: str,
    engine: str,
    taps: int,
    starts: int,
) -> None:
    """Measure how many whole games the engine plays in a second, or how soon a tap is heard.

    The games are made of random legal commands, every speech, call and vote included; nothing is spoken or written.
    With --voice, a game is really spoken: from the judge's tap to the first sample handed to the device, in the middle
    of an evening and at its very beginning, beside plain pyttsx3. With --beside, another engine's random games for 12
    players are played in turns with ours, in the same processor time, and the ratio is told.
    """
    if spoken:
        from narrator.making import voice_bench

        for line in voice_bench.report(language, engine, taps, starts):
            click.echo(line)
        return
    shipped = rulesets.shipped()
    chosen = tuple(shipped) if every else names or USUAL
    tables = [(ruleset, fitting(ruleset, seats)) for ruleset in (rulesets.load(shipped[name]) for name in chosen)]
    for line in _report(tables, seconds, seed, beside):
        click.echo(line)


def _report(tables: list[tuple[Ruleset, int]], seconds: float, seed: int, beside: str | None) -> Iterator[str]:
    from narrator.making.engine_bench import PeerMissingError, measure, our_game, peer_game

    try:
        peer = peer_game(seed) if beside else None
    except PeerMissingError as error:
        raise click.ClickException(str(error)) from error
    yield WIDTHS.format(*COLUMNS) + (BESIDE_WIDTHS.format(*BESIDE) if peer else "")
    for ruleset, seats in tables:
        own, other = measure(our_game(ruleset, seats, seed), seconds, peer)
        row = WIDTHS.format(ruleset.id, seats, own.games, f"{own.rate:.0f}", f"{own.rounds / own.games:.1f}")
        yield row + (BESIDE_WIDTHS.format(f"{other.rate:.0f}", f"{own.rate / other.rate:.2f}") if peer else "")


def fitting(ruleset: Ruleset, seats: int | None) -> int:
    """The seats asked for, if the ruleset has such a table; 12, or the nearest, if none were asked for."""
    low, high = ruleset.seats
    if seats is None:
        return min(max(low, 12), high)
    if not low <= seats <= high:
        raise click.BadParameter(f"{ruleset.id} is for {low} to {high} seats, not {seats}", param_hint="--seats")
    return seats
