"""The guide to house rules is followed: its commands are run, its changes made, and what it shows must come out."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from narrator.cli import COMMANDS, load_command, main
from narrator.loading.files.ruleset_file import RulesetFile

GUIDE = Path(__file__).resolve().parents[2] / "rulesets" / "README.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANYTHING = "…"


def blocks() -> list[tuple[str, str]]:
    return BLOCK.findall(GUIDE.read_text("utf-8"))


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Each command of a console with the output shown."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def matches(shown: str, real: str) -> bool:
    pattern = ".*".join(re.escape(piece) for piece in shown.replace("/", "§").split(ANYTHING))
    return re.fullmatch(pattern, real.replace("\\", "§").replace("/", "§")) is not None


def changed(text: str, diff: str) -> str:
    """The text after a change shown as a diff; its old lines must stand in it, once."""
    lines = diff.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if not line.startswith("+"))
    new = "".join(line[1:] for line in lines if not line.startswith("-"))
    assert text.count(old) == 1, f"these lines must stand in the file once:\n{old}"
    return text.replace(old, new)


def run(command: str) -> str:
    words = shlex.split(command)
    assert words[0] == "narrator"
    result = CliRunner().invoke(main, words[1:])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.output


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NARRATOR_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


def test_the_guide_leads_from_a_copy_to_a_ruleset_that_is_proved(home: Path) -> None:
    followed = {"console": 0, "diff": 0, "yaml": 0}
    for kind, text in blocks():
        if kind == "console":
            for command, shown in commands(text):
                real = run(command)
                assert matches(shown, real), f"{command}\n--- shown:\n{shown}\n--- real:\n{real}"
        elif kind == "diff":
            head, _, diff = text.partition("\n")
            file = home / "rules" / head.removeprefix("+++ ")
            file.write_text(changed(file.read_text("utf-8"), diff), "utf-8")
        elif kind == "yaml":
            Path(text.partition("\n")[0].removeprefix("# ")).write_text(text, "utf-8")
        if kind:
            followed[kind] += 1
    assert followed["console"] >= 4
    assert followed["diff"] >= 5
    assert followed["yaml"] >= 1


def test_every_command_that_the_guide_names_exists(home: Path) -> None:
    named = set(re.findall(r"`?narrator ([a-z]+)(?: ([a-z]+))?", GUIDE.read_text("utf-8")))
    assert ("rules", "new") in named
    rules = load_command("rules")
    for command, sub in named:
        assert command in COMMANDS
        if command == "rules" and sub:
            assert sub in getattr(rules, "commands", {}), sub


def test_the_guide_explains_every_key_of_a_ruleset(home: Path) -> None:
    text = GUIDE.read_text("utf-8")
    unsaid = [key.name for key in fields(RulesetFile) if f"`{key.name}`" not in text]
    assert unsaid == ["settling"], "only the way of settling is for editions with abilities of their own"


def test_a_change_that_no_longer_fits_is_seen() -> None:
    assert changed("a\nb\n", " a\n-b\n+c\n") == "a\nc\n"
    with pytest.raises(AssertionError, match="must stand in the file once"):
        changed("a\n", "-b\n+c\n")


def test_what_is_shown_must_be_what_comes() -> None:
    assert matches("Wrote …/rules/x.yaml.\n", "Wrote C:\\home\\rules\\x.yaml.\n")
    assert not matches("ok …\n", "not ok\n")
