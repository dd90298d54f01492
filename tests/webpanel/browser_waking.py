"""Pages that slept, and streams that die without a word: three seconds after it woke a page is true again.

The page's clock is turned by hand. Between the browser and the server lies a wire that can be held: nothing comes
through, and nobody is told. On a machine that is busy with other tests the browser does not always keep up: it is run
by its name only, alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Error

from narrator.speech.outputs.pages import Broadcast
from tests.speech.test_clip import tone
from tests.webpanel.house import SECRET
from tests.webpanel.phones import GLANCE, Hall, Thumb
from tests.webpanel.wire import Wire

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EVENING = 1_900_000_000
"""Seconds since 1970 at which the page's clock stands when it is opened."""
SOON = 3000
"""Milliseconds of the page's clock within which it must be true again."""
MISSED = 2500
"""Milliseconds without a beat after which a page no longer trusts a stream."""
STEP = 100
NIGHT = 8 * 3600 * 1000
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
KEPT = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
begun: Counter[Thumb] = Counter()
"""How many requests a page has begun."""
Waking = Callable[[Thumb], None]


def sleep_and_wake(phone: Thumb) -> None:
    """The whole device: no timer ran meanwhile."""
    phone.page.clock.fast_forward(NIGHT)


def be_seen_again(phone: Thumb) -> None:
    phone.page.evaluate(HIDE, True)
    phone.page.clock.run_for(SOON)
    phone.page.evaluate(HIDE, False)


def come_back_online(phone: Thumb) -> None:
    phone.page.evaluate("dispatchEvent(new Event('online'))")


def come_back_kept(phone: Thumb) -> None:
    phone.page.evaluate(KEPT)


def just_live_on(phone: Thumb) -> None:
    """Nothing tells the page that its stream is dead."""


WAKINGS = [sleep_and_wake, be_seen_again, come_back_online, come_back_kept, just_live_on]


@pytest.fixture
def wire(hall: Hall) -> Iterator[Wire]:
    """The way to the server."""
    found = Wire(hall.server.port)
    hall.origin = f"http://127.0.0.1:{found.port}"
    yield found
    for phone in hall.phones:
        phone.context.close()
    found.close()


def opened(hall: Hall, path: str) -> Thumb:
    """A page on a clock turned by hand, with a living stream."""
    phone = hall.phone()
    phone.page.on("request", lambda request: begun.update({phone: 1} if "icon" not in request.url else {}))
    phone.page.clock.install(time=EVENING)
    phone.page.clock.pause_at(EVENING + 1)
    phone.open(path)
    return phone


def judge_of(hall: Hall) -> Thumb:
    phone = opened(hall, f"/pair/{SECRET}")
    phone.page.tap("button.main")
    phone.wakes()
    return phone


def is_true_soon(phone: Thumb, wire: Wire, true: str, unwoken: bool = False) -> None:
    """Turn the page's clock on until it shows what is so; AssertionError once it has had its time.

    `unwoken`: nothing told the page, so that it must first miss the beats.
    """
    for _ in range((SOON + (MISSED if unwoken else 0)) // STEP):
        phone.page.wait_for_timeout(GLANCE)  # lets the browser tell what it has begun
        wire.settle(begun[phone])
        with suppress(Error):  # the page may just be going elsewhere
            if phone.page.evaluate(true):
                return
            phone.page.clock.run_for(STEP)
    wire.settle(begun[phone])
    phone.page.wait_for_timeout(STEP)
    assert phone.page.evaluate(true), f"not true after {SOON} ms: {phone.page.inner_text('body')}"


@pytest.mark.parametrize("wake", WAKINGS)
def test_the_judges_page_is_true_again(hall: Hall, wire: Wire, wake: Waking) -> None:
    judge = judge_of(hall)
    hall.house.start()
    judge.sees("Night falls")
    wire.hold()
    hall.house.tap("begin")
    wake(judge)
    is_true_soon(
        judge,
        wire,
        f"document.getElementById('page').dataset.revision === '{hall.house.table.revision}'",
        wake is just_live_on,
    )
    is_true_soon(judge, wire, "document.getElementById('lost').hidden")
    hall.house.tap("identify", roles={"killer": [1, 2, 3]})
    judge.sees("Awake: 1, 2, 3")


@pytest.mark.parametrize("wake", [sleep_and_wake, just_live_on])
def test_the_wall_is_true_again(hall: Hall, wire: Wire, wake: Waking) -> None:
    wall = opened(hall, "/table")
    wall.page.wait_for_selector(".hall")
    wire.settle(begun[wall])
    wire.hold()
    hall.house.start()
    hall.house.tap("begin")
    hall.house.hear_all()
    wake(wall)
    is_true_soon(wall, wire, "document.querySelector('h1').innerText === 'Night 1'", wake is just_live_on)


@pytest.mark.parametrize("wake", [sleep_and_wake, just_live_on])
def test_the_loudspeaker_speaks_again(hall: Hall, wire: Wire, wake: Waking) -> None:
    phone, air = opened(hall, "/speaker"), hall.house.app.extensions["broadcast"]
    assert isinstance(air, Broadcast)
    phone.page.tap("#unlock")
    phone.until(lambda: air.has_pages)
    phone.sees("Ready.")
    wire.hold()
    name = air.publish(tone(60.0))
    wake(phone)
    is_true_soon(phone, wire, f"document.getElementById('sound').src.includes('{name}')", wake is just_live_on)


@pytest.mark.parametrize("wake", [sleep_and_wake, just_live_on])
def test_a_phone_that_waits_at_the_door_hears_that_it_is_let_in(hall: Hall, wire: Wire, wake: Waking) -> None:
    hall.house.judge()
    phone = opened(hall, f"/pair/{SECRET}")
    phone.page.tap("button.main")
    phone.sees("has been asked")
    wire.hold()
    hall.house.pairing.let_in(hall.house.pairing.waiting()[0].number)
    wake(phone)
    is_true_soon(phone, wire, "Boolean(document.querySelector('#page[data-revision]'))", wake is just_live_on)


def test_a_room_without_network_is_told_and_its_return_noticed(hall: Hall, wire: Wire) -> None:
    judge = judge_of(hall)
    hall.house.start()
    judge.sees("Night falls")
    wire.go_dark()
    hall.house.tap("begin")
    judge.page.clock.run_for(60_000)
    judge.sees("No connection to the table")
    wire.go_dark(False)
    begun[judge] = wire.asked  # what was given up before it left the browser never comes
    is_true_soon(judge, wire, f"document.getElementById('page').dataset.revision === '{hall.house.table.revision}'")
    is_true_soon(judge, wire, "document.getElementById('lost').hidden")


def test_reload_and_the_way_back_lead_to_the_true_page(hall: Hall) -> None:
    judge = hall.judge()
    hall.house.start()
    judge.sees("Night falls")
    judge.open("/table")
    hall.house.tap("begin")
    judge.page.go_back()
    judge.sees("killer: who woke?")
    judge.page.reload()
    judge.sees("killer: who woke?")
    hall.house.tap("identify", roles={"killer": [1, 2, 3]})
    judge.sees("Awake: 1, 2, 3")


def test_the_way_back_to_the_door_can_be_tapped_again(hall: Hall) -> None:
    hall.house.judge()
    phone = hall.phone()
    phone.open(f"/pair/{SECRET}")
    phone.page.evaluate("document.querySelector('form button').dataset.busy = ''")
    phone.page.evaluate(KEPT)
    phone.page.tap("button.main")
    phone.sees("has been asked")
