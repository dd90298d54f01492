"""Listening by day: when the microphone is open, when nothing is heard, and what becomes of a word that is.

It decides nothing by itself that a tap would not: a closing word counts down, visibly, to what the tap does.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from narrator.clock import Clock, Timer
from narrator.hearing import trouble
from narrator.hearing.events import Event, Heard, Learned, Listen, Microphone, Noise, Silence, Task, Tell
from narrator.hearing.shelf import TakeShelf
from narrator.hearing.trouble import Unavailable
from narrator.hearing.words import CLOSING, COMMANDS, JUDGE, TAKES, said
from narrator.narration.lines import Line
from narrator.table.hearing_takes import Guide, owner_of

COUNTDOWN = 2.0
"""Seconds between a word and what it brings about, in which it can be cancelled."""
ECHO = 0.3
"""Seconds after a line of the narrator's in which nothing is heard."""
BEGINNING = 3.0
"""Seconds at the beginning of a turn in which nothing is heard."""


class Ears(Protocol):
    """What the table needs of `narrator.hearing.ears.Ears`."""

    def attend(self, task: Task | None) -> None: ...

    def mute(self) -> None: ...

    def unmute(self, moment: float) -> None: ...

    def close(self) -> None: ...


class OpenEars(Protocol):
    """Opens ears, as `narrator.hearing.ears.open_ears` does."""

    def __call__(self, tell: Tell, clock: Clock, shelf: TakeShelf, engine: str, model: Path | None) -> Ears: ...


def open_ears(tell: Tell, clock: Clock, shelf: TakeShelf, engine: str, model: Path | None) -> Ears:
    """Real ears; the libraries of listening are loaded only now. Raises Unavailable if one is missing."""
    try:
        from narrator.hearing.ears import open_ears as opened
    except ImportError as fault:
        raise trouble.no_library(str(fault.name or fault)) from fault
    return opened(tell, clock, shelf, engine, model)


def load() -> None:
    """Load the libraries of listening beforehand, if they are there: it takes a moment."""
    try:
        import narrator.hearing.ears  # noqa: F401
    except ImportError:
        return  # it is told when the ears are opened


@dataclass(frozen=True)
class Floor:
    """Whose turn it is to speak."""

    turn: Hashable
    """Another one for every turn."""
    seat: int
    called: bool
    """Whether the narrator has told so."""


class Room(Protocol):
    """What listening needs around it."""

    def now(self) -> float:
        """The clock."""

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Make a call later, under the table's lock."""

    def floor(self) -> Floor | None:
        """Who speaks, by day; None: nobody is listened to now."""

    def voice_state(self) -> str:
        """`speaking` if the narrator speaks or is about to, `paused`, or anything else."""

    def may_record(self) -> bool:
        """Whether this is a time for takes."""

    def names(self) -> Sequence[str]:
        """A name for every seat, '' for none."""

    def languages(self) -> Sequence[str]:
        """What is spoken, the first language first."""

    def closing_words(self, language: str) -> Sequence[str]:
        """How speakers end in that language."""

    def announce(self, line: Line) -> None:
        """Say a line that belongs to no game."""

    def open_ears(self, tell: Tell) -> Ears:
        """Ears that tell under the table's lock. Raises Unavailable."""

    def obey(self, word: str) -> None:
        """Do what the word stands for: `next`, `repeat` or `pause`."""


@dataclass
class Pending:
    """A word that was heard, and will be acted on."""

    word: str
    due: float
    timer: Timer


