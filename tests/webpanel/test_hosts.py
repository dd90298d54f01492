"""Names and addresses of this machine."""

from __future__ import annotations

import socket

import pytest

from webpanel.hosts import Hosts, host_name, is_own_address, lan_addresses


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


def test_addresses_for_phones_are_reachable_ones() -> None:
    found = lan_addresses()
    assert len(found) == len(set(found))
    assert all(is_own_address(address) and not address.startswith("127.") for address in found)
