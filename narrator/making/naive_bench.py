"""How long plain pyttsx3 takes to be heard, used in the way its first example shows: `say`, then `runAndWait`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 60.0
"""Seconds that a child process may take: it is known to hang."""
MOMENTS = "NARRATOR_BENCH_MOMENTS"
PLAYER_STARTS = 1.0
"""Seconds that the player may take to start."""
PLAYER = f'#!/bin/sh\ndate +%s%N >> "${MOMENTS}"\n'
"""Stands in for the program that the driver plays through on Linux, and notes when it was handed the sound."""


@dataclass(frozen=True)
class NaiveTimes:
    """Milliseconds for each line, the first from a cold start; or why there are none."""

    milliseconds: tuple[float, ...]
    why: str = ""


def measure_naive(lines: list[str]) -> NaiveTimes:
    """Say the lines in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="narrator-", ignore_cleanup_errors=True) as folder:
        environment = {**os.environ, MOMENTS: str(Path(folder) / "moments")}
        if sys.platform == "linux":
            player = Path(folder) / "aplay"
            player.write_text(PLAYER, encoding="utf-8")
            player.chmod(0o755)
            environment["PATH"] = f"{folder}{os.pathsep}{environment.get('PATH', '')}"
        command = [sys.executable, "-m", "narrator.making.naive_bench", json.dumps(lines)]
        try:
            ran = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=PATIENCE, encoding="utf-8"
            )
        except subprocess.TimeoutExpired:
            return NaiveTimes((), f"it did not come to an end within {PATIENCE:.0f} s")
    if ran.returncode or not ran.stdout.strip():
        return NaiveTimes((), (ran.stderr.strip().splitlines() or ["it said nothing"])[-1])
    return NaiveTimes(tuple(json.loads(ran.stdout.splitlines()[-1])))


def speak(lines: list[str]) -> list[float]:
    """Milliseconds from before `say` (for the first line: before `init`) until the sound is handed on."""
    begins = time.time_ns()
    use_bundled_library()
    import pyttsx3

    engine = pyttsx3.init()
    moments = Path(os.environ[MOMENTS])
    events: list[int] = []
    if sys.platform != "linux":
        engine.connect("started-word", lambda **_: events.append(time.time_ns()))
    taken = []
    for line in lines:
        events.clear()
        moments.unlink(missing_ok=True)
        engine.say(line)
        engine.runAndWait()
        if heard := events or noted(moments):
            taken.append((heard[0] - begins) / 1e6)
        begins = time.time_ns()
    return taken


def noted(moments: Path) -> list[int]:
    """When the player was started, in nanoseconds: it may still be starting when the engine says that it is done."""
    end = time.monotonic() + PLAYER_STARTS
    while time.monotonic() < end:
        found = moments.read_text(encoding="utf-8") if moments.exists() else ""
        if found.endswith("\n"):
            return [int(found.split()[0])]
        time.sleep(0.001)
    return []


def use_bundled_library() -> None:
    """Where the system has no espeak, let the driver find the one of the Python wheel."""
    import ctypes
    import ctypes.util
    import importlib.util

    from narrator.speech.worker.espeak import short_path

    if (
        sys.platform != "linux"
        or ctypes.util.find_library("espeak-ng")
        or not importlib.util.find_spec("espeakng_loader")
    ):
        return
    import espeakng_loader

    library, load = espeakng_loader.get_library_path(), ctypes.cdll.LoadLibrary
    os.environ["ESPEAK_DATA_PATH"] = str(short_path(Path(espeakng_loader.get_data_path())))
    ctypes.cdll.LoadLibrary = lambda name: load(library if "espeak" in name else name)  # type: ignore[method-assign]


if __name__ == "__main__":
    print(json.dumps(speak(json.loads(sys.argv[1]))))
