"""Start Narrator on a machine that has nothing but Python.

python3 start.py                 set up, if need be, and open a table (narrator play)
python3 start.py --tls           the same for rooms with open Wi-Fi: sets up encryption, too, and opens a table
python3 start.py rules list      set up, if need be, and hand the words to the narrator command
python3 start.py test [...]      set up and run every check; words after "test" go to pytest

Everything is installed into the folder .venv beside this file; deleting that folder undoes it.
This file keeps to syntax that old Pythons can parse, so that they can at least say what is needed.
"""

import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - an older Python is just what must be told
    sys.exit("Python 3.11 or newer is needed; this is {}.{}.".format(*sys.version_info))

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
UNFINISHED = VENV / "narrator-unfinished"
LOG = VENV / "narrator-install.log"
WINDOWS_OLD = "Lib/site-packages/narrator-*.dist-info"

NO_VENV = (
    "Python's venv module is incomplete on this machine: install it (Debian, Ubuntu: 'sudo apt install python3-venv'; "
    "elsewhere: Python from python.org), then start again."
)
NO_NETWORK = (
    "The package index could not be reached: connect this computer to the internet for this one start "
    "(later ones need no network), then start again."
)
NO_SPACE = "The disk is full: free about 300 MB where this folder lies, then start again."
NETWORK_SIGNS = (
    "NewConnectionError",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "ProxyError",
    "NameResolutionError",
    "Temporary failure in name resolution",
    "Connection refused",
    "Connection broken",
    "RemoteDisconnected",
    "Max retries exceeded",
)
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM_PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
)
ON_ALL_CORES = ("-n", "auto", "--dist", "loadfile")
NO_CHROMIUM = (
    "No Chromium was found for the browser tests: install Chromium or Chrome (Debian: 'sudo apt install chromium "
    "fonts-noto-cjk'), or set NARRATOR_CHROMIUM to the program's path."
)


# The private environment


def stamp_file(extra: str) -> Path:
    """The file that says the environment is complete: for playing (extra "") or with an extra ("test", "tls")."""
    return VENV / "-".join(filter(None, ["narrator-installed", extra]))


def wanted_stamp() -> str:
    """What a complete environment was made of: the build settings, this Python, and the place it stands in."""
    made_of = (ROOT / "pyproject.toml").read_bytes() + f"\n{sys.version_info[:2]}\n{ROOT}".encode()
    return hashlib.sha256(made_of).hexdigest()


def is_complete(extra: str) -> bool:
    """Whether the environment can be used as it stands."""
    return is_usable() and read(stamp_file(extra)) == wanted_stamp()


def is_usable() -> bool:
    """Whether the environment was made here, by this Python, and no installation into it was broken off."""
    settings = venv_settings()
    return (
        PYTHON.exists()
        and not UNFINISHED.exists()
        and Path(settings.get("home", "")).is_dir()
        and settings.get("version", "").split(".")[:2] == [str(part) for part in sys.version_info[:2]]
        and read(VENV / "narrator-place") in ("", str(ROOT))
    )


def venv_settings() -> "dict[str, str]":
    lines = read(VENV / "pyvenv.cfg").splitlines()
    return {key.strip(): value.strip() for key, _, value in (line.partition("=") for line in lines)}


def read(path: Path) -> str:
    """The text of a file, or "" where there is none to be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def set_up(extra: str = "") -> None:
    """Make the environment complete; a second call costs nothing. Leaves the program with a sentence if it cannot."""
    if is_complete(extra):
        return
    others = [stamp for stamp in VENV.glob("narrator-installed*") if is_usable() and read(stamp) == wanted_stamp()]
    say("Setting up Narrator in .venv: this happens once and takes about a minute.")
    try:
        kept = is_usable()
        if not kept:
            make_venv()
        if install(extra) != 0:
            if not kept or network_failed():
                sys.exit(why_not())
            make_venv()
            others = []
            if install(extra) != 0:
                sys.exit(why_not())
        (VENV / "narrator-place").write_text(str(ROOT), encoding="utf-8")
        for stamp in {stamp_file(""), stamp_file(extra), *others}:
            stamp.write_text(wanted_stamp(), encoding="utf-8")
    except OSError as fault:
        sys.exit(f"The folder {VENV} cannot be set up ({fault.strerror}): make it writable, then start again.")


def make_venv() -> None:
    """Make the environment anew, empty but for pip."""
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        sys.exit(NO_VENV)
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(NO_VENV if "ensurepip" in made.stdout else f"{VENV} could not be made: {last_line(made.stderr)}")


def remove_old() -> None:
    """Take out what was installed as `narrator`, Narrator's name of old, so that its command is not removed later."""
    for info in [*VENV.glob("lib/python*/site-packages/narrator-*.dist-info"), *VENV.glob(WINDOWS_OLD)]:
        if "narrator.cli:main" in read(info / "entry_points.txt"):  # else it is the package of others of that name
            pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "uninstall", "--yes", "narrator"]
            subprocess.run(pip, capture_output=True, cwd=str(VENV))


