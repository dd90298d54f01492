"""The service: what is written, what systemd says of it, and what is done on a machine whose tools only take notes."""

from __future__ import annotations

import getpass
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from narrator.cli import main
from narrator.cli.service import NO_SYSTEMD, UNIT, quoted, unit

pytestmark = pytest.mark.skipif(os.name == "nt", reason="systemd is Linux's")
TOOL = """#!/bin/sh
echo "$(basename "$0") $*" >> "{notes}"
case "$*" in *show-user*) cat "{lingers}" 2>/dev/null || echo no ;; *enable-linger*) {lingering} ;; *) {status} ;; esac
"""


class Machine:
    """A machine with systemd's tools, which take notes of what they are asked."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.notes, self.lingers = folder, folder / "notes", folder / "lingers"
        self.unit = folder / "config" / "systemd" / "user" / UNIT
        (folder / "bin").mkdir()
        self.tools()
        monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        monkeypatch.setenv("NARRATOR_HOME", str(folder / "data 100%"))

    def tools(self, status: str = "true", lingering: str = "true") -> None:
        for name in ("systemctl", "loginctl"):
            tool = self.folder / "bin" / name
            text = TOOL.format(notes=self.notes, lingers=self.lingers, status=status, lingering=lingering)
            tool.write_text(text, "utf-8")
            tool.chmod(0o755)

    def done(self) -> list[str]:
        noted = self.notes.read_text("utf-8").splitlines() if self.notes.exists() else []
        return [line for line in noted if "show-user" not in line]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["service", *words])


LINGER = f"loginctl enable-linger {getpass.getuser()}"
STARTED = [f"systemctl --user {what}" for what in ("daemon-reload", f"enable {UNIT}", f"restart {UNIT}")]


def test_it_is_installed_and_started_and_starts_with_the_machine_if_wanted(machine: Machine) -> None:
    said = run("install", "--speaker", "page", "--language", "zh_TW,EN", "--linger")
    assert said.exit_code == 0, said.output
    assert machine.done() == [*STARTED, LINGER]
    assert " play --speaker page --language zh-Hant,en\n" in machine.unit.read_text("utf-8")
    assert "and whenever the machine starts" in said.output
    assert "narrator phones" in said.output


@pytest.mark.parametrize(("words", "lingering"), [((), "true"), (("--linger",), "false")])
def test_where_it_cannot_start_with_the_machine_the_command_is_told(
    machine: Machine, words: tuple[str, ...], lingering: str
) -> None:
    machine.tools(lingering=lingering)
    said = run("install", *words)
    assert said.exit_code == 0
    assert f"sudo {LINGER}" in said.output
    assert "whenever the machine starts" not in said.output


def test_a_machine_that_starts_the_users_services_already_is_not_asked(machine: Machine) -> None:
    machine.lingers.write_text("yes\n")
    assert "and whenever the machine starts" in run("install").output
    assert machine.done() == STARTED


def test_installing_anew_takes_the_new_options(machine: Machine) -> None:
    run("install", "--port", "9000", "--no-linger")
    run("install", "--port", "9001", "--no-linger")
    text = machine.unit.read_text("utf-8")
    assert "--port 9001" in text
    assert "9000" not in text
    assert machine.done() == [*STARTED, *STARTED]


def test_it_is_removed_without_a_trace(machine: Machine) -> None:
    run("install", "--no-linger")
    said = run("remove")
    assert said.exit_code == 0
    assert not machine.unit.exists()
    assert machine.done()[3:] == [f"systemctl --user disable --now {UNIT}", "systemctl --user daemon-reload"]
    assert "there is no service" in run("remove").output


def test_what_systemd_refuses_is_told_in_a_sentence(machine: Machine) -> None:
    machine.tools(status='echo "Failed to connect to bus" >&2; exit 1')
    said = run("install", "--no-linger")
    assert said.exit_code == 1
    assert "systemd did not do it (Failed to connect to bus); log in to this machine as" in said.output


def test_without_systemd_the_way_round_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for command in ("install", "remove"):
        assert NO_SYSTEMD in run(command).output


def test_a_dry_run_prints_everything_and_does_nothing(machine: Machine) -> None:
    said = run("install", "--dry-run", "--speaker", "pyttsx3")
    assert said.exit_code == 0
    assert [line[2:] for line in said.output.splitlines() if line.startswith("# ")] == [
        *(str(machine.unit), *STARTED, LINGER)
    ]
    assert not machine.unit.exists()
    assert machine.done() == []
    assert f"ExecStart={sys.executable} -P -m narrator play --speaker pyttsx3\n" in said.output
    assert f'Environment="NARRATOR_HOME={machine.folder}/data 100%%"\n' in said.output


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze")
@pytest.mark.parametrize("folder", ["plain", "with space", "a'b\"c", "100% $HOME\\x"])
def test_systemd_finds_nothing_wrong_with_it_wherever_it_lies(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / folder / "python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv("NARRATOR_HOME", str(python.parent))
    path = tmp_path / UNIT
    path.write_text(unit(["--speaker", "page"]), "utf-8")
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    environment = {"PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(runtime), "HOME": str(tmp_path)}
    verify = ["systemd-analyze", "--user", "verify", str(path)]
    checked = subprocess.run(verify, env=environment, capture_output=True, text=True, timeout=60)
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")
    path.write_text(path.read_text("utf-8").replace("Restart=always", "Restart=sometimes"), "utf-8")
    spoilt = subprocess.run(verify, env=environment, capture_output=True, text=True, timeout=60)
    assert "sometimes" in spoilt.stderr, "the test must be able to fail"


@pytest.mark.parametrize("word", ["plain", "two words", 'a"b', "a\\b", "it's", "100%", "$HOME", "", "a;b"])
def test_every_word_is_quoted_as_systemd_reads_it(word: str) -> None:
    [read] = shlex.split(quoted(word, "$"))
    assert read.replace("%%", "%").replace("$$", "$") == word
