"""The inside of a table: its lock, and what ties game, voice, conductor and watches together."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from narrator.clock import Clock, SystemClock, Timer
from narrator.engine.legal import prompt
from narrator.loading.rulesets import RulesetProblems
from narrator.model.errors import Refused
from narrator.model.state import Setup
from narrator.narration.lines import Line
from narrator.narration.scripts import languages
from narrator.speech.backends import open_speaker
from narrator.speech.troubles import LINE_FAILED, Trouble
from narrator.speech.utterance import Utterance
from narrator.storage.folders import Folders, StorageError
from narrator.storage.settings import Settings, load_settings, save_settings
from narrator.table.game import Entry, Game, interrupted
from narrator.table.setup.draft import Draft, DraftProblem, SetupProblem
from narrator.table.setup.shelf import Shelf
from narrator.table.stage.conductor import Conductor, Hold, Say
from narrator.table.stage.countdown import SHORT, Countdown
from narrator.table.stage.habits import Habits
from narrator.table.stage.pauses import Chance, Pauses
from narrator.table.stage.performance import Performance
from narrator.table.stage.voice import SpeakerFactory, Voice, surroundings
from narrator.table.watch import Watches

FILE_TROUBLE = "file"
"""Kind of a trouble with what is kept on disk."""

SAMPLE_SECONDS = 12.0
"""How long a sound check lets the night be heard."""

STAMP, STAMP_LIKE = "%Y-%m-%d-%H%M%S", "2000-01-01-000000"
"""How the id of a game begins, so that the ids sort by time; two games never begin alike."""


class Stale(Exception):
    """The judge has seen an older revision; nothing was done. `revision` is the present one."""

    def __init__(self, seen: object, revision: int) -> None:
        self.revision = revision
        super().__init__(f"the table has moved on to revision {revision}; got {seen}")


class Core:
    """Everything a table does without being asked by the judge."""

    def __init__(
        self,
        folders: Folders,
        *,
        clock: Clock | None = None,
        chance: Chance | None = None,
        speaker: str | None = None,
        ruleset: str = "",
        speaker_factory: SpeakerFactory = open_speaker,
        today: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Open a table on a data folder. `speaker` is used instead of the remembered one, without being remembered;
        `ruleset` is the one offered as long as none is remembered.

        ValueError if there is no such speaker, StorageError if the data folder cannot be used.
        """
        self._lock = threading.RLock()
        self._closed = False
        self._clock = clock or SystemClock()
        self._today = today
        self._folders = folders
        self._open_speaker = speaker_factory
        self._watches = Watches()
        self._conductor = Conductor(self)
        chance = self._dealer = chance or random.SystemRandom()
        self._pauses, self._habits = Pauses(chance), Habits(chance)
        self._countdown = Countdown(self, self._time_mark)
        self._shelf = Shelf(folders.rules)
        self._settings, fault = load_settings(folders.home)
        self._first_ruleset = ruleset
        self._draft = self._remembered_draft()
        self._voice = self._open_voice(speaker or self._settings.speaker)
        self._performance: Performance | None = None
        self._resumed = False
        self._sampled_until = -math.inf
        self._offered = interrupted(folders.games)
        self._asks_to_resume = bool(self._offered)
        self._use_settings()
        self._expect()
        for problem in [*([fault] if fault else []), *self._shelf.problems]:
            self._voice.note(Trouble(FILE_TROUBLE, problem))
        self.revision = 1
        """Goes up with every change of what can be done; speech and preferences do not raise it."""

    # What the conductor and the timer need of a stage

    def now(self) -> float:
        """The clock."""
        return self._clock.now()

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Make a call later, under the lock."""

        def made() -> None:
            with self._speaking():
                if not self._closed:
                    call()

        return self._clock.call_later(seconds, made)

    def utter(self, say: Say) -> Utterance:
        """Put a line into words."""
        return self._voice.utter(say.line)

    def speak(self, utterance: Utterance) -> float:
        """Hand it to the speaker."""
        return self._voice.say(utterance)

    def hush(self) -> None:
        """Stop the speaker."""
        self._voice.hush()

    def heard(self, say: Say, utterance: Utterance) -> None:
        """A line has begun: the table knows what it says."""
        if self._performance is None:
            return
        heard = self._performance.heard
        before = heard.turn
        heard.hear(say, utterance.text())
        self._surround()
        if heard.turn != before:
            self._time_speech(heard.speaker)
        self._watches.tick("public")

    def idle_over(self, hold: Hold) -> None:
        """Nobody can answer: go on in the judge's place."""
        running = self._playing().running
        if hold.seq != running.length or prompt(running.state).kind != "idle":
            return
        try:
            self._carry_out(running.decide({"do": "proceed"}, auto=True))
            self._changed()
        except Refused as refused:
            self._voice.note(Trouble(FILE_TROUBLE, str(refused)))

    def overdue(self, utterance: Utterance) -> None:
        """The speaker does not tell the end of a line."""
        self._voice.note(Trouble(LINE_FAILED, f"the speaker did not come to the end of a line: {utterance.text()!r}"))

    # What the speaker tells, on its own thread

    def _on_started(self, utterance: Utterance) -> None:
        with self._speaking():
            self._conductor.started(utterance.number)

    def _on_finished(self, utterance: Utterance, ending: str) -> None:
        with self._speaking():
            self._conductor.ended(utterance.number)

    def _on_trouble(self, trouble: Trouble) -> None:
        with self._speaking():
            self._voice.note(trouble)

    # The game

    def _playing(self) -> Performance:
        if self._performance is None:
            raise Refused("no_game")
        return self._performance

    def _carry_out(self, entry: Entry) -> None:
        performance = self._playing()
        entry = performance.timed(entry, self.now())
        with self._recorded():
            performance.running.commit(entry, self._conductor.heard_upto)
        self._resumed = False
        performance.perform(entry)
        self._voice.prepare(self._conductor.lines_ahead())

    def _begun(self, setup: Setup) -> Game:
        """The journal of a new game."""
        now = moment = self._today()
        taken = {path.name[: len(STAMP_LIKE)] for path in self._folders.games.iterdir()}
        while f"{moment:{STAMP}}" in taken:
            moment += timedelta(seconds=1)
        name = f"{moment:{STAMP}}-{setup.ruleset.id}"
        document = self._shelf.document(self._draft.ruleset.id, self._draft.extras)
        return Game.begin(self._folders.games, name, now.isoformat(), document, setup, self._draft.names)

    def _enter(self, running: Game) -> None:
        """A game is on the table."""
        self._leave()
        self._voice.ruleset = running.setup.ruleset
        self._performance = Performance(running, self._conductor, self._pauses, self._habits)
        self._asks_to_resume = False
        self._surround()
        self._expect()
        self._watches.tick("public")

    def _leave(self) -> None:
        """No game is on the table."""
        self._conductor.clear()
        self._countdown.stop()
        self._resumed = False
        if self._performance is not None:
            self._performance.running.close()
            self._performance = None
            self._offered = interrupted(self._folders.games)
        self._surround()
        self._watches.tick("public")

    def _time_speech(self, seat: int | None) -> None:
        seconds = self._settings.speech_seconds
        if seat is None or not seconds:
            self._countdown.stop()
        else:
            self._countdown.start(seat, seconds)

    def _time_mark(self, mark: int) -> None:
        """A speaker's time is short, or over: say so unless something else is being said."""
        if self._performance is None or self._conductor.state not in ("silent", "pause"):
            return
        line = Line("speech.time_short", {"seconds": SHORT}) if mark else Line("speech.time_up")
        self._conductor.add([Say(self._performance.running.length, line, passing=True)])

    # Settings and the voice

    def _remembered_draft(self) -> Draft:
        rulesets = {ruleset.id: ruleset for ruleset in self._shelf.rulesets}
        wished = (self._settings.ruleset, self._first_ruleset, *rulesets)
        chosen = next(rulesets[name] for name in wished if name in rulesets)
        return Draft.of(chosen, self._settings.seats, self._settings.names)

    def _look(self) -> None:
        """Before a game: take up what has been changed in the user's own rulesets."""
        if self._performance is None and self._shelf.look():
            self._renew_draft(self._draft.ruleset.id, self._draft.extras)
            self._expect()
            self._changed()

    def _renew_draft(self, name: str, extras: tuple[str, ...]) -> None:
        try:
            ruleset = self._shelf.ruleset(name, extras)
        except KeyError:
            self._draft = self._remembered_draft()
        except RulesetProblems:
            self._renew_draft(name, ())
        else:
            if ruleset is not self._draft.ruleset:
                self._draft = self._draft.renewed(ruleset, extras)

    def _both_changed(self, draft: Mapping[str, Any], preferences: Mapping[str, Any]) -> tuple[Draft, Settings]:
        """Draft and settings with these changes; SetupProblem with everything that is wrong with either."""
        problems: list[DraftProblem] = []
        new_draft, new_settings = self._draft, self._settings
        try:
            new_draft = self._draft.changed(draft, self._shelf.ruleset)
        except SetupProblem as found:
            problems += found.problems
        try:
            new_settings = self._settings.changed(**preferences)
        except ValueError as fault:
            problems.append(DraftProblem("setting", {"what": str(fault)}))
        shown = new_settings.panel_language
        for language in (*new_settings.languages, *([shown] if shown else [])):
            if language not in languages():
                problems.append(DraftProblem("unknown_language", {"language": language}))
        if problems:
            raise SetupProblem(problems)
        return new_draft, new_settings

    def _open_voice(self, name: str) -> Voice:
        speaker = self._open_speaker(
            name,
            self._clock,
            on_started=self._on_started,
            on_finished=self._on_finished,
            on_trouble=self._on_trouble,
        )
        return Voice(speaker, name, self._settings.languages, self._draft.ruleset)

    def _change_speaker(self, settings: Settings) -> None:
        """Speak through another speaker from now on; SetupProblem if there is no such one."""
        old = self._voice
        try:
            self._voice = self._open_voice(settings.speaker)
        except ValueError as fault:
            raise SetupProblem([DraftProblem("setting", {"what": str(fault)})]) from fault
        self._voice.ruleset, self._voice.names = old.ruleset, old.names
        threading.Thread(target=old.close, name="old-speaker", daemon=True).start()
        self._conductor.restart()

    def _use_settings(self) -> None:
        chosen = self._settings
        self._voice.use(chosen.languages, speed=chosen.speed, volume=chosen.volume, voices=chosen.voices)
        self._surround()

    def _expect(self) -> None:
        """Let the voice know of whom it speaks, and be ready for what is likely to be said, whatever has happened."""
        if self._performance is None:
            self._voice.ruleset = self._draft.ruleset
        running = self._performance.running if self._performance else None
        names = running.names if running else self._draft.names
        self._voice.names = dict(enumerate(names, 1)) if self._settings.names_spoken else {}
        self._voice.expect(running.setup.seats if running else self._draft.seats)

    def _surround(self) -> None:
        """Let be heard, besides the lines, what belongs to the game as far as the table has heard it."""
        heard = self._performance.heard.scene if self._performance else ""
        scene = heard or ("night" if self.now() < self._sampled_until else "")
        self._voice.surround(surroundings(self._settings, scene))

    def _sample_night(self) -> None:
        """Let the night be heard for a moment, to try how loud it should be."""
        self._sampled_until = self.now() + SAMPLE_SECONDS
        self._surround()
        self.later(SAMPLE_SECONDS, self._surround)

    def _save(self) -> None:
        try:
            save_settings(self._folders.home, self._settings)
        except StorageError as fault:
            self._voice.note(Trouble(FILE_TROUBLE, str(fault)))

    # Order

    def _check(self, revision: object) -> None:
        if revision != self.revision:
            raise Stale(revision, self.revision)

    def _changed(self) -> None:
        self.revision += 1
        self._watches.tick("judge")

    @contextmanager
    def _acting(self, revision: int | None) -> Iterator[None]:
        """The lock, for something that changes what can be done; `revision` None: whatever the judge has seen."""
        with self._lock:
            if revision is not None:
                self._check(revision)
            yield
            self._changed()
            self._settled()

    @contextmanager
    def _speaking(self) -> Iterator[None]:
        """The lock, for something that changes only what is being said."""
        with self._lock:
            yield
            self._settled()
            self._watches.tick("judge")

    def _settled(self) -> None:
        """Something has happened, and is over; for those who go by it."""

    @contextmanager
    def _recorded(self) -> Iterator[None]:
        """Turn a journal that cannot be written into a refusal."""
        try:
            yield
        except StorageError as fault:
            self._voice.note(Trouble(FILE_TROUBLE, str(fault)))
            raise Refused("not_recorded", why=str(fault)) from fault
