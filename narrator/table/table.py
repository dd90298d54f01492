"""The table: everything the panel and the command line may do with one running game, behind one lock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from narrator.engine.legal import prompt
from narrator.engine.views import judge_view
from narrator.model.errors import Refused
from narrator.model.state import State
from narrator.narration.day import ballot_line, candidate_line
from narrator.narration.lines import Line
from narrator.storage.journal import SUFFIX
from narrator.storage.settings import Settings
from narrator.table import views
from narrator.table.game import Command, Game
from narrator.table.hearing_commands import HearingCore
from narrator.table.setup import dealing
from narrator.table.setup.draft import CHANGES, Draft
from narrator.table.stage.conductor import Say
from narrator.table.watch import Watch


class Table(HearingCore):
    """One table. Thread-safe; no method waits for the voice, and only `close` waits, a moment, for the speaker to end.

    `configure` takes, in one mapping, changes of the set-up (`ruleset extras seats names counts options hands`; a count
    of None takes back the judge's own number, hands of None a deal) and of the settings (`languages panel_language
    names_spoken speaker voices volume speed lead_in faint_noise ambience ambience_night ambience_day speech_seconds`).
    """

    # What it shows

    def judge(self) -> dict[str, Any]:
        """Everything the judge's page shows, as JSON:

        `revision`; `mode`: `resume?`, `setup`, `game` or `over`; `setup` (before the game, else None); `game`: the
        judge's view, or None; `texts`; `speech`; `languages`; `settings`; `undo`: `{"what"}` or None; `record`: lines
        of this round; `deaths`: those of this dawn or vote, explained; `interrupted`; `troubles`; `timer`; `names`;
        `calling`: for whom hands are being counted; `hearing`: see `narrator.table.ears.Hearing.to_json`.
        """
        with self._lock:
            self._look()
            panel, performance = views.panel_language(self._settings), self._performance
            ruleset = performance.running.setup.ruleset if performance else self._draft.ruleset
            return {
                "revision": self.revision,
                "mode": self._mode(),
                "setup": None if performance else views.setup_view(self._draft, self._shelf, panel),
                "game": judge_view(performance.running.state) if performance else None,
                "texts": views.texts_view(ruleset, panel),
                "speech": self._speech(),
                "languages": views.languages_view(self._settings),
                "settings": self._settings.model_dump(mode="json"),
                "undo": performance.record.undo_label(panel) if performance else None,
                "record": performance.record.of_round(panel) if performance else [],
                "deaths": performance.record.fresh_deaths(panel) if performance else [],
                "interrupted": list(self._offered),
                "troubles": self._voice.troubles,
                "timer": self._countdown.to_json(),
                "names": list(performance.running.names if performance else self._draft.names),
                "calling": performance.heard.calling if performance else None,
                "hearing": self._hearing.to_json(),
            }

    def public(self) -> dict[str, Any]:
        """Everything the public page shows, as JSON; of a game, only what the table has heard:

        `mode`: `setup`, `game` or `over`; `language`; `names`; `timer`; `ruleset`: `{"id", "name"}`; `view`: the public
        view, or None; `line`; `calling`; `texts`; `story`: once the end has been heard, the whole of it, else None.
        """
        with self._lock:
            language, performance = self._settings.languages[0], self._performance
            if performance is None:
                ruleset = views.ruleset_line(self._draft.ruleset, language)
                shown = {"mode": "setup", "ruleset": ruleset, "view": None, "line": "", "calling": None, "texts": None}
                return {**shown, "language": language, "names": [], "timer": None, "story": None}
            running, heard = performance.running, performance.heard
            return {
                "mode": "over" if heard.is_over else "game",
                "language": language,
                "names": list(running.names),
                "timer": self._countdown.to_json(),
                **views.public_game(heard, running.setup.ruleset, language),
                "story": performance.record.whole(language) if heard.is_over else None,
            }

    def interrupted(self) -> list[dict[str, Any]]:
        """The games that can be gone on with, the latest first: see `narrator.table.game.interrupted`."""
        with self._lock:
            return list(self._offered)

    def watch(self, audience: str) -> Watch:
        """Wait for changes of `judge` or `public`; the public watch ticks only when what it shows has changed."""
        return self._watches.open(audience)

    @property
    def state(self) -> State | None:
        """The state of the game on the table, with every secret; None if there is none."""
        with self._lock:
            return self._performance.running.state if self._performance else None

    @property
    def settings(self) -> Settings:
        """The judge's preferences."""
        return self._settings

    @property
    def readiness(self) -> tuple[int, int]:
        """How many pieces of what is likely to be said are rendered, and of how many."""
        return self._voice.progress

    # The game

    def submit(self, revision: int, command: Command) -> None:
        """Carry out a command of the engine. Stale, or Refused: nothing has changed."""
        with self._acting(revision):
            self._carry_out(self._playing().running.decide(command))

    def undo(self, revision: int) -> None:
        """Take back the judge's last command. Stale, or Refused: nothing has changed."""
        with self._acting(revision):
            performance = self._playing()
            needs(bool(performance.running.undoable()), "nothing_to_undo")
            with self._recorded():
                undone = performance.running.undo()
            self._resumed = False
            performance.take_back(undone)

    def start(self, revision: int) -> None:
        """Begin the game that has been set up. Stale, SetupProblem, or Refused: nothing has changed."""
        with self._acting(revision):
            needs(self._performance is None, "game_running")
            setup = self._draft.setup()
            with self._recorded():
                running = self._begun(setup)
            self._enter(running)
            self._settings = self._settings.changed(
                ruleset=setup.ruleset.id, seats=setup.seats, names=self._draft.names
            )
            self._save()
            self._playing().welcome()

    def resume(self, game_id: str) -> None:
        """Go on with an interrupted game, silently. Refused if there is none of that name, or it cannot go on."""
        with self._acting(None):
            needs(self._performance is None, "game_running")
            needs(any(game["id"] == game_id for game in self._offered), "no_such_game", game=game_id)
            with self._recorded():
                running = Game.resume(self._folders.games / f"{game_id}{SUFFIX}")
            self._enter(running)
            self._resumed = True

    def new(self, revision: int) -> None:
        """Leave a game that is over, or those that were interrupted, for a new one. Stale or Refused: no change."""
        with self._acting(revision):
            performance = self._performance
            needs(performance is None or performance.running.state.winner is not None, "game_running")
            self._leave()
            self._asks_to_resume = False
            self._draft = self._remembered_draft()
            self._expect()

    def configure(self, revision: int, changes: Mapping[str, Any]) -> None:
        """Change the set-up before a game, and settings at any time.

        Stale if the set-up is to be changed and has been changed since, Refused if a game is running, SetupProblem
        with everything that is wrong: nothing has changed. Settings alone are taken whatever the revision.
        """
        of_draft = {name: value for name, value in changes.items() if name in CHANGES}
        of_settings = {name: value for name, value in changes.items() if name not in CHANGES}
        with self._speaking():
            if of_draft:
                self._check(revision)
                needs(self._performance is None, "game_running")
            draft, settings = self._both_changed(of_draft, of_settings)
            if "speaker" in of_settings:
                self._change_speaker(settings)
            self._draft, self._settings = draft, settings
            if of_settings:
                self._use_settings()
                self._save()
            self._expect()
            if of_draft:
                self._changed()
                self._watches.tick("public")

    def deal(self, revision: int, *, by_phone: bool = False) -> None:
        """Deal the cards by chance, so that the table knows who holds what; `by_phone`: each seat has yet to see them.

        Stale, Refused in a game, SetupProblem if the cards do not fit: nothing has changed.
        """
        deal = dealing.begun if by_phone else dealing.dealt
        self._redraft(revision, lambda draft: deal(draft, self._dealer))

    def own_cards(self, revision: int, seat: int) -> tuple[dealing.OwnCard, ...]:
        """The cards of the seat whose turn it is to see them, for nobody else's eyes. Stale or Refused."""
        with self._lock:
            self._check(revision)
            needs(self._performance is None, "game_running")
            return dealing.own_cards(self._draft, seat)

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
        with self._speaking():
            if self._resumed:
                self._resumed = False
                self._playing().recall()
            else:
                self._conductor.repeat()

    def pause(self) -> None:
        """Be silent at once, and let no time pass, until `go_on`. Commands are taken all the same."""
        with self._speaking():
            self._conductor.pause()
            self._countdown.pause()

    def go_on(self) -> None:
        """Go on where it was paused."""
        with self._speaking():
            self._countdown.go_on()
            self._conductor.go_on()

    def skip(self) -> None:
        """End the line that is being spoken; by day a silence, too."""
        with self._speaking():
            by_night = self._performance is not None and self._performance.running.state.stage == "night"
            self._conductor.skip(rests=not by_night)

    def sound_check(self) -> None:
        """Ask whether everybody can hear, the night behind it. Refused in the middle of a game."""
        with self._speaking():
            stage = self._performance.running.state.stage if self._performance else "dealt"
            needs(stage in ("dealt", "over"), "not_now", stage=stage)
            self._sample_night()
            self._conductor.add([Say(0, Line("sound_check", pause_after="none"))])

    def call(self, whom: str, place: int | None = None) -> None:
        """While a vote is taken: call for hands. `whom` is `candidate` or `ballot`, with a place, `abstain` or `down`.

        Refused at other times, and for those who cannot be called.
        """
        with self._speaking():
            running = self._playing().running
            asked = prompt(running.state)
            needs(asked.kind == "vote", "not_now", stage=asked.kind)
            places = {"candidate": asked.candidates, "ballot": tuple(asked.votes)}.get(whom, (None,))
            needs(place in places, "not_a_candidate", place=place)
            self._conductor.drop_passing()
            line = call_line(whom, place, running.setup.ruleset.hand.kind == "numbered")
            self._conductor.add([Say(running.length, line, passing=True)])

    def close(self) -> None:
        """Be silent for good and let go of everything; the game can be resumed later."""
        with self._lock:
            self._hearing.close()
            self._leave()
            self._closed = True
        self._watches.close()
        self._voice.close()

    # Inside

    def _redraft(self, revision: int, change: Callable[[Draft], Draft]) -> None:
        with self._acting(revision):
            needs(self._performance is None, "game_running")
            self._draft = change(self._draft)

    def _mode(self) -> str:
        if self._performance is None:
            return "resume?" if self._asks_to_resume else "setup"
        return "game" if self._performance.running.state.winner is None else "over"

    def _speech(self) -> dict[str, Any]:
        return {
            "state": self._conductor.state,
            "line": self._conductor.text,
            "queue": self._conductor.queued,
            "backend": self._voice.name,
            "volume": self._settings.volume,
            "rate": self._settings.speed,
            "ready": self._voice.progress,
        }


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
