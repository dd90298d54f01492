"""Listening by day: when the microphone is open, when nothing is heard, and what becomes of a word that is.

It decides nothing by itself that a tap would not: a closing word counts down, visibly, to what the tap does. Before the
game, the narrator asks one after the other for their word, three times each."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from narrator.clock import Clock, Timer
from narrator.engine.legal import prompt
from narrator.hearing.take_shelf import TakeShelf
from narrator.hearing.words import (
    CLOSING,
    COMMANDS,
    ENGINES,
    JUDGE,
    TAKES,
    EarEvent,
    Learn,
    Learned,
    Listen,
    Microphone,
    RoomNoise,
    RoomSilence,
    Task,
    Tell,
    Unavailable,
    WordHeard,
    no_library,
    said,
)
from narrator.model.errors import Refused
from narrator.narration.lines import Line
from narrator.narration.scripts import Script
from narrator.table.heard import is_night
from narrator.table.order import Order
from narrator.table.setup.preparation import Preparation
from narrator.table.stage.stage import Stage

PATIENCE = 20.0
"""Seconds after which somebody who says nothing is passed over."""


@dataclass(frozen=True)
class Wish:
    """A word that somebody is asked for."""

    number: int
    """Goes up with every one, so that being asked twice is not the same."""
    seat: int | None
    """None: the judge."""
    word: str


@dataclass(frozen=True)
class TakeView:
    """Who is asked for a word, and how it goes."""

    seat: int | None
    """None: the judge."""
    word: str
    kept: int
    """Takes that are kept so far, out of `of`."""
    of: int
    verdict: str
    """What became of the last attempt: `kept unlike long noisy`, '' before the first."""
    left: int
    """How many are asked after this one."""


def owner_of(seat: int | None, names: Sequence[str]) -> str:
    """Whose takes those of a seat are: the player's by name, wherever he sits, or the seat's where it has no name."""
    if seat is None:
        return JUDGE
    name = names[seat - 1].strip() if seat <= len(names) else ""
    if not name:
        return f"seat-{seat}"
    return f"player-{hashlib.sha256(name.casefold().encode()).hexdigest()[:16]}"


class Guide:
    """Leads through the recording."""

    def __init__(self, room: Room, shelf: TakeShelf) -> None:
        self._room = room
        self._shelf = shelf
        self._queue: deque[Wish] = deque()
        self.wish: Wish | None = None
        """Who is being asked; None: nobody."""
        self._kept = 0
        self._verdict = ""
        self._asked = 0
        self._several = False
        self._timer: Timer | None = None

    def begin(self, wishes: Iterable[tuple[int | None, str]]) -> None:
        """Ask these for their words, each seat (None: the judge) with a word."""
        self.stop()
        for seat, word in wishes:
            self._asked += 1
            self._queue.append(Wish(self._asked, seat, word))
        self._several = len(self._queue) > 1
        self._next()

    def skip(self) -> None:
        """Go on with whoever comes next."""
        if self.wish is not None:
            self._next()

    def stop(self) -> None:
        """Ask nobody any more."""
        self._queue.clear()
        self.wish = None
        self._cancel()

    def task(self, turn: int) -> Learn:
        """What the ears have to learn. Only while somebody is asked."""
        assert self.wish is not None
        return Learn(turn, self._owner(self.wish), self.wish.word, self._room.languages()[0])

    def learned(self, event: Learned) -> None:
        """The ears have heard an attempt."""
        self._kept, self._verdict = event.kept, event.verdict
        self._wait()
        if event.kept >= TAKES:
            self._room.announce(quiet_line("takes.thanks"))
            self._next()
        elif event.verdict != "kept":
            self._room.announce(quiet_line("takes.unlike" if event.verdict == "unlike" else "takes.once_more"))

    def view(self) -> TakeView | None:
        """What the judge's page shows; None while nobody is asked."""
        if self.wish is None:
            return None
        return TakeView(self.wish.seat, self.wish.word, self._kept, TAKES, self._verdict, len(self._queue))

    def _owner(self, wish: Wish) -> str:
        return owner_of(wish.seat, self._room.names())

    def _next(self) -> None:
        self._kept, self._verdict = 0, ""
        self.wish = self._queue.popleft() if self._queue else None
        if self.wish is None:
            self._cancel()
            if self._several:
                self._room.announce(quiet_line("takes.done"))
            return
        for path in self._shelf.paths(self._owner(self.wish), self.wish.word, self._room.languages()[0]):
            self._shelf.drop(path)
        self._room.announce(asking_line(self.wish))
        self._wait()

    def _wait(self) -> None:
        self._cancel()
        self._timer = self._room.later(PATIENCE, self.skip)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def quiet_line(key: str, **params: Any) -> Line:
    """A line after which nothing is waited for."""
    return Line(key, params, pause_after="none")


def asking_line(wish: Wish) -> Line:
    """The line that asks for a word."""
    return quiet_line("takes.ask", seat=wish.seat) if wish.word == CLOSING else quiet_line(f"takes.{wish.word}")


