"""Where phones can reach this machine: its addresses, the likeliest first, looked at again and again."""

from __future__ import annotations

import ipaddress
import re
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import ifaddr

from webpanel.hosts import is_own_address

NEWS = 600.0
"""Seconds for which a move to another network is news."""
LOOK_AGAIN = 3.0
"""Seconds between two looks at the machine's addresses."""
EVERYWHERE = ("", "0.0.0.0", "::")
"""What stands for every address of this machine: with both kinds of addresses, IPv4 only, both."""
ELSEWHERE = ("192.0.2.1", "10.255.255.255", "2001:db8::1")
"""Addresses that a route is asked for; nothing is sent to them."""

LAN, PUBLIC, SELF_ASSIGNED, TUNNEL, BRIDGE = "lan", "public", "self-assigned", "tunnel", "bridge"
"""Kinds of addresses, in the order in which they are likely to be reached by a phone in the room."""
KINDS = (LAN, PUBLIC, SELF_ASSIGNED, TUNNEL, BRIDGE)
GIVEN = "given"
"""What the user said phones shall use."""
GONE = "gone"
"""What alone is listened on, and what this machine does not have at present."""
NOWHERE = "nowhere"
"""There is no network: only this machine itself can open the page."""

TUNNELS = re.compile(
    r"^(tun|tap|utun|ipsec|ppp|wg|tailscale|nordlynx|nordtun|proton|pvpn|mullvad|cscotun|gpd|feth|teredo|ham)\d*$"
    r"|^(wg|tun|vpn|proton)[-_]|^zt[0-9a-z]{8}"
    r"|vpn|tunnel|wireguard|wintun|tap-windows|tailscale|zerotier|hamachi|anyconnect|fortinet|fortissl|pangp"
    r"|globalprotect|juniper|teredo|isatap|6to4|cloudflare warp|radmin",
    re.IGNORECASE,
)
"""Names of network interfaces (on Windows: their descriptions) that lead through a tunnel."""
BRIDGES = re.compile(
    r"^(docker|virbr|vmnet|vmenet|vboxnet|lxcbr|lxdbr|incusbr|cni|podman|flannel|cilium|waydroid)[-._0-9]*$"
    r"|^(br-[0-9a-f]{12}$|veth|cali|flannel|lxc|kube)"
    r"|hyper-v virtual|vethernet|virtualbox|vmware|docker|npcap|loopback adapter",
    re.IGNORECASE,
)
"""Names of interfaces to containers and virtual machines inside this machine."""
NOT_FOR_OTHERS = ipaddress.ip_network("192.0.0.0/29")
"""What a machine with nothing but IPv6 calls itself towards old programs."""
SYSTEM_TUNNELS = ("65534", "512", "768", "769", "776", "778", "823")
"""What Linux says of tunnels in `/sys/class/net/<name>/type`: no hardware, PPP, IP in IP, SIT, GRE."""


@dataclass(frozen=True)
class Interface:
    """One of the machine's ways into a network, with its addresses."""

    name: str
    addresses: tuple[str, ...]
    is_tunnel: bool = False
    """Whether the system says so, whatever its name."""


@dataclass(frozen=True)
class Place:
    """One address at which the pages can be reached."""

    host: str
    interface: str = ""
    kind: str = LAN
    scheme: str = ""
    """Where it is another than the server's own."""
    port: int = 0
    """Where it is another than the server's own."""


HERE = Place("localhost", kind=NOWHERE)

Surroundings = tuple[Sequence[Interface], Sequence[str]]
"""The interfaces, and the addresses from which the way leads out of this network."""


def look_around() -> Surroundings:
    """What the machine has right now."""
    return interfaces(), [found for found in map(route_address, ELSEWHERE) if found]


def interfaces() -> list[Interface]:
    """The machine's interfaces that are connected; none where the system does not tell."""
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return []
    found = []
    for adapter in adapters:
        system = Path("/sys/class/net", str(adapter.nice_name).partition(":")[0])
        addresses = tuple(str(one.ip) if one.is_IPv4 else one.ip[0] for one in adapter.ips)
        if addresses and content(system / "operstate") not in ("down", "lowerlayerdown"):
            is_tunnel = content(system / "type") in SYSTEM_TUNNELS
            found.append(Interface(adapter.nice_name, addresses, is_tunnel))
    return found


