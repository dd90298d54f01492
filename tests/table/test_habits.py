"""A call nobody can answer lasts as long as the judge would have needed, and tells nothing of the night before."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from pathlib import Path
from random import Random

import pytest

from narrator.table.game import took_of
from narrator.table.stage.habits import ENOUGH, IN_TIME, LONGEST, Habits
from narrator.table.stage.pauses import COVER, OPEN, OPEN_UNKNOWN, SETTLED, SHOWN, Pauses
from tests.table.hall import Hall
from tests.table.samples import apart

STEPS = ("killer", "police", "doctor", "sniper")
EVENINGS, NIGHTS = 500, 4
ALLOWED = 0.18
"""How far the two kinds of nights may lie apart. Chance alone makes it 0.05 or 0.08; times that were simply drawn again
from those of the step would make it 0.4 to 0.65 from one night to the next."""

Taps = Callable[[str], float]
Manner = Callable[[Random], Taps]


def steady(median: float, spread: float) -> Manner:
    """A judge with a usual time for each step, off which he is by chance."""

    def of_an_evening(chance: Random) -> Taps:
        usual = {step: chance.gauss(0, 0.3) + chance.gauss(0, 0.2) for step in STEPS}
        return lambda step: median * exp(usual[step] + chance.gauss(0, spread))

    return of_an_evening


def even(chance: Random) -> Taps:
    """A judge who takes any time between 5 and 25 seconds."""
    return lambda step: chance.uniform(5, 25)


def torn(chance: Random) -> Taps:
    """A judge who is either quick or long."""
    return lambda step: chance.uniform(2, 5) if chance.random() < 0.6 else chance.uniform(12, 30)


MANNERS: dict[str, Manner] = {
    "quick": steady(4, 0.4),
    "slow": steady(9, 0.4),
    "very slow": steady(15, 0.3),
    "unsteady": steady(12, 0.7),
    "even": even,
    "torn": torn,
}


def evening(seed: int, manner: Manner, dies: int) -> list[float]:
    """How long the doctor's calls are open, night by night; from the night `dies` on nobody answers them."""
    chance = Random(seed)
    habits, pauses, taps = Habits(chance), Pauses(chance), manner(chance)
    times = []
    for night in range(NIGHTS):
        for step in STEPS:
            seconds = habits.draw(step)
            if step != "doctor" or night < dies:
                seconds = taps(step)
                habits.note(step, seconds)
            if step == "doctor":
                times.append(max(pauses.within(OPEN), seconds + pauses.within(COVER)))
    return times


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("dies", [1, 2])
def test_neither_a_call_nor_its_likeness_to_the_last_tells_who_is_dead(manner: str, dies: int) -> None:
    alive = [evening(seed, MANNERS[manner], NIGHTS) for seed in range(EVENINGS)]
    dead = [evening(seed, MANNERS[manner], dies) for seed in range(EVENINGS, 2 * EVENINGS)]
    for night in range(dies, NIGHTS):
        assert apart([times[night] for times in alive], [times[night] for times in dead]) < ALLOWED
        assert apart(*(changes(times, night) for times in (alive, dead))) < ALLOWED


def changes(evenings: list[list[float]], night: int) -> list[float]:
    """How much longer or shorter a call was than the night before."""
    return [abs(log(times[night] / times[night - 1])) for times in evenings]


def test_every_draw_takes_the_same_chance_whatever_is_known() -> None:
    chances = [Random(1) for _ in range(4)]
    for known, chance in enumerate(chances):
        habits = Habits(chance)
        for step in STEPS[:known]:
            for seconds in (0.5, 7.0, 30.0):
                habits.note(step, seconds * known)
        habits.draw("police")
    assert all(chance.getstate() == chances[0].getstate() for chance in chances)


def test_a_judge_never_seen_late_is_taken_to_be_in_time() -> None:
    habits = Habits(Random(1))
    assert habits.draw("hit") == IN_TIME
    for seconds in (0.0, 0.7, IN_TIME):
        habits.note("hit", seconds)
    assert {habits.draw(step) for step in ("hit", "treat") for _ in range(20)} == {IN_TIME}


@pytest.mark.parametrize("least", [OPEN, OPEN_UNKNOWN, SHOWN, SETTLED])
def test_a_tap_in_time_is_in_time_for_every_hold(least: tuple[float, float]) -> None:
    assert IN_TIME + COVER[1] <= least[0]


def test_a_step_that_takes_longer_is_known_for_it() -> None:
    habits = Habits(Random(1))
    for seconds in (8, 9, 10, 11, 12) * 2:
        habits.note("hit", seconds * 2)
        habits.note("check", seconds)
        habits.note("treat", seconds)
    medians = [sorted(habits.draw(step) for _ in range(401))[200] for step in ("hit", "check")]
    assert medians == pytest.approx([18, 10], rel=0.15)


def test_the_only_time_of_a_step_is_not_drawn_again() -> None:
    habits = Habits(Random(1))
    for seconds in (9.0, 10.0, 11.0):
        habits.note("hit", seconds)
    habits.note("treat", 40.0)
    drawn = [habits.draw("treat") for _ in range(200)]
    assert sum(34.0 < seconds < 46.0 for seconds in drawn) < 20
    for _ in range(ENOUGH):
        habits.note("treat", 40.0)
    drawn = [habits.draw("treat") for _ in range(200)]
    assert sum(34.0 < seconds < 46.0 for seconds in drawn) > 20


def test_a_judge_called_away_does_not_slow_the_night_for_ever() -> None:
    habits = Habits(Random(1))
    habits.note("hit", 3600.0)
    assert max(habits.draw("hit") for _ in range(200)) <= LONGEST
    for _ in range(12):
        habits.note("hit", 5.0)
    assert sorted(habits.draw("hit") for _ in range(101))[50] == pytest.approx(5.0, rel=0.2)


def test_a_game_that_is_gone_on_with_keeps_the_pace_of_its_judge(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(ruleset="killers-2", seats=12)
    holders = {"killer": [1, 2, 3], "police": [4, 5, 6]}
    hall.night({"killer": {"target": 8}, "police": {"target": 1}}, holders, lambda: 14.0)
    first = hall.table
    known = [first.stage.habits.draw("killer") for _ in range(50)]
    first.close()
    resumed = hall.open()
    assert {resumed.stage.habits.draw("killer") for _ in range(50)} == {IN_TIME}
    resumed.resume(resumed.interrupted()[0].id)
    again = [resumed.stage.habits.draw("killer") for _ in range(50)]
    assert min(known) > 5
    assert min(again) > 5
    assert resumed.stage.habits.times == {
        step: [pytest.approx(time, abs=1e-3) for time in times] for step, times in first.stage.habits.times.items()
    }


@pytest.mark.parametrize("took", [None, 3, [], ["killer"], ["killer", -1], [3, 3], ["killer", "3"], ["killer", 1, 2]])
def test_a_journal_without_a_sound_time_tells_no_pace(took: object) -> None:
    assert took_of({"took": took}) is None
    assert took_of({}) is None
    assert took_of({"took": ["killer", 4]}) == ("killer", 4.0)
