"""What is heard besides the lines follows what the table has heard, never what the judge has tapped."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.table import SetupProblem
from tests.table.hall import Hall, night_one


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


def scenes(hall: Hall) -> list[tuple[float, str]]:
    """When which scene began."""
    found: list[tuple[float, str]] = []
    for moment, around in hall.speaker.around:
        if not found or found[-1][1] != around.scene:
            found.append((moment, around.scene))
    return found


def test_night_begins_with_its_line_and_day_with_the_line_of_dawn(hall: Hall) -> None:
    hall.start()
    hall.until("silent")
    night_one(hall)
    hall.until("waiting")
    hall.tap("proceed")
    hall.until("silent")
    falls, rises = (next(at for at, key, _ in hall.speaker.lines if key.startswith(kind)) for kind in ("night.f", "d"))
    assert [scene for _, scene in scenes(hall)] == ["", "night", "day"]
    moments = [moment for moment, _ in scenes(hall)]
    assert moments[1] == falls
    assert moments[2] in [moment for moment, _, _ in hall.speaker.lines]
    assert moments[2] > rises


def test_a_tap_alone_changes_nothing(hall: Hall) -> None:
    hall.start()
    hall.until("silent")
    night_one(hall)
    before = len(scenes(hall))
    hall.tap("proceed")
    assert len(scenes(hall)) == before


def test_two_nights_that_differ_in_secrets_sound_the_same(tmp_path: Path) -> None:
    heard = []
    for number, target in enumerate((8, 12)):
        hall = Hall(tmp_path / str(number), seed=5)
        hall.start()
        hall.until("silent")
        hall.night({"killer": {"target": target}, "police": {"target": 1}}, {"killer": [1, 2, 3], "police": [4, 5, 6]})
        heard.append(scenes(hall))
    assert heard[0] == heard[1]


def test_after_the_end_and_without_a_game_nothing_is_heard(hall: Hall) -> None:
    hall.start()
    hall.until("silent")
    night_one(hall)
    hall.tap("abandon")
    hall.run(60)
    assert scenes(hall)[-1][1] == ""
    hall.table.new(hall.table.revision)
    assert hall.speaker.around[-1][1].scene == ""


def test_loudness_lead_in_and_faint_noise_are_the_judges(hall: Hall) -> None:
    usual = hall.speaker.around[-1][1]
    assert (usual.night, usual.day, usual.awake, usual.lead_in) == (20, 0, False, 0.4)
    wishes = {"ambience_night": 70, "ambience_day": 5, "faint_noise": True, "lead_in": 1.2}
    hall.table.configure(hall.table.revision, wishes)
    around = hall.speaker.around[-1][1]
    assert (around.night, around.day, around.awake, around.lead_in) == (70, 5, True, 1.2)
    hall.table.configure(hall.table.revision, {"ambience": False})
    around = hall.speaker.around[-1][1]
    assert (around.night, around.day) == (0, 0)


@pytest.mark.parametrize("wish", [{"lead_in": 1.6}, {"lead_in": -0.1}, {"ambience_night": 101}])
def test_what_makes_no_sense_is_refused(hall: Hall, wish: dict[str, float]) -> None:
    with pytest.raises(SetupProblem):
        hall.table.configure(hall.table.revision, wish)


def test_a_sound_check_lets_the_night_be_heard_for_a_moment(hall: Hall) -> None:
    hall.table.sound_check()
    assert hall.speaker.around[-1][1].scene == "night"
    hall.table.configure(hall.table.revision, {"ambience_night": 60})
    around = hall.speaker.around[-1][1]
    assert (around.scene, around.night) == ("night", 60)
    hall.run(13)
    assert hall.speaker.around[-1][1].scene == ""
