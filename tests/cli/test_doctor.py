"""`narrator doctor`: what it finds, with a cure beside each fault, and how it ends."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from narrator.cli import doctor as examining
from narrator.cli.doctor import FAULT, MIND, OK, Finding, Machine
from narrator.hearing import microphones
from narrator.hearing.words import no_microphone
from narrator.speech.outputs.mixer import MixerOutput
from narrator.speech.outputs.output import NoSoundDeviceError
from narrator.speech.voices import VoicesError
from narrator.storage.folders import Folders
from tests.webpanel.surroundings import BRIDGE, LO, TUNNEL, WIFI, Surrounded
from webpanel.network import Interface
from webpanel.server import listen


def machine(home: Path, *interfaces: Interface, **more: Any) -> Machine:
    """A machine on made-up networks."""
    return Machine(Folders(home), network=lambda: Surrounded(*interfaces).network(), run=lambda _: "", **more)


def states(found: Iterator[Finding]) -> list[tuple[str, str]]:
    return [(finding.subject, finding.state) for finding in found]


def run(home: Path, *options: str) -> Any:
    """The command, on this very machine."""
    return CliRunner().invoke(examining.doctor, options, env={"NARRATOR_HOME": str(home)})


def test_each_fault_and_everything_less_than_it_could_be_has_a_cure(tmp_path: Path) -> None:
    told = json.loads(run(tmp_path, "--json").output)
    assert {finding["subject"] for finding in told["findings"]} >= {
        *("program", "sound", "voices", "microphone", "addresses", "port", "browser", "disk", "clock")
    }
    for finding in told["findings"]:
        assert finding["state"] in (OK, MIND, FAULT)
        assert finding["cure"] or finding["state"] != FAULT
    assert any("journal" in line for line in told["report"])


def test_the_page_fits_a_terminal_and_tells_what_a_report_should_hold(tmp_path: Path) -> None:
    shown = run(tmp_path).output
    assert len(shown.splitlines()) < 60
    assert "An issue report should hold:" in shown
    assert "narrator" in shown.splitlines()[0]


@pytest.mark.parametrize(("state", "code"), [(OK, 0), (MIND, 0), (FAULT, 1)])
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_it_ends_with_one_where_something_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str, code: int, options: tuple[str, ...]
) -> None:
    def check(_: Machine) -> Iterator[Finding]:
        yield Finding("sound", state, "words", "a cure")

    monkeypatch.setattr(examining, "CHECKS", (check,))
    ran = run(tmp_path, *options)
    assert ran.exit_code == code
    assert "words" in ran.output
    assert "a cure" in ran.output


def test_a_check_that_fails_itself_is_told_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Machine) -> Iterator[Finding]:
        yield Finding("broken", OK, "so far")
        raise RuntimeError("what nobody thought of")

    monkeypatch.setattr(examining, "CHECKS", (broken, examining.clock))
    ran = run(tmp_path)
    assert ran.exit_code == 1
    assert "so far" in ran.output
    assert "RuntimeError: what nobody thought of" in ran.output
    assert "clock" in ran.output


def test_a_computer_without_sound_is_told_how_phones_can_speak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: MixerOutput) -> None:
        raise NoSoundDeviceError("nothing is plugged in")

    monkeypatch.setattr(MixerOutput, "open", refuse)
    [found] = examining.sound(machine(tmp_path))
    assert found.state == FAULT
    assert "nothing is plugged in" in found.text
    assert "--speaker page" in found.cure


def test_a_computer_with_sound_is_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    assert states(examining.sound(machine(tmp_path))) == [("sound", OK)]


def test_a_microphone_is_only_minded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise no_microphone("nothing")

    monkeypatch.setattr(microphones, "find_microphone", none)
    assert states(examining.microphone(machine(tmp_path))) == [("microphone", MIND)]


def test_without_any_voice_every_language_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise VoicesError("no voice on this machine")

    monkeypatch.setattr("narrator.speech.voices.list_voices", none)
    monkeypatch.setattr("narrator.speech.renderers.auto.list_voices", none)
    found = list(examining.voices(machine(tmp_path)))
    assert [finding.state for finding in found] == [MIND, OK, OK, OK, OK]
    monkeypatch.setattr("narrator.speech.renderers.auto.pack_voices", lambda *_: [])
    found = list(examining.voices(machine(tmp_path)))
    assert [finding.state for finding in found] == [MIND, FAULT, FAULT, FAULT, FAULT]
    assert all(finding.cure for finding in found)


@pytest.mark.parametrize(
    ("interfaces", "wanted"),
    [
        ((LO,), [FAULT]),
        ((LO, WIFI), [OK]),
        ((LO, WIFI, TUNNEL, BRIDGE), [OK, MIND, MIND]),
        ((LO, TUNNEL), [FAULT]),
        ((Interface("eth0", ("169.254.1.1",)),), [FAULT]),
    ],
)
def test_addresses_are_judged_by_whether_phones_can_reach_them(
    tmp_path: Path, interfaces: tuple[Interface, ...], wanted: list[str]
) -> None:
    assert [finding.state for finding in examining.addresses(machine(tmp_path, *interfaces))] == wanted


def test_the_real_page_is_fetched_at_every_address(tmp_path: Path) -> None:
    network = Surrounded(LO).network("127.0.0.1")
    found = list(examining.reachability(Machine(Folders(tmp_path), 0, network=lambda: network, run=lambda _: "")))
    assert [(one.subject, one.state) for one in found] == [("port", OK), ("browser", OK)]
    assert "comes" in found[1].text


def test_a_page_that_does_not_come_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError("timed out")

    monkeypatch.setattr("http.client.HTTPConnection.request", refused)
    network = Surrounded(LO).network("127.0.0.1")
    found = list(examining.reachability(Machine(Folders(tmp_path), 0, network=lambda: network, run=lambda _: "")))
    assert found[-1].state == FAULT
    assert "timed out" in found[-1].text
    assert "firewall" in found[-1].cure


def test_a_port_that_is_taken_is_only_minded(tmp_path: Path) -> None:
    other, port = listen("", 0, 1)
    network = Surrounded(LO).network("127.0.0.1")
    with other:
        other.listen()
        looked_at = Machine(Folders(tmp_path), port, network=lambda: network, run=lambda _: "")
        found = states(examining.reachability(looked_at))
    assert found == [("port", MIND), ("browser", OK)]


@pytest.mark.parametrize(
    ("name", "answer", "is_on"),
    [
        ("ufw", "# boot\nENABLED=yes\n", True),
        ("ufw", "ENABLED=no\n", False),
        ("firewalld", "running\n", True),
        ("firewalld", "not running\n", False),
        ("Windows Firewall", "Private Profile Settings:\nState                 ON\nOk.\n", True),
        ("Windows Firewall", "Private Profile Settings:\nState                 OFF\nOk.\n", False),
        ("the macOS firewall", "Firewall is enabled. (State = 1)\n", True),
        ("the macOS firewall", "Firewall is disabled. (State = 0)\n", False),
    ],
)
def test_a_firewall_that_is_on_is_told_with_what_lets_phones_through(
    tmp_path: Path, name: str, answer: str, is_on: bool
) -> None:
    asked = examining.FIREWALLS[name][0]
    network = Surrounded(LO).network("127.0.0.1")
    looked_at = Machine(
        Folders(tmp_path), 0, network=lambda: network, run=lambda words: answer if words == asked else ""
    )
    found = [finding for finding in examining.reachability(looked_at) if name in finding.text]
    assert [finding.state for finding in found] == [MIND] * is_on
    assert all(finding.cure and "{" not in finding.cure for finding in found)


class Usage(NamedTuple):
    """What a disk has."""

    free: int


@pytest.mark.parametrize(("megabytes", "state"), [(5, FAULT), (100, MIND), (5000, OK)])
def test_a_disk_that_is_nearly_full_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, megabytes: int, state: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(megabytes * 1_000_000))
    found = next(examining.disk(machine(tmp_path)))
    assert (found.state, bool(found.cure)) == (state, state != OK)


def test_a_data_folder_that_cannot_be_made_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    [found] = examining.disk(machine(tmp_path / "file"))
    assert found.state == FAULT
    assert "NARRATOR_HOME" in found.cure


def test_a_clock_that_stands_before_what_was_written_is_minded(tmp_path: Path) -> None:
    folders = Folders(tmp_path)
    journal = folders.games / "one.jsonl"
    journal.write_text("", "utf-8")
    later = journal.stat().st_mtime + 86_400
    os.utime(journal, (later, later))
    assert states(examining.clock(machine(tmp_path, now=lambda: later))) == [("clock", OK)]
    assert states(examining.clock(machine(tmp_path, now=lambda: later - 7200))) == [("clock", MIND)]


def test_a_path_does_not_tell_the_users_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/somebody"))
    assert examining.at_home(Path("/home/somebody/data/games")) == str(Path("~/data/games"))
    assert examining.at_home(Path("/srv/games")) == str(Path("/srv/games"))


def test_a_program_that_is_not_there_answers_nothing() -> None:
    assert examining.answer_of(("no-such-program-anywhere",)) == ""
