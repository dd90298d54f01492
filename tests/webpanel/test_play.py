"""`narrator play`: what is set at the start, what the terminal shows and takes."""

from __future__ import annotations

import locale
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from narrator.cli import main
from narrator.cli import play as playing
from narrator.cli.invitation import Invitation
from narrator.cli.phones import Doorkeeper
from narrator.storage.devices import DeviceStore
from tests.webpanel.house import House
from tests.webpanel.surroundings import BRIDGE, CABLE, TUNNEL, WIFI, Surrounded
from webpanel.network import Network
from webpanel.pairing import Pairing

PATIENCE = 60
"""Seconds after which a program that has not ended never will."""


@contextmanager
def program(home: Path, *options: str, encoding: str = "utf-8") -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """The real program once it is ready, and what it has printed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "narrator", "play", "--speaker", "silent", "--host", "127.0.0.1", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        encoding=encoding,
        env={**os.environ, "NARRATOR_HOME": str(home), "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": encoding},
    )
    assert process.stdout
    lines: list[str] = []
    try:
        for line in process.stdout:
            lines.append(line)
            if line.startswith("Ready"):
                break
        yield process, lines
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def refusal(home: Path, *options: str) -> str:
    """What is said of options with which no table can be opened."""
    words = ["play", "--speaker", "silent", "--host", "127.0.0.1", "--port", "0", *options]
    refused = CliRunner().invoke(main, words, env={"NARRATOR_HOME": str(home)}, catch_exceptions=False)
    assert refused.exit_code == 1
    return refused.output


def test_it_prints_a_code_addresses_and_where_it_speaks(tmp_path: Path) -> None:
    with program(tmp_path, "--port", "0") as (process, lines):
        text = "".join(lines)
        assert re.search(r"The judge's phone: +http://127\.0\.0\.1:\d+/pair/[\w-]{12}\n", text)
        assert re.search(r"What all may see: +http://127\.0\.0\.1:\d+/table\n", text)
        assert "Speaking:           nowhere" in text
        assert text.count("█") > 50
        assert process.poll() is None


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_it_closes_the_table_when_told_to(tmp_path: Path) -> None:
    with program(tmp_path, "--port", "0") as (process, _):
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


def test_a_taken_port_is_said_in_a_sentence(tmp_path: Path, free_port: int) -> None:
    with socket.create_server(("127.0.0.1", free_port)):
        with program(tmp_path, "--port", str(free_port)) as (process, lines):
            assert process.wait(PATIENCE) == 1
        assert re.search(rf"Error: .*{free_port}.*--port", "".join(lines))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--speaker", "megaphone"), "megaphone"),
        (("--language", "tlh"), "tlh"),
        (("--ruleset", "chess"), "chess"),
        (("--seats", "2"), "2"),
        (("--name", "my table"), "--name"),
        (("--address", "ftp://x"), "--address"),
        (("--resume",), "no interrupted game"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    assert words in refusal(tmp_path, *options)


def test_options_set_up_the_table(tmp_path: Path) -> None:
    house = House(tmp_path)
    wanted = playing.wishes(house.folders, "es, en", "box-doctor", 9)
    playing.prepare(house.table, wanted, None)
    shown = house.table.judge()
    assert shown.settings.languages == ("es", "en")
    assert (shown.setup.ruleset, shown.setup.seats) == ("box-doctor", 9)
    house.close()


@pytest.mark.parametrize(
    ("options", "mode"), [({"resume": ""}, "game"), ({"new": True}, "setup"), ({}, "resume?")], ids=str
)
def test_an_interrupted_game_is_gone_on_with_or_not(tmp_path: Path, options: dict[str, Any], mode: str) -> None:
    first = House(tmp_path)
    first.start()
    first.night_one()
    first.close()
    again = House(tmp_path)
    playing.prepare(again.table, {}, **options)
    assert again.table.judge().mode == mode
    again.close()


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_resume_alone_takes_the_latest_and_leaves_the_next_option_alone(tmp_path: Path, free_port: int) -> None:
    names = []
    for _ in range(2):
        house = House(tmp_path)
        house.start()
        house.night_one()
        names.append(house.table.game.id if house.table.game else "")
        house.close()
    for options, name in (
        (("--resume", "--port", str(free_port)), names[1]),
        (("--port", "0", "--resume"), names[1]),
        (("--port", "0", "--resume", names[0]), names[0]),
        (("--port", "0", "--resume", str(tmp_path / "games" / f"{names[1]}.jsonl")), names[1]),
    ):
        with program(tmp_path, *options) as (process, lines):
            assert f"Going on with {name}." in "".join(lines)
            assert options[0] == "--port" or f":{free_port}/" in "".join(lines)
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
    told = refusal(tmp_path, "--resume", "yesterday")
    assert re.search(rf"no such interrupted game; there are: .*{names[1]}.*got yesterday", told)


def damaged_house(home: Path) -> tuple[House, Path]:
    """A table at which a damaged game was interrupted, and the game's journal."""
    first = House(home)
    first.start()
    first.night_one()
    assert first.table.game
    path = first.table.game.journal.path
    first.close()
    path.write_bytes(path.read_bytes()[:-3] + b"~}\n")
    return House(home), path


