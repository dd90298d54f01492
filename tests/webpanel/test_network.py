"""The machine's networks, as lists of interfaces that are made up."""

from __future__ import annotations

import socket

import pytest

from tests.webpanel.surroundings import LO, WIFI, Surrounded
from webpanel.network import (
    BRIDGE,
    GIVEN,
    GONE,
    LAN,
    LOOK_AGAIN,
    NEWS,
    NOWHERE,
    PUBLIC,
    SELF_ASSIGNED,
    TUNNEL,
    Interface,
    Place,
    given_place,
    look_around,
    places,
)
from webpanel.server import NoPort, listen


def hosts(*interfaces: Interface, ways_out: tuple[str, ...] = (), with_ipv6: bool = True) -> list[tuple[str, str]]:
    """The addresses and their kinds."""
    return [(place.host, place.kind) for place in places(interfaces, ways_out, with_ipv6=with_ipv6)]


def test_an_access_point_of_its_own_needs_no_way_out() -> None:
    assert hosts(LO, Interface("wlan0", ("192.168.50.1",))) == [("192.168.50.1", LAN)]


def test_a_vpn_that_holds_the_way_out_does_not_hide_the_wifi() -> None:
    found = hosts(LO, Interface("tun0", ("10.8.0.2",)), WIFI, ways_out=("10.8.0.2",))
    assert found == [("192.168.50.23", LAN), ("10.8.0.2", TUNNEL)]


@pytest.mark.parametrize(
    "name",
    [
        *(
            "tun0",
            "tap1",
            "utun4",
            "wg0",
            "wg-home",
            "ppp0",
            "tailscale0",
            "nordlynx",
            "ztabcdef12",
            "proton0",
            "vpn_x",
        ),
        *("TAP-Windows Adapter V9", "WireGuard Tunnel", "Wintun Userspace Tunnel", "Tailscale Tunnel"),
        *("Cisco AnyConnect Secure Mobility Client Virtual Miniport Adapter for Windows x64", "ZeroTier Virtual Port"),
    ],
)
def test_tunnels_are_told_by_their_names(name: str) -> None:
    assert hosts(Interface(name, ("10.8.0.2",)), WIFI, ways_out=("10.8.0.2",))[-1] == ("10.8.0.2", TUNNEL)


@pytest.mark.parametrize(
    "name",
    [
        *("docker0", "br-0123456789ab", "veth12ab34c", "virbr0", "vmnet8", "vboxnet0", "lxdbr0", "podman1", "cni0"),
        *("vEthernet (WSL)", "Hyper-V Virtual Ethernet Adapter", "VirtualBox Host-Only Ethernet Adapter"),
        "VMware Virtual Ethernet Adapter for VMnet1",
    ],
)
def test_bridges_of_containers_and_virtual_machines_come_last(name: str) -> None:
    found = hosts(Interface(name, ("172.17.0.1",)), Interface("tun0", ("10.8.0.2",)), WIFI)
    assert found == [("192.168.50.23", LAN), ("10.8.0.2", TUNNEL), ("172.17.0.1", BRIDGE)]


@pytest.mark.parametrize(
    "name",
    [
        *("wlan0", "wlp3s0", "eth0", "enp0s31f6", "en0", "br0", "br-lan", "bridge100", "usb0", "bond0", "end0", "ap0"),
        *(
            "Intel(R) Wi-Fi 6 AX201 160MHz",
            "Realtek PCIe GbE Family Controller",
            "Microsoft Wi-Fi Direct Virtual Adapter",
        ),
    ],
)
def test_real_networks_and_hotspots_are_not_marked(name: str) -> None:
    assert hosts(Interface(name, ("192.168.137.1",))) == [("192.168.137.1", LAN)]


def test_a_virtual_switch_that_holds_the_way_out_is_the_real_network() -> None:
    switch = Interface("Hyper-V Virtual Ethernet Adapter", ("192.168.1.20",))
    inside = Interface("Hyper-V Virtual Ethernet Adapter #2", ("172.20.0.1",))
    found = hosts(inside, switch, ways_out=("192.168.1.20",))
    assert found == [("192.168.1.20", LAN), ("172.20.0.1", BRIDGE)]


