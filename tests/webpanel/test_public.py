"""The public page: what has been heard, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.webpanel.house import House


def page(house: House) -> str:
    return house.phone().get("/table/fragment").text


def test_before_the_game_it_says_that_nothing_has_begun(house: House) -> None:
    assert "The game has not begun yet." in page(house)


def test_it_shows_only_what_has_been_spoken(house: House) -> None:
    house.start()
    house.tap("begin")
    assert "Night 1" not in page(house)
    house.hear_all()
    assert "Night 1" in page(house)
    assert 'data-phase="night"' in page(house)


def test_two_games_that_differ_in_secrets_look_the_same(tmp_path: Path) -> None:
    pages = []
    for number, killers in enumerate(([1, 2, 3], [10, 11, 12])):
        house = House(tmp_path / str(number), seed=7)
        house.start()
        house.tap("begin")
        house.tap("identify", roles={"killer": killers})
        house.tap("choose", choice={"target": 8})
        house.tap("identify", roles={"police": [4, 5, 6]})
        house.tap("choose", choice={"target": 1})
        house.tap("proceed")
        house.pass_time(120)
        pages.append(page(house))
        house.close()
    assert pages[0] == pages[1]
    assert 'data-state="dead"' in pages[0]


def test_the_speaker_and_the_called_are_marked(house: House) -> None:
    house.start()
    house.night_one()
    house.hear_all()
    house.tap("proceed")
    house.hear_all()
    assert "Seat 7 is speaking" in page(house)
    assert page(house).count('data-state="speaks"') == 1
    house.tap("to_vote")
    house.hear_all()
    house.table.call("candidate", 9)
    house.hear_all()
    assert "Votes for Seat 9?" in page(house)
    assert page(house).count('data-state="called"') == 1
    house.table.call("abstain")
    house.hear_all()
    assert "Who abstains?" in page(house)


def test_the_result_and_the_tied_are_shown(house: House) -> None:
    house.start()
    house.night_one()
    house.tap("proceed")
    house.tap("to_vote")
    house.tap("vote", totals={1: 3, 2: 3, 5: 1})
    house.hear_all()
    shown = page(house)
    assert "Tied: 1, 2" in shown
    assert shown.count('data-state="tied"') + shown.count('data-state="speaks"') == 2
    assert "<b>3</b>" in shown


def test_the_speech_timer_runs_for_all_to_see(house: House) -> None:
    house.start(speech_seconds=60)
    house.night_one()
    house.hear_all()
    house.tap("proceed")
    house.hear_all()
    assert 'class="clock"' in page(house)


def test_after_the_end_it_tells_the_whole_story(house: House) -> None:
    house.start(names=["Ada"])
    house.night_one()
    house.tap("abandon")
    assert "went for" not in page(house)
    house.pass_time(300)
    shown = page(house)
    assert "The whole story" in shown
    assert "The killer went for" in shown


@pytest.mark.parametrize("seats", [8, 16])
def test_the_ring_keeps_its_seats_apart(house: House, seats: int) -> None:
    from webpanel.public import TablePage

    house.start("killers-2", seats)
    places = TablePage(house.table.public()).places
    for one, other in zip(places, [*places[1:], places[0]], strict=True):
        distance = ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5
        assert distance > one.radius + other.radius
        assert 0 <= one.x - one.radius <= one.x + one.radius <= 1000