@pytest.mark.parametrize(("keyboard", "answer", "mode"), [(True, "y", "game"), (True, "n", ""), (False, "", "resume?")])
def test_a_damaged_game_is_asked_about_before_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keyboard: bool, answer: str, mode: str
) -> None:
    house, path = damaged_house(tmp_path)
    before = path.read_bytes()
    asked: list[str] = []

    def confirm(text: str) -> bool:
        asked.append(text)
        return answer == "y"

    monkeypatch.setattr(playing, "at_a_keyboard", lambda: keyboard)
    monkeypatch.setattr(click, "confirm", confirm)
    if mode:
        playing.prepare(house.table, {}, "")
        assert house.table.judge().mode == mode
    else:
        with pytest.raises(click.ClickException, match="left as it is"):
            playing.prepare(house.table, {}, "")
    assert bool(asked) == keyboard
    assert (path.read_bytes() == before) == (mode != "game")
    house.close()


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("zh_CN.UTF-8", "zh-Hans"),
        ("zh_TW.UTF-8", "zh-Hant"),
        ("es_AR.UTF-8", "es"),
        ("en_GB.UTF-8", "en"),
        ("fr_FR.UTF-8", ""),
        ("C.UTF-8", ""),
        ("Chinese (Traditional)_Taiwan", "zh-Hant"),
        ("Spanish_Spain", "es"),
    ],
)
def test_the_first_language_is_the_computers(monkeypatch: pytest.MonkeyPatch, tag: str, language: str) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(locale, "getlocale", lambda: (tag, "UTF-8"))
    assert playing.system_language() == language


def test_a_remembered_language_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    house = House(tmp_path, language="es")
    assert playing.wishes(house.folders, "", "", None) == {}
    house.close()


def test_a_foreign_address_to_listen_on_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with program(tmp_path, "--port", "0", "--host", "203.0.113.9") as (process, lines):
        assert process.wait(timeout=10) == 1
    assert re.search(r"Error: --host must be .*: .*; got '203\.0\.113\.9'", "".join(lines))


def test_what_phones_shall_use_is_shown_as_it_is_meant(tmp_path: Path) -> None:
    with program(tmp_path, "--port", "0", "--address", "http://table.example:9000/") as (_, lines):
        assert re.search(r"The judge's phone: +http://table\.example:9000/pair/[\w-]{12}\n", "".join(lines))


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "gbk", "ascii"])
def test_a_code_that_cannot_be_printed_is_a_picture(tmp_path: Path, encoding: str) -> None:
    with program(tmp_path, "--port", "0", encoding=encoding) as (_, lines):
        text = "".join(lines)
        assert "?" not in text
        assert re.search(r"The judge's phone: +http://127\.0\.0\.1:\d+/pair/[\w-]{12}\n", text)
        [picture] = re.findall(r"The code as a picture: (.+)\n", text)
        assert Path(picture) == tmp_path / "code.png"
        assert Path(picture).read_bytes().startswith(b"\x89PNG")


def test_a_picture_of_the_code_is_written_where_it_is_wanted(tmp_path: Path) -> None:
    with program(tmp_path, "--port", "0", "--qr", str(tmp_path / "wanted.png")):
        assert (tmp_path / "wanted.png").read_bytes().startswith(b"\x89PNG")
        assert not (tmp_path / "code.png").exists()
    with program(tmp_path, "--port", "0", "--qr", str(tmp_path)) as (process, lines):
        assert process.wait(timeout=10) == 1
    assert "Error: the code cannot be written as a picture" in "".join(lines)


@pytest.mark.skipif(os.name == "nt", reason="a pseudo-terminal is wanted")
@pytest.mark.parametrize(("kind", "coloured"), [("dumb", False), ("xterm", True)])
def test_a_dumb_terminal_gets_no_escape_codes(tmp_path: Path, kind: str, coloured: bool) -> None:
    text = in_a_terminal(tmp_path, kind)
    assert ("\x1b" in text) == ("█" in text) == coloured
    assert ("The code as a picture" in text) != coloured
    assert not (tmp_path / "code.png").exists()


