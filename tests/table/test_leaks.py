"""A night tells nothing: same lines, same times, whoever holds a card, lives, acts, or has spent a power."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.table.hall import Hall
from tests.table.samples import kolmogorov_smirnov

HOLDERS = {"killer": [1, 2, 3, 4], "police": [5, 6], "doctor": [7], "secret_police": [8]}


class World:
    """A table of fourteen with a doctor, played to the second night; what follows is written down."""

    def __init__(
        self, home: Path, seed: int, holders: Mapping[str, list[int]], first: dict[str, Any], **more: Any
    ) -> None:
        """`first` is what is done in the first night; `more` is how (`delay`)."""
        self.hall = Hall(home, seed)
        self.hall.start(seats=14, ruleset="killers-3")
        self.hall.night(first, holders, **more)
        self.hall.day()
        self.start = len(self.hall.speaker.lines)

    def night(self, acts: dict[str, Any], delay: Callable[[], float]) -> World:
        self.hall.night(acts, delay=delay)
        return self

    @property
    def texts(self) -> list[str]:
        return [text for _, _, text in self.hall.speaker.lines[self.start :]]

    @property
    def times(self) -> list[float]:
        """When each line began, counted from the first."""
        lines = self.hall.speaker.lines[self.start :]
        return [round(moment - lines[0][0], 6) for moment, _, _ in lines]

    def open_for(self, step: str) -> float:
        """Seconds from the end of that call's question to its closing line."""
        lines, spans = self.hall.speaker.lines[self.start :], self.hall.speaker.spans[self.start :]
        asked = next(end for (_, key, _), (_, end) in zip(lines, spans, strict=True) if key == f"calls.{step}.ask")
        return next(moment for moment, key, _ in lines if key == f"calls.{step}.close") - asked


# Each pair differs in one secret. What the table may know (who died, who was voted out) is the same in both.
PAIRS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "the doctor is dead, or another seat holds the card": (
        {"doctor": [7], "secret_police": [8]},
        {"killer": {"target": 7}},
        {"doctor": [9], "secret_police": [8]},
        {"killer": {"target": 7}},
    ),
    "the secret police has spent its power, or kept it": (
        {"doctor": [7], "secret_police": [8]},
        {"killer": {"target": 9}, "secret_police": {"target": 9}},
        {"doctor": [7], "secret_police": [8]},
        {"killer": {"target": 9}},
    ),
    "the doctor holds one seat or another": (
        {"doctor": [7], "secret_police": [8]},
        {"killer": {"target": 10}},
        {"doctor": [11], "secret_police": [8]},
        {"killer": {"target": 10}},
    ),
}


def pair(home: Path, name: str, seeds: tuple[int, int]) -> tuple[World, World]:
    one, first, other, second = PAIRS[name]
    return (
        World(home / f"{seeds[0]}a", seeds[0], {**HOLDERS, **one}, first),
        World(home / f"{seeds[1]}b", seeds[1], {**HOLDERS, **other}, second),
    )


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("seed", range(3))
def test_with_the_same_chance_the_night_is_the_same_to_the_millisecond(tmp_path: Path, name: str, seed: int) -> None:
    one, other = pair(tmp_path, name, (seed, seed))
    acts = {"killer": {"target": 12}}
    for world in (one, other):
        taps = random.Random(seed)
        world.night(acts, lambda taps=taps: taps.uniform(0.2, 3.0))  # type: ignore[misc]
    assert one.texts == other.texts
    assert one.times == other.times


@pytest.mark.parametrize("act", [None, {"target": 13}])
def test_acting_and_declining_sound_the_same(tmp_path: Path, act: dict[str, Any] | None) -> None:
    worlds = [World(tmp_path / str(place), 7, HOLDERS, {"killer": {"target": 9}}) for place in range(2)]
    for world, acts in zip(worlds, ({}, {"doctor": act or {"target": 10}}), strict=True):
        world.night({"killer": {"target": 12}, **acts}, lambda: 2.0)
    assert worlds[0].texts == worlds[1].texts
    assert worlds[0].times == worlds[1].times


def test_early_and_late_taps_are_followed_by_the_same_pauses(tmp_path: Path) -> None:
    worlds = [World(tmp_path / str(place), 3, HOLDERS, {"killer": {"target": 9}}) for place in range(2)]
    for world, delay in zip(worlds, (1.0, 40.0), strict=True):
        world.night({"killer": {"target": 12}}, lambda delay=delay: delay)
    assert worlds[0].texts == worlds[1].texts
    for after in ("close", "open"):
        gaps = [gaps_after(world, after) for world in worlds]
        assert gaps[0] == pytest.approx(gaps[1])


