"""A table with its pages, for tests: the real table on a clock turned by hand, and phones that ask for pages."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from narrator.clock import FakeClock
from narrator.engine.legal import prompt
from narrator.model.state import State
from narrator.speech.backends import open_speaker
from narrator.storage.devices import DeviceStore
from narrator.storage.folders import Folders
from narrator.table import Table
from narrator.table.random_players import Players
from narrator.table.setup.draft import HANDS_FIRST
from webpanel import create_app
from webpanel.access import cookie_name
from webpanel.hosts import Hosts
from webpanel.live import Streams
from webpanel.pairing import Pairing
from webpanel.sheets import VoiceList

ORIGIN = "http://localhost:8765"
COOKIE = cookie_name(port=8765)
SECRET = "s3cret-of-tests"
HEARD = 60.0
"""Seconds after which whatever was queued has surely been said."""


class House:
    """The table, its door and its pages."""

    def __init__(self, home: Path, seed: int = 1, language: str = "en", voices: VoiceList | None = None) -> None:
        self.clock = FakeClock()
        self.folders = Folders(home)
        self.players = Players(random.Random(seed))
        self._speaker: Any = None
        self.table = Table(
            self.folders,
            clock=self.clock,
            chance=random.Random(seed),
            speaker="silent",
            ruleset="killers-2",
            speaker_factory=self._open,
        )
        self.table.configure(self.table.revision, {"languages": [language]})
        self.uptime = 0.0
        """Seconds by which the door tells how long a phone has been away."""
        self.pairing = Pairing(DeviceStore(self.folders.home), SECRET, elapsed=lambda: self.uptime)
        self.streams = Streams()
        self.app = create_app(self.table, self.pairing, Hosts(), self.streams, voices)

    def _open(self, *args: Any, **more: Any) -> Any:
        self._speaker = open_speaker(*args, **more)
        return self._speaker

    def close(self) -> None:
        """Close the table."""
        self.streams.stop()
        self.table.close()

    def phone(self) -> Phone:
        """A phone nobody knows."""
        return Phone(self)

    def judge(self) -> Phone:
        """The judge's phone, let in."""
        phone = self.phone()
        phone.knock()
        assert phone.standing == "judge"
        return phone

    # The game

    def start(self, ruleset: str = "killers-2", seats: int = 12, **more: Any) -> None:
        """Set up a game and begin it."""
        self.table.configure(self.table.revision, {"ruleset": ruleset, "seats": seats, **more})
        if any(problem.reason == HANDS_FIRST for problem in self.table.draft.problems()):
            self.table.deal(self.table.revision)
        self.table.start(self.table.revision)

    def tap(self, do: str, **command: Any) -> None:
        """A command given at the table itself."""
        self.table.submit(self.table.revision, {"do": do, **command})

    def pass_time(self, seconds: float = HEARD) -> None:
        """Let lines be spoken and silences pass."""
        for _ in range(round(seconds * 2)):
            self._speaker.settle()
            self.clock.advance(0.5)
        self._speaker.settle()

    def hear_all(self) -> None:
        """Let time pass until nothing is left to be said, or a call waits for the judge."""
        for _ in range(2000):
            self._speaker.settle()
            speech = self.table.judge().speech
            if speech.state in ("silent", "waiting") and not speech.queue:
                return
            self.clock.advance(0.5)
        raise AssertionError("the narrator never comes to an end")

    @property
    def state(self) -> State:
        """The game as it is."""
        state = self.table.state
        assert state is not None
        return state

    @property
    def asked(self) -> str:
        """What the judge is asked."""
        return prompt(self.state).kind

    def night_one(self) -> None:
        """The first night of the classic game for twelve: killers 1 to 3, police 4 to 6; killers go for 8."""
        self.tap("begin")
        self.tap("identify", roles={"killer": [1, 2, 3]})
        self.tap("choose", choice={"target": 8})
        self.tap("identify", roles={"police": [4, 5, 6]})
        self.tap("choose", choice={"target": 1})
        self.tap("proceed")


class Phone:
    """A phone that asks for pages and sends forms, as the page's own program does."""

    def __init__(self, house: House, *, keeps_cookies: bool = True) -> None:
        self.house = house
        self.client: FlaskClient = house.app.test_client(use_cookies=keeps_cookies)

    def get(self, path: str, **more: Any) -> TestResponse:
        """Ask for a page."""
        return self.client.get(path, base_url=ORIGIN, **more)

    def post(self, path: str, data: Any = None, *, headers: dict[str, str] | None = None) -> TestResponse:
        """Send a form with everything that our own page sends along."""
        own = {"Origin": ORIGIN, "X-Proof": self.proof}
        return self.client.post(path, base_url=ORIGIN, data=data or {}, headers=own if headers is None else headers)

    def act(self, path: str, revision: int | None = None, **form: Any) -> TestResponse:
        """Send a form of the page at the present revision, or another."""
        seen = self.house.table.revision if revision is None else revision
        return self.post(path, {"revision": seen, **form})

    def knock(self) -> TestResponse:
        """Use the code: look at its page, and tap the button."""
        self.get(f"/pair/{SECRET}")
        return self.post(f"/pair/{SECRET}", headers={"Origin": ORIGIN})

    @property
    def token(self) -> str | None:
        """The token in its cookie."""
        if self.client._cookies is None:
            return None
        cookie = self.client.get_cookie(COOKIE, "localhost")
        return cookie.value if cookie else None

    @property
    def proof(self) -> str:
        """What its page says is to be sent along."""
        if self.standing not in ("judge", "helper"):
            return ""
        found = re.search(r'data-proof="(\w+)"', self.get("/").text)
        assert found
        return found[1]

    @property
    def standing(self) -> str | None:
        """What it is to the table."""
        return self.house.pairing.standing(self.token)
