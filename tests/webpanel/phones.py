"""Phones in a real browser, tapped as a thumb does, with an eye on everything that must never happen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Request

from tests.webpanel.house import SECRET, House
from webpanel.server import Server

USUAL, SMALL = (390, 844), (320, 568)
PATIENCE = 60_000
"""Milliseconds after which what has not happened never will, on however busy a machine."""
GLANCE = 20
"""Milliseconds between two looks."""
SMALLEST = 48
"""Pixels that a target must have in both directions."""
TARGETS = "button, a, select, summary, input:not([type=hidden])"
TOO_SMALL = """
({selector, smallest}) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility() && !one.closest("[hidden]") && one.getClientRects().length)
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width + 0.5 < smallest || box.height + 0.5 < smallest)
  .map(([one, box]) => `${one.outerHTML.slice(0, 90)} ${Math.round(box.width)}x${Math.round(box.height)}`)
"""


class Hall:
    """The house, served to phones."""

    def __init__(self, house: House, browser: Browser) -> None:
        self.house = house
        self._browser = browser
        self.server = Server(house.app, "127.0.0.1", 0)
        self.server.start()
        self.origin = f"http://127.0.0.1:{self.server.port}"
        self.phones: list[Thumb] = []

    def phone(self, size: tuple[int, int] = USUAL, language: str = "en-GB") -> Thumb:
        """A phone in nobody's hand yet."""
        found = Thumb.of(self._browser, self.origin, size, language)
        self.phones.append(found)
        return found

    def judge(self, size: tuple[int, int] = USUAL) -> Thumb:
        """The judge's phone, let in by tapping."""
        phone = self.phone(size)
        phone.open(f"/pair/{SECRET}")
        phone.page.tap("button.main")
        phone.wakes()
        return phone

    def screen(self) -> Thumb:
        """A big screen with the public page."""
        found = Thumb.of(self._browser, self.origin, (1280, 720), "en-GB")
        self.phones.append(found)
        found.open("/table")
        return found

    def restart(self) -> None:
        """Serve anew, as after a program's end, at the same address."""
        self.server = Server(self.house.app, "127.0.0.1", self.server.port, exactly=True)
        self.server.start()

    def close(self) -> None:
        """Close everything; fail if anything happened that never may."""
        for phone in self.phones:
            phone.context.close()
        self.server.stop()
        self.house.close()
        for phone in self.phones:
            assert not phone.faults, phone.faults


class Thumb:
    """A phone in a hand."""

    def __init__(self, context: BrowserContext, page: Page, origin: str, width: int) -> None:
        self.context = context
        self.page = page
        self.origin = origin
        self.width = width
        self.faults: list[str] = []
        """What must never happen: errors in the page's program, requests to elsewhere."""
        self._expected: list[str] = []
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self._check_request)

    @classmethod
    def of(cls, browser: Browser, origin: str, size: tuple[int, int], language: str) -> Thumb:
        """A phone of that size."""
        screen: Any = {"width": size[0], "height": size[1]}
        small = size[0] < 600
        context = browser.new_context(
            viewport=screen, device_scale_factor=2, has_touch=small, is_mobile=small, locale=language
        )
        context.set_default_timeout(PATIENCE)
        return cls(context, context.new_page(), origin, size[0])

    @contextmanager
    def expecting(self, *texts: str) -> Iterator[None]:
        """Let the browser complain of these in the meantime: it does so of every failed request."""
        self._expected = list(texts)
        yield
        self._expected = []

    def open(self, path: str) -> None:
        """Go to a page."""
        self.page.goto(self.origin + path)

    def wakes(self) -> None:
        """Wait until the table's page has its program, and sees what is done to it.

        Playwright taps no button before; keys, a mouse that is moved, and events that are made come too early unseen.
        """
        self.page.wait_for_selector("body[data-live] #page[data-revision]")

    # Tapping

    def act(self, selector: str) -> None:
        """Tap what brings the table a revision further, and wait for the page to follow."""
        seen = self.revision
        self.page.tap(selector)
        self.page.wait_for_function("seen => document.getElementById('page').dataset.revision !== seen", arg=seen)

    def seats(self, *seats: int) -> None:
        """Tap seats."""
        for seat in seats:
            self.page.tap(f'.seat input[value="{seat}"]')

    def confirm(self) -> None:
        """Tap the confirm button."""
        self.act("[data-confirm]:visible")

    def put_thumb_on(self, selector: str) -> None:
        """Touch what a thumb can touch, and stay there until `page.mouse.up()`."""
        self.page.hover(selector)
        self.page.mouse.down()

    def hands(self, **votes: int) -> None:
        """Count hands: `_5=3` gives seat 5 three."""
        for seat, count in votes.items():
            for _ in range(count):
                self.page.tap(f'[data-for="v-{seat.strip("_")}"][data-step="1"]')

    def sheet(self, *names: str) -> None:
        """Open a sheet, through others if need be."""
        for name in names:
            self.page.tap(f"[data-open={name}]:visible")
            self.page.wait_for_selector(f"dialog#{name}[open]")

    def shut(self) -> None:
        """Close the open sheet."""
        self.page.tap("dialog[open] [data-close]")

    # Looking

    @property
    def revision(self) -> str:
        """The revision that the page shows."""
        return self.page.get_attribute("#page", "data-revision") or ""

    @property
    def heading(self) -> str:
        """Where the evening stands."""
        return self.page.inner_text("h1")

    def sees(self, text: str) -> None:
        """Wait until a text can be seen."""
        self.page.get_by_text(text).filter(visible=True).first.wait_for()

    def until(self, true: Callable[[], bool]) -> None:
        """Wait for what the page brings about at the table; AssertionError if it never does."""
        for _ in range(PATIENCE // GLANCE):
            if true():
                return
            self.page.wait_for_timeout(GLANCE)
        raise AssertionError("it never came to be")

    def look_over(self) -> None:
        """No sideways scrolling, and nothing too small for a thumb."""
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= self.width, f"{wide} px wide at {self.heading!r}"
        small = self.page.evaluate(TOO_SMALL, {"selector": TARGETS, "smallest": SMALLEST})
        assert small == [], self.heading

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(expected in text for expected in self._expected):
            self.faults.append(f"{kind}: {text}")

    def _check_request(self, request: Request) -> None:
        if not request.url.startswith((self.origin, "data:")):
            self.faults.append(f"asked elsewhere: {request.url}")
