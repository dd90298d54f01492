"""start.py, run for real on a small project that needs nothing from the network."""

from __future__ import annotations

import ast
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

START = Path(__file__).resolve().parent.parent / "start.py"

PYPROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "killer-narrator"
version = "1"
[project.optional-dependencies]
test = []
tls = []
"""

BACKEND = """
import os, time, zipfile

METADATA = "Metadata-Version: 2.1\\nName: killer-narrator\\nVersion: 1\\nProvides-Extra: test\\nProvides-Extra: tls\\n"

def build_editable(folder, config_settings=None, metadata_directory=None):
    with open("builds", "a") as builds:
        builds.write("x")
    if "SLOW" in os.environ:
        time.sleep(60)
    with zipfile.ZipFile(os.path.join(folder, "killer_narrator-1-py3-none-any.whl"), "w") as wheel:
        info = "killer_narrator-1.dist-info/"
        wheel.writestr("narrator.pth", os.getcwd())
        wheel.writestr(info + "METADATA", METADATA)
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "RECORD", "".join(name + ",,\\n" for name in [*wheel.namelist(), info + "RECORD"]))
    return "killer_narrator-1-py3-none-any.whl"

build_wheel = build_editable
"""

NARRATOR = """
import sys
print("narrator", *sys.argv[1:])
sys.exit(3 if "fail" in sys.argv else 0)
"""

TOOL = """
import os, sys
print("NAME", *sys.argv[1:], "|", os.environ.get("NARRATOR_CHROMIUM", "-"))
sys.exit("NAME" in os.environ.get("FAIL", "").split())
"""


def make_project(root: Path) -> Path:
    root.mkdir(parents=True)
    shutil.copy(START, root)
    (root / "pyproject.toml").write_text(PYPROJECT)
    (root / "backend.py").write_text(BACKEND)
    (root / "narrator").mkdir()
    (root / "narrator" / "__init__.py").touch()
    (root / "narrator" / "__main__.py").write_text(NARRATOR)
    for name in ("ruff", "mypy", "pytest"):
        (root / f"{name}.py").write_text(TOOL.replace("NAME", name))
    return root


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that has been set up."""
    root = make_project(tmp_path_factory.mktemp("start") / "project")
    assert start(root).returncode == 0
    return root


def start(root: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run([sys.executable, str(root / "start.py"), *words], environment)


def run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("CI", "NARRATOR_CHROMIUM", "PYTHONPATH")}
    return subprocess.run(command, capture_output=True, text=True, env={**kept, **environment}, timeout=120)


def builds(root: Path) -> int:
    return len((root / "builds").read_text())


def pretend(root: Path, first: str) -> subprocess.CompletedProcess[str]:
    """Run start.py after a line that pretends something about this Python."""
    code = f"import runpy, sys; {first}; runpy.run_path({str(root / 'start.py')!r}, run_name='__main__')"
    return run([sys.executable, "-c", code], {})


def test_old_pythons_can_parse_it_and_say_what_is_needed(tmp_path: Path) -> None:
    ast.parse(START.read_text("utf-8"), feature_version=(3, 7))
    ran = pretend(make_project(tmp_path / "p"), "sys.version_info = (3, 9, 2)")
    assert (ran.returncode, ran.stderr) == (1, "Python 3.11 or newer is needed; this is 3.9.\n")


def test_a_missing_venv_module_is_told_with_the_cure(tmp_path: Path) -> None:
    ran = pretend(make_project(tmp_path / "p"), "sys.modules['ensurepip'] = None")
    assert ran.returncode == 1
    assert ran.stderr.startswith("Python's venv module is incomplete on this machine: install it")
    assert not (tmp_path / "p" / ".venv").exists()


def test_without_words_it_plays_and_says_nothing_of_its_own(project: Path) -> None:
    ran = start(project)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "narrator play\n", "")


def test_words_and_the_exit_status_are_handed_on(project: Path) -> None:
    ran = start(project, "rules", "fail", "--x=y")
    assert (ran.returncode, ran.stdout) == (3, "narrator rules fail --x=y\n")


def test_a_second_start_installs_nothing(project: Path) -> None:
    before = builds(project)
    start(project)
    assert builds(project) == before


def test_changed_build_settings_are_installed_once(project: Path) -> None:
    before = builds(project)
    (project / "pyproject.toml").write_text(PYPROJECT + "# changed\n")
    assert "Setting up Narrator" in start(project).stdout
    assert start(project).stdout == "narrator play\n"
    assert builds(project) == before + 1


