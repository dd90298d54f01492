"""What goes wrong around a real table: two phones at once, doubled taps, lost connections, a program that is killed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from tests.webpanel.house import SECRET
from tests.webpanel.phones import Hall, Thumb

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def killers_turn(hall: Hall) -> None:
    """The first night, with the killers known and asked."""
    hall.house.start()
    hall.house.tap("begin")
    hall.house.tap("identify", roles={"killer": [1, 2, 3]})


def test_two_phones_follow_each_other_and_the_screen_follows_the_voice(hall: Hall) -> None:
    judge, helper, screen = hall.judge(), hall.phone(), hall.screen()
    helper.open(f"/pair/{SECRET}")
    helper.sees("This table has a judge")
    helper.page.tap("button.main")
    number = helper.page.inner_text(".big")
    judge.page.tap("[data-open=phones]:visible")
    judge.sees(f"Phone {number} would like to come in.")
    judge.page.tap("dialog[open] button[value=helper]")
    helper.sees("New game")
    judge.shut()
    judge.act('form[data-post="/do/start"] button')
    helper.sees("Night falls")
    helper.act("main button.main")
    judge.page.wait_for_selector("[data-confirm]")
    assert screen.page.inner_text("h1") == "The cards are dealt"
    hall.house.hear_all()
    screen.sees("Night 1")
    helper.seats(1, 2, 3)
    helper.confirm()
    judge.sees("Awake: 1, 2, 3")


def test_a_refused_phone_is_told(hall: Hall) -> None:
    hall.judge()
    other = hall.phone()
    other.open(f"/pair/{SECRET}")
    other.page.tap("button.main")
    other.sees("has been asked")
    hall.house.pairing.refuse(hall.house.pairing.waiting()[0].number)
    other.sees("Not this time")


def test_a_helper_shown_out_sees_nothing_more(hall: Hall) -> None:
    hall.judge()
    helper = hall.phone()
    helper.open(f"/pair/{SECRET}")
    helper.page.tap("button.main")
    helper.sees("has been asked")
    number = hall.house.pairing.waiting()[0].number
    hall.house.pairing.let_in(number)
    helper.sees("New game")
    with helper.expecting("401"):
        hall.house.pairing.dismiss(number)
        helper.sees("This phone is not at the table")


def test_a_doubled_tap_acts_once(hall: Hall) -> None:
    killers_turn(hall)
    judge = hall.judge()
    before = hall.house.table.revision
    judge.seats(8)
    sent: list[str] = []
    judge.page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    judge.page.dblclick("[data-confirm]")
    judge.sees("police: who woke?")
    assert len(sent) == 1
    assert hall.house.table.revision == before + 1


def test_two_thumbs_at_once_act_once_and_the_later_is_told(hall: Hall) -> None:
    killers_turn(hall)
    judge = hall.judge()
    other = Thumb.of(hall._browser, hall.origin, (390, 844), "en-GB")
    hall.phones.append(other)
    other.context.add_cookies(judge.context.cookies())
    other.open("/")
    other.wakes()
    judge.seats(8)
    other.seats(9)
    other.page.route("**/fragment", lambda route: route.abort())
    with other.expecting("ERR_FAILED", "409"):
        judge.confirm()
        other.page.tap("[data-confirm]")
        other.sees("That was already done")
    assert dict(hall.house.state.choices["killer"]) == {"target": 8}
    other.sees("police: who woke?")


def test_a_half_made_choice_survives_a_refresh_but_not_the_next_question(hall: Hall) -> None:
    hall.house.start()
    hall.house.tap("begin")
    judge = hall.judge()
    judge.seats(1, 2)
    hall.house.hear_all()
    judge.sees(hall.house.table.judge().speech.line)
    assert judge.page.is_checked('.seat input[value="1"]')
    assert judge.page.is_checked('.seat input[value="2"]')
    judge.seats(3)
    judge.confirm()
    judge.page.wait_for_selector('input[name="f.target"]')
    assert judge.page.locator(".seat input:checked").count() == 0
    judge.seats(8)
    judge.seats(8)
    assert judge.page.locator(".seat input:checked").count() == 0


def test_what_cannot_be_tapped_says_why(hall: Hall) -> None:
    hall.house.start()
    hall.house.night_one()
    hall.house.tap("proceed")
    hall.house.tap("to_vote")
    hall.house.tap("vote", totals={})
    judge = hall.judge()
    judge.page.tap('[aria-label^="Seat 8"]')
    judge.sees("That one is out of the game.")
    hall.house.hear_all()
    judge.sees(hall.house.table.judge().speech.line)
    judge.sees("That one is out of the game.")


def test_undo_says_what_and_takes_it_back(hall: Hall) -> None:
    killers_turn(hall)
    judge = hall.judge()
    judge.seats(8)
    judge.confirm()
    judge.sheet("undo")
    judge.sees("The killer went for player 8.")
    judge.act("dialog[open] button.main")
    judge.page.wait_for_selector("dialog#undo:not([open])", state="attached")
    judge.page.wait_for_selector('input[name="f.target"]')
    assert hall.house.state.choices == {}
    for _ in range(2):
        judge.sheet("undo")
        judge.act("dialog[open] button.main")
        judge.page.wait_for_selector("dialog#undo:not([open])", state="attached")
    judge.sees("Night falls")


def test_a_lost_connection_is_shown_and_resumes(hall: Hall) -> None:
    killers_turn(hall)
    judge = hall.judge()
    judge.seats(8)
    with judge.expecting("ERR_INTERNET_DISCONNECTED"):
        judge.context.set_offline(True)
        judge.sees("No connection to the table")
        judge.page.tap("[data-confirm]")
        judge.sees("That did not arrive")
        hall.house.tap("choose", choice={"target": 9})
        judge.context.set_offline(False)
        judge.sees("police: who woke?")
        judge.page.wait_for_selector("#lost", state="hidden")
    assert dict(hall.house.state.choices["killer"]) == {"target": 9}


def test_a_tap_before_the_page_is_ready_does_no_harm(hall: Hall) -> None:
    judge, start = hall.phone(), 'form[data-post="/do/start"] button'
    held: list[Route] = []
    judge.page.route("**/panel.js", lambda route: held.append(route))
    judge.open(f"/pair/{SECRET}")
    judge.page.tap("button.main")
    judge.page.wait_for_selector("#page[data-revision]")
    judge.page.tap(start, force=True)
    judge.sees("New game")
    assert hall.house.table.judge().mode == "setup"
    held[0].continue_()
    judge.act(start)
    assert hall.house.table.judge().mode == "game"


def test_a_server_that_comes_back_is_found_again(hall: Hall) -> None:
    killers_turn(hall)
    judge, screen = hall.judge(), hall.screen()
    with judge.expecting("ERR_"), screen.expecting("ERR_"):
        hall.server.stop()
        judge.sees("No connection to the table")
        screen.sees("No connection to the table")
        hall.restart()
        judge.page.wait_for_selector("#lost", state="hidden")
        screen.page.wait_for_selector("#lost", state="hidden")
    judge.seats(8)
    judge.confirm()
    judge.sees("police: who woke?")


def test_the_public_page_has_nothing_that_was_not_heard(hall: Hall) -> None:
    screen = hall.screen()
    hall.house.start()
    hall.house.night_one()
    hall.house.hear_all()
    screen.sees("speaking" if hall.house.asked == "speech" else "last words")
    html = screen.page.content()
    secrets = ("was told", "went for", "checked", "civilian", 'role="judge"')
    assert not [secret for secret in secrets if secret in html]
    assert screen.page.evaluate("document.cookie") == ""


def test_the_page_follows_its_language(hall: Hall) -> None:
    judge = hall.judge()
    judge.page.tap("#voice summary")
    judge.page.select_option("[name=panel_language]", "zh-Hant")
    judge.sees("新的一局")
    assert judge.page.get_attribute("#page", "lang") == "zh-Hant"


@contextmanager
def narrator(home: Path, port: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The real program, and the address in its code."""
    command = [sys.executable, "-m", "narrator", "play", "--speaker", "silent", "--host", "127.0.0.1"]
    environment = {**os.environ, "NARRATOR_HOME": str(home), "PYTHONUNBUFFERED": "1", "LANG": "en_GB.UTF-8"}
    environment["PYTHONIOENCODING"] = "utf-8"
    process = subprocess.Popen(
        [*command, "--port", str(port)],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env=environment,
    )
    try:
        assert process.stdout
        found = next(filter(None, (re.search(r"http\S+/pair/\S+", line) for line in process.stdout)))
        yield process, found[0]
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def test_a_killed_program_comes_back_to_the_very_prompt(tmp_path: Path, chromium: Browser, free_port: int) -> None:
    with narrator(tmp_path, free_port) as (process, link):
        origin = link.partition("/pair/")[0]
        judge = Thumb.of(chromium, origin, (390, 844), "en-GB")
        judge.page.goto(link)
        judge.page.tap("button.main")
        judge.wakes()
        judge.act('form[data-post="/do/start"] button')
        judge.act("main button.main")
        judge.seats(1, 2, 3)
        judge.confirm()
        judge.seats(8)
        judge.confirm()
        judge.sees("police: who woke?")
        with judge.expecting("ERR_"):
            process.kill()
            process.wait()
            judge.sees("No connection to the table")
            with narrator(tmp_path, free_port) as (second, _):
                judge.sees("Go on with this game")
                judge.page.tap('form[data-post="/do/resume"] button')
                judge.sees("police: who woke?")
                judge.sees("8")
                judge.seats(4, 5, 6)
                judge.confirm()
                judge.page.wait_for_selector('input[name="f.target"]')
                second.terminate()
                second.wait(timeout=60)
            judge.context.close()
        assert judge.faults == []
