"""Nothing at night tells a secret, in any edition: pairs of games that differ in one secret, heard and timed.

NARRATOR_NIGHTS sets how many nights are compared for each edition: each once under the same chance with judges who are
in time, where everything is the same to the millisecond, and once under other chance with a slow judge, where lengths
come from one distribution.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import exp
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from filelock import FileLock

from narrator.loading.rulesets import shipped
from narrator.table.stage import cues, performance
from narrator.table.stage.conductor import Hold
from narrator.table.stage.habits import IN_TIME, Habits
from narrator.table.stage.pauses import COVER
from narrator.table.watch import Watches
from tests.amounts import amount
from tests.table.evening import Evening, InTime, Judge, Slow
from tests.table.listening import ANSWERS, IDLE, NOTHING, Findings, listen
from tests.table.secrets import pair

NIGHTS = int(os.environ.get("NARRATOR_NIGHTS", "20"))
"""Nights compared in each edition."""
LATE = amount("NARRATOR_LATE_TAPS", 2, 4)
"""Games of each edition in which one tap comes late."""
LEVEL = 0.001
"""How unlikely one distribution must be before it is doubted; every chance is seeded, so nothing fails by chance."""
ENOUGH = 40
"""Lengths in a pool from which on it is looked at."""

HOUSE = "house"
"""The werewolves where roles are shown as they are called, so that one left over might be called too briskly."""
EDITIONS = [*shipped(), "killers-2+bubble", HOUSE]
ALIVE_OR_DEAD = f"{ANSWERS}/{IDLE}"


@contextmanager
def two_tables(edition: str) -> Iterator[tuple[Evening, Evening]]:
    """Two tables for the same edition."""
    with TemporaryDirectory() as folder:
        homes = [Path(folder) / world for world in ("one", "other")]
        for home in homes:
            write_house_rules(home / "rules")
        tables = [Evening(home, edition) for home in homes]
        yield tables[0], tables[1]
        for table in tables:
            table.close()


def write_house_rules(folder: Path) -> None:
    folder.mkdir(parents=True)
    text = shipped()["box-werewolf"].read_text(encoding="utf-8")
    changed = text.replace("id: box-werewolf\n", f"id: {HOUSE}\n").replace("identify: first\n", "")
    (folder / f"{HOUSE}.yaml").write_text(changed, encoding="utf-8")


@pytest.fixture(scope="session")
def findings(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Callable[[str], Findings]:
    """What was found in an edition, by whichever test process asks first; AssertionError if a secret is told."""
    base = tmp_path_factory.getbasetemp()
    folder = base if worker_id == "master" else base.parent

    def found(edition: str) -> Findings:
        kept = folder / f"{edition}.findings"
        with FileLock(f"{kept}.lock"):
            if not kept.exists():
                with two_tables(edition) as (one, other):
                    kept.write_bytes(pickle.dumps(listen(one, other, NIGHTS, edition)))
            loaded: Findings = pickle.loads(kept.read_bytes())
            return loaded

    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_night_tells_no_secret(edition: str, findings: Callable[[str], Findings]) -> None:
    found = findings(edition)
    print(f"{edition}: {found}")
    assert found.nights >= NIGHTS
    assert found.lines > 20 * NIGHTS
    assert {name: chance for name, chance in found.chances(ENOUGH).items() if chance < LEVEL} == {}


def test_lengths_are_of_one_distribution_over_all_editions_together(findings: Callable[[str], Findings]) -> None:
    together = Findings()
    for edition in EDITIONS:
        for name, pool in findings(edition).pools.items():
            for one, other in zip(*pool, strict=True):
                together.add(name, one, other)
    chances = together.chances(ENOUGH)
    print(together)
    assert {ALIVE_OR_DEAD, f"change: {ALIVE_OR_DEAD}", "acts", NOTHING} <= chances.keys()
    assert {name: chance for name, chance in chances.items() if chance < LEVEL} == {}


class LateOnce:
    """A judge in time but for one tap."""

    def __init__(self, judge: Judge, tap: int) -> None:
        self.judge, self.left = judge, tap

    def wait(self, kind: str, call: str) -> float | None:
        wait, self.left = self.judge.wait(kind, call), self.left - 1
        return 30.0 if self.left == -1 else wait


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_late_tap_changes_no_other_silence_but_of_those_that_follow_the_judges_pace(edition: str) -> None:
    with two_tables(edition) as (one, other):
        for seed in range(LATE):
            chance = Random(f"{edition} {seed}")
            game = pair(one.ruleset, chance, {}).one
            taps = sum(step.kind in ("identify", "choose", "show", "react") for step in game.steps)
            heard = one.play(game, seed, InTime(Random(seed)))
            late = other.play(game, seed, LateOnce(InTime(Random(seed)), chance.randrange(taps)))
            assert [line[1:] for line in heard.lines] == [line[1:] for line in late.lines]
            changed = [
                lines for lines in range(1, len(heard.lines)) if abs(heard.silence(lines) - late.silence(lines)) > 1e-6
            ]
            answered = {lines for place, lines in late.waits.items() if place[3:] != ("idle",)}
            assert changed[0] in answered
            assert 30.0 + COVER[0] <= late.silence(changed[0]) <= 32.0 + COVER[1]
            assert answered.isdisjoint(changed[1:])


# The test sees leaks


def leaky(monkeypatch: pytest.MonkeyPatch, changed: Callable[[Hold], None]) -> None:
    """Let something be done to the hold of every call."""
    plain = performance.call_hold

    def call_hold(*args: Any) -> Hold:
        hold = plain(*args)
        changed(hold)
        return hold

    monkeypatch.setattr(performance, "call_hold", call_hold)


def heard_nights(edition: str, nights: int = 60, **options: bool) -> Findings:
    with two_tables(edition) as (one, other):
        return listen(one, other, nights, "leak", **options)


def test_it_notices_that_the_dead_are_called_a_second_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    def longer(hold: Hold) -> None:
        hold.least += hold.idle

    leaky(monkeypatch, longer)
    with pytest.raises(AssertionError, match="a moment tells"):
        heard_nights("killers-4")


def test_it_notices_that_the_dead_are_not_called() -> None:
    with pytest.raises(AssertionError, match="the calls of a night tell"):
        heard_nights("killers-4", call_dead_roles=False)


def test_it_notices_that_the_public_page_is_told_of_the_judges_taps(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Watches.tick

    def tick(watches: Watches, audience: str) -> None:
        plain(watches, audience)
        plain(watches, "public")

    monkeypatch.setattr(Watches, "tick", tick)
    with pytest.raises(AssertionError, match="the public page tells"):
        heard_nights("killers-2")


def test_it_notices_that_nobody_is_waited_for_after_a_death_that_sets_off_no_choice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cues, "SETTLED", (0.5, 1.0))
    with pytest.raises(AssertionError, match="a moment tells"):
        heard_nights("box-werewolf", 200)


def test_it_notices_that_a_card_left_over_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cues, "steps_that_show", lambda setup: frozenset())
    with pytest.raises(AssertionError, match="a moment tells left over"):
        heard_nights(HOUSE, 300)


# Much must be heard before one distribution can be told from another.


def drawn(monkeypatch: pytest.MonkeyPatch, time: Callable[[Habits, str], float]) -> dict[str, float]:
    """The chances of all pools if calls that nobody can answer take other times than a slow judge's."""

    monkeypatch.setattr(Slow, "MEDIAN", 20.0)
    monkeypatch.setattr(Habits, "believable", lambda habits, step, place, blur: time(habits, step))
    return heard_nights("box-butterfly", 100, lengths_only=True).chances(15)


@pytest.mark.slow
def test_it_notices_that_a_slow_judge_is_not_waited_for_where_nobody_can_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert drawn(monkeypatch, lambda habits, step: IN_TIME)[ALIVE_OR_DEAD] < LEVEL


@pytest.mark.slow
def test_it_notices_that_a_call_nobody_can_answer_echoes_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    found = drawn(monkeypatch, lambda habits, step: exp(habits.times.get(step, [2.0])[-1]))
    assert found[f"change: {ALIVE_OR_DEAD}"] < LEVEL
    assert found[ALIVE_OR_DEAD] > LEVEL
