"""At night the phone gives next to no light, whatever it shows, and never flashes."""

from __future__ import annotations

import io
import os

import pytest
from playwright.sync_api import Page

from tests.webpanel.phones import Hall, Thumb

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

DARK = 4.0
"""Percent of a white screen's light that a page of the night may give."""
DIM = 45.0
"""Percent of full brightness that nothing on it may exceed."""


def light(page: Page) -> tuple[float, float]:
    """The mean luminance of what is on the screen, and that of its brightest thousandth, in percent of white."""
    import numpy as np
    import pygame.image
    import pygame.surfarray

    shown = pygame.surfarray.array3d(pygame.image.load(io.BytesIO(page.screenshot()), "shown.png"))
    linear = np.array([light_of(value / 255) for value in range(256)])[shown]
    luminance = linear @ np.array([0.2126, 0.7152, 0.0722])
    return 100 * float(luminance.mean()), 100 * float(np.quantile(luminance, 0.999))


def light_of(value: float) -> float:
    """How much light a part of a colour gives, both from 0 to 1."""
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)


@pytest.fixture
def judge(hall: Hall) -> Thumb:
    """The judge's phone in the first night."""
    found = hall.judge()
    hall.house.start()
    hall.house.tap("begin")
    hall.house.hear_all()
    found.page.wait_for_selector("html[data-phase=night]")
    return found


def dim_to(judge: Thumb, percent: int) -> None:
    judge.page.evaluate(
        "percent => { const slider = document.getElementById('dim'); slider.value = percent;"
        "slider.dispatchEvent(new Event('input', {bubbles: true})) }",
        percent,
    )


@pytest.mark.browser
def test_every_page_of_a_night_is_nearly_black(hall: Hall, judge: Thumb) -> None:
    seen = []
    for do, given in (
        ("identify", {"roles": {"killer": [1, 2, 3]}}),
        ("choose", {"choice": {"target": 8}}),
        ("identify", {"roles": {"police": [4, 5, 6]}}),
        ("choose", {"choice": {"target": 1}}),
    ):
        seen.append(light(judge.page))
        before = judge.revision
        hall.house.tap(do, **given)
        hall.house.hear_all()
        judge.page.wait_for_function("seen => document.getElementById('page').dataset.revision !== seen", arg=before)
    judge.page.wait_for_selector(".shown svg.thumb")
    seen.append(light(judge.page))
    judge.sheet("menu")
    seen.append(light(judge.page))
    assert max(mean for mean, _ in seen) < DARK, seen
    assert max(brightest for _, brightest in seen) < DIM, seen


@pytest.mark.browser
def test_the_thumb_stays_large_and_stands_out(hall: Hall, judge: Thumb) -> None:
    house = hall.house
    house.tap("identify", roles={"killer": [1, 2, 3]})
    house.tap("choose", choice={"target": 8})
    house.tap("identify", roles={"police": [4, 5, 6]})
    house.tap("choose", choice={"target": 1})
    house.hear_all()
    box = judge.page.wait_for_selector(".shown svg.thumb").bounding_box()
    assert box is not None
    assert box["width"] >= 0.35 * judge.width
    stroke, ground = judge.page.evaluate(
        "() => [getComputedStyle(document.querySelector('.shown svg.thumb')).stroke,"
        " getComputedStyle(document.getElementById('page')).backgroundColor]"
    )
    assert contrast(stroke, ground) >= 3, "as much as large signs need"


def contrast(one: str, other: str) -> float:
    """The contrast of two colours such as `rgb(1, 2, 3)`."""
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = map(light_of, parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.browser
def test_the_slider_takes_the_light_down_and_the_phone_remembers(judge: Thumb) -> None:
    judge.sheet("menu")
    sheet, _ = light(judge.page)
    dim_to(judge, 40)
    assert light(judge.page)[0] < 0.6 * sheet
    assert judge.page.inner_text("output[for=dim]") == "40 %"
    judge.shut()
    page, _ = light(judge.page)
    judge.page.reload()
    judge.page.wait_for_selector("html[data-phase=night]")
    judge.page.wait_for_function("() => document.documentElement.style.getPropertyValue('--light') === '0.4'")
    assert light(judge.page)[0] == pytest.approx(page, abs=0.05)
    judge.sheet("menu")
    assert judge.page.input_value("#dim") == "40"


@pytest.mark.browser
def test_by_day_nothing_is_dimmed(hall: Hall, judge: Thumb) -> None:
    dim_to(judge, 20)
    hall.house.tap("abandon")
    hall.house.hear_all()
    judge.page.wait_for_selector("html[data-phase=day]")
    assert judge.page.evaluate("getComputedStyle(document.body, '::after').content") == "none"


@pytest.mark.browser
def test_edges_and_the_browsers_own_bar_follow_the_night(hall: Hall, judge: Thumb) -> None:
    theme = "document.querySelector('meta[name=theme-color]').content"
    night = judge.page.evaluate(theme)
    grounds = "['html', 'body', '#page'].map(one => getComputedStyle(document.querySelector(one)).backgroundColor)"
    assert set(judge.page.evaluate(grounds)) == {"rgb(3, 2, 2)"}
    assert night == "#030202"
    hall.house.tap("abandon")
    judge.page.wait_for_selector("html[data-phase=day]")
    assert judge.page.evaluate(theme) == "#0b0c0f"


@pytest.mark.browser
def test_a_page_whose_style_is_still_on_its_way_is_dark_already(judge: Thumb) -> None:
    judge.page.route("**/*.css", lambda route: route.abort())
    judge.page.route("**/*.js", lambda route: route.abort())
    with judge.expecting("net::ERR_FAILED"):
        judge.page.reload()
        assert judge.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(3, 2, 2)"
        assert judge.page.evaluate("getComputedStyle(document.documentElement).colorScheme") in ("dark", "normal")
        assert judge.page.get_attribute("meta[name=color-scheme]", "content") == "dark"


@pytest.mark.browser
def test_the_public_screen_is_dark_at_night(hall: Hall) -> None:
    screen = hall.screen()
    hall.house.start()
    hall.house.tap("begin")
    hall.house.hear_all()
    screen.page.wait_for_selector("html[data-phase=night]")
    assert light(screen.page)[0] < DARK
