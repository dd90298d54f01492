"""The machine's name in its network, on a network that is made up; and once on the real one inside this machine."""

from __future__ import annotations

import socket
from collections.abc import Collection, Sequence

import pytest

from narrator.cli.play import called
from tests.webpanel.surroundings import BRIDGE, CABLE, LO, TUNNEL, WIFI, Surrounded
from webpanel.hosts import Hosts
from webpanel.mdns import Announcer, ZeroconfResponder, label


class Air:
    """A network in which everybody hears everybody; `broken` as long as there is none."""

    def __init__(self) -> None:
        self.names: dict[str, set[str]] = {}
        self.broken = False
        self.is_deaf = False
        """Whether nobody answers: all ask at the same time."""

    def open(self, addresses: Sequence[str], port: int) -> Member:
        if self.broken:
            raise OSError("network is unreachable")
        return Member(self, set(addresses))


class Member:
    """One machine's responder."""

    def __init__(self, air: Air, addresses: set[str]) -> None:
        self._air = air
        self._addresses = addresses

    def holders(self, host: str) -> Collection[str]:
        if self._air.broken:
            raise OSError("network is unreachable")
        return set() if self._air.is_deaf else set(self.rivals(host))

    def announce(self, host: str) -> None:
        self.close()
        self._air.names[host] = self._air.names.get(host, set()) | self._addresses

    def rivals(self, host: str) -> Collection[str]:
        return self._air.names.get(host, set())

    def close(self) -> None:
        for held in self._air.names.values():
            held -= self._addresses


class Machine:
    """A machine that wants a name."""

    def __init__(self, air: Air, address: str, wished: str = "narrator") -> None:
        self.told: list[str] = []
        self.address = address
        self.announcer = Announcer(wished, self.told.append, air.open)
        self.announcer.announce([address], 8765)
        self.announcer.step()

    def moves(self, *addresses: str) -> None:
        self.announcer.announce(addresses, 8765)
        self.announcer.step()


def test_the_first_has_the_name_and_later_ones_have_a_number() -> None:
    air = Air()
    machines = [Machine(air, f"192.168.1.{number}") for number in (9, 5, 7)]
    assert [machine.told for machine in machines] == [["narrator.local"], ["narrator-2.local"], ["narrator-3.local"]]
    for machine in machines:
        machine.announcer.step()
    assert [machine.announcer.name for machine in machines] == [
        "narrator.local",
        "narrator-2.local",
        "narrator-3.local",
    ]


def test_of_two_that_took_it_at_once_one_gives_way() -> None:
    air = Air()
    air.is_deaf = True
    low, high = Machine(air, "192.168.1.5"), Machine(air, "192.168.1.7")
    assert low.announcer.name == high.announcer.name == "narrator.local"
    air.is_deaf = False
    for machine in (high, low, high, low):
        machine.announcer.step()
    assert (high.told, low.told) == (["narrator.local"], ["narrator.local", "narrator-2.local"])


def test_two_tables_on_one_computer_share_its_name() -> None:
    air = Air()
    assert Machine(air, "192.168.1.5").announcer.name == Machine(air, "192.168.1.5").announcer.name == "narrator.local"


def test_another_network_means_asking_anew() -> None:
    air = Air()
    Machine(air, "10.0.0.2")
    machine = Machine(air, "192.168.1.5")
    assert machine.announcer.name == "narrator-2.local"
    air.names.clear()
    machine.moves("10.0.0.9")
    assert air.names["narrator.local"] == {"10.0.0.9"}
    machine.moves()
    assert machine.told == ["narrator-2.local", "", "narrator.local", ""]
    assert not any(air.names.values())


def test_without_a_network_it_is_tried_again() -> None:
    air = Air()
    air.broken = True
    machine = Machine(air, "192.168.1.5")
    machine.announcer.step()
    assert machine.told == []
    air.broken = False
    machine.announcer.step()
    assert machine.told == ["narrator.local"]


def test_a_name_is_taken_back_in_the_end() -> None:
    air = Air()
    machine = Machine(air, "192.168.1.5")
    machine.announcer.start()
    machine.announcer.close()
    assert machine.told == ["narrator.local", ""]
    assert not any(air.names.values())


@pytest.mark.parametrize("wished", ["narrator", " Narrator.local. ", "n", "game-box-2", "a" * 60])
def test_names_may_be_written_in_any_usual_form(wished: str) -> None:
    assert label(wished) == wished.strip().lower().removesuffix(".").removesuffix(".local")


@pytest.mark.parametrize("wished", ["", ".", "-x", "x-", "a b", "a.b", "ü", "a_b", "a" * 61, "x\ny"])
def test_what_cannot_be_a_name_is_refused(wished: str) -> None:
    with pytest.raises(ValueError, match=r"--name must be .*got "):
        label(wished)


def test_a_name_stands_for_what_phones_can_reach_alone() -> None:
    assert Surrounded(LO, WIFI, CABLE, TUNNEL, BRIDGE).network().named == ["192.168.50.23", "10.0.0.5"]
    assert Surrounded(LO).network().named == []
    assert Surrounded(LO, WIFI).network("127.0.0.1").named == []
    assert Surrounded(LO, WIFI).network("localhost").named == []
    assert Surrounded(LO, WIFI).network(address="table.example").named == []


def test_the_name_follows_the_network_and_is_answered_to(monkeypatch: pytest.MonkeyPatch) -> None:
    air = Air()
    monkeypatch.setattr("webpanel.mdns.ZeroconfResponder", air.open)
    monkeypatch.setattr(Announcer, "start", lambda announcer: announcer.step())
    announce = Announcer.announce

    def announce_at_once(announcer: Announcer, addresses: Sequence[str], port: int) -> None:
        announce(announcer, addresses, port)
        announcer.step()

    monkeypatch.setattr(Announcer, "announce", announce_at_once)
    around, hosts = Surrounded(LO), Hosts(endings=[])
    network = around.network()
    called("game", network, hosts)
    assert (network.name, hosts.knows("game.local")) == ("", False)
    around.becomes(LO, WIFI)
    network.look()
    assert (network.name, hosts.knows("game.local:8765")) == ("game.local", True)
    assert air.names["game.local"] == {"192.168.50.23"}


@pytest.mark.slow
def test_two_real_responders_hear_of_each_other() -> None:
    try:
        first = ZeroconfResponder(["127.0.0.1"], 8765)
    except OSError as fault:
        pytest.skip(str(fault))
    name = f"narrator-test-{socket.gethostname().lower()[:20].strip('-')}.local"
    try:
        first.announce(name)
        second = ZeroconfResponder(["127.0.0.1"], 8766)
        try:
            assert list(second.holders(name)) == ["127.0.0.1"]
            assert list(second.rivals(name)) == ["127.0.0.1"]
            assert list(second.holders(f"no-{name}")) == []
        finally:
            second.close()
    finally:
        first.close()