def gaps_after(world: World, part: str) -> list[float]:
    """The silences after the lines of that kind."""
    lines, spans = world.hall.speaker.lines[world.start :], world.hall.speaker.spans[world.start :]
    following = zip(lines, spans, spans[1:], strict=False)
    return [after[0] - span[1] for (_, key, _), span, after in following if key.endswith(part)]


def duration(home: Path, seed: int, doctor: int, tap: Callable[[random.Random], float]) -> float:
    """How long the doctor's call is open on the second night, after seat 7 has died on the first."""
    taps = random.Random(seed)
    holders = {**HOLDERS, "doctor": [doctor]}
    world = World(home / str(seed), seed, holders, {"killer": {"target": 7}}, delay=lambda: tap(taps))
    world.night({"killer": {"target": 12}}, lambda: tap(taps))
    world.hall.table.close()
    return world.open_for("doctor")


def durations(home: Path, tap: Callable[[random.Random], float]) -> tuple[list[float], list[float]]:
    """The same of many tables, no two with the same chance: with a living doctor, with a dead one."""
    alive = [duration(home, seed, 9, tap) for seed in range(0, 80, 2)]
    return alive, [duration(home, seed, 7, tap) for seed in range(1, 80, 2)]


def test_calls_of_living_and_dead_last_alike_when_the_judge_is_quick(tmp_path: Path) -> None:
    alive, dead = durations(tmp_path, lambda taps: taps.uniform(0.5, 4.0))
    assert min(alive + dead) >= 6.0
    assert kolmogorov_smirnov(alive, dead) > 0.05


def test_calls_of_living_and_dead_last_alike_when_the_judge_is_slow(tmp_path: Path) -> None:
    alive, dead = durations(tmp_path, lambda taps: taps.uniform(5.0, 25.0))
    assert kolmogorov_smirnov(alive, dead) > 0.05


def test_the_test_of_distributions_sees_a_difference() -> None:
    chance = random.Random(1)
    one = [chance.uniform(6, 12) for _ in range(60)]
    assert kolmogorov_smirnov(one, [chance.uniform(6, 12) for _ in range(60)]) > 0.05
    assert kolmogorov_smirnov(one, [chance.uniform(8, 14) for _ in range(60)]) < 0.01


def dawn_after(home: Path, angel: int, tap: float) -> tuple[list[str], list[float]]:
    """The first dawn of an edition where a death may set off a choice; seat 8 dies, and the choice is declined."""
    hall = Hall(home, 5)
    hall.start(seats=12, ruleset="box-angel-devil")
    holders = {"killer": [1, 2, 3], "police": [4, 5, 6], "angel": [angel], "devil": [7]}
    hall.tap("begin")
    while hall.state.stage == "night":
        hall.until("waiting")
        hall.tap_at_night({"killer": {"target": 8}}, holders)
        hall.run(0.5)
    for _ in range(400):
        if hall.prompt == "react" and hall.rests("waiting"):
            hall.run(tap)
            hall.tap("react", target=None)
        hall.run(0.25)
    lines = hall.speaker.lines
    start = next(place for place, (_, key, _) in enumerate(lines) if key == "dawn.breaks")
    return [text for _, _, text in lines[start:]], [moment - lines[start][0] for moment, _, _ in lines[start:]]


def test_a_choice_set_off_by_a_death_and_declined_is_not_heard(tmp_path: Path) -> None:
    due, none = dawn_after(tmp_path / "due", 8, 0.0), dawn_after(tmp_path / "none", 9, 0.0)
    assert due[0] == none[0]
    assert due[0][1:3] == ["Last night, player 8 died.", "Player 8, your last words, please."]
    assert due[1] == pytest.approx(none[1])


def test_a_step_that_is_not_spoken_of_is_covered_like_any_other(tmp_path: Path) -> None:
    worlds = []
    for place, delay in enumerate((0.5, 4.0)):
        hall = Hall(tmp_path / str(place), 6)
        hall.start(seats=12, ruleset="dual-identity", options={"crooked_judge": True})
        hall.night({"killer": {}, "judge": {"target": 3} if place else {}}, delay=lambda delay=delay: delay)
        lines = [(moment, key) for moment, key, _ in hall.speaker.lines]
        closed = next(moment for moment, key in lines if key == "calls.killer.close")
        worlds.append([round(moment - closed, 6) for moment, _ in lines if moment >= closed][:4])
    assert worlds[0] == worlds[1]
    assert worlds[0][1] > 6.0
