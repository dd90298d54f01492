"""The table: everything the panel and the command line may do with one running game, behind one lock."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from narrator.clock import Clock, SystemClock
from narrator.engine.game import Command
from narrator.engine.legal import prompt
from narrator.hearing.take_shelf import TakeShelf
from narrator.hearing.words import CLOSING, ENGINES
from narrator.model.errors import Refused
from narrator.model.state import State
from narrator.narration.lines import Line, ballot_line, candidate_line
from narrator.speech.backends import open_speaker
from narrator.speech.troubles import Trouble
from narrator.storage.folders import Folders, StorageError
from narrator.storage.settings import FILE, Settings
from narrator.table import views
from narrator.table.ears import Hearing, OpenEars, load_ears
from narrator.table.game import Game
from narrator.table.games import Games, InterruptedGame
from narrator.table.order import Order
from narrator.table.setup import dealing
from narrator.table.setup.draft import CHANGES, Draft, DraftProblem, SetupProblem
from narrator.table.setup.preparation import Preparation
from narrator.table.showcase import Showcase
from narrator.table.stage.pauses import RandomSource
from narrator.table.stage.stage import Stage
from narrator.table.stage.utterances import SpeakerFactory
from narrator.table.views import Calling, GameView, JudgeView, PublicPage, RulesetWords, VoiceView
from narrator.table.watch import Bell, Watch

FILE_TROUBLE = "file"
"""Kind of a trouble with what is kept on disk."""
TAKES_FOLDER = "takes"
"""The folder of takes in the user's own."""