def in_a_terminal(home: Path, kind: str) -> str:
    """What the real program shows in a terminal of that kind until it is ready and is stopped."""
    master, slave = os.openpty()
    words = [sys.executable, "-m", "narrator", "play", "--speaker", "silent", "--host", "127.0.0.1", "--port", "0"]
    surroundings = {**os.environ, "NARRATOR_HOME": str(home), "TERM": kind, "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, env=surroundings)
    os.close(slave)
    shown = b""
    try:
        while b"Ready" not in shown:
            shown += os.read(master, 4096)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) == 0
    finally:
        process.kill()
        process.wait()
        os.close(master)
    return shown.decode()


def invitation(home: Path, network: Network | None = None) -> Invitation:
    """What the terminal shows of a table on a made-up network."""
    return Invitation(network or Network("127.0.0.1"), "secret", None, home / "code.png")


def test_the_best_address_is_shown_and_the_others_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    invitation(tmp_path, Surrounded(BRIDGE, TUNNEL, WIFI, CABLE).network()).show()
    out = capsys.readouterr().out
    assert "The judge's phone:  http://192.168.50.23:8765/pair/secret\n" in out
    others = re.findall(r"If that cannot be reached: http://(.*):8765/pair/secret  \((.*)\)\n", out)
    assert [address for address, _ in others] == ["10.0.0.5", "10.8.0.2", "172.17.0.1"]
    assert [mark.partition(":")[0] for _, mark in others] == ["eth0", "tun0", "docker0"]
    assert "a tunnel" in others[1][1]
    assert "containers" in others[2][1]


def test_a_network_that_comes_later_is_told_once_with_its_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wandering = Surrounded()
    shown = invitation(tmp_path, wandering.network())
    shown.show()
    out = capsys.readouterr().out
    assert "There is no network" in out
    assert "█" not in out
    wandering.becomes(WIFI)
    shown.look()
    out = capsys.readouterr().out
    assert "The network has changed" in out
    assert "http://192.168.50.23:8765/pair/secret" in out
    assert "█" in out
    shown.look()
    wandering.becomes(WIFI)
    shown.look()
    assert capsys.readouterr().out == ""


def test_what_comes_beside_the_best_is_a_line_and_bridges_are_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wandering = Surrounded(WIFI)
    shown = invitation(tmp_path, wandering.network())
    shown.show()
    capsys.readouterr()
    wandering.becomes(WIFI, CABLE, BRIDGE)
    shown.look()
    assert capsys.readouterr().out == "Can be reached as well: http://10.0.0.5:8765/pair/secret  (eth0)\n"
    wandering.becomes(WIFI)
    shown.look()
    assert capsys.readouterr().out == ""
    wandering.becomes()
    shown.look()
    assert "There is no network" in capsys.readouterr().out


def test_a_name_that_comes_later_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    network = Surrounded(WIFI).network()
    shown = invitation(tmp_path, network)
    shown.show()
    assert "By name" not in capsys.readouterr().out
    network.name = "narrator-2.local"
    shown.look()
    shown.look()
    assert capsys.readouterr().out == "By name as well:    http://narrator-2.local:8765/pair/secret\n"
    shown.show()
    assert "http://narrator-2.local:8765/pair/secret" in capsys.readouterr().out


def test_a_tunnel_alone_is_minded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    invitation(tmp_path, Surrounded(TUNNEL).network()).show()
    assert re.search(r"Mind: the only address found is 10\.8\.0\.2 \(a tunnel", capsys.readouterr().out)


def test_another_address_can_be_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wandering = Surrounded(WIFI, TUNNEL)
    shown = invitation(tmp_path, wandering.network())
    shown.show()
    pairing = Pairing(DeviceStore(tmp_path), "secret")
    codes = []
    for _ in range(2):
        capsys.readouterr()
        typed = iter(["Address\n", ""])
        playing.take_answers(Doorkeeper(pairing, lambda: ""), shown, lambda typed=typed: next(typed))
        codes += re.findall(r"The judge's phone:  http://(.*):8765", capsys.readouterr().out)
    assert codes == ["10.8.0.2", "192.168.50.23"]
    wandering.becomes(WIFI)
    shown.look()
    capsys.readouterr()
    shown.another()
    assert "no other address" in capsys.readouterr().out


def test_a_picture_follows_the_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wandering = Surrounded(WIFI)
    shown = Invitation(wandering.network(), "secret", tmp_path / "a.png", tmp_path / "code.png")
    shown.show()
    before = (tmp_path / "a.png").read_bytes()
    wandering.becomes(CABLE)
    shown.look()
    assert (tmp_path / "a.png").read_bytes() != before
    shown.close()
    assert (tmp_path / "a.png").exists()