class Hearing:
    """All about listening. Its methods are called under the table's lock."""

    def __init__(self, room: Room, shelf: TakeShelf) -> None:
        self._room = room
        self.shelf = shelf
        self.by_takes = True
        """Whether words are told apart by takes."""
        self.guide = Guide(room, shelf)
        self.is_on = False
        self._ears: Ears | None = None
        self._generation = 0
        self._microphone = Microphone("closed")
        self._turn = 0
        self._key: Hashable = None
        self._since: float | None = None
        self._muted = True
        self._noisy = self._silent = False
        self._pending: Pending | None = None

    # What the judge does

    def switch(self, on: bool) -> None:
        """Listen from now on, or no more."""
        self.is_on = on
        self._microphone = Microphone("closed")
        if self._ears is not None and (on or not self.guide.wish):
            self._let_go()
        self.settle()

    def retry(self) -> None:
        """Forget what stood in the way last time."""
        self._microphone = self._microphone if self._ears else Microphone("closed")

    def cancel(self) -> None:
        """Forget the word that was heard."""
        if self._pending is not None:
            self._pending.timer.cancel()
            self._pending = None

    def close(self) -> None:
        """Hear nothing any more."""
        self.is_on = False
        self.guide.stop()
        self._let_go()

    # What happens around it

    def settle(self) -> None:
        """Something has happened: listen for what suits it."""
        if self.guide.wish and not self._room.may_record():
            self.guide.stop()
        if not self._are_open():
            return
        floor = None if self.guide.wish else self._room.floor()
        key: Hashable = self.guide.wish or (floor and floor.turn)
        if key != self._key:
            self._change(key, floor)
        voice = self._room.voice_state()
        if voice == "paused":
            self.cancel()
        self._mute(voice in ("speaking", "paused") or bool(floor and not floor.called))

    def _are_open(self) -> bool:
        """Whether there are ears, which are opened or closed if that is due."""
        needed = self.is_on or bool(self.guide.wish)
        if not needed:
            self._let_go()
        elif self._ears is None and self._microphone.state != "unavailable":
            self._open()
        return self._ears is not None

    def _open(self) -> None:
        generation = self._generation
        try:
            self._ears = self._room.open_ears(lambda event: self._told(event, generation))
        except Unavailable as why:
            self._fail(Microphone("unavailable", why.reason, str(why)))

    def _let_go(self) -> None:
        self.cancel()
        self._generation += 1
        ears, self._ears = self._ears, None
        self._key, self._muted, self._noisy, self._silent = None, True, False, False
        if self._microphone.state != "unavailable":
            self._microphone = Microphone("closed")
        if ears is not None:
            ears.close()

    def _fail(self, microphone: Microphone) -> None:
        self._microphone = microphone
        self.guide.stop()
        self._let_go()

    def _change(self, key: Hashable, floor: Floor | None) -> None:
        """Another turn begins, or none."""
        assert self._ears is not None
        self.cancel()
        self._key, self._since, self._noisy, self._silent = key, None, False, False
        self._turn += 1
        self._ears.mute()
        self._muted = True
        self._ears.attend(self._task(floor))

    def _task(self, floor: Floor | None) -> Task | None:
        if self.guide.wish:
            return self.guide.task(self._turn)
        return self._words_of(floor.seat) if floor else None

    def _words_of(self, seat: int) -> Listen:
        language = self._room.languages()[0]
        wanted = {CLOSING: owner_of(seat, self._room.names()), **dict.fromkeys(COMMANDS, JUDGE)}
        words = {word: owner for word, owner in wanted.items() if self._takes(owner, word) >= TAKES}
        spellings = tuple(spelling for tag in self._room.languages() for spelling in self._room.closing_words(tag))
        return Listen(self._turn, words, {CLOSING: spellings}, language)

    def _takes(self, owner: str, word: str) -> int:
        return len(self.shelf.paths(owner, word, self._room.languages()[0]))

    def _mute(self, muted: bool) -> None:
        assert self._ears is not None
        if muted and not self._muted:
            self._ears.mute()
        elif not muted and self._muted and self._key is not None:
            now = self._room.now()
            if self._since is None:
                self._since = now
            beginning = 0.0 if self.guide.wish else BEGINNING
            self._ears.unmute(max(now + ECHO, self._since + beginning))
        self._muted = muted or self._key is None

    # What the ears tell

    def _told(self, event: Event, generation: int) -> None:
        if generation != self._generation:
            return
        if isinstance(event, Microphone):
            self._note_microphone(event)
        elif event.turn == self._turn:
            self._take_in(event)

    def _note_microphone(self, event: Microphone) -> None:
        if event.state == "unavailable":
            self._fail(event)
        elif event.state != "ready":
            self._microphone = event

    def _take_in(self, event: Heard | Noise | Silence | Learned) -> None:
        if isinstance(event, Heard):
            self._hear(event.word)
        elif isinstance(event, Noise):
            self._noisy = event.noisy
        elif isinstance(event, Silence):
            self._silent = event.silent
        else:
            self.guide.learned(event)

    def _hear(self, word: str) -> None:
        if self._pending is not None or self._muted:
            return
        if word in ("repeat", "pause"):
            self._room.obey(word)
            return
        timer = self._room.later(COUNTDOWN, self._go_on)
        self._pending = Pending(word, self._room.now() + COUNTDOWN, timer)

    def _go_on(self) -> None:
        self._pending = None
        self._room.obey("next")

    # What it shows

    @property
    def state(self) -> str:
        """`off unavailable closed heard muted noisy listening`."""
        if self._microphone.state == "unavailable":
            return "unavailable"
        if self._ears is None:
            return "off"
        if self._pending is not None:
            return "heard"
        if self._key is None or self._microphone.state != "open":
            return "closed"
        if self._muted:
            return "muted"
        return "noisy" if self._noisy else "listening"

    def to_json(self) -> dict[str, Any]:
        """What the judge's page shows of it."""
        pending, language = self._pending, self._room.languages()[0]
        return {
            "on": self.is_on,
            "state": self.state,
            "word": self._spelled(pending.word, language) if pending else None,
            "seconds_left": round(max(0.0, pending.due - self._room.now()), 1) if pending else None,
            "silence": self._silent and self.state in ("listening", "noisy"),
            "reason": self._reason(),
            "text": self._microphone.text,
            "by_takes": self.by_takes,
            "closing_words": list(self._room.closing_words(language)),
            "players": [self._player(seat) for seat in range(1, len(self._room.names()) + 1)],
            "judge": {word: self._takes(JUDGE, word) >= TAKES for word in COMMANDS},
            "commands": {word: said(word, language) for word in COMMANDS},
            "recording": self.guide.to_json(),
            "may_record": self._room.may_record(),
        }

    def _reason(self) -> str:
        """Why nothing is heard, in a word; '' if there is nothing to say about it."""
        if self._microphone.reason:
            return self._microphone.reason
        floor = self._room.floor() if self.is_on and self.by_takes else None
        if floor and self._takes(owner_of(floor.seat, self._room.names()), CLOSING) < TAKES:
            return "no_takes"
        return "night" if self.is_on and self.state == "closed" and self._key is None else ""

    def _player(self, seat: int) -> dict[str, Any]:
        takes = min(TAKES, self._takes(owner_of(seat, self._room.names()), CLOSING))
        return {"seat": seat, "takes": takes, "ready": takes == TAKES}

    def _spelled(self, word: str, language: str) -> str:
        return said(word, language) if word in COMMANDS else self._room.closing_words(language)[0]