class Table:
    """One table. Thread-safe; no method waits for the voice, and only `close` waits, a moment, for the speaker to end.

    `configure` takes, in one mapping, changes of the set-up (`ruleset extras seats names counts options hands`; a count
    of None takes back the judge's own number, hands of None a deal) and of the settings (`languages panel_language
    names_spoken speaker voices volume speed lead_in faint_noise ambience ambience_night ambience_day speech_seconds`).

    Its parts are there for whoever must look inside, as tests do: `order`, `games` and `game`, `preparation`, `stage`,
    `ears`.
    """

    def __init__(
        self,
        folders: Folders,
        *,
        clock: Clock | None = None,
        chance: RandomSource | None = None,
        speaker: str | None = None,
        ruleset: str = "",
        speaker_factory: SpeakerFactory = open_speaker,
        today: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Open a table on a data folder. `speaker` is used instead of the remembered one, without being remembered;
        `ruleset` is the one offered as long as none is remembered.

        ValueError if there is no such speaker, StorageError if the data folder cannot be used.
        """
        self.dealer = chance or random.SystemRandom()
        """Source of randomness for the cards."""
        self.order = Order(clock or SystemClock())
        self.preparation = Preparation(folders, ruleset)
        self.games = Games(folders.games, today, self.preparation.kept.given_up)
        self.preparation.take_up(self.games.order)
        self.game: Game | None = None
        self.stage = self._staged(speaker_factory, speaker, folders)
        shelf = TakeShelf(lambda: folders.home / TAKES_FOLDER)
        self.ears = Hearing(self.order, self.stage, self.preparation, shelf, self._proceed)
        self.order.on_settled = self.ears.settle
        self.showcase = Showcase(self.order.clock)
        self.order.on_changed = self._lay_open
        self._asks_to_resume = bool(self.games.interrupted)
        self._expect()
        for problem in self.preparation.problems:
            self._note(problem)
        self._lay_open()

    def _staged(self, factory: SpeakerFactory, speaker: str | None, folders: Folders) -> Stage:
        """The stage with this speaker, or the remembered one, or, if there is none such, the usual one."""
        preparation = self.preparation

        def stage(name: str) -> Stage:
            settings, ruleset = preparation.settings, preparation.draft.ruleset
            return Stage(self.order, self.dealer, factory, name, settings, ruleset, lambda: self._proceed(auto=True))

        if speaker:
            return stage(speaker)
        try:
            return stage(preparation.settings.speaker)
        except ValueError as fault:
            usual = Settings().speaker
            preparation.problems.append(f"{folders.home / FILE}: {fault}; {usual!r} is used instead")
            preparation.settings = preparation.settings.changed(speaker=usual)
            return stage(usual)

    # What it shows

    def judge(self) -> JudgeView:
        """Everything the judge's page shows."""
        with self.order.looking():
            self._look()
            settings, performance = self.preparation.settings, self.stage.performance
            draft, panel = self.preparation.draft, views.panel_language(self.preparation.settings)
            game, record = (performance.game, performance.record) if performance else (None, None)
            return JudgeView(
                revision=self.order.revision,
                mode=self._mode(),
                language=panel,
                settings=settings,
                setup=None if game else views.setup_view(draft, self.preparation.shelf, panel),
                game=GameView.of(game.state) if game else None,
                words=RulesetWords.of(game.setup.ruleset if game else draft.ruleset, panel),
                names=tuple(game.names if game else draft.names),
                speech=self._speech(),
                undo=record.undo_label(panel) if record else None,
                record=record.of_round(panel) if record else (),
                deaths=record.fresh_deaths(panel) if record else (),
                interrupted=tuple(self.games.interrupted),
                troubles=self.stage.voice.troubles,
                timer=self.stage.countdown.view(),
                calling=Calling.of(performance.heard.calling) if performance else None,
                hearing=self.ears.view(),
            )

    def public(self) -> PublicPage:
        """Everything the public page shows; of a game, only what the table has heard. Waits for nothing."""
        return self.showcase.look()

    def interrupted(self) -> list[InterruptedGame]:
        """The games that are offered to be gone on with, the latest first."""
        with self.order.looking():
            return list(self.games.interrupted)

    def find_game(self, name: str) -> InterruptedGame | None:
        """The unended game of that id or file, or the latest if it is ''; None if there is none."""
        with self.order.looking():
            return self.games.find(name)

    def watch(self, audience: str, bell: Bell | None = None) -> Watch:
        """Wait for changes of `judge` or `public`, or be called; the public watch ticks only when what it shows has
        changed."""
        return self.order.watches.open(audience, bell)

    @property
    def state(self) -> State | None:
        """The state of the game on the table, with every secret; None if there is none."""
        with self.order.looking():
            return self.game.state if self.game else None

    @property
    def revision(self) -> int:
        """Goes up with every change of what can be done; speech and preferences do not raise it."""
        return self.order.revision

    @property
    def draft(self) -> Draft:
        """The set-up in the making, with the cards that were dealt."""
        return self.preparation.draft

    @property
    def settings(self) -> Settings:
        """The judge's preferences."""
        return self.preparation.settings

    @property
    def is_at_rest(self) -> bool:
        """Whether everything has been said, and nothing but an answer is waited for."""
        with self.order.looking():
            conductor = self.stage.conductor
            return conductor.state in ("silent", "waiting") and not conductor.queued

    @property
    def readiness(self) -> tuple[int, int]:
        """How many pieces of what is likely to be said are rendered, and of how many."""
        return self.stage.voice.progress

    # The game

    def submit(self, revision: int, command: Command) -> None:
        """Carry out a command of the engine. Stale, or Refused: nothing has changed."""
        with self.order.acting(revision):
            self._carry_out(command)

    def undo(self, revision: int) -> None:
        """Take back the judge's last command. Stale, or Refused: nothing has changed."""
        with self.order.acting(revision):
            game = self._played()
            needs(bool(game.undoable()), "nothing_to_undo")
            with self._recorded():
                undone = game.undo()
            self.stage.take_back(undone)

    def start(self, revision: int) -> None:
        """Begin the game that has been set up. Stale, SetupProblem, or Refused: nothing has changed."""
        with self.order.acting(revision):
            needs(self.game is None, "game_running")
            draft = self.preparation.draft
            setup = draft.setup()
            with self._recorded():
                game = self.games.begin(self.preparation.document(), setup, draft.names)
            self._enter(game)
            self.preparation.remember()
            self._save()
            self._forget_draft(game)
            self.stage.welcome()

    def resume(self, game_id: str, *, damaged: bool = False) -> None:
        """Go on with an interrupted game of the data folder, silently.

        `damaged`: if some of it is damaged, up to its last sound record; the file as it was is kept beside it. Refused
        if there is none of that name, or it cannot go on.
        """
        with self.order.acting(None):
            path = next((path for path in self.games.unended if path.stem == game_id), None)
            self._resume(path, game_id, damaged)

    def resume_file(self, path: Path, *, damaged: bool = False) -> None:
        """The same with a journal anywhere."""
        with self.order.acting(None):
            self._resume(path, str(path), damaged)

    def new(self, revision: int) -> None:
        """Leave a game that is over, or those that were interrupted, for a new one. Stale or Refused: no change."""
        with self.order.acting(revision):
            needs(self.game is None or self.game.state.winner is not None, "game_running")
            draft = self.preparation.remembered()
            with self._recorded():
                self.preparation.keep(draft, self._order(), self.games.left_behind())
            self.leave()
            self._asks_to_resume = False
            self.games.give_up()
            self.preparation.draft = draft
            self._expect()

    def leave(self) -> None:
        """Let go of the game on the table, if there is one; it can be gone on with later."""
        with self.order.looking():
            self.stage.leave()
            if self.game is not None:
                self.game.close()
                self.game = None
                self.games.look()

    # The set-up

    def configure(self, revision: int, changes: Mapping[str, Any]) -> None:
        """Change the set-up before a game, and settings at any time.

        Stale if the set-up is to be changed and has been changed since, Refused if a game is running, SetupProblem
        with everything that is wrong: nothing has changed. Settings alone are taken whatever the revision.
        """
        of_draft = {name: value for name, value in changes.items() if name in CHANGES}
        of_settings = {name: value for name, value in changes.items() if name not in CHANGES}
        with self.order.speaking():
            if of_draft:
                self.order.check(revision)
                needs(self.game is None, "game_running")
            draft, settings = self.preparation.changed(of_draft, of_settings)
            if of_draft:
                self._keep(draft)
            if "speaker" in of_settings:
                self._change_speaker(settings.speaker)
            self.preparation.draft, self.preparation.settings = draft, settings
            if of_settings:
                self.stage.use(settings)
                self._save()
            self._expect()
            if of_draft:
                self.order.changed()
                self.order.heard()

    def deal(self, revision: int, *, by_phone: bool = False) -> None:
        """Deal the cards by chance, so that the table knows who holds what; `by_phone`: each seat has yet to see them.

        Stale, Refused in a game, SetupProblem if the cards do not fit: nothing has changed.
        """
        deal = dealing.begun if by_phone else dealing.dealt
        self._redraft(revision, lambda draft: deal(draft, self.dealer))

    def own_cards(self, revision: int, seat: int) -> tuple[dealing.OwnCard, ...]:
        """The cards of the seat whose turn it is to see them, for nobody else's eyes. Stale or Refused."""
        with self.order.looking():
            self.order.check(revision)
            needs(self.game is None, "game_running")
            return dealing.own_cards(self.preparation.draft, seat)

    def swap_cards(self, revision: int, seat: int) -> None:
        """Let the seat whose turn it is change front and back. Stale or Refused: nothing has changed."""
        self._redraft(revision, lambda draft: dealing.swapped(draft, seat))

    def hand_on(self, revision: int, seat: int) -> None:
        """The seat whose turn it was has seen its cards. Stale or Refused: nothing has changed."""
        self._redraft(revision, lambda draft: dealing.handed_on(draft, seat))

    def hand_back(self, revision: int, seat: int) -> None:
        """Let a seat that has seen its cards see them once more. Stale or Refused: nothing has changed."""
        self._redraft(revision, lambda draft: dealing.handed_back(draft, seat))

    # The voice

    def say_again(self) -> None:
        """Say the line again; after a game was resumed, what stands before the table now."""
        with self.order.speaking():
            self.stage.say_again()

    def pause(self) -> None:
        """Be silent at once, and let no time pass, until `go_on`. Commands are taken all the same."""
        with self.order.speaking():
            self.stage.pause()

    def go_on(self) -> None:
        """Go on where it was paused."""
        with self.order.speaking():
            self.stage.go_on()

    def skip(self) -> None:
        """End the line that is being spoken; by day a silence, too."""
        with self.order.speaking():
            self.stage.skip()

    def sound_check(self) -> None:
        """Ask whether everybody can hear, the night behind it. Refused in the middle of a game."""
        with self.order.speaking():
            at = self.game.state.stage if self.game else "dealt"
            needs(at in ("dealt", "over"), "not_now", stage=at)
            self.stage.sound_check()

    def call(self, whom: str, place: int | None = None) -> None:
        """While a vote is taken: call for hands. `whom` is `candidate` or `ballot`, with a place, `abstain` or `down`.

        Refused at other times, and for those who cannot be called.
        """
        with self.order.speaking():
            game = self._played()
            asked = prompt(game.state)
            needs(asked.kind == "vote", "not_now", stage=asked.kind)
            places = {"candidate": asked.candidates, "ballot": tuple(asked.votes)}.get(whom, (None,))
            needs(place in places, "not_a_candidate", place=place)
            self.stage.call_hands(call_line(whom, place, game.setup.ruleset.hand.kind == "numbered"))

    # Listening

    def listen_with(
        self, engine: str = ENGINES[0], model: Path | None = None, open_ears: OpenEars | None = None
    ) -> None:
        """Tell words apart by this engine, with the model in that folder, from when listening is next switched on.

        Raises ValueError for an engine that does not exist.
        """
        with self.order.looking():
            self.ears.listen_with(engine, model, open_ears)

    def listen_on(self) -> None:
        """Listen for closing words by day, from now on; why that cannot be is shown."""
        load_ears()
        with self.order.speaking():
            self.ears.switch(on=True)

    def listen_off(self) -> None:
        """Listen no more."""
        with self.order.speaking():
            self.ears.switch(on=False)

    def cancel_heard(self) -> None:
        """Do not go on after the word that was heard."""
        with self.order.speaking():
            self.ears.cancel()

    def record_take(self, seat: int | None, word: str = CLOSING) -> None:
        """Ask a seat (None: the judge) for takes of a word, in place of earlier ones. Refused in a game."""
        load_ears()
        with self.order.speaking():
            self.ears.record([(seat, word)])

    def record_takes(self) -> None:
        """Ask every seat that has no takes of the closing word, one after the other. Refused in a game."""
        load_ears()
        with self.order.speaking():
            self.ears.record_missing()

    def skip_takes(self) -> None:
        """Go on with whoever is to be asked next."""
        with self.order.speaking():
            self.ears.guide.skip()

    def stop_takes(self) -> None:
        """Ask nobody any more for takes."""
        with self.order.speaking():
            self.ears.guide.stop()

    def forget_takes(self, seat: int | None = None) -> None:
        """Delete the takes of a seat's player, or of everybody, the judge too. Refused if that cannot be done."""
        with self.order.speaking():
            self.ears.forget(seat)

    def close(self) -> None:
        """Be silent for good and let go of everything; the game can be resumed later."""
        with self.order.looking():
            self.ears.close()
            self.leave()
            self.order.close()
        self.order.watches.close()
        self.stage.voice.close()

    # Inside

    def _played(self) -> Game:
        if self.game is None:
            raise Refused("no_game")
        return self.game

    def _carry_out(self, command: Command, *, auto: bool = False) -> None:
        """Decide, write down, perform. `auto`: whether the table gives the command itself, in the judge's place."""
        game = self._played()
        entry, state = game.decide(command, auto=auto)
        entry = self.stage.timed(entry)
        with self._recorded():
            game.commit(entry, state, self.stage.conductor.heard_upto)
        self.stage.perform(entry)

    def _proceed(self, *, auto: bool = False) -> None:
        """What the tap does, done for the judge; why it cannot be is told."""
        try:
            self._carry_out({"do": "proceed"}, auto=auto)
            self.order.changed()
        except Refused as refused:
            self._note(str(refused))

    def _resume(self, path: Path | None, name: str, damaged: bool) -> None:
        needs(self.game is None, "game_running")
        if path is None:
            raise Refused("no_such_game", game=name)
        with self._recorded():
            game = self.games.resume(path, damaged=damaged)
        try:
            self._enter(game, resumed=True)
        except Exception as fault:  # a game that nobody can show must not stay locked, nor on the table
            self.leave()
            self._note(f"the game cannot go on in {path}: {type(fault).__name__}: {fault}")
            raise Refused("not_recorded", why=str(fault)) from fault
        self._forget_draft(game)

    def _enter(self, game: Game, *, resumed: bool = False) -> None:
        """A game is on the table."""
        self.game = game
        self.stage.enter(game, resumed=resumed)
        self._asks_to_resume = False
        self._expect()
        self.order.heard()

    def _expect(self) -> None:
        """Let the voice know of whom it speaks."""
        game, draft = self.game, self.preparation.draft
        if game is None:
            self.stage.expect(draft.ruleset, draft.seats, draft.names)
        else:
            self.stage.expect(game.setup.ruleset, game.setup.seats, game.names)

    def _lay_open(self) -> None:
        """Let everybody see what they may see now."""
        performance, language = self.stage.performance, self.preparation.settings.languages[0]
        ruleset = performance.game.setup.ruleset if performance else self.preparation.draft.ruleset
        self.showcase.lay_open(language, ruleset, performance, self.stage.countdown)

    def _look(self) -> None:
        """Before a game: take up what has been changed in the user's own rulesets."""
        if self.game is None and self.preparation.look():
            with suppress(Refused):
                self._keep(self.preparation.draft)
            self._expect()
            self.order.changed()

    def _change_speaker(self, name: str) -> None:
        """Speak through another speaker from now on; SetupProblem if there is no such one."""
        try:
            self.stage.change_speaker(name)
        except ValueError as fault:
            raise SetupProblem([DraftProblem("setting", {"what": str(fault)})]) from fault

    def _keep(self, draft: Draft) -> None:
        """Have a draft on the disk before it counts; Refused if that cannot be."""
        with self._recorded():
            self.preparation.keep(draft, self._order(), self.games.given_up)

    def _forget_draft(self, game: Game) -> None:
        """What was set up is played; that game is not given up any more."""
        self.games.given_up.discard(game.journal.path.stem)
        try:
            self.preparation.keep(None, game.order, self.games.given_up)
        except StorageError as fault:
            self._note(str(fault))

    def _order(self) -> int:
        """The order of the latest game."""
        return max(self.games.order, self.game.order if self.game else 0)

    def _save(self) -> None:
        try:
            self.preparation.save()
        except StorageError as fault:
            self._note(str(fault))

    def _note(self, problem: str) -> None:
        """Tell the judge of something wrong with what is kept on disk."""
        self.stage.voice.note(Trouble(FILE_TROUBLE, problem))

    @contextmanager
    def _recorded(self) -> Iterator[None]:
        """Turn a journal that cannot be written into a refusal."""
        try:
            yield
        except StorageError as fault:
            self._note(str(fault))
            raise Refused("not_recorded", why=str(fault)) from fault

    def _redraft(self, revision: int, change: Callable[[Draft], Draft]) -> None:
        with self.order.acting(revision):
            needs(self.game is None, "game_running")
            draft = change(self.preparation.draft)
            self._keep(draft)
            self.preparation.draft = draft

    def _mode(self) -> str:
        if self.game is None:
            return "resume?" if self._asks_to_resume else "setup"
        return "game" if self.game.state.winner is None else "over"

    def _speech(self) -> VoiceView:
        conductor, voice = self.stage.conductor, self.stage.voice
        return VoiceView(conductor.state, conductor.text, conductor.queued, voice.name, voice.progress)


def needs(true: bool, reason: str, **values: object) -> None:
    """Refuse for that reason unless it is true."""
    if not true:
        raise Refused(reason, **values)


def call_line(whom: str, place: int | None, cards: bool) -> Line:
    """The words that call for hands; Refused for a call that does not exist."""
    if place is not None:
        return candidate_line(place, cards) if whom == "candidate" else ballot_line(place)
    needs(whom in ("abstain", "down"), "not_allowed", whom=whom)
    return Line("vote.abstain" if whom == "abstain" else "vote.hands_down", pause_after="turn")
