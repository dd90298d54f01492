"""`narrator bench --voice`: how soon a tap is heard, ours beside plain pyttsx3."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from narrator.cli.bench import bench
from narrator.making import naive_bench
from narrator.making.voice_bench import GOAL, VoiceTimes


@pytest.mark.sound
@pytest.mark.slow
def test_it_measures_ours_and_plain_pyttsx3_in_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    result = CliRunner().invoke(bench, ["--voice", "--taps", "3", "--starts", "1"], catch_exceptions=False)
    assert result.exit_code == 0
    rows = {
        found[1].strip(): found[2] for found in re.finditer(r"(?m)^(narrator .*?|pyttsx3,.*?)  +(.*)$", result.output)
    }
    assert list(rows) == [
        "narrator (auto), warm",
        "narrator (auto), cold",
        "pyttsx3, say + runAndWait, warm",
        "pyttsx3, say + runAndWait, cold",
    ]
    assert [row.split()[3:] for row in rows.values()] == [["3"], ["1"], ["3"], ["1"]]
    verdict = "reached" if float(rows["narrator (auto), warm"].split()[0]) <= GOAL else "missed"
    assert f"Goal, warm: {GOAL:.0f} ms median; {verdict}." in result.output


def test_a_player_that_is_still_starting_is_waited_for(tmp_path: Path) -> None:
    moments = tmp_path / "moments"
    moments.touch()
    late = threading.Timer(0.05, lambda: moments.write_text("17\n18\n", encoding="utf-8"))
    late.start()
    assert naive_bench.noted(moments) == [17]
    late.join()


def test_a_player_that_never_starts_is_told_as_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naive_bench, "PLAYER_STARTS", 0.01)
    assert naive_bench.noted(tmp_path / "moments") == []


def test_what_cannot_be_measured_is_said_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naive_bench, "PATIENCE", 0.01)
    found = naive_bench.measure_naive(["Night falls."])
    assert str(VoiceTimes("pyttsx3", found.milliseconds, found.why)).endswith(
        "not measured: it did not come to an end within 0 s"
    )


def test_the_median_and_the_worst_are_told() -> None:
    assert str(VoiceTimes("x", (30.0, 10.0, 20.0))).split() == ["x", "20.0", "30.0", "30.0", "3"]
