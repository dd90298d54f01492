"""The phone goes round: a card is on the page only while a thumb holds the button, and nowhere after that."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.webpanel.house import SECRET
from tests.webpanel.phones import SMALL, USUAL, Hall, Thumb

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HOLD = "[data-hold]"
Picture = Callable[[Page, str], None]


def press(phone: Thumb) -> None:
    """Put a thumb on the button, and leave it there."""
    phone.put_thumb_on(HOLD)
    phone.page.wait_for_selector(".hand .name")


def shown(phone: Thumb) -> list[str]:
    """The names on the cards that can be seen."""
    return phone.page.locator(".hand .name").all_inner_texts()


def release(phone: Thumb) -> None:
    phone.page.mouse.up()
    nothing_is_left(phone)


def nothing_is_left(phone: Thumb) -> None:
    """No card stands anywhere on the page, whether it can be seen or not."""
    phone.page.wait_for_function("() => !document.querySelector('[data-hand]')?.childNodes.length")
    assert phone.page.locator(".hand .name").count() == 0


def look(phone: Thumb) -> list[str]:
    """Press, read, let go."""
    press(phone)
    found = shown(phone)
    release(phone)
    return found


def begin(hall: Hall, ruleset: str, seats: int, size: tuple[int, int] = USUAL) -> Thumb:
    table = hall.house.table
    table.configure(table.revision, {"ruleset": ruleset, "seats": seats, "names": ["Ada", "Bruno"]})
    judge = hall.judge(size)
    judge.act('form[data-post="/deal"] button')
    return judge


@pytest.mark.parametrize("size", [USUAL, SMALL], ids=["390x844", "320x568"])
def test_the_phone_goes_round_and_the_game_needs_no_identification(hall: Hall, size: tuple[int, int]) -> None:
    judge = begin(hall, "killers-2", 8, size)
    judge.sees("Seat 1 · Ada")
    judge.look_over()
    seen = {}
    for seat in range(1, 9):
        assert judge.page.is_disabled("[data-after-look]")
        (seen[seat],) = look(judge)
        judge.act("[data-after-look]")
    judge.sees("Everybody has seen their cards")
    judge.look_over()
    judge.act('form[data-post="/do/start"] button')
    hands = hall.house.state.setup.hands
    assert hands is not None
    assert {seat: role for seat, (role,) in hands.items()} == seen
    judge.act("main button.main")
    assert hall.house.asked == "choose"
    hall.house.table.close()
    assert '"hands"' in next(hall.house.folders.games.iterdir()).read_text("utf-8").splitlines()[0]


def test_a_card_is_gone_when_the_window_loses_the_thumb_the_focus_or_the_sight(hall: Hall) -> None:
    judge = begin(hall, "killers-2", 8)
    for loss in ("blur", "pagehide"):
        press(judge)
        judge.page.evaluate("loss => window.dispatchEvent(new Event(loss))", loss)
        nothing_is_left(judge)
        judge.page.mouse.up()
    press(judge)
    judge.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    nothing_is_left(judge)
    judge.page.mouse.up()


def test_a_tap_shows_nothing_and_asks_for_nothing(hall: Hall) -> None:
    judge = begin(hall, "killers-2", 8)
    asked: list[str] = []
    judge.page.on("request", lambda request: asked.append(request.url))
    judge.page.clock.install()
    judge.page.tap(HOLD)
    judge.page.clock.run_for(5000)
    assert not [url for url in asked if url.endswith("/deal/look")]
    assert judge.page.is_disabled("[data-after-look]")


def test_the_keyboard_holds_too(hall: Hall) -> None:
    judge = begin(hall, "killers-2", 8)
    judge.page.focus(HOLD)
    judge.page.keyboard.down("Space")
    judge.page.wait_for_selector(".hand .name")
    judge.page.keyboard.up("Space")
    nothing_is_left(judge)


def test_a_card_vanishes_from_one_phone_when_another_hands_on(hall: Hall) -> None:
    judge = begin(hall, "killers-2", 8)
    press(judge)
    hall.house.table.hand_on(hall.house.table.revision, 1)
    judge.sees("Seat 2 · Bruno")
    nothing_is_left(judge)
    judge.page.mouse.up()


def test_neither_address_nor_history_nor_the_way_back_tells_a_card(hall: Hall) -> None:
    judge = begin(hall, "killers-2", 8)
    before = judge.page.evaluate("history.length")
    look(judge)
    assert judge.page.evaluate("history.length") == before
    judge.open("/table")
    judge.page.go_back()
    judge.page.wait_for_selector(HOLD)
    nothing_is_left(judge)
    assert judge.page.is_disabled("[data-after-look]")


def test_front_and_back_are_swapped_by_their_owner(hall: Hall) -> None:
    judge = begin(hall, "killers-6", 8)
    table = hall.house.table
    hands = table.preparation.draft.hands
    assert hands
    while len(set(hands[table.preparation.draft.turn or 0])) == 1:
        table.hand_on(table.revision, table.preparation.draft.turn or 0)
        judge.page.wait_for_function(f"() => document.getElementById('page').dataset.revision == {table.revision}")
    first = look(judge)
    judge.act('form[data-post="/deal/swap"] button')
    judge.sees("Swapped.")
    assert look(judge) == first[::-1]


def test_numbered_cards_tell_their_numbers_and_calls(hall: Hall) -> None:
    judge = begin(hall, "killers-5", 7)
    told = []
    for seat in range(1, 8):
        press(judge)
        assert f"Card {2 * seat}" in judge.page.inner_text(".hand")
        told += judge.page.locator(".hand .called").all_inner_texts()
        release(judge)
        judge.act("[data-after-look]")
    assert sorted(text.rpartition(": ")[2] for text in told if "doctor" in text) == ["doctor 1", "doctor 2"]


def test_only_the_judges_phone_shows_cards_and_goes_back_to_an_earlier_seat(hall: Hall) -> None:
    judge = begin(hall, "killers-2", 8)
    helper = hall.phone()
    helper.open(f"/pair/{SECRET}")
    helper.page.tap("button.main")
    helper.sees("has been asked")
    hall.house.pairing.let_in(hall.house.pairing.waiting()[0].number)
    helper.sees("Seat 1 · Ada")
    helper.sees("The judge's phone goes round")
    helper.wakes()
    assert helper.page.locator("[data-open=deal], [data-hold], [data-after-look]").count() == 0
    helper.look_over()
    first = look(judge)
    judge.act("[data-after-look]")
    helper.sees("Seat 2 · Bruno")
    judge.sees("Seat 2 · Bruno")
    judge.sheet("deal")
    judge.look_over()
    judge.act("dialog[open] button.main")
    judge.sees("Seat 1 · Ada")
    assert look(judge) == first
    judge.act("[data-after-look]")
    judge.sees("Seat 2 · Bruno")


def test_the_deal_outlives_a_reload_and_can_be_thrown_away(hall: Hall) -> None:
    judge = begin(hall, "killers-2", 8)
    look(judge)
    judge.act("[data-after-look]")
    judge.page.reload()
    judge.sees("Seat 2 · Bruno")
    judge.sheet("deal")
    judge.act("dialog[open] button.alarm")
    judge.sees("Deal by phone")
    assert hall.house.table.preparation.draft.hands is None
