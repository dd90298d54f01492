"""The Containerfile: its RUN lines run in an empty folder and environment, offline, and the table they make."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LINES = [line for line in (ROOT / "Containerfile").read_text("utf-8").splitlines() if line and line[0] != "#"]
BUILDERS = ("hatchling", "packaging", "pathspec", "pluggy", "trove_classifiers")
"""What the isolated build would fetch."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="a container runs Linux")]


def said(word: str) -> list[str]:
    """What stands behind each line that begins with the word."""
    return [line.partition(" ")[2] for line in LINES if line.startswith(f"{word} ")]


def test_every_line_stands_alone_and_only_what_is_needed_is_copied() -> None:
    known = {*("FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "ENTRYPOINT", "CMD")}
    assert {line.partition(" ")[0] for line in LINES} <= known
    ignored = (ROOT / ".containerignore").read_text("utf-8")
    assert (ROOT / ".dockerignore").read_text("utf-8") == ignored
    kept = [line[1:] for line in ignored.splitlines() if line.startswith("!")]
    assert all((ROOT / name).exists() for name in kept)


def test_it_is_slim_nobodys_root_and_speaks_through_pages() -> None:
    assert all(image.split()[0].endswith("-slim") for image in said("FROM"))
    assert not any("--platform" in image for image in said("FROM"))
    assert said("USER") == ["1000:1000"]
    assert json.loads(said("CMD")[0]) == ["play", "--speaker", "page"]


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that stands for /narrator, after all RUN lines."""
    folder = tmp_path_factory.mktemp("container") / "narrator"
    folder.mkdir()
    source = folder / "source"
    source.mkdir()
    for line in (ROOT / ".containerignore").read_text("utf-8").splitlines():
        name = line.removeprefix("!")
        if line.startswith("!") and (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif line.startswith("!"):
            shutil.copy(ROOT / name, source / name)
    for command in said("RUN"):
        ran = run(["/bin/sh", "-c", command], folder, **offline(folder.parent))
        assert ran.returncode == 0, ran.stdout + ran.stderr
    shutil.rmtree(source)
    [packages] = (folder / "environment" / "lib").glob("python*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    return folder


def offline(folder: Path) -> dict[str, str]:
    """The environment that spares the build the network."""
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    for name in BUILDERS:
        if not (tools / name).exists():
            (tools / name).symlink_to(Path(sysconfig.get_path("purelib")) / name)
    python = tools / "python"
    if not python.exists():
        python.symlink_to(Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}")
    pip = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "false"}
    return {**pip, "PYTHONPATH": str(tools), "PATH": f"{tools}:/usr/bin:/bin"}


def run(command: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder with nothing in its environment but this."""
    given = {"PATH": "/usr/bin:/bin", "HOME": str(folder.parent), **environment}
    return subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, timeout=200)


def program(container: Path) -> str:
    """The container's program, where it lies here."""
    [path] = json.loads(said("ENTRYPOINT")[0])
    assert path.startswith("/narrator/")
    return str(container / path.removeprefix("/narrator/"))


def environment_of(container: Path) -> dict[str, str]:
    """The container's own variables, with its folder where it lies here."""
    pairs = [word.partition("=") for word in shlex.split(said("ENV")[0])]
    return {name: value.replace("/narrator/", f"{container}/") for name, _, value in pairs}


def test_its_program_plays_a_whole_game(container: Path) -> None:
    ran = run([program(container), "demo", "--fast", "--seed", "1", "--language", "en"], container)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1].startswith("  The game is over.")


def test_games_can_be_kept_by_a_user_that_is_not_root(container: Path) -> None:
    assert (container / "games").stat().st_mode & 0o7777 == 0o1777


@pytest.fixture
def table(container: Path) -> Iterator[subprocess.Popen[str]]:
    """The container's table, open."""
    command = [program(container), *json.loads(said("CMD")[0]), "--port", "0"]
    given = {"PATH": "/usr/bin:/bin", "HOME": str(container.parent), **environment_of(container)}
    with subprocess.Popen(command, cwd=container, env=given, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def test_its_table_opens_for_pages_and_closes_when_told_to(container: Path, table: subprocess.Popen[str]) -> None:
    assert table.stdout is not None
    told = []
    for line in table.stdout:
        told.append(line)
        if line.startswith("Ready"):
            break
    assert any("through every device that shows the page /speaker" in line for line in told)
    table.send_signal(getattr(signal, said("STOPSIGNAL")[0]))
    assert table.wait(timeout=30) == 0
    assert (container / "games" / "devices.json").exists() or list((container / "games").iterdir())
