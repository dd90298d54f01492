"""Which names and addresses this machine goes by: what phones may type, and what a Host header may say."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable

ELSEWHERE = ("192.0.2.1", "10.255.255.255")
"""Addresses that a route is asked for; nothing is sent to them."""


def lan_addresses() -> list[str]:
    """This machine's IPv4 addresses that a phone could reach, the likeliest first; empty without a network."""
    found = [*filter(None, map(route_address, ELSEWHERE)), *named_addresses()]
    return sorted(dict.fromkeys(a for a in found if is_reachable(a)), key=likelihood)


def route_address(destination: str) -> str | None:
    """The address from which `destination` would be reached. A UDP socket is only pointed there: no packet leaves."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((destination, 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def named_addresses() -> list[str]:
    """The addresses that the machine's own name stands for."""
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return []
    return [str(entry[4][0]) for entry in found]


def is_reachable(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    return not (parsed.is_loopback or parsed.is_unspecified)


def likelihood(address: str) -> tuple[bool, bool]:
    """Sort key: home networks before others, real addresses before self-assigned ones; else the order found."""
    parsed = ipaddress.ip_address(address)
    return (parsed.is_link_local, not parsed.is_private)


class Hosts:
    """The names under which the panel may be asked for; anything else is a page elsewhere posing as this machine."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        own = socket.gethostname().lower()
        short = own.split(".")[0]
        self._names = {"localhost", own, short, f"{short}.local", *(name.lower() for name in names if name)}

    def knows(self, header: str) -> bool:
        """Whether a Host header (`name`, `name:port`, `[address]:port`) means this machine."""
        name = host_name(header)
        return name in self._names or is_own_address(name)


def host_name(header: str) -> str:
    """The name in a Host header, without port and brackets, in small letters."""
    text = header.strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.rpartition(":")[0] if text.count(":") == 1 else text


def is_own_address(name: str) -> bool:
    """Whether `name` is an IP address of this very machine, right now (they change when the network does)."""
    try:
        parsed = ipaddress.ip_address(name)
    except ValueError:
        return False
    if parsed.is_unspecified or parsed.is_multicast:
        return False
    family = socket.AF_INET if parsed.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((name, 0))
        except (OSError, UnicodeError):  # of a scope that is no interface's
            return False
    return True
