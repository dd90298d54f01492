"""The stage of a table: its voice, its conductor, the speech timer, and the game that is performed on it."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Sequence

from narrator.clock import Timer
from narrator.engine.legal import prompt
from narrator.model.ruleset import Ruleset
from narrator.narration.lines import Line
from narrator.speech.troubles import LINE_FAILED, Trouble
from narrator.speech.utterance import Utterance
from narrator.storage.settings import Settings
from narrator.table.game import Entry, Game
from narrator.table.order import Order
from narrator.table.stage.conductor import Conductor, Hold, Say
from narrator.table.stage.countdown import SHORT, Countdown
from narrator.table.stage.habits import Habits
from narrator.table.stage.pauses import Pauses, RandomSource
from narrator.table.stage.performance import GamePerformance
from narrator.table.stage.utterances import NarratorVoice, SpeakerFactory, surroundings

SAMPLE_SECONDS = 12.0
"""How long a sound check lets the night be heard."""


class Stage:
    """Brings games before the table, one at a time. Its methods are called under the table's lock."""

    def __init__(
        self,
        order: Order,
        chance: RandomSource,
        open_speaker: SpeakerFactory,
        speaker: str,
        settings: Settings,
        ruleset: Ruleset,
        on_idle: Callable[[], None],
    ) -> None:
        """`chance`: source of randomness for pauses; `speaker`: name of the backend that speaks; `ruleset`: whose names
        are spoken; `on_idle` is told when a call that nobody can answer has been open long enough.

        ValueError if there is no such speaker.
        """
        self._order = order
        self._open_speaker = open_speaker
        self._settings = settings
        self._on_idle = on_idle
        self._sampled_until = -math.inf
        self._resumed = False
        self.conductor = Conductor(self)
        self.pauses, self.habits = Pauses(chance), Habits(chance)
        self.countdown = Countdown(order, self._time_mark)
        self.performance: GamePerformance | None = None
        """The game on the table, as it is performed; None if there is none."""
        self.voice = self._opened(speaker, ruleset)
        self.use(settings)

    # The game

    def enter(self, game: Game, *, resumed: bool = False) -> None:
        """A game is on the table; of one that is `resumed`, nothing is spoken until somebody asks for it."""
        self.leave()
        self.voice.ruleset = game.setup.ruleset
        self.performance = GamePerformance(game, self.conductor, self.pauses, self.habits)
        self._resumed = resumed
        self.surround()

    def leave(self) -> None:
        """No game is on the table."""
        self.conductor.clear()
        self.countdown.stop()
        self.performance, self._resumed = None, False
        self.surround()
        self._order.heard()

    def timed(self, entry: Entry) -> Entry:
        """The entry, which is about to be written down, with the time for which the table has waited for it."""
        return self._performed().timed(entry, self.now())

    def perform(self, entry: Entry) -> None:
        """Bring the latest entry before the table."""
        self._resumed = False
        self._performed().perform(entry)
        self.voice.prepare(self.conductor.lines_ahead())

    def take_back(self, undone: Sequence[Entry]) -> None:
        """The latest entries have been undone: set right what the table has heard of them."""
        self._resumed = False
        self._performed().take_back(undone)

    def welcome(self) -> None:
        """Greet the table and have the cards looked at."""
        self._performed().welcome()

    def _performed(self) -> GamePerformance:
        assert self.performance is not None
        return self.performance

    # What the judge does with the voice

    def say_again(self) -> None:
        """Say the line again; after a game was resumed, what stands before the table now."""
        if self._resumed:
            self._resumed = False
            self._performed().recall()
        else:
            self.conductor.repeat()

    def pause(self) -> None:
        """Be silent at once, and let no time pass, until `go_on`."""
        self.conductor.pause()
        self.countdown.pause()

    def go_on(self) -> None:
        """Go on where it was paused."""
        self.countdown.go_on()
        self.conductor.go_on()

    def skip(self) -> None:
        """End the line that is being spoken; by day a silence, too."""
        by_night = self.performance is not None and self.performance.game.state.stage == "night"
        self.conductor.skip(rests=not by_night)

    def sound_check(self) -> None:
        """Ask whether everybody can hear, and let the night be heard for a moment, to try how loud it should be."""
        self._sampled_until = self.now() + SAMPLE_SECONDS
        self.surround()
        self.later(SAMPLE_SECONDS, self.surround)
        self.announce(Line("sound_check", pause_after="none"))

    def announce(self, line: Line) -> None:
        """Say a line that belongs to no game."""
        self.conductor.add([Say(0, line)])

    def call_hands(self, line: Line) -> None:
        """Call for hands, in place of a call that still waits."""
        self.conductor.drop_passing()
        self.conductor.add([Say(self._performed().game.length, line, passing=True)])

    # The voice

    def use(self, settings: Settings) -> None:
        """From the next line on: these languages, voices, sounds and times."""
        self._settings = settings
        self.voice.use(settings.languages, speed=settings.speed, volume=settings.volume, voices=settings.voices)
        self.surround()

    def expect(self, ruleset: Ruleset, seats: int, names: Iterable[str]) -> None:
        """Let the voice know of whom it speaks, and be ready for what is likely to be said, whatever has happened."""
        self.voice.ruleset = ruleset
        self.voice.names = dict(enumerate(names, 1)) if self._settings.names_spoken else {}
        self.voice.expect(seats)

    def change_speaker(self, name: str) -> None:
        """Speak through another speaker from now on; ValueError if there is no such one."""
        old = self.voice
        self.voice = self._opened(name, old.ruleset)
        self.voice.names = old.names
        threading.Thread(target=old.close, name="old-speaker", daemon=True).start()
        self.conductor.restart()

    def surround(self) -> None:
        """Let be heard, besides the lines, what belongs to the game as far as the table has heard it."""
        heard = self.performance.heard.scene if self.performance else ""
        scene = heard or ("night" if self.now() < self._sampled_until else "")
        self.voice.surround(surroundings(self._settings, scene))

    def _opened(self, name: str, ruleset: Ruleset) -> NarratorVoice:
        tell, conductor = self._order.tell, self.conductor
        speaker = self._open_speaker(
            name,
            self._order.clock,
            on_started=lambda utterance: tell(lambda: conductor.started(utterance.number)),
            on_finished=lambda utterance, ending: tell(lambda: conductor.ended(utterance.number)),
            on_trouble=lambda trouble: tell(lambda: self.voice.note(trouble)),
        )
        return NarratorVoice(speaker, name, self._settings.languages, ruleset)

    # The speech timer

    def _time_speech(self, seat: int | None) -> None:
        seconds = self._settings.speech_seconds
        if seat is None or not seconds:
            self.countdown.stop()
        else:
            self.countdown.start(seat, seconds)

    def _time_mark(self, mark: int) -> None:
        """A speaker's time is short, or over: say so unless something else is being said."""
        if self.performance is None or self.conductor.state not in ("silent", "pause"):
            return
        line = Line("speech.time_short", {"seconds": SHORT}) if mark else Line("speech.time_up")
        self.conductor.add([Say(self.performance.game.length, line, passing=True)])

    # What the conductor needs: see `narrator.table.stage.conductor.Podium`

    def now(self) -> float:
        return self._order.now()

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        return self._order.later(seconds, call)

    def utter(self, say: Say) -> Utterance:
        return self.voice.utter(say.line)

    def speak(self, utterance: Utterance) -> float:
        return self.voice.say(utterance)

    def hush(self) -> None:
        self.voice.hush()

    def heard(self, say: Say, utterance: Utterance) -> None:
        if self.performance is None:
            return
        heard = self.performance.heard
        before = heard.turn
        heard.hear(say.line, utterance.text(), self.performance.game.seen, say.upto, anew=say.anew)
        self.surround()
        if heard.turn != before:
            self._time_speech(heard.speaker)
        self._order.heard()

    def idle_over(self, hold: Hold) -> None:
        game = self._performed().game
        if hold.seq == game.length and prompt(game.state).kind == "idle":
            self._on_idle()

    def overdue(self, utterance: Utterance) -> None:
        self.voice.note(Trouble(LINE_FAILED, f"the speaker did not come to the end of a line: {utterance.text()!r}"))
