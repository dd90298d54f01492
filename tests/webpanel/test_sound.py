"""The sound check: everything that is heard, on one sheet."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.webpanel.house import House
from tests.webpanel.phones import Hall


def test_the_sheet_has_everything_that_is_heard(house: House) -> None:
    shown = house.judge().get("/fragment").text
    for name in ("lead_in", "volume", "speed", "ambience_night", "ambience_day"):
        assert re.search(rf'<input type="range" [^>]*name="{name}"', shown), name
    assert 'value="sound_check"' in shown
    assert 'name="lead_in" min="0" max="1500" step="100" value="400"' in shown
    assert 'name="ambience_night" min="0" max="100" step="5" value="20"' in shown
    assert 'name="ambience_day" min="0" max="100" step="5" value="0"' in shown


def test_what_is_moved_is_taken_and_kept(house: House) -> None:
    judge = house.judge()
    answer = judge.act("/do/configure", sound_sent="1", lead_in="900", ambience="1", ambience_night="55", volume="60")
    assert answer.status_code == 200
    settings = house.table.settings
    assert (settings.lead_in, settings.ambience, settings.faint_noise) == (0.9, True, False)
    assert (settings.ambience_night, settings.volume) == (55, 60)
    judge.act("/do/configure", sound_sent="1", faint_noise="1")
    assert (house.table.settings.ambience, house.table.settings.faint_noise) == (False, True)


def test_a_lead_in_out_of_range_is_refused(house: House) -> None:
    assert house.judge().act("/do/configure", lead_in="1600").status_code == 422


def test_names_are_said_once_the_switch_is_on_in_the_middle_of_a_game_too(house: House) -> None:
    judge = house.judge()
    off = '<input type="checkbox" name="names_spoken" value="1">'
    assert judge.get("/fragment").text.count(off) == 1
    judge.act("/do/configure", names_spoken_sent="1", names_spoken="1")
    assert house.table.settings.names_spoken
    house.start(names=["Anna"] * 12)
    shown = judge.get("/fragment").text
    assert off not in shown
    assert '<input type="checkbox" name="names_spoken" value="1" checked>' in shown
    judge.act("/do/configure", sound_sent="1")
    assert house.table.settings.names_spoken
    judge.act("/do/configure", names_spoken_sent="1")
    assert not house.table.settings.names_spoken


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Say players"), ("es", "Decir también los nombres"), ("zh-Hans", "也念"), ("zh-Hant", "也唸")],
)
def test_the_switch_of_names_is_there_in_every_language(tmp_path: Path, language: str, words: str) -> None:
    house = House(tmp_path, language=language)
    assert words in house.judge().get("/fragment").text
    house.close()


def test_the_switch_of_names_is_tapped_and_stays_as_it_was_left(hall: Hall) -> None:
    judge = hall.judge()
    judge.page.tap("#voice summary")
    for wanted in (True, False):
        judge.page.tap("label.switch:has([name=names_spoken])")
        judge.until(lambda wanted=wanted: hall.house.table.settings.names_spoken is wanted)
        judge.page.wait_for_function("() => !document.querySelector('[data-sending]')")
        assert judge.page.is_checked("[name=names_spoken]") is wanted
    judge.look_over()


def test_a_slider_says_its_value_in_its_own_unit(hall: Hall) -> None:
    judge = hall.judge()
    judge.page.tap("#voice summary")
    judge.page.evaluate(
        "() => { const range = document.getElementById('lead'); range.value = 700;"
        "range.dispatchEvent(new Event('input', {bubbles: true}));"
        "range.dispatchEvent(new Event('change', {bubbles: true})) }"
    )
    assert judge.page.inner_text("output[for=lead]") == "700 ms"
    judge.page.wait_for_function("() => !document.querySelector('[data-sending]')")
    judge.until(lambda: hall.house.table.settings.lead_in == 0.7)
    judge.look_over()
