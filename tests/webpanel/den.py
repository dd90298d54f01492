"""The house of the pages' tests with a room in it, whose sound is made, and people who speak."""

from __future__ import annotations

from tests.hearing.material import Mouth, people
from tests.hearing.room import Room
from tests.webpanel.house import House

[PERSON] = people("en", 1)


class Den:
    """The house, with a room to be heard in."""

    def __init__(self, house: House, voice: Mouth) -> None:
        self.house = house
        self.room = Room(self._advance)
        self.voice = voice
        house.table.listen_with(open_ears=self.room.open_ears)

    def _advance(self, seconds: float) -> None:
        self.house._speaker.settle()
        self.house.clock.advance(seconds)

    def say(self, text: str, *after: float) -> None:
        """Let somebody say this, and time pass."""
        self.room.live(self.voice.say(PERSON, text), *after)

    def give_takes(self) -> None:
        """Say the word three times, after the narrator has asked for it."""
        self.hear_out()
        for rate in (150, 160, 170):
            self.room.live(0.5, self.voice.say(PERSON, "pass", rate), 0.7)

    def hear_out(self) -> None:
        """Until the narrator is silent."""
        for _ in range(60):
            self.room.live(0.5)
            if self.house.table.judge().speech.state == "silent":
                return
        raise AssertionError("the narrator never comes to an end")

    def first_speech(self) -> None:
        """To the last words of seat 8, when the first seconds are over."""
        self.house.start()
        self.house.night_one()
        self.house.hear_all()
        self.room.live(4.0)
