"""What an evening is made of is rendered beforehand, when there is nothing else to do."""

from __future__ import annotations

from tests.speech.listening import line, until
from tests.speech.test_speaker import Silent, Studio, clock, playing, studio

__all__ = ("clock", "playing", "studio")


def test_what_is_expected_is_rendered_last_and_its_progress_told(playing: Silent, studio: Studio) -> None:
    studio.gate.clear()
    playing.speaker.expect([line(0, "one"), line(0, "two"), line(0, "one"), line(0, "Night falls.")])
    assert playing.speaker.progress[1] == 3
    playing.speaker.prepare([line(0, "soon")])
    playing.speaker.say(line(1))
    studio.gate.set()
    playing.listener.wait_for("started", 1)
    until(lambda: playing.speaker.progress == (3, 3))
    assert studio.rendered.index("Night falls.") <= 1, "only what was begun before is waited for"
    assert studio.rendered.index("soon") < studio.rendered.index("two")
    assert sorted(studio.rendered) == ["Night falls.", "one", "soon", "two"]


def test_what_was_expected_before_is_forgotten(playing: Silent, studio: Studio) -> None:
    studio.gate.clear()
    playing.speaker.expect([line(0, "one"), line(0, "two")])
    playing.speaker.expect([line(0, "three")])
    studio.gate.set()
    until(lambda: playing.speaker.progress == (1, 1))
    assert "two" not in studio.rendered
