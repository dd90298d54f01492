from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from narrator import __version__
from narrator.cli import COMMANDS, main


def test_help_lists_every_command_without_importing_any() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from narrator.cli import main\n"
        "print(CliRunner().invoke(main, ['--help']).stdout)\n"
        "print(sorted(name for name in sys.modules if name.startswith(('narrator.', 'pydantic', 'yaml'))))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "['narrator.cli']"
    listed = {line.split()[0] for line in ran.stdout.splitlines() if line.startswith("  ") and line.strip()}
    assert set(COMMANDS) <= listed


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_is_there_and_explains_itself(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: main {name}")


def test_the_version_is_the_packages() -> None:
    assert CliRunner().invoke(main, ["--version"]).stdout == f"narrator, version {__version__}\n"


def test_an_unknown_command_is_refused() -> None:
    result = CliRunner().invoke(main, ["nope"])
    assert result.exit_code == 2
    assert "No such command 'nope'" in result.stderr


def test_a_console_without_chinese_characters_does_not_end_the_program() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}
    command = [sys.executable, "-X", "utf8=0", "-m", "narrator", "rules", "list", "--language", "zh-Hans"]
    ran = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert b"killers-2" in ran.stdout
