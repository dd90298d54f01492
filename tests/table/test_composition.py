"""The parts of a table, each by itself: its order, its games, its set-up, its stage."""

from __future__ import annotations

import random
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from narrator.clock import FakeClock
from narrator.narration.lines import Line
from narrator.storage.folders import Folders
from narrator.storage.settings import Settings
from narrator.table import SetupProblem, Stale
from narrator.table.games import Games
from narrator.table.order import Order
from narrator.table.setup.preparation import Preparation
from narrator.table.stage.stage import SAMPLE_SECONDS, Stage
from tests.table.hall import ClockSpeaker

ENGLISH = Settings(languages=("en",))


# Order


def test_only_what_changes_what_can_be_done_raises_the_revision() -> None:
    order = Order(FakeClock())
    with order.looking(), order.speaking():
        pass
    assert order.revision == 1
    with order.acting(1):
        pass
    assert order.revision == 2
    with pytest.raises(Stale, match="moved on to revision 2; got 1"), order.acting(1):
        raise AssertionError("a stale act is not begun")
    with order.acting(None):
        pass
    assert order.revision == 3


def test_what_fails_changes_nothing_and_lets_go_of_the_lock() -> None:
    order = Order(FakeClock())
    with pytest.raises(ValueError, match="no"), order.acting(1):
        raise ValueError("no")
    assert order.revision == 1
    other = threading.Thread(target=lambda: order.tell(order.changed))
    other.start()
    other.join()
    assert order.revision == 2


def test_promised_calls_are_made_in_order_and_not_after_closing() -> None:
    clock, told = FakeClock(), []
    order = Order(clock)
    order.on_settled = lambda: told.append("settled")
    order.later(2.0, lambda: told.append("called"))
    order.later(9.0, lambda: told.append("never"))
    clock.advance(5.0)
    assert told == ["called", "settled"]
    order.close()
    clock.advance(5.0)
    assert "never" not in told


# Games


def test_no_two_games_begin_alike_and_each_can_be_gone_on_with(tmp_path: Path) -> None:
    folders = Folders(tmp_path)
    preparation, games = (
        Preparation(folders, "killers-2"),
        Games(folders.games, lambda: datetime(2026, 1, 2, tzinfo=UTC)),
    )
    begun = []
    for _ in range(2):
        game = games.begin(preparation.document(), preparation.draft.setup(), ("Ana",))
        entry, state = game.decide({"do": "begin"})
        game.commit(entry, state, 0)
        game.close()
        begun.append(game.id)
    assert begun == ["2026-01-02-000000-killers-2", "2026-01-02-000001-killers-2"]
    assert games.interrupted == []
    games.look()
    assert len(games.interrupted) == 2
    resumed = games.resume(games.unended[0])
    assert (resumed.names, resumed.state) == (("Ana",), state)
    assert resumed.undo() == (entry,)
    assert resumed.state == resumed.refold(0)
    resumed.close()


# The set-up


def test_a_draft_and_the_settings_are_changed_both_or_neither(tmp_path: Path) -> None:
    preparation = Preparation(Folders(tmp_path), "killers-2")
    draft, settings = preparation.changed({"seats": 9}, {"volume": 5})
    assert (draft.seats, settings.volume) == (9, 5)
    with pytest.raises(SetupProblem) as found:
        preparation.changed({"seats": 1}, {"volume": 500, "panel_language": "tlh"})
    assert [problem.reason for problem in found.value.problems] == ["seats_out_of_range", "setting"]
    assert preparation.draft.seats != 9


def test_the_next_draft_is_like_the_last_game(tmp_path: Path) -> None:
    preparation = Preparation(Folders(tmp_path), "killers-2")
    preparation.draft = preparation.changed({"ruleset": "killers-4", "seats": 13, "names": ["Ana"]}, {})[0]
    preparation.remember()
    preparation.save()
    again = Preparation(Folders(tmp_path), "killers-2")
    assert (again.draft.ruleset.id, again.draft.seats, again.draft.names) == ("killers-4", 13, ("Ana",))


# The stage


def opened(home: Path) -> tuple[FakeClock, Stage, list[Any]]:
    """A stage without a table, and the speakers that it has opened."""
    clock, speakers = FakeClock(), []

    def factory(*args: Any, **more: Any) -> Any:
        speakers.append(ClockSpeaker(*args, **more))
        return speakers[-1]

    ruleset = Preparation(Folders(home), "killers-2").draft.ruleset
    order = Order(clock)
    return (
        clock,
        Stage(order, random.Random(1), factory, "clock", ENGLISH, ruleset, lambda: None),
        speakers,
    )


def test_a_stage_speaks_without_a_game_and_through_another_speaker_goes_on(tmp_path: Path) -> None:
    clock, stage, speakers = opened(tmp_path)
    stage.announce(Line("sound_check", pause_after="none"))
    clock.advance(0.1)
    stage.change_speaker("other")
    clock.advance(60.0)
    assert [[key for _, key, _ in speaker.lines] for speaker in speakers] == [["sound_check"], ["sound_check"]]
    assert stage.voice.name == "other"


def test_the_night_is_sampled_for_a_moment_only(tmp_path: Path) -> None:
    clock, stage, [speaker] = opened(tmp_path)
    stage.sound_check()
    assert speaker.around[-1][1].scene == "night"
    clock.advance(SAMPLE_SECONDS)
    assert speaker.around[-1][1].scene == ""


def test_a_stage_welcomes_a_game_and_forgets_it(tmp_path: Path) -> None:
    clock, stage, [speaker] = opened(tmp_path)
    folders = Folders(tmp_path)
    preparation, games = Preparation(folders, "killers-2"), Games(folders.games, lambda: datetime.now(UTC))
    game = games.begin(preparation.document(), preparation.draft.setup(), ())
    stage.enter(game)
    stage.welcome()
    clock.advance(60.0)
    assert [key for _, key, _ in speaker.lines] == ["welcome", "deal.single"]
    stage.leave()
    assert stage.performance is None
    assert (stage.conductor.state, stage.conductor.queued) == ("silent", 0)
    game.close()
