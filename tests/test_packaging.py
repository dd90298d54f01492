"""Wheel and sdist, built, checked, and installed for real, without a network."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import narrator

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def run(*command: object, folder: Path) -> str:
    """Run a command far away from the checkout; what it printed."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    words = [str(word) for word in command]
    ran = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


pytestmark = pytest.mark.slow


NAME = "killer_narrator"
"""The name of the distribution; the command and the package are called `narrator`."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with wheel and sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, folder=ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    [found] = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def sdist(built: Path) -> Path:
    [found] = built.glob("*.tar.gz")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment that has the wheel, and borrows what it needs from this one."""
    home = tmp_path_factory.mktemp("installed") / "env"
    venv.create(home, symlinks=os.name != "nt")
    python = home / SCRIPTS / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python]
    run(*pip, "install", "--no-deps", "--no-index", wheel, folder=home)
    [own] = [
        Path(path) for path in run(python, "-c", "import site; print(site.getsitepackages()[-1])", folder=home).split()
    ]
    (own / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return home / SCRIPTS


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.parametrize(
    ("folder", "kind"), [("rulesets", ".yaml"), ("scripts", ".yaml"), ("voicepacks", ".ogg"), ("voicepacks", ".json")]
)
def test_all_rulesets_scripts_and_voices_are_in_the_wheel(wheel: Path, folder: str, kind: str) -> None:
    wanted = {f"narrator/data/{file.relative_to(ROOT).as_posix()}" for file in (ROOT / folder).rglob(f"*{kind}")}
    assert wanted
    assert wanted <= names(wheel)


def test_the_sounds_of_night_and_day_are_in_the_wheel(wheel: Path) -> None:
    wanted = {f"narrator/data/sounds/{scene}.ogg" for scene in ("night", "dawn", "day")}
    assert wanted <= names(wheel)


def test_the_pages_and_their_texts_are_in_the_wheel(wheel: Path) -> None:
    files = [path for path in (ROOT / "webpanel").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {path.relative_to(ROOT).as_posix() for path in files} <= names(wheel)


def test_nothing_but_the_product_is_in_the_wheel(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in names(wheel)}
    assert tops == {"narrator", "webpanel", f"{NAME}-{narrator.__version__}.dist-info"}


def test_the_licence_is_in_the_wheel(wheel: Path) -> None:
    assert f"{NAME}-{narrator.__version__}.dist-info/licenses/LICENSE" in names(wheel)


def test_wheel_and_sdist_hold_what_an_index_and_an_installer_ask_of_them(wheel: Path, sdist: Path) -> None:
    told = run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist, folder=wheel.parent)
    assert told.count("PASSED") == 2
    told = run(sys.executable, "-m", "check_wheel_contents", "--config", ROOT / "pyproject.toml", wheel, folder=ROOT)
    assert told.endswith(": OK\n")


def test_the_sdist_makes_the_same_wheel(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "--no-build-isolation"]
    run(*pip, "--no-index", "--wheel-dir", tmp_path, sdist, folder=tmp_path)
    [again] = tmp_path.glob("*.whl")
    assert again.name == wheel.name
    assert names(again) == names(wheel)


def test_it_is_killer_narrator_to_installers_and_narrator_to_people(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        info = f"{NAME}-{narrator.__version__}.dist-info"
        assert "\nName: killer-narrator\n" in archive.read(f"{info}/METADATA").decode()
        assert archive.read(f"{info}/entry_points.txt").decode().split() == [
            *("[console_scripts]", "narrator", "=", "narrator.__main__:run")
        ]


def test_a_whole_game_plays_itself_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    told = run(installed / "narrator", "demo", "--fast", "--seed", "1", "--language", "en", folder=tmp_path)
    assert "» Welcome, everyone. Tonight we play Killers 2.0.\n" in told
    assert told.splitlines()[-1].startswith("  The game is over.")


def test_nothing_is_imported_that_is_not_asked_for() -> None:
    """What runs at a table needs no library that came along by chance, or would have to be fetched later."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = {canonicalize_name(Requirement(text).name) for text in project["dependencies"]}
    extras = {
        canonicalize_name(Requirement(one).name)
        for name in project["optional-dependencies"]
        for one in project["optional-dependencies"][name]
        if name != "test"
    }
    owners = packages_distributions()
    for file in sorted([*(ROOT / "narrator").rglob("*.py"), *(ROOT / "webpanel").rglob("*.py")]):
        if file.is_relative_to(ROOT / "narrator" / "making"):
            continue
        for top in imported(file) - set(sys.stdlib_module_names) - {"narrator", "webpanel"} - UNASKED:
            found = {canonicalize_name(owner) for owner in owners.get(top, [top])}
            assert found & (asked | extras | CAME_ALONG), (file, top)


UNASKED = {"faster_whisper"}
"""Left to those who want it: `narrator play --listen-engine whisper`."""
CAME_ALONG = {"werkzeug", "jinja2", "markupsafe", "pydantic-core", "h11", "starlette"}
"""Parts of a library that is asked for, which name it as theirs."""


def imported(file: Path) -> set[str]:
    """The first words of everything a module imports."""
    tree = ast.parse(file.read_text("utf-8"))
    plain = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    parts = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level}
    return {name.partition(".")[0] for name in plain | parts}


def test_the_installed_command_tells_its_version(installed: Path) -> None:
    told = run(installed / "narrator", "--version", folder=installed)
    assert told == f"narrator, version {narrator.__version__}\n"


def test_the_installed_package_is_the_one_from_the_wheel(installed: Path) -> None:
    told = run(installed / "python", "-c", "import narrator; print(narrator.__file__)", folder=installed)
    assert Path(told.strip()).is_relative_to(installed.parent)


def test_the_installed_package_speaks_in_its_recorded_voices(installed: Path) -> None:
    told = run(installed / "narrator", "voices", "--language", "zh-Hant", folder=installed)
    assert "pack:zf_xiaoxiao" in told


def test_the_installed_package_finds_its_rulesets(installed: Path) -> None:
    told = run(installed / "python", "-m", "narrator", "rules", "list", folder=installed)
    listed = {line.split()[0] for line in told.splitlines()}
    assert listed == {path.stem for path in (ROOT / "rulesets").glob("*.yaml")} - {"common"}


@pytest.mark.parametrize(
    ("machine", "system", "spared"),
    [
        ("armv7l", "linux", {"espeakng-loader", "kaldi-native-fbank", "miniaudio", "numpy", "soundfile", "soxr"}),
        (
            "armv6l",
            "linux",
            {"espeakng-loader", "kaldi-native-fbank", "miniaudio", "numpy", "soundfile", "soxr", "zeroconf"},
        ),
        ("aarch64", "linux", {"miniaudio"}),
        ("ARM64", "win32", {"miniaudio", "soxr"}),
        ("x86_64", "linux", set()),
    ],
)
def test_no_machine_needs_what_is_not_built_for_it(machine: str, system: str, spared: set[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [Requirement(text) for text in project["dependencies"]]
    here = {"platform_machine": machine, "sys_platform": system}
    assert {one.name for one in needed if one.marker and not one.marker.evaluate(here)} == spared
