"""Every command ends when it is asked to: at any moment, cleanly, its children included, and in time if it hangs."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signals")

ASKED = ("SIGTERM", "SIGINT", "SIGHUP") if sys.platform != "win32" else ()
PROGRAM = """
import sys, time
from narrator import child
from narrator.cli.ending import stopping, watched

def ready(word="ready"):
    print(word, flush=True)

with watched():
    {body}
"""


@contextmanager
def started(*command: str, ignoring: str = "", **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A program that is ended at last in any case; `ignoring`: the one signal that it is born to ignore."""

    def ignore() -> None:
        for name in ASKED:  # whatever these tests themselves are told to ignore
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        if ignoring:
            signal.signal(getattr(signal, ignoring), signal.SIG_IGN)

    with subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        preexec_fn=ignore,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def body(*lines: str) -> tuple[str, str]:
    return "-c", PROGRAM.format(body="\n    ".join(lines))


def read_to(process: subprocess.Popen[str], word: str) -> str:
    """The first line with that word in it."""
    assert process.stdout is not None
    for line in process.stdout:
        if word in line:
            return line
    raise AssertionError(f"it never said {word!r}")


def ask(process: subprocess.Popen[str], name: str) -> tuple[int, str, str]:
    """Ask it to end: exit status, the rest of what it printed, and what it complained of."""
    process.send_signal(getattr(signal, name))
    out, complaints = process.communicate(timeout=60)
    return process.returncode, out, complaints


@pytest.mark.parametrize("name", ASKED)
def test_it_leaves_through_everything_that_must_be_closed(name: str) -> None:
    lines = ("try:", "    ready(); time.sleep(600)", "finally:", "    print('closed')")
    with started(*body(*lines)) as process:
        read_to(process, "ready")
        assert ask(process, name) == (128 + getattr(signal, name), "closed\n", "")


@pytest.mark.parametrize("name", ASKED)
def test_what_was_ignored_at_the_start_still_is(name: str) -> None:
    lines = ("ready()", "time.sleep(0.3)", "ready('alive')", "time.sleep(600)")
    with started(*body(*lines), ignoring=name) as process:
        read_to(process, "ready")
        process.send_signal(getattr(signal, name))
        read_to(process, "alive")
        assert process.poll() is None


def test_a_second_request_does_not_disturb_what_is_being_closed() -> None:
    lines = (
        "try:",
        "    ready(); time.sleep(600)",
        "finally:",
        "    ready('closing'); time.sleep(0.5); ready('closed')",
    )
    with started(*body(*lines)) as process:
        read_to(process, "ready")
        process.send_signal(signal.SIGTERM)
        read_to(process, "closing")
        assert ask(process, "SIGHUP") == (128 + signal.SIGTERM, "closed\n", "")


def test_nor_one_after_a_loop_that_was_told_to_stop() -> None:
    lines = (
        "with stopping() as stop:",
        "    ready(); stop.wait(600)",
        "ready('closing'); time.sleep(0.5)",
        "ready('closed')",
    )
    with started(*body(*lines)) as process:
        read_to(process, "ready")
        process.send_signal(signal.SIGTERM)
        read_to(process, "closing")
        assert ask(process, "SIGINT") == (0, "closed\n", "")


def test_what_hangs_while_it_is_closed_is_ended_all_the_same() -> None:
    lines = ("try:", "    ready(); time.sleep(600)", "finally:", "    time.sleep(600)")
    with started(*body(*lines)) as process:
        read_to(process, "ready")
        assert ask(process, "SIGTERM")[0] in (128 + signal.SIGTERM, -signal.SIGALRM)


@pytest.mark.parametrize("closing", ["pass", "time.sleep(600)"])
def test_children_end_with_it(closing: str) -> None:
    sleeper = "child.start((sys.executable, '-c', 'import time; time.sleep(600)'))"
    lines = ("try:", f"    ready('child %d' % {sleeper}.pid); time.sleep(600)", "finally:", f"    {closing}")
    with started(*body(*lines)) as process:
        found = re.search(r"\d+", read_to(process, "child"))
        assert found
        ask(process, "SIGTERM")
        assert has_ended(int(found[0]))


def has_ended(pid: int) -> bool:
    """Whether that process is gone, or dead and only not yet collected."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return not listed or listed.startswith("Z")


@pytest.mark.parametrize("name", ASKED)
def test_a_demo_with_a_sound_device_ends(tmp_path: Path, name: str) -> None:
    command = ("-m", "narrator", "demo", "--seats", "9", "--port", "0")
    with started(*command, SDL_AUDIODRIVER="dummy", TMPDIR=str(tmp_path)) as process:
        read_to(process, "»")
        status, _, complaints = ask(process, name)
    assert status in (128 + getattr(signal, name), -signal.SIGALRM)
    assert "Traceback" not in complaints


@pytest.mark.parametrize("command", [("bench",), ("play", "--port", "0", "--speaker", "silent")])
def test_it_ends_without_a_word_while_it_is_being_loaded(tmp_path: Path, command: tuple[str, ...]) -> None:
    loading = "from narrator.__main__ import run; print('ready', flush=True); run()"
    told = f"import sys; sys.argv = ['narrator', *{command!r}]; {loading}"
    with started("-c", told, NARRATOR_HOME=str(tmp_path)) as process:
        read_to(process, "ready")
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) in (-signal.SIGTERM, 128 + signal.SIGTERM, 0)
        assert process.stderr is not None
        assert process.stderr.read() == ""