def test_what_the_system_calls_a_tunnel_is_one_whatever_its_name() -> None:
    assert hosts(Interface("office", ("10.9.0.2",), is_tunnel=True)) == [("10.9.0.2", TUNNEL)]


def test_of_several_networks_that_with_the_way_out_comes_first() -> None:
    cable = Interface("eth0", ("10.0.0.5",))
    assert hosts(WIFI, cable, ways_out=("10.0.0.5",)) == [("10.0.0.5", LAN), ("192.168.50.23", LAN)]
    assert hosts(WIFI, cable) == [("192.168.50.23", LAN), ("10.0.0.5", LAN)]


def test_self_assigned_addresses_come_after_given_ones() -> None:
    found = hosts(Interface("eth0", ("169.254.7.7",)), WIFI, Interface("eth1", ("198.18.5.1", "8.8.8.8")))
    assert [kind for _, kind in found] == [LAN, LAN, PUBLIC, SELF_ASSIGNED]


def test_a_network_of_ipv6_alone_is_one() -> None:
    wlan = Interface("wlan0", ("169.254.3.3", "fe80::5", "2a02:8070:7::5", "fd12::5"))
    assert hosts(LO, wlan) == [("fd12::5", LAN), ("169.254.3.3", SELF_ASSIGNED)]
    assert hosts(LO, wlan, with_ipv6=False) == [("169.254.3.3", SELF_ASSIGNED)]
    assert hosts(Interface("rmnet0", ("192.0.0.4", "fd12::6"))) == [("fd12::6", LAN)]


def test_ipv6_adds_nothing_where_there_is_ipv4() -> None:
    assert hosts(Interface("wlan0", ("192.168.50.23", "fd12::5")), ways_out=("fd12::5",)) == [("192.168.50.23", LAN)]


def test_a_way_out_is_taken_where_the_system_lists_no_interfaces() -> None:
    assert hosts(ways_out=("192.168.1.9",)) == [("192.168.1.9", LAN)]


def test_the_same_address_twice_is_shown_once() -> None:
    assert hosts(WIFI, WIFI, ways_out=("192.168.50.23",)) == [("192.168.50.23", LAN)]


def test_without_a_network_there_is_this_machine_alone() -> None:
    network = Surrounded(LO).network()
    assert network.places == (Place("localhost", kind=NOWHERE),)
    assert network.link(network.best, "/table") == "http://localhost:8765/table"


def test_a_network_that_comes_later_is_seen_every_few_seconds_and_not_oftener() -> None:
    around = Surrounded(LO)
    network = around.network()
    around.here = ((LO, WIFI), ())
    around.time = LOOK_AGAIN - 0.1
    assert not network.look()
    around.time = LOOK_AGAIN
    assert network.look()
    assert (network.best.host, network.changes) == ("192.168.50.23", 1)
    around.becomes(LO, WIFI)
    assert not network.look()
    around.becomes(LO)
    assert network.look()
    assert (network.best.kind, network.changes) == (NOWHERE, 2)


def test_a_move_is_news_for_a_while() -> None:
    around = Surrounded(LO, WIFI)
    network = around.network()
    around.becomes(LO, WIFI, Interface("docker0", ("172.17.0.1",)))
    assert network.look()
    assert not network.has_moved
    around.becomes(LO, Interface("wlan0", ("192.168.50.99",)))
    assert network.look()
    assert network.has_moved
    around.time += NEWS
    assert not network.has_moved


def test_an_address_that_alone_is_listened_on_may_go_and_come() -> None:
    around = Surrounded(LO)
    network = around.network("127.0.0.1")
    assert network.places == (Place("127.0.0.1", kind=GIVEN),)
    around.becomes()
    assert not network.look()
    assert network.names[0] == "127.0.0.1"


def test_an_address_that_is_gone_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webpanel.network.is_own_address", lambda address: address == "192.168.50.23")
    around = Surrounded(LO, WIFI)
    network = around.network("192.168.50.23")
    around.becomes(LO, Interface("wlan0", ("192.168.50.99",)))
    assert network.look()
    assert network.places == (Place("192.168.50.23", kind=GONE),)


