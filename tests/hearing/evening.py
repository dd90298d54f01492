"""An evening with ears: the real table, in a room whose sound is made; time passes as the sound does."""

from __future__ import annotations

from pathlib import Path

from narrator.hearing.ear import wav
from narrator.hearing.takes import raw
from narrator.hearing.words import CLOSING
from narrator.table.ears import HearingView
from tests.hearing.material import Mouth, Person, Sound, in_room, people, track
from tests.hearing.report import utterances
from tests.hearing.room import Room
from tests.table.hall import Hall, night_one

PEOPLE = people("en")
NARRATOR = 30.0
"""Seconds in which the narrator surely comes to an end."""


class Evening:
    """A hall, a room in it, and people who speak."""

    def __init__(self, home: Path, voice: Mouth) -> None:
        self.hall = Hall(home)
        self.table = self.hall.table
        self.table.configure(self.table.revision, {"languages": ["en"], "seats": 12, "ruleset": "killers-2"})
        self.room = Room(self.hall.clock.advance)
        self.table.listen_with(open_ears=self.room.open_ears)
        self.voice = voice

    @property
    def hearing(self) -> HearingView:
        return self.table.judge().hearing

    @property
    def state(self) -> str:
        return self.hearing.state

    @property
    def speaker(self) -> int | None:
        asked = self.table.judge().game.prompt
        return asked.seat if asked.kind in ("speech", "last_words") else None

    def say(self, seat: int | None, text: str, rate: int = 165) -> Sound:
        """What whoever sits there, or the judge, says."""
        return self.voice.say(self.person(seat), text, rate)

    def person(self, seat: int | None) -> Person:
        return PEOPLE[(seat or 0) % len(PEOPLE)]

    def teach(self, seat: int | None, word: str = CLOSING, text: str = "pass") -> None:
        """Three takes on the shelf."""
        for rate in (150, 160, 170):
            [take] = utterances(in_room(track(1.0, self.say(seat, text, rate), 1.0), self.room.chance))
            owner = "judge" if seat is None else f"seat-{seat}"
            self.table.ears.shelf.keep(owner, word, "en", wav(raw(take.samples)))

    def first_day(self) -> None:
        """To the first day, before the narrator has told of it."""
        self.hall.start()
        night_one(self.hall)
        self.hall.tap("proceed")

    def floor_is_given(self) -> None:
        """Until the narrator has called the speaker, and the turn's first seconds are over."""
        self.hear_out()
        self.room.live(3.5)

    def hear_out(self) -> None:
        for _ in range(100):
            if self.table.judge().speech.state == "silent":
                return
            self.room.live(0.5)
        raise AssertionError("the narrator never comes to an end")
