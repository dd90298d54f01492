"""What tests of the pages share: a table with its pages, and a real browser."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.webpanel.house import House
from tests.webpanel.phones import Hall

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
)
QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
)


def find_chromium() -> str | None:
    """The path of a Chromium or Chrome; NARRATOR_CHROMIUM, if set, has the first say."""
    wished = os.environ.get("NARRATOR_CHROMIUM", "")
    return next(filter(None, map(shutil.which, filter(None, (wished, *NAMES, *PLACES)))), None)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A table with its pages, in English."""
    found = House(tmp_path)
    yield found
    found.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A real browser, one for all tests."""
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium was found: install one, or set NARRATOR_CHROMIUM to its path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def hall(tmp_path: Path, chromium: Browser) -> Iterator[Hall]:
    """A table whose pages are really served, and phones that are really tapped."""
    found = Hall(House(tmp_path), chromium)
    yield found
    found.close()


@pytest.fixture
def picture(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Keep a picture of a page for the readme, if wanted."""
    folder = request.config.getoption("--pictures")

    def keep(page: Page, name: str) -> None:
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.wait_for_timeout(250)
            page.screenshot(path=Path(folder) / f"{name}.png")

    return keep


@pytest.fixture
def free_port() -> int:
    """A port that nobody listens on, outside the range from which systems give ports to whoever asks for any."""
    first = 20000 + os.getpid() % 10000
    return next(port for port in range(first, first + 1000) if is_free(port))


def is_free(port: int) -> bool:
    """Whether a port can be listened on."""
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
