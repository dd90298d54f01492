"""Which names and addresses this machine goes by: what a Host header may say."""

from __future__ import annotations

import ipaddress
import socket
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROUTER_ENDINGS = (
    "local",
    "lan",
    "home",
    "home.arpa",
    "internal",
    "intranet",
    "private",
    "localdomain",
    "localnet",
    "fritz.box",
    "speedport.ip",
    "mshome.net",
    "attlocal.net",
)
"""What routers put behind the names of the machines in their network."""


class Hosts:
    """The names under which the panel may be asked for; anything else is a page elsewhere posing as this machine."""

    def __init__(self, names: Iterable[str] = (), endings: Iterable[str] | None = None) -> None:
        """`names` besides the machine's own; `endings` behind it, by default the routers' and this network's."""
        self._names = {"localhost", *(plain(name) for name in names if name)}
        self._endings = tuple(endings) if endings is not None else (*ROUTER_ENDINGS, *network_endings())

    def also(self, name: str) -> None:
        """Answer to that name as well."""
        self._names.add(plain(name))

    def knows(self, header: str) -> bool:
        """Whether a Host header (`name`, `name:port`, `[address]:port`) means this machine."""
        name = host_name(header)
        return name in self._names or self._is_own_name(name) or is_own_address(name)

    def _is_own_name(self, name: str) -> bool:
        """The machine's name, alone or as the network's router completes it; it may be renamed while we run."""
        own = plain(socket.gethostname())
        short = own.partition(".")[0]
        return bool(short) and (name in (own, short) or name in (f"{short}.{ending}" for ending in self._endings))


def plain(name: str) -> str:
    """A name in small letters, without the dot that may end it."""
    return name.strip().lower().removesuffix(".")


def host_name(header: str) -> str:
    """The name in a Host header, without port and brackets, in small letters."""
    text = header.strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return plain(text.rpartition(":")[0] if text.count(":") == 1 else text)


@cache
def network_endings() -> tuple[str, ...]:
    """What the router of this network says stands behind the names in it."""
    if sys.platform == "win32":
        return registered_endings()
    try:
        return searched(Path("/etc/resolv.conf").read_text("utf-8", "replace"))
    except OSError:
        return ()


def searched(resolver: str) -> tuple[str, ...]:
    """The endings in the text of a `resolv.conf`."""
    lines = [line.split() for line in resolver.splitlines()]
    return tuple(plain(word) for words in lines if words[:1] in (["search"], ["domain"]) for word in words[1:])


if sys.platform == "win32":

    def registered_endings() -> tuple[str, ...]:
        """The endings in Windows' registry."""
        import winreg

        found: list[str] = []
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SYSTEM\CurrentControlSet\Services\Tcpip\Parameters") as key:
            for name in ("DhcpDomain", "Domain", "SearchList"):
                try:
                    found += str(winreg.QueryValueEx(key, name)[0]).replace(",", " ").split()
                except OSError:
                    continue
        return tuple(map(plain, found))


def is_own_address(name: str) -> bool:
    """Whether `name` is an IP address of this very machine, right now (they change when the network does)."""
    try:
        parsed = ipaddress.ip_address(name)
    except ValueError:
        return False
    if parsed.is_unspecified or parsed.is_multicast or "%" in name:
        return False
    family = socket.AF_INET if parsed.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((name, 0))
    except OSError:
        return False
    return True


def caller(address: str) -> str:
    """Who asks, for counting: IPv4 as such, of IPv6 the network, in which one machine may have any number of them."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
