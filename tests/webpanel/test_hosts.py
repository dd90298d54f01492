"""Names and addresses of this machine."""

from __future__ import annotations

import socket

import pytest

from webpanel.hosts import ROUTER_ENDINGS, Hosts, caller, host_name, is_own_address, searched


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("table.local:80", "table.local"),
        ("10.0.0.1", "10.0.0.1"),
        ("[::1]:8765", "::1"),
        ("::1", "::1"),
        ("A.b", "a.b"),
    ],
)
def test_a_host_header_is_read_without_its_port(header: str, name: str) -> None:
    assert host_name(header) == name


def test_own_addresses_are_told_from_others() -> None:
    assert is_own_address("127.0.0.1")
    assert not is_own_address("192.0.2.77")
    assert not is_own_address("0.0.0.0")
    assert not is_own_address("localhost")


def test_the_machines_own_name_is_known_and_names_given_besides() -> None:
    hosts = Hosts(["Table.example", ""])
    assert hosts.knows(f"{socket.gethostname()}:8765")
    assert hosts.knows("table.example")
    assert not hosts.knows("example")


@pytest.mark.parametrize("ending", ["fritz.box", "lan", "home.arpa", "local", "lan.", "our-own.example"])
def test_the_routers_names_for_this_machine_are_its_own(monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Game-Box.somewhere.example")
    hosts = Hosts(endings=[*ROUTER_ENDINGS, *searched("nameserver 10.0.0.1\nsearch our-own.example\n")])
    assert hosts.knows(f"game-box.{ending}:8765")
    assert hosts.knows("GAME-BOX.somewhere.example.")
    assert not hosts.knows(f"other.{ending}:8765")
    assert not hosts.knows("game-box.evil.example")
    assert not hosts.knows(f"game-box.{ending}.evil.example")
    assert not hosts.knows(ending)


def test_a_machine_that_is_renamed_goes_by_its_new_name(monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = Hosts(endings=["lan"])
    monkeypatch.setattr(socket, "gethostname", lambda: "new-name")
    assert hosts.knows("new-name.lan")


@pytest.mark.parametrize(
    "header", ["", ".", "[", "[]", "[::1", "[fe80::1%eth0]", "[fe80::1%\xfc]", "::", "\xfc", ":", "a" * 70_000]
)
def test_no_host_header_is_too_much(header: str) -> None:
    assert not Hosts(endings=["lan"]).knows(header) or header == "[::1"


def test_an_address_of_a_kind_that_the_system_lacks_is_not_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(*_: object) -> socket.socket:
        raise OSError("Address family not supported by protocol")

    monkeypatch.setattr(socket, "socket", lacking)
    assert not is_own_address("::1")


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("fd00::1:2:3:4", "fd00::/64"),
        ("fd00::9", "fd00::/64"),
        ("fe80::1%wlan0", "fe80::/64"),
        ("", ""),
    ],
)
def test_callers_are_counted_by_machine_or_by_ipv6_network(address: str, counted: str) -> None:
    assert caller(address) == counted
