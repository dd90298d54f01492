"""What fails is told, and holds nothing up: speakers, disks, settings."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from narrator.clock import FakeClock
from narrator.model.errors import Refused
from narrator.model.ruleset import Ruleset
from narrator.narration.lines import Line
from narrator.narration.scripts import Script
from narrator.speech.troubles import DEVICE_LOST, Trouble
from narrator.speech.utterance import Utterance
from narrator.storage.folders import Folders
from narrator.table import SetupProblem, Table
from narrator.table.stage import utterances
from tests.table.hall import ClockSpeaker, Hall, night_one


class Dumb(ClockSpeaker):
    """A speaker that hangs: it takes lines and tells nothing of them."""

    def say(self, utterance: Utterance) -> None:
        self.lines.append((self.clock.now(), utterance.key, utterance.text()))


class Failing(ClockSpeaker):
    """A speaker that gives every line up at once."""

    def say(self, utterance: Utterance) -> None:
        self.lines.append((self.clock.now(), utterance.key, utterance.text()))
        self.trouble(Trouble(DEVICE_LOST, "the loudspeaker has left the room"))
        self.finished(utterance, "failed")


@pytest.mark.parametrize("factory", [Dumb, Failing])
def test_a_speaker_that_fails_never_blocks_the_game(tmp_path: Path, factory: Any) -> None:
    hall = Hall(tmp_path, 2, factory=factory)
    hall.start(seats=12)
    hall.play(wait=lambda: 90.0)
    hall.run(600)
    assert hall.table.public().game.winner == hall.state.winner
    assert hall.table.judge().troubles


def test_a_trouble_is_told_once_however_often_it_comes(tmp_path: Path) -> None:
    hall = Hall(tmp_path, factory=Failing)
    hall.start(seats=12)
    hall.tap("begin")
    hall.run(30)
    assert hall.table.judge().troubles == (Trouble(DEVICE_LOST, "the loudspeaker has left the room"),)


def full_disk(handle: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_what_cannot_be_written_down_is_refused_and_not_spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    hall.tap("begin")
    hall.until("waiting")
    state, keys, revision = hall.state, list(hall.keys), hall.table.revision
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(Refused, match=r"not recorded.*cannot be recorded"):
        hall.identify(killer=[1, 2, 3])
    with pytest.raises(Refused, match="not recorded"):
        hall.undo()
    hall.run(60)
    assert (hall.state, hall.keys, hall.table.revision) == (state, keys, revision)
    assert "cannot be recorded" in hall.table.judge().troubles[0].detail
    monkeypatch.undo()
    hall.identify(killer=[1, 2, 3])
    hall.until("waiting")
    assert hall.keys[-1] == "calls.killer.ask"


def test_an_idle_call_waits_for_the_judge_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=14, ruleset="killers-3")
    holders = {"killer": [1, 2, 3, 4], "police": [5, 6], "doctor": [7], "secret_police": [8]}
    hall.night({"killer": {"target": 7}}, holders)
    hall.day()
    hall.choose(9)
    hall.tap("choose", choice={})
    monkeypatch.setattr(os, "fsync", full_disk)
    hall.run(200)
    assert hall.prompt == "idle"
    monkeypatch.undo()
    hall.tap("proceed")
    hall.until("waiting")
    assert hall.keys[-1] == "calls.secret_police.ask"


def test_a_speaker_is_changed_in_the_middle_of_a_line(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    hall.run(1)
    first = hall.speaker
    hall.table.configure(hall.table.revision, {"speaker": "other", "volume": 12})
    hall.run(30)
    assert hall.speaker is not first
    assert [key for _, key, _ in first.lines] == ["welcome"]
    assert hall.keys == ["welcome", "deal.single"]
    assert hall.speaker.settings["volume"] == 12
    assert hall.table.judge().speech.backend == "other"


def test_an_unknown_speaker_is_told_and_the_old_one_stays(tmp_path: Path) -> None:
    table = Table(Folders(tmp_path), clock=FakeClock(), speaker="silent")
    with pytest.raises(SetupProblem, match="a speaker is one of"):
        table.configure(table.revision, {"speaker": "trumpet"})
    assert table.judge().speech.backend == "silent"
    assert table.settings.speaker == "pyttsx3"
    table.close()
    with pytest.raises(ValueError, match="a speaker is one of"):
        Table(Folders(tmp_path), clock=FakeClock(), speaker="trumpet")


def test_nothing_happens_after_closing(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    night_one(hall)
    watch = hall.table.watch("judge")
    hall.table.close()
    spoken = list(hall.keys)
    hall.run(500)
    assert hall.keys == spoken
    assert not watch.wait(0)
    assert watch.closed


def test_words_that_are_missing_are_told_and_the_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall(tmp_path)
    hall.start(seats=12)
    spoken = utterances.render_line

    def render_line(line: Line, script: Script, ruleset: Ruleset) -> str:
        if line.key == "night.falls":
            raise LookupError(line.key)
        return spoken(line, script, ruleset)

    monkeypatch.setattr(utterances, "render_line", render_line)
    hall.tap("begin")
    hall.until("waiting")
    assert hall.keys[-2:] == ["calls.killer.open", "call.partners"]
    assert "no words for 'night.falls' in en" in hall.table.judge().troubles[0].detail
    assert hall.table.public().game.stage == "night"