def content(file: Path) -> str:
    """What a small file of the system says; '' where there is none."""
    try:
        return file.read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def route_address(destination: str) -> str | None:
    """The address from which `destination` would be reached. A UDP socket is only pointed there: no packet leaves."""
    family = socket.AF_INET6 if ":" in destination else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((destination, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return None


def places(found: Sequence[Interface], ways_out: Sequence[str] = (), *, with_ipv6: bool = True) -> tuple[Place, ...]:
    """The addresses that a phone could reach, the likeliest first; empty without a network.

    Home networks come first, tunnels and the bridges of containers last. Of one kind those come first from which the
    way leads out; then those with IPv4. An interface has at most one IPv6 address, and none if it has a good IPv4 one.
    """
    listed = {address for interface in found for address in interface.addresses}
    unlisted = [Interface("", (address,)) for address in ways_out if address not in listed]
    unique: dict[str, Place] = {}
    for interface in (*found, *unlisted):
        for place in of_interface(interface, ways_out, with_ipv6):
            unique.setdefault(place.host, place)

    def rank(place: Place) -> tuple[int, int, bool]:
        way = ways_out.index(place.host) if place.host in ways_out else len(ways_out)
        return KINDS.index(place.kind), way, ":" in place.host

    return tuple(sorted(unique.values(), key=rank))


def of_interface(interface: Interface, ways_out: Sequence[str], with_ipv6: bool) -> list[Place]:
    """The addresses of one interface that can stand in a link."""
    usable = [address for address in interface.addresses if is_reachable(address)]
    old = [Place(one, interface.name, kind_of(one, interface, ways_out)) for one in usable if ":" not in one]
    if not with_ipv6 or any(place.kind != SELF_ASSIGNED for place in old):
        return old
    new = [one for one in usable if ":" in one and not ipaddress.ip_address(one).is_link_local]
    new.sort(key=lambda one: (one not in ways_out, not ipaddress.ip_address(one).is_private))
    return [Place(one, interface.name, kind_of(one, interface, ways_out)) for one in new[:1]] + old


def is_reachable(address: str) -> bool:
    """Whether others could reach that address at all."""
    parsed = ipaddress.ip_address(address)
    return not (parsed.is_loopback or parsed.is_unspecified or parsed.is_multicast or parsed in NOT_FOR_OTHERS)


def is_reachable_host(host: str) -> bool:
    """Whether that is an address, and one that others could reach."""
    try:
        return is_reachable(host) and "%" not in host
    except ValueError:
        return False


def kind_of(address: str, interface: Interface, ways_out: Iterable[str]) -> str:
    """How likely a phone in the room can reach it. A virtual bridge with the way out is a real network's."""
    if interface.is_tunnel or TUNNELS.search(interface.name):
        return TUNNEL
    if BRIDGES.search(interface.name) and address not in ways_out:
        return BRIDGE
    parsed = ipaddress.ip_address(address)
    if parsed.is_link_local:
        return SELF_ASSIGNED
    return LAN if parsed.is_private or parsed.version == 6 else PUBLIC


def given_place(text: str) -> Place:
    """What `--address` says: NAME, NAME:PORT, or http(s)://NAME:PORT. ValueError if it is something else.

    Without a port, the server's own is meant; after https:// the usual one, as of whatever stands before the server.
    """
    wrong = ValueError(f"--address must be a name or an address, as in 192.168.1.20:8765; got {text!r}")
    bare = text.strip()
    if not re.match(r"[a-z]+://", bare, re.IGNORECASE):
        bare = f"//[{bare}]" if bare.count(":") > 1 and not bare.startswith("[") else f"//{bare}"
    try:
        parts = urlsplit(bare)
        port, host = parts.port, parts.hostname or ""
    except ValueError as fault:
        raise wrong from fault
    only_host = parts.path in ("", "/") and not (parts.query or parts.fragment or parts.username)
    if not (only_host and parts.scheme in ("", "http", "https") and is_host(host)) or port == 0:
        raise wrong
    return Place(host, kind=GIVEN, scheme=parts.scheme, port=port or (443 if parts.scheme == "https" else 0))


def is_host(text: str) -> bool:
    """Whether that could be a name or an address of a machine."""
    if ":" in text:
        try:
            return ipaddress.ip_address(text).version == 6
        except ValueError:
            return False
    if re.fullmatch(r"[\d.]+", text):
        return re.fullmatch(r"(\d{1,3}\.){3}\d{1,3}", text) is not None and all(int(n) < 256 for n in text.split("."))
    return re.fullmatch(r"[^\W_]([\w-]*)(\.[\w-]+)*\.?", text) is not None


class Network:
    """Where the pages can be reached at present.

    `host` is what is listened on (one of EVERYWHERE: every address), `address` what the user said phones shall use.
    `look` tells what the machine has, `now` the seconds of a clock that never goes back.
    """

    def __init__(
        self,
        host: str = "",
        address: str = "",
        *,
        scheme: str = "http",
        look: Callable[[], Surroundings] = look_around,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """ValueError if `address` is none, or `host` none of this machine's."""
        self.scheme = scheme
        self.port = 0
        """What is listened on; 0 as long as nothing is."""
        self.name = ""
        """The name that this machine has announced; '' for none."""
        self.changes = 0
        """How often the addresses have changed."""
        self.host = host
        check_own(host, look)
        self._given = given_place(address) if address else None
        self._look = look
        self._now = now
        self._looked = now()
        self._moved: float | None = None
        self._followers: list[Callable[[], None]] = []
        self.places = self._places()

    @property
    def names(self) -> list[str]:
        """What the user named at the start, besides the machine's own names."""
        return [self.host, self._given.host if self._given else ""]

    @property
    def best(self) -> Place:
        """What a phone is likeliest to reach."""
        return self.places[0]

    @property
    def named(self) -> list[str]:
        """The addresses that a name in the network may stand for; none if phones shall use another, or cannot come."""
        if self._given or any(place.kind == GIVEN and not is_reachable_host(place.host) for place in self.places):
            return []
        return [place.host for place in self.places if place.kind in (LAN, PUBLIC, SELF_ASSIGNED, GIVEN)]

    def follow(self, follower: Callable[[], None]) -> None:
        """Call `follower` whenever the addresses have changed."""
        self._followers.append(follower)

    @property
    def has_moved(self) -> bool:
        """Whether the best address has changed not long ago."""
        return self._moved is not None and self._now() - self._moved < NEWS

    def look(self) -> bool:
        """Look again, if the last look is old enough; whether the addresses have changed."""
        if self._now() - self._looked < LOOK_AGAIN:
            return False
        self._looked = self._now()
        before, self.places = self.places, self._places()
        self.changes += before != self.places
        if before[0] != self.best:
            self._moved = self._looked
        if before != self.places:
            for follower in self._followers:
                follower()
        return before != self.places

    def link(self, place: Place, path: str = "/", *, name: str = "") -> str:
        """The link to a page at that place, or under that name."""
        scheme, port = place.scheme or self.scheme, place.port or self.port
        usual = {"http": 80, "https": 443}.get(scheme)
        host = name or (f"[{place.host}]" if ":" in place.host else place.host)
        return f"{scheme}://{host}{'' if port == usual else f':{port}'}{path}"

    def _places(self) -> tuple[Place, ...]:
        if self._given:
            return (self._given,)
        found, ways_out = self._look()
        if self.host not in EVERYWHERE:
            return (Place(self.host, kind=GIVEN if is_there(self.host, found) else GONE),)
        with_ipv6 = self.host != "0.0.0.0" and socket.has_dualstack_ipv6()
        return places(found, ways_out, with_ipv6=with_ipv6) or (HERE,)


def is_there(host: str, found: Sequence[Interface]) -> bool:
    """Whether an address that is listened on is still there; a name always is."""
    try:
        parsed = ipaddress.ip_address(host)
    except ValueError:
        return True
    return parsed.is_loopback or any(host.partition("%")[0] in interface.addresses for interface in found)


def check_own(host: str, look: Callable[[], Surroundings]) -> None:
    """ValueError, which names those there are, if `host` is no address of this machine."""
    if host in EVERYWHERE:
        return
    try:
        meant = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
    except (OSError, UnicodeError):
        meant = set()
    if any(is_own_address(address.partition("%")[0]) or "%" in address for address in meant):
        return
    found = look()[0]
    own = [f"{address} ({interface.name})" for interface in found for address in interface.addresses]
    raise ValueError(
        f"--host must be an address of this computer: {', '.join(own) or '127.0.0.1'}; got {host!r}. "
        "Leave it out to listen on all of them"
    )