def test_a_network_that_is_away_is_told_with_the_cure_and_harms_nothing(project: Path) -> None:
    (project / "pyproject.toml").write_text(PYPROJECT + "# needs more\n")
    (project / "backend.py").write_text(BACKEND.replace("Provides-", "Requires-Dist: needed-here\\nProvides-"))
    try:
        ran = start(project, PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_RETRIES="1")
    finally:
        (project / "backend.py").write_text(BACKEND)
    assert ran.returncode == 1
    assert ran.stderr.startswith("The package index could not be reached: connect this computer to the internet")
    assert len(ran.stderr.splitlines()) == 1
    assert start(project).returncode == 0


@pytest.mark.parametrize(("entry", "stays"), [("narrator = narrator.cli:main", False), ("tweets = tweets:main", True)])
def test_what_was_installed_by_the_old_name_is_taken_out_first_but_nobody_elses(
    tmp_path: Path, entry: str, stays: bool
) -> None:
    root = make_project(tmp_path / "p")
    assert start(root).returncode == 0
    python = root / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    old = wheel_of_old(tmp_path, f"[console_scripts]\n{entry}\n")
    pip = [str(python), "-m", "pip", "--disable-pip-version-check"]
    assert run([*pip, "install", "--no-index", "--no-deps", str(old)], {}).returncode == 0
    (root / "pyproject.toml").write_text(PYPROJECT + "# newer\n")
    assert start(root).stdout.endswith("narrator play\n")
    installed = run([*pip, "list", "--format", "freeze"], {}).stdout.split()
    assert "killer-narrator==1" in installed
    assert ("narrator==0.1" in installed) == stays


def wheel_of_old(folder: Path, entry_points: str) -> Path:
    """A wheel of the distribution `narrator`."""
    wheel, info = folder / "narrator-0.1-py3-none-any.whl", "narrator-0.1.dist-info/"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"{info}METADATA", "Metadata-Version: 2.1\nName: narrator\nVersion: 0.1\n")
        archive.writestr(f"{info}WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}entry_points.txt", entry_points)
        archive.writestr(f"{info}RECORD", "".join(f"{name},,\n" for name in [*archive.namelist(), f"{info}RECORD"]))
    return wheel


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_an_interrupted_installation_is_begun_anew(project: Path) -> None:
    before = builds(project)
    (project / "pyproject.toml").write_text(PYPROJECT + "# interrupted\n")
    environment = {**os.environ, "SLOW": "1"}
    command = [sys.executable, str(project / "start.py")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment, start_new_session=True) as broken_off:
        while builds(project) == before:
            time.sleep(0.05)
        os.killpg(broken_off.pid, signal.SIGKILL)
    (project / ".venv" / "left-over").touch()
    assert start(project).stdout.endswith("narrator play\n")
    assert not (project / ".venv" / "left-over").exists()


def test_a_moved_or_ruined_environment_is_made_anew(project: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere"
    shutil.copytree(project, moved, symlinks=True)
    (moved / ".venv" / "left-over").touch()
    assert start(moved).stdout.endswith("narrator play\n")
    assert not (moved / ".venv" / "left-over").exists()


def test_all_checks_run_pytest_last_and_one_failure_is_enough(project: Path) -> None:
    ran = start(project, "test", "-k", "x", FAIL="ruff mypy", NARRATOR_CHROMIUM=sys.executable)
    assert ran.returncode == 1
    told = [line for line in ran.stdout.splitlines() if line and not line.startswith("====")]
    assert told[-5:] == [
        f"ruff check . | {sys.executable}",
        f"ruff format --check . | {sys.executable}",
        f"mypy | {sys.executable}",
        "Failed so far: ruff check, ruff format, mypy.",
        f"pytest -n auto --dist loadfile -k x | {sys.executable}",
    ]


def test_the_checks_hold_only_if_pytest_does(project: Path) -> None:
    assert start(project, "test", NARRATOR_CHROMIUM=sys.executable).returncode == 0
    assert start(project, "test", NARRATOR_CHROMIUM=sys.executable, FAIL="pytest").returncode == 1


def test_without_a_chromium_only_ci_fails(project: Path, tmp_path: Path) -> None:
    here = start(project, "test", PATH=str(tmp_path))
    assert "No Chromium was found for the browser tests: install" in here.stdout
    assert "The browser tests are skipped." in here.stdout
    in_ci = start(project, "test", PATH=str(tmp_path), CI="true")
    assert "Failed so far: Chromium." in in_ci.stdout
    assert (here.returncode, in_ci.returncode) == (0, 1)


def test_encryption_is_set_up_where_it_is_wanted_and_once(tmp_path: Path) -> None:
    root = make_project(tmp_path / "p")
    assert start(root, "test").returncode == 0
    for _ in range(2):
        ran = start(root, "play", "--tls")
        assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "narrator play --tls")
        assert builds(root) == 2
    assert start(root, "test").returncode == 0
    assert start(root).stdout == "narrator play\n"
    assert builds(root) == 2
