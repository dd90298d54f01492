"""A whole game of the classic edition for twelve, led by a thumb, from the code to the winner."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.webpanel.phones import SMALL, USUAL, Hall, Thumb

pytestmark = pytest.mark.browser

PLAYERS = ("Ada", "Bruno", "Chloé", "Dario", "Elena", "Finn", "Grace", "Hugo", "Inés", "Jun", "Kaya", "Liam")
Picture = Callable[[Page, str], None]


@pytest.mark.parametrize("size", [USUAL, pytest.param(SMALL, marks=pytest.mark.slow)], ids=["390x844", "320x568"])
def test_a_whole_game_is_led_by_tapping(hall: Hall, size: tuple[int, int], picture: Picture) -> None:
    phone = hall.phone(size)
    screen = hall.screen()
    keep: Picture = picture if size == USUAL else lambda page, name: None
    pair(phone)
    set_up(phone, keep)
    screen.sees("Welcome, everyone")
    night_one(hall, phone, keep)
    day_one(hall, phone, screen, keep)
    for number, (killed, out) in enumerate([(9, 2), (10, 3)], 2):
        later_night(hall, phone, number, killed, suspect=out)
        later_day(hall, phone, number, out)
    assert hall.house.state.winner == "good"
    the_end(hall, phone, screen, keep)


def pair(phone: Thumb) -> None:
    with phone.expecting("401"):
        phone.open("/")
        phone.sees("This phone is not at the table")
        phone.look_over()
    phone.open("/pair/s3cret-of-tests")
    phone.look_over()
    phone.page.tap("button.main")
    phone.sees("New game")


def set_up(phone: Thumb, picture: Picture) -> None:
    page = phone.page
    phone.look_over()
    phone.sheet("rulesets")
    phone.look_over()
    page.tap("dialog[open] button[value=killers-2]")
    page.wait_for_selector("dialog#rulesets:not([open])", state="attached")
    steps = 12 - int(page.input_value("#seats"))
    for _ in range(abs(steps)):
        page.tap(f'[data-for=seats][data-step="{1 if steps > 0 else -1}"]')
    phone.page.wait_for_function("() => document.querySelectorAll('input[name=names]').length === 12")
    page.tap("#names summary")
    for seat, name in enumerate(PLAYERS, 1):
        page.fill(f"#name-{seat}", name)
    page.tap("#names summary")
    page.wait_for_function("() => document.querySelector('#names .value').textContent === '12 of 12'")
    page.tap("#options summary")
    page.tap("#voice summary")
    phone.look_over()
    page.tap("#options summary")
    page.tap("#voice summary")
    page.evaluate("scrollTo(0, 0)")
    picture(page, "panel-setup")
    assert page.input_value("#count-killer") == "3"
    phone.act('form[data-post="/do/start"] button')


def night_one(hall: Hall, phone: Thumb, picture: Picture) -> None:
    phone.look_over()
    phone.act("main button.main")
    hall.house.hear_all()
    phone.look_over()
    assert phone.heading == "Night 1 · killer"
    assert phone.page.is_disabled("[data-confirm]")
    phone.seats(1, 2)
    assert phone.page.is_disabled("[data-confirm]")
    phone.seats(3, 4)
    phone.sees("No more than 3.")
    phone.confirm()
    hall.house.hear_all()
    phone.seats(8)
    phone.sees("Record: 8")
    picture(phone.page, "panel-night")
    phone.confirm()
    hall.house.hear_all()
    phone.sees("8 Hugo")
    phone.seats(4, 5, 6)
    phone.confirm()
    hall.house.hear_all()
    phone.seats(1)
    phone.confirm()
    phone.look_over()
    assert phone.page.get_attribute(".shown", "data-sign") == "yes"
    hall.house.hear_all()
    picture(phone.page, "panel-thumb")
    phone.act("main button.main")
    hall.house.hear_all()


def day_one(hall: Hall, phone: Thumb, screen: Thumb, picture: Picture) -> None:
    assert phone.heading == "Day 1 · last words"
    phone.look_over()
    phone.sees("Seat 8 · Hugo")
    phone.act("main button.main")
    hall.house.hear_all()
    phone.look_over()
    phone.sees("Next: 6")
    screen.sees("Seat 7 · Grace is speaking")
    phone.act(".confirm .main")
    picture(phone.page, "panel-day")
    phone.act("button[value=back]")
    phone.act("button[value=to_vote]")
    hall.house.hear_all()
    phone.look_over()
    phone.page.tap(".confirm [name=call]")
    hall.house.hear_all()
    screen.sees("Votes for Seat 9 · Inés?")
    phone.hands(_1=5, _2=3)
    assert phone.page.inner_text("[data-panel=hands] [data-cast]") == "8"
    assert phone.page.inner_text("[data-panel=hands] [data-rest]") == "3"
    picture(phone.page, "panel-vote")
    picture(screen.page, "table-vote")
    phone.page.tap("[data-tab=ballots]")
    phone.look_over()
    phone.page.tap("[data-tab=hands]")
    phone.confirm()
    hall.house.hear_all()
    screen.sees("Result")
    phone.sees("Seat 1 · Ada")
    phone.act("main button.main")


def later_night(hall: Hall, phone: Thumb, number: int, killed: int, suspect: int) -> None:
    hall.house.hear_all()
    assert phone.heading == f"Night {number} · killer"
    phone.look_over()
    phone.seats(killed)
    phone.confirm()
    hall.house.hear_all()
    phone.seats(suspect)
    phone.confirm()
    hall.house.hear_all()
    phone.act("main button.main")
    hall.house.hear_all()


def later_day(hall: Hall, phone: Thumb, number: int, out: int) -> None:
    while hall.house.asked == "last_words":
        phone.act("main button.main")
    assert phone.heading == f"Day {number} · speeches"
    phone.act("button[value=to_vote]")
    phone.hands(**{f"_{out}": 6})
    phone.confirm()
    while hall.house.asked == "last_words":
        phone.act("main button.main")
    hall.house.hear_all()


def the_end(hall: Hall, phone: Thumb, screen: Thumb, picture: Picture) -> None:
    phone.sees("The winner: the good side")
    phone.look_over()
    hall.house.hear_all()
    screen.sees("The whole story")
    assert "Ada" in screen.page.inner_text(".story") or "player 1" in screen.page.inner_text(".story")
    picture(screen.page, "table-over")
    picture(phone.page, "panel-over")
    for names in (("menu", "record"), ("menu", "overview"), ("menu", "roles"), ("menu", "sound"), ("menu", "phones")):
        phone.sheet(*names)
        phone.look_over()
        phone.shut()
    phone.act('form[data-post="/do/new"] button')
    phone.sees("New game")
