"""What the judge may do about listening, and the table as listening sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from narrator.engine.legal import prompt
from narrator.hearing.take_shelf import TakeShelf
from narrator.hearing.words import CLOSING, COMMANDS, ENGINES, TAKES, EarEvent, Tell, Unavailable
from narrator.model.errors import Refused
from narrator.narration.lines import Line
from narrator.narration.scripts import Script
from narrator.speech.troubles import Trouble
from narrator.table import ears
from narrator.table.core import FILE_TROUBLE, Core
from narrator.table.ears import Ears, Floor, Hearing, OpenEars, owner_of
from narrator.table.stage.conductor import Say

SPEECHES = ("speech", "last_words")
"""The prompts in which somebody has the floor."""


FOLDER = "takes"
"""The folder of takes in the user's own."""


@dataclass(frozen=True)
class Listening:
    """How it is listened."""

    engine: str = ENGINES[0]
    model: Path | None = None
    open_ears: OpenEars = ears.open_ears


class HearingCore(Core):
    """A table with ears."""

    def listen_with(
        self, engine: str = ENGINES[0], model: Path | None = None, open_ears: OpenEars = ears.open_ears
    ) -> None:
        """Tell words apart by this engine, with the model in that folder, from when listening is next switched on.

        Raises ValueError for an engine that does not exist.
        """
        if engine not in ENGINES:
            raise ValueError(f"an engine for listening is one of {', '.join(ENGINES)}; got {engine!r}")
        with self._lock:
            self._listening = Listening(engine, model, open_ears)
            self._hearing.by_takes = engine == ENGINES[0]

    @cached_property
    def _hearing(self) -> Hearing:
        self._listening = Listening()
        return Hearing(self, TakeShelf(lambda: self._folders.home / FOLDER))

    def _settled(self) -> None:
        self._hearing.settle()

    # What the judge does

    def listen_on(self) -> None:
        """Listen for closing words by day, from now on; why that cannot be is shown."""
        ears.load()
        with self._speaking():
            self._hearing.switch(on=True)

    def listen_off(self) -> None:
        """Listen no more."""
        with self._speaking():
            self._hearing.switch(on=False)

    def cancel_heard(self) -> None:
        """Do not go on after the word that was heard."""
        with self._speaking():
            self._hearing.cancel()

    def record_take(self, seat: int | None, word: str = CLOSING) -> None:
        """Ask a seat (None: the judge) for takes of a word, in place of earlier ones. Refused in a game."""
        self._record([(seat, word)])

    def record_takes(self) -> None:
        """Ask every seat that has no takes of the closing word, one after the other. Refused in a game."""
        names = self.names()
        language = self.languages()[0]
        shelf = self._hearing.shelf
        seats = range(1, len(names) + 1)
        missing = [seat for seat in seats if len(shelf.paths(owner_of(seat, names), CLOSING, language)) < TAKES]
        self._record([(seat, CLOSING) for seat in missing])

    def skip_takes(self) -> None:
        """Go on with whoever is to be asked next."""
        with self._speaking():
            self._hearing.guide.skip()

    def stop_takes(self) -> None:
        """Ask nobody any more for takes."""
        with self._speaking():
            self._hearing.guide.stop()

    def forget_takes(self, seat: int | None = None) -> None:
        """Delete the takes of a seat's player, or of everybody, the judge too. Refused if that cannot be done."""
        with self._speaking():
            self._hearing.guide.stop()
            try:
                if seat is None:
                    self._hearing.shelf.forget_all()
                else:
                    self._hearing.shelf.forget(owner_of(seat, self.names()))
            except Unavailable as why:
                raise Refused("not_allowed", why=str(why)) from why

    def _record(self, wishes: list[tuple[int | None, str]]) -> None:
        ears.load()
        with self._speaking():
            if not self.may_record():
                raise Refused("not_now")
            for seat, word in wishes:
                self._check_wish(seat, word)
            self._hearing.retry()
            self._hearing.guide.begin(wishes)

    def _check_wish(self, seat: int | None, word: str) -> None:
        if seat is not None and not 1 <= seat <= len(self.names()):
            raise Refused("no_such_seat", seat=seat)
        if word not in ((CLOSING,) if seat is not None else COMMANDS):
            raise Refused("not_allowed", word=word)

    # What listening needs of a room

    def floor(self) -> Floor | None:
        """Who speaks, by day."""
        if self._performance is None:
            return None
        state, heard = self._performance.running.state, self._performance.heard
        asked = prompt(state)
        if asked.kind not in SPEECHES or asked.seat is None or heard.view["phase"] != "day":
            return None
        turn = (self._performance.running.game, state.stage, state.round, state.vote.number, state.speaker, asked.seat)
        return Floor(turn, asked.seat, called=heard.speaker == asked.seat)

    def voice_state(self) -> str:
        """Whether the narrator speaks, or is about to."""
        state = self._conductor.state
        return "speaking" if self._conductor.queued and state != "paused" else state

    def may_record(self) -> bool:
        """Not in a game."""
        return self._performance is None or self._performance.running.state.stage in ("dealt", "over")

    def names(self) -> Sequence[str]:
        """A name for every seat, '' for none."""
        running = self._performance.running if self._performance else None
        seats = running.setup.seats if running else self._draft.seats
        given = running.names if running else self._draft.names
        return [given[place] if place < len(given) else "" for place in range(seats)]

    def languages(self) -> Sequence[str]:
        """What is spoken."""
        return self._settings.languages

    def closing_words(self, language: str) -> Sequence[str]:
        """How speakers end in that language."""
        return Script.load(language).closing_words

    def announce(self, line: Line) -> None:
        """Say a line that belongs to no game."""
        self._conductor.add([Say(0, line)])

    def open_ears(self, tell: Tell) -> Ears:
        """Ears that tell under the lock."""

        def told(event: EarEvent) -> None:
            with self._speaking():
                if not self._closed:
                    tell(event)

        chosen = self._listening
        return chosen.open_ears(told, self._clock, self._hearing.shelf, chosen.engine, chosen.model)

    def obey(self, word: str) -> None:
        """Do what a word stands for."""
        if word == "repeat":
            self._conductor.repeat()
        elif word == "pause":
            self._conductor.pause()
            self._countdown.pause()
        else:
            self._proceed()

    def _proceed(self) -> None:
        """What the tap does."""
        try:
            self._carry_out(self._playing().running.decide({"do": "proceed"}))
            self._changed()
        except Refused as refused:
            self._voice.note(Trouble(FILE_TROUBLE, str(refused)))
