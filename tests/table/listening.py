"""What a player with a keen ear and a stop-watch could find out by comparing two nights."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from math import log
from random import Random

from tests.table.evening import Evening, Heard, InTime, Slow
from tests.table.samples import kolmogorov_smirnov
from tests.table.secrets import Pair, Step, pair

FIRST_LINES = 2
"""Lines spoken before the first event that everybody may know of: the welcome."""
Pool = tuple[list[float], list[float]]


@dataclass
class Findings:
    """What was compared, and the lengths of what could not be the same to the millisecond."""

    nights: int = 0
    lines: int = 0
    pairs: Counter[str] = field(default_factory=Counter)
    """By the secret in which they differ."""
    pools: dict[str, Pool] = field(default_factory=dict)
    """What differs -> lengths in one world, in the other; in seconds, changes as logarithms."""

    def add(self, name: str, one: float, other: float) -> None:
        """Note one length of each world."""
        pool = self.pools.setdefault(name, ([], []))
        pool[0].append(one)
        pool[1].append(other)

    def __str__(self) -> str:
        """The figures, in a line."""
        pairs = ", ".join(f"{count} {secret}" for secret, count in self.pairs.most_common())
        chances = ", ".join(
            f"{name} {chance:.3f} of {len(self.pools[name][0])}" for name, chance in self.chances(15).items()
        )
        return f"{self.nights} nights, pairs: {pairs}; {self.lines} lines; {chances}"

    def chances(self, least: int) -> dict[str, float]:
        """For each pool of that size: how likely both sides of it are of one distribution."""
        return {name: kolmogorov_smirnov(*pool) for name, pool in self.pools.items() if len(pool[0]) >= least}


def listen(
    one: Evening, other: Evening, nights: int, seed: object, *, lengths_only: bool = False, **options: bool | str
) -> Findings:
    """Play pairs of games until that many nights were alike; AssertionError where something tells a secret.

    `lengths_only`: only with other chance in each world, where the lengths of silences are noted.
    """
    found, count = Findings(), 0
    while found.nights < nights:
        chance, count = Random(f"{seed} {count}"), count + 1
        two = pair(one.ruleset, chance, options)
        found.pairs[two.secret] += 1
        found.nights += 2 * two.nights
        if not lengths_only:
            with_the_same_chance(found, two, one, other, chance)
        with_other_chance(found, two, one, other, chance)
    return found


def with_the_same_chance(found: Findings, two: Pair, one: Evening, other: Evening, chance: Random) -> None:
    """Judges who are in time, each in his way: every line, every page and every moment is the same."""
    seed = chance.getrandbits(32)
    heard = [
        table.play(game, seed, InTime(Random(chance.getrandbits(32))))
        for table, game in ((one, two.one), (other, two.other))
    ]
    count = the_same_words(two, *heard)
    found.lines += 2 * count
    assert moments(heard[0], count) == moments(heard[1], count), f"a moment tells {two.secret}"
    pages = [shown_until(world, count) for world in heard]
    assert pages[0] == pages[1], f"the public page tells {two.secret}"
    around = [[(round(at, 6), what) for at, what in world.around if at <= end(world, count)] for world in heard]
    assert around[0] == around[1], f"what is heard besides the lines tells {two.secret}"


def with_other_chance(found: Findings, two: Pair, one: Evening, other: Evening, chance: Random) -> None:
    """A slow judge, and other pauses in each world: the lines are the same, the lengths are noted."""
    manner = chance.getrandbits(32)
    heard = [
        table.play(game, chance.getrandbits(32), Slow(Random(manner), Random(chance.getrandbits(32))))
        for table, game in ((one, two.one), (other, two.other))
    ]
    count = the_same_words(two, *heard)
    found.lines += 2 * count
    note_lengths(found, two, (heard[0], heard[1]), count)


def the_same_words(two: Pair, one: Heard, other: Heard) -> int:
    """How many lines the two must have in common; AssertionError if they have not."""
    count = two.lines + FIRST_LINES
    assert not two.night_tells, f"the calls of a night tell {two.secret}: {two.split}"
    assert len(one.lines) >= count
    assert [line[1:] for line in one.lines[:count]] == [line[1:] for line in other.lines[:count]], two.secret
    return count


def moments(heard: Heard, count: int) -> list[float]:
    """When the first lines began."""
    return [round(begun, 6) for begun, *_ in heard.lines[:count]]


def end(heard: Heard, count: int) -> float:
    """When the last of the first lines began."""
    return heard.lines[count - 1][0] if count else 0.0


def shown_until(heard: Heard, count: int) -> list[tuple[float, object]]:
    """When the public page was told of a change, and what it showed, up to the last of the first lines.

    The story of a game, with every secret, may be on it once the end has been heard.
    """
    return [(round(at, 6), replace(page, story=None)) for at, page in heard.pages if at <= end(heard, count)]


# Lengths


def note_lengths(found: Findings, two: Pair, heard: tuple[Heard, Heard], count: int) -> None:
    """Put the silences of both worlds into pools, by what differs in secret where they were waited."""
    steps = [{step.place: step for step in game.steps} for game in (two.one, two.other)]
    waits = [{lines: steps[side][place] for place, lines in world.waits.items()} for side, world in enumerate(heard)]
    before: dict[str, tuple[float, float]] = {}
    for lines in range(1, count):
        one, other = (world.silence(lines) for world in heard)
        first, second = (at.get(lines) for at in waits)
        name, turned = compared(sort_of(first), sort_of(second))
        if name != DAY:
            found.add(name, *((other, one) if turned else (one, other)))
        if first and second and first.place[1] == "night" and name != SHOWS:
            if name == f"{ANSWERS}/{IDLE}" and (last := before.get(first.call)):
                changes = abs(log(one / last[0])), abs(log(other / last[1]))
                found.add(f"change: {name}", *(changes[::-1] if turned else changes))
            before[first.call] = one, other


NOTHING, DAY, IDLE, SHOWS, ANSWERS, CHOOSES = "nothing", "day", "nobody", "shows", "somebody", "after a death"
"""What the judge is waited for: by day, when he goes on as ever, nothing is compared."""


def sort_of(step: Step | None) -> str:
    """What the judge is waited for, if he is."""
    if step is None:
        return NOTHING
    if step.kind == "choose":
        return "acts" if step.acts else "declines"
    return {"idle": IDLE, "identify": SHOWS, "show": ANSWERS, "react": CHOOSES}.get(step.kind, DAY)


def compared(one: str, other: str) -> tuple[str, bool]:
    """The pool for two silences, and whether they change sides in it."""
    if one == other:
        return one, False
    if IDLE in (one, other):
        return f"{ANSWERS}/{IDLE}", one == IDLE
    return "/".join(sorted((one, other))), one > other