COUNTDOWN = 2.0
"""Seconds between a word and what it brings about, in which it can be cancelled."""
ECHO = 0.3
"""Seconds after a line of the narrator's in which nothing is heard."""
SPEECHES = ("speech", "last_words")
"""The prompts in which somebody has the floor."""
BEGINNING = 3.0
"""Seconds at the beginning of a turn in which nothing is heard."""


class AnyEars(Protocol):
    """What the table needs of `narrator.hearing.ear.Ears`."""

    def attend(self, task: Task | None) -> None: ...

    def mute(self) -> None: ...

    def unmute(self, moment: float) -> None: ...

    def close(self) -> None: ...


class OpenEars(Protocol):
    """Opens ears, as `narrator.hearing.ear.open_ears` does."""

    def __call__(self, tell: Tell, clock: Clock, shelf: TakeShelf, engine: str, model: Path | None) -> AnyEars: ...


def open_real_ears(tell: Tell, clock: Clock, shelf: TakeShelf, engine: str, model: Path | None) -> AnyEars:
    """Real ears; the libraries of listening are loaded only now. Raises Unavailable if one is missing."""
    try:
        from narrator.hearing.ear import open_ears as opened
    except ImportError as fault:
        raise no_library(str(fault.name or fault)) from fault
    return opened(tell, clock, shelf, engine, model)


def load_ears() -> None:
    """Load the libraries of listening beforehand, if they are there: it takes a moment."""
    try:
        import narrator.hearing.ear  # noqa: F401
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


class Room:
    """What listening needs around it: who has the floor, what is being said, and the ears themselves."""

    def __init__(
        self, order: Order, stage: Stage, preparation: Preparation, shelf: TakeShelf, proceed: Callable[[], None]
    ) -> None:
        """`proceed` does what the judge's tap does."""
        self._order = order
        self._stage = stage
        self._preparation = preparation
        self._shelf = shelf
        self._proceed = proceed
        self.engine = ENGINES[0]
        """What tells words apart."""
        self.model: Path | None = None
        """The folder of its model."""
        self.opener: OpenEars = open_real_ears

    def now(self) -> float:
        """The clock."""
        return self._order.now()

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Make a call later, under the table's lock."""
        return self._order.later(seconds, call)

    def floor(self) -> Floor | None:
        """Who speaks, by day; None: nobody is listened to now."""
        performance = self._stage.performance
        if performance is None:
            return None
        game, heard = performance.game, performance.heard
        asked, state = prompt(game.state), game.state
        if asked.kind not in SPEECHES or asked.seat is None or is_night(heard.state):
            return None
        turn = (game.id, state.stage, state.round, state.vote.number, state.speaker, asked.seat)
        return Floor(turn, asked.seat, called=heard.speaker == asked.seat)

    def voice_state(self) -> str:
        """`speaking` if the narrator speaks or is about to, `paused`, or anything else."""
        conductor = self._stage.conductor
        return "speaking" if conductor.queued and conductor.state != "paused" else conductor.state

    def may_record(self) -> bool:
        """Whether this is a time for takes: not in a game."""
        performance = self._stage.performance
        return performance is None or performance.game.state.stage in ("dealt", "over")

    def names(self) -> Sequence[str]:
        """A name for every seat, '' for none."""
        performance, draft = self._stage.performance, self._preparation.draft
        seats = performance.game.setup.seats if performance else draft.seats
        given = performance.game.names if performance else draft.names
        return [given[place] if place < len(given) else "" for place in range(seats)]

    def languages(self) -> Sequence[str]:
        """What is spoken, the first language first."""
        return self._preparation.settings.languages

    def closing_words(self, language: str) -> Sequence[str]:
        """How speakers end in that language."""
        return Script.load(language).closing_words

    def announce(self, line: Line) -> None:
        """Say a line that belongs to no game."""
        self._stage.announce(line)

    def open_ears(self, tell: Tell) -> AnyEars:
        """Ears that tell under the table's lock. Raises Unavailable."""

        def told(event: EarEvent) -> None:
            self._order.tell(lambda: tell(event))

        return self.opener(told, self._order.clock, self._shelf, self.engine, self.model)

    def obey(self, word: str) -> None:
        """Do what the word stands for: `next`, `repeat` or `pause`."""
        if word == "repeat":
            self._stage.conductor.repeat()
        elif word == "pause":
            self._stage.pause()
        else:
            self._proceed()


@dataclass
class Pending:
    """A word that was heard, and will be acted on."""

    word: str
    due: float
    timer: Timer


@dataclass(frozen=True)
class TakesOfSeat:
    """Whether a player's word is known."""

    seat: int
    takes: int
    ready: bool


@dataclass(frozen=True)
class HearingView:
    """Listening as the judge's page shows it."""

    on: bool
    state: str
    """`off unavailable closed heard muted noisy listening`"""
    word: str | None
    """The word that was heard and will be acted on."""
    seconds_left: float | None
    """Until then."""
    silence: bool
    """Whether it has been silent so long that the speaker may have ended."""
    reason: str
    """Why nothing is heard, in a word; '' if there is nothing to say about it."""
    text: str
    """The same as a sentence in English."""
    by_takes: bool
    """Whether words are told apart by takes."""
    closing_words: tuple[str, ...]
    """How speakers end, in the first language."""
    players: tuple[TakesOfSeat, ...]
    judge: Mapping[str, bool]
    """Command -> whether the judge's word for it is known."""
    commands: Mapping[str, str]
    """Command -> how it is said."""
    recording: TakeView | None
    may_record: bool