@pytest.mark.parametrize(
    "host", ["203.0.113.9", "2001:db8::9", "no such name", "192.168.1.20:87", "http://x", "ü" * 80]
)
def test_what_is_no_address_of_this_machine_is_refused_with_those_it_has(host: str) -> None:
    with pytest.raises(ValueError, match=r"192\.168\.50\.23 \(wlan0\).*got "):
        Surrounded(LO, WIFI).network(host)


@pytest.mark.parametrize("host", ["", "0.0.0.0", "::", "localhost", "127.0.0.1"])
def test_what_is_one_is_taken(host: str) -> None:
    assert Surrounded(LO, WIFI).network(host).places


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("192.168.1.20", "http://192.168.1.20:8765/"),
        (" 192.168.1.20 ", "http://192.168.1.20:8765/"),
        ("192.168.1.20:9000", "http://192.168.1.20:9000/"),
        ("http://192.168.1.20:9000/", "http://192.168.1.20:9000/"),
        ("HTTP://Table.example:9000", "http://table.example:9000/"),
        ("http://table.example/", "http://table.example:8765/"),
        ("http://table.example:80", "http://table.example/"),
        ("https://table.example", "https://table.example/"),
        ("https://table.example:8443/", "https://table.example:8443/"),
        ("game_box.lan.", "http://game_box.lan.:8765/"),
        ("fd00::5", "http://[fd00::5]:8765/"),
        ("[fd00::5]:9000", "http://[fd00::5]:9000/"),
        ("http://[fd00::5]:9000/", "http://[fd00::5]:9000/"),
        ("tisch.münchen.example", "http://tisch.münchen.example:8765/"),
    ],
)
def test_what_phones_shall_use_may_be_written_in_any_usual_form(text: str, link: str) -> None:
    network = Surrounded(LO, WIFI).network(address=text)
    assert network.link(network.best) == link
    assert [place.kind for place in network.places] == [GIVEN]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "ftp://x",
            "http://",
            "http://x/table",
            "x/table",
            "x:70000",
            "x:0",
            "x:y",
            "x y",
            "http://u@x",
            "x?y",
            "x#y",
        ),
        *("999.1.1.1", "1.2.3", "[x]", "fd00:::5", "[fd00::5", "-x", "http://[", "://", "/"),
    ],
)
def test_what_is_no_address_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"--address .* as in 192\.168\.1\.20:8765; got "):
        given_place(text)


def test_this_very_machine_can_be_looked_at() -> None:
    found, ways_out = look_around()
    if any(name == "lo" for _, name in socket.if_nameindex()):
        assert any("127.0.0.1" in interface.addresses for interface in found)
    assert all(place.host and not place.host.startswith("127.") for place in places(found, ways_out))


def answers(family: socket.AddressFamily, address: str, port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket(family, socket.SOCK_STREAM) as caller:
        caller.settimeout(5)
        return caller.connect_ex((address, port)) == 0


@pytest.mark.parametrize(("host", "new"), [("", True), ("::", True), ("0.0.0.0", False), ("127.0.0.1", False)])
def test_listening_everywhere_is_listening_on_both_kinds_of_addresses(host: str, new: bool) -> None:
    listening, port = listen(host, 0, 1)
    with listening:
        listening.listen()
        assert answers(socket.AF_INET, "127.0.0.1", port)
        if socket.has_dualstack_ipv6() and has_ipv6():
            assert answers(socket.AF_INET6, "::1", port) == new


@pytest.mark.parametrize("taken", ["127.0.0.1", "0.0.0.0", ""])
def test_a_port_that_is_taken_for_either_kind_is_taken(taken: str) -> None:
    other, port = listen(taken, 0, 1)
    with other:
        other.listen()
        with pytest.raises(NoPort, match=str(port)):
            listen("", port, 1)


def test_a_machine_without_ipv6_is_listened_on_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.socket

    def lacking(family: int = -1, *more: int, **named: int) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(97, "Address family not supported by protocol")
        return real(family, *more, **named)

    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: True)
    monkeypatch.setattr(socket, "socket", lacking)
    listening, port = listen("", 0, 1)
    with listening:
        listening.listen()
        assert answers(socket.AF_INET, "127.0.0.1", port)


def has_ipv6() -> bool:
    """Whether this machine can call itself by IPv6."""
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True
