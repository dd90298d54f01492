"""Names said after lines: a switch that counts from the next line on, and nothing that is shown."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from narrator.speech.utterance import Segment, Utterance
from narrator.storage.settings import load_settings
from tests.table.hall import ClockSpeaker, Hall, night_one

NAMES = ["Anna", "", "小明", "Dora", "Emil", "…", "Gustav", "Hugo", "Ida", "Jan", "Kim", "Lea"]


class Recorder(ClockSpeaker):
    """Writes down every segment that is spoken, or is to be made ready."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.said: list[Utterance] = []
        self.ready: list[Segment] = []

    def say(self, utterance: Utterance) -> None:
        self.said.append(utterance)
        super().say(utterance)

    def prepare(self, utterances: Iterable[Utterance]) -> None:
        found = list(utterances)
        self.ready += [segment for utterance in found for segment in utterance.segments]
        super().prepare(found)

    def expect(self, utterances: Iterable[Utterance]) -> None:
        found = list(utterances)
        self.ready = [segment for utterance in found for segment in utterance.segments]
        super().expect(found)


def opened(home: Path, **changes: Any) -> Hall:
    """The first dawn of a game of twelve, the eighth seat dead, before its last words."""
    hall = Hall(home, factory=Recorder)
    hall.start(seats=12, names=NAMES, **changes)
    night_one(hall)
    hall.tap("proceed")
    hall.until("silent")
    return hall


def names(utterance: Utterance) -> list[str]:
    return [segment.text for segment in utterance.segments if segment.is_name]


def spoken(hall: Hall) -> list[str]:
    """Every segment of the last line."""
    return [segment.text for segment in hall.speaker.said[-1].segments]


def test_they_are_not_said_by_themselves(tmp_path: Path) -> None:
    hall = opened(tmp_path)
    assert hall.keys[-1] == "last_words.one"
    assert not any(map(names, hall.speaker.said))
    assert not any(segment.is_name for segment in hall.speaker.ready)


def test_when_wanted_they_follow_the_lines_of_the_day_and_none_of_the_night(tmp_path: Path) -> None:
    hall = opened(tmp_path, names_spoken=True)
    named = {line.key: names(line) for line in hall.speaker.said if names(line)}
    assert named == {"deaths.night": ["Hugo."], "last_words.one": ["Hugo."]}
    assert spoken(hall) == ["Player 8, your last words, please.", "Hugo."]


def test_a_seat_without_a_name_that_can_be_spoken_has_its_number_only(tmp_path: Path) -> None:
    hall = opened(tmp_path, names_spoken=True)
    for _ in range(9):
        hall.tap("proceed")
        hall.until("silent")
    of_seat = {line.segments[0].text: names(line) for line in hall.speaker.said if line.key == "speech.next"}
    assert of_seat["Player 3, please speak."] == ["小明."]
    assert of_seat["Player 2, please speak."] == of_seat["Player 6, please speak."] == []


def test_the_switch_counts_from_the_next_line_on_in_the_middle_of_a_game(tmp_path: Path) -> None:
    hall = opened(tmp_path)
    for wanted in (True, False):
        hall.table.configure(hall.table.revision, {"names_spoken": wanted})
        assert load_settings(tmp_path)[0].names_spoken is wanted
        assert any(segment.is_name for segment in hall.speaker.ready) is wanted
        hall.tap("proceed")
        hall.until("silent")
        seat = hall.table.public().game.speaking[hall.table.public().game.speaker]
        assert names(hall.speaker.said[-1]) == ([f"{NAMES[seat - 1]}."] if wanted else [])


def test_a_line_said_again_has_the_name_again(tmp_path: Path) -> None:
    hall = opened(tmp_path, names_spoken=True)
    before = spoken(hall)
    hall.table.say_again()
    hall.until("silent")
    assert hall.keys[-2:] == ["last_words.one", "last_words.one"]
    assert spoken(hall) == before


def test_another_speaker_says_them_as_the_one_before(tmp_path: Path) -> None:
    hall = opened(tmp_path, names_spoken=True)
    hall.tap("proceed")
    hall.run(0.1)
    hall.table.configure(hall.table.revision, {"speaker": "page"})
    hall.run(0.1)
    assert len(spoken(hall)) == 2


def test_of_two_languages_the_first_has_the_name(tmp_path: Path) -> None:
    hall = opened(tmp_path, languages=["zh-Hans", "es"], names_spoken=True)
    first, name, second = hall.speaker.said[-1].segments
    assert (first.language, second.language) == ("zh-Hans", "es")
    assert name == Segment("Hugo。", "zh-Hans", is_name=True)


def test_every_name_is_made_ready_before_the_game_and_after_a_change(tmp_path: Path) -> None:
    hall = Hall(tmp_path, factory=Recorder)
    hall.table.configure(hall.table.revision, {"languages": ["en"], "seats": 9, "names_spoken": True})
    for given in (["Anna", "Bo"], ["Anna", "Cleo"]):
        hall.table.configure(hall.table.revision, {"names": given})
        assert {segment.text for segment in hall.speaker.ready if segment.is_name} == {f"{name}." for name in given}


def test_a_resumed_game_says_the_names_it_began_with(tmp_path: Path) -> None:
    hall = opened(tmp_path, names_spoken=True)
    hall.table.close()
    table = hall.open(Recorder)
    table.resume(table.interrupted()[0].id)
    table.say_again()
    hall.until("silent")
    assert spoken(hall) == ["Player 8, your last words, please.", "Hugo."]


def test_what_is_shown_and_written_down_is_the_same_with_and_without(tmp_path: Path) -> None:
    shown = []
    for wanted in (False, True):
        hall = opened(tmp_path / str(wanted), names_spoken=wanted)
        judge = hall.table.judge()
        kept = hall.running.journal.records
        shown.append((hall.table.public(), judge.speech.line, judge.record, json.dumps(kept)))
    assert shown[0] == shown[1]
    assert shown[1][1] == "Player 8, your last words, please."