class Hearing:
    """All about listening. Its methods are called under the table's lock."""

    def __init__(
        self, order: Order, stage: Stage, preparation: Preparation, shelf: TakeShelf, proceed: Callable[[], None]
    ) -> None:
        """`proceed` does what the judge's tap does."""
        self._room = room = Room(order, stage, preparation, shelf, proceed)
        self.shelf = shelf
        self.guide = Guide(room, shelf)
        self.is_on = False
        self._ears: AnyEars | None = None
        self._generation = 0
        self._microphone = Microphone("closed")
        self._turn = 0
        self._key: Hashable = None
        self._since: float | None = None
        self._muted = True
        self._noisy = self._silent = False
        self._pending: Pending | None = None

    @property
    def by_takes(self) -> bool:
        """Whether words are told apart by takes."""
        return self._room.engine == ENGINES[0]

    # What the judge does

    def listen_with(self, engine: str, model: Path | None, open_ears: OpenEars | None) -> None:
        """Tell words apart by this engine, with the model in that folder, from when listening is next switched on.

        `open_ears`: None for real ears. Raises ValueError for an engine that does not exist.
        """
        if engine not in ENGINES:
            raise ValueError(f"an engine for listening is one of {', '.join(ENGINES)}; got {engine!r}")
        self._room.engine, self._room.model = engine, model
        self._room.opener = open_ears or open_real_ears

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

    # The players' takes

    def record(self, wishes: Sequence[tuple[int | None, str]]) -> None:
        """Ask seats (None: the judge), each for takes of a word in place of earlier ones. Refused in a game."""
        if not self._room.may_record():
            raise Refused("not_now")
        for seat, word in wishes:
            if seat is not None and not 1 <= seat <= len(self._room.names()):
                raise Refused("no_such_seat", seat=seat)
            if word not in ((CLOSING,) if seat is not None else COMMANDS):
                raise Refused("not_allowed", word=word)
        self.retry()
        self.guide.begin(wishes)

    def record_missing(self) -> None:
        """Ask every seat that has no takes of the closing word, one after the other. Refused in a game."""
        names = self._room.names()
        seats = range(1, len(names) + 1)
        self.record([(seat, CLOSING) for seat in seats if self._takes(owner_of(seat, names), CLOSING) < TAKES])

    def forget(self, seat: int | None) -> None:
        """Delete the takes of a seat's player, or of everybody, the judge too. Refused if that cannot be done."""
        self.guide.stop()
        try:
            if seat is None:
                self.shelf.forget_all()
            else:
                self.shelf.forget(owner_of(seat, self._room.names()))
        except Unavailable as why:
            raise Refused("not_allowed", why=str(why)) from why

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

    def _told(self, event: EarEvent, generation: int) -> None:
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

    def _take_in(self, event: WordHeard | RoomNoise | RoomSilence | Learned) -> None:
        if isinstance(event, WordHeard):
            self._hear(event.word)
        elif isinstance(event, RoomNoise):
            self._noisy = event.noisy
        elif isinstance(event, RoomSilence):
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

    def view(self) -> HearingView:
        """What the judge's page shows of it."""
        pending, language = self._pending, self._room.languages()[0]
        return HearingView(
            on=self.is_on,
            state=self.state,
            word=self._spelled(pending.word, language) if pending else None,
            seconds_left=round(max(0.0, pending.due - self._room.now()), 1) if pending else None,
            silence=self._silent and self.state in ("listening", "noisy"),
            reason=self._reason(),
            text=self._microphone.text,
            by_takes=self.by_takes,
            closing_words=tuple(self._room.closing_words(language)),
            players=tuple(self._player(seat) for seat in range(1, len(self._room.names()) + 1)),
            judge={word: self._takes(JUDGE, word) >= TAKES for word in COMMANDS},
            commands={word: said(word, language) for word in COMMANDS},
            recording=self.guide.view(),
            may_record=self._room.may_record(),
        )

    def _reason(self) -> str:
        """Why nothing is heard, in a word; '' if there is nothing to say about it."""
        if self._microphone.reason:
            return self._microphone.reason
        floor = self._room.floor() if self.is_on and self.by_takes else None
        if floor and self._takes(owner_of(floor.seat, self._room.names()), CLOSING) < TAKES:
            return "no_takes"
        return "night" if self.is_on and self.state == "closed" and self._key is None else ""

    def _player(self, seat: int) -> TakesOfSeat:
        takes = min(TAKES, self._takes(owner_of(seat, self._room.names()), CLOSING))
        return TakesOfSeat(seat, takes, takes == TAKES)

    def _spelled(self, word: str, language: str) -> str:
        return said(word, language) if word in COMMANDS else self._room.closing_words(language)[0]