def install(extra: str) -> int:
    """Install the project and what it needs, ready-made packages only; pip's exit status."""
    for stamp in list(VENV.glob("narrator-installed*")):
        stamp.unlink()
    UNFINISHED.touch()
    remove_old()
    project = str(ROOT) + (f"[{extra}]" if extra else "")
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install"]
    command = [*pip, "--only-binary", ":all:", "-e", project]
    with LOG.open("wb") as log:
        status = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, cwd=str(ROOT)).returncode
    if status == 0 or network_failed():  # without a network pip gives up before it touches anything
        UNFINISHED.unlink()
    return status


def network_failed() -> bool:
    text = read_log()
    return any(sign in text for sign in NETWORK_SIGNS)


def why_not() -> str:
    """Why pip failed, in one sentence."""
    text = read_log()
    if "No space left" in text:
        return NO_SPACE
    if network_failed():
        return NO_NETWORK
    faults = [line for line in text.splitlines() if line.startswith("ERROR:")]
    return f"pip could not install Narrator ({last_line(chr(10).join(faults) or text)}); its whole output is in {LOG}."


def read_log() -> str:
    return LOG.read_text(encoding="utf-8", errors="replace")


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it said nothing"])[-1].strip()


# Running


def run_narrator(words: "list[str]") -> int:
    """Hand over to the narrator command; returns only where a program cannot replace itself (Windows)."""
    command = [str(PYTHON), "-P", "-m", "narrator", *words]
    if os.name != "nt":
        sys.stdout.flush()
        os.execv(command[0], command)
    child = subprocess.Popen(command)
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue  # the child has had it too, and ends by itself


def run_checks(words: "list[str]") -> int:
    """Run every check, whatever became of those before it; 0 only if all hold. pytest has the last word."""
    chromium = prepare_chromium()
    failed = [] if chromium or not in_ci() else ["Chromium"]
    checks = {"ruff check": ["ruff", "check", "."], "ruff format": ["ruff", "format", "--check", "."], "mypy": ["mypy"]}
    for name, command in checks.items():
        if run_check(name, command) != 0:
            failed.append(name)
    if failed:
        say(f"\nFailed so far: {', '.join(failed)}.")
    tested = run_check("pytest", ["pytest", *ON_ALL_CORES, *words], NARRATOR_CHROMIUM=chromium or "")
    return 1 if failed else tested


def run_check(name: str, command: "list[str]", **environment: str) -> int:
    say(f"\n==== {name} ====")
    return subprocess.run([str(PYTHON), "-m", *command], cwd=str(ROOT), env={**os.environ, **environment}).returncode


def in_ci() -> bool:
    """Whether a machine is asking: then nothing may be left out."""
    return os.environ.get("CI", "").lower() in ("1", "true", "yes")


def prepare_chromium() -> "str | None":
    """Find a Chromium, installing it (and a font with Chinese characters) where that may be done; its path or None."""
    say("\n==== Chromium ====")
    if not (find_chromium() and has_chinese_font()) and may_install():
        for arguments in (["update"], ["install", "-y", "--no-install-recommends", "chromium", "fonts-noto-cjk"]):
            subprocess.run(["apt-get", "-qq", *arguments], env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    found = find_chromium()
    say(found or NO_CHROMIUM + ("" if in_ci() else " The browser tests are skipped."))
    return found


def find_chromium() -> "str | None":
    """The path of a Chromium or Chrome; NARRATOR_CHROMIUM, if set, has the first say."""
    names = [os.environ.get("NARRATOR_CHROMIUM", ""), *CHROMIUM_NAMES, *CHROMIUM_PLACES]
    return next(filter(None, map(shutil.which, filter(None, names))), None)


def has_chinese_font() -> bool:
    """Whether Chinese characters can be drawn; True where nobody can be asked."""
    if not shutil.which("fc-list"):
        return True
    return bool(subprocess.run(["fc-list", ":lang=zh"], capture_output=True).stdout)


def may_install() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def say(text: str) -> None:
    print(text, flush=True)


def main(words: "list[str]") -> int:
    """Set up, then do what the words ask; the exit status."""
    if words[:1] == ["test"]:
        set_up("test")
        return run_checks(words[1:])
    set_up("tls" if "--tls" in words else "")
    return run_narrator(words or ["play"])


def leave(kind: int, _frame: object) -> None:
    """Leave the program, and let what it runs end with it."""
    sys.exit(128 + kind)


if __name__ == "__main__":
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) == signal.SIG_DFL:
            signal.signal(getattr(signal, name), leave)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
