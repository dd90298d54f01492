"""The voice gets ready for what is likely to be said, whatever happens in the game."""

from __future__ import annotations

from pathlib import Path

from tests.table.hall import Hall, ReadySpeaker


def test_what_is_likely_to_be_said_is_expected_anew_when_table_or_language_change_and_never_by_a_game(
    tmp_path: Path,
) -> None:
    hall = Hall(tmp_path, factory=ReadySpeaker)
    first = hall.speaker.settings["expected"]
    assert first.count("speech.next") == hall.table.judge().setup.seats
    hall.table.configure(hall.table.revision, {"seats": 9})
    assert hall.speaker.settings.pop("expected").count("speech.next") == 9
    hall.table.configure(hall.table.revision, {"volume": 30})
    assert "expected" not in hall.speaker.settings
    hall.start()
    hall.speaker.settings.pop("expected", None)
    hall.until("silent")
    hall.tap("begin")
    hall.until("waiting")
    assert "expected" not in hall.speaker.settings