def test_phones_are_let_in_and_refused_from_the_keyboard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairing = Pairing(DeviceStore(tmp_path), "secret", elapsed=lambda: 0.0)
    tokens = [pairing.knock("secret", None, name) for name in ("iPhone", "Android", "iPad", "")]
    told: set[tuple[str, str]] = set()
    playing.tell_knocks(pairing, told)
    playing.tell_knocks(pairing, told)
    numbers = [knocker.number for knocker in pairing.waiting()]
    assert capsys.readouterr().out.count("would like to come in") == 3
    typed = iter([f"{numbers[0]}\n", f"{numbers[1]} no\n", f"{numbers[2]} judge\n", "11x\n", f"{numbers[0]} why\n", ""])
    playing.take_answers(Doorkeeper(pairing, lambda: ""), invitation(tmp_path), lambda: next(typed))
    assert [pairing.standing(token) for token in tokens] == [None, "helper", "refused", "judge"]
    out = capsys.readouterr().out
    assert out.count("Done.") == 3
    assert "No phone of that number is waiting; got '11x'" in out
    assert "'why'" in out


def test_troubles_are_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.json").write_text("not json", "utf-8")
    house = House(tmp_path)
    told: set[tuple[str, str]] = set()
    playing.tell_troubles(house.table, told)
    playing.tell_troubles(house.table, told)
    assert capsys.readouterr().out.count("settings.json") >= 1
    playing.tell_troubles(house.table, told)
    assert capsys.readouterr().out == ""
    house.close()


def test_a_new_code_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = invitation(tmp_path, Surrounded(WIFI).network())
    shown.show()
    capsys.readouterr()
    shown.use("secret")
    assert capsys.readouterr().out == ""
    shown.use("another")
    out = capsys.readouterr().out
    assert "The judge's phone:  http://192.168.50.23:8765/pair/another\n" in out
    assert "█" in out


def browser_of(link: str) -> Callable[[str, bytes | None], str]:
    """A browser that has looked at the code, to ask for paths or to send forms."""
    origin = link.partition("/pair/")[0]
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    opener.open(link).close()

    def ask(path: str, form: bytes | None = None) -> str:
        with opener.open(urllib.request.Request(origin + path, form, {"Origin": origin})) as answer:
            return str(answer.read().decode())

    return ask


def test_phones_of_a_table_without_a_terminal(tmp_path: Path) -> None:
    def phones(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["phones", *words], env={"NARRATOR_HOME": str(tmp_path)})
        return done.exit_code, done.output

    assert phones() == (0, "No table is open.\n")
    with program(tmp_path, "--port", "0") as (process, _):
        link = phones("code")[1].strip()
        assert "/pair/" in link, link
        path = "/pair/" + link.partition("/pair/")[2]
        stranger, owner = browser_of(link), browser_of(link)
        stranger(path, b"")
        owner(path, b"")
        [number] = re.findall(r"(\d\d)  waits at the door", phones()[1])
        assert phones(number, "judge") == (0, "Done.\n")
        assert re.fullmatch(rf"{number}  judge\n", phones()[1])
        assert 'id="page"' in owner("/")
        with pytest.raises(urllib.error.HTTPError, match="401"):
            stranger("/")
        status, said = phones("99x")
        assert status == 1
        assert "got '99x'" in said
        assert "/pair/" in phones("reset")[1]
        assert phones("code")[1].strip() != link
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    log = (tmp_path / "door.log").read_text("utf-8")
    assert f"phone {number} (127.0.0.1) was let in from the computer: judge" in log
    assert link.partition("/pair/")[2] not in log
    assert phones("12")[0] == 1


def test_phones_are_forgotten_where_that_is_wanted(tmp_path: Path) -> None:
    door = Pairing(DeviceStore(tmp_path), "secret")
    token = door.knock("secret", None, "")
    door.see(token)
    for options, known in (((), True), (("--forget-phones",), False)):
        with program(tmp_path, "--port", "0", *options) as (_, lines):
            assert ("is still known" in "".join(lines)) == known
        assert (Pairing(DeviceStore(tmp_path)).standing(token) is not None) == known


def test_tls_shows_https_everywhere_and_what_phones_will_ask(tmp_path: Path) -> None:
    with program(tmp_path, "--port", "0", "--tls") as (process, lines):
        text = "".join(lines)
        assert re.search(r"The judge's phone: +https://127\.0\.0\.1:\d+/pair/", text)
        assert "http://" not in text
        assert re.search(r"Its SHA-256: +(..:){31}..\n", text)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
