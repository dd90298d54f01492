"""A machine whose networks come and go, for tests."""

from __future__ import annotations

from webpanel.network import LOOK_AGAIN, Interface, Network, Surroundings

LO = Interface("lo", ("127.0.0.1", "::1"))
WIFI = Interface("wlan0", ("192.168.50.23", "fe80::1"))
CABLE = Interface("eth0", ("10.0.0.5",))
TUNNEL = Interface("tun0", ("10.8.0.2",))
BRIDGE = Interface("docker0", ("172.17.0.1",))


class Surrounded:
    """A machine with made-up networks, and a clock turned by hand."""

    def __init__(self, *interfaces: Interface, ways_out: tuple[str, ...] = ()) -> None:
        self.here: Surroundings = (interfaces, ways_out)
        self.time = 0.0

    def network(self, host: str = "", address: str = "") -> Network:
        """Where its pages can be reached, on port 8765."""
        network = Network(host, address, look=lambda: self.here, now=lambda: self.time)
        network.port = 8765
        return network

    def becomes(self, *interfaces: Interface, ways_out: tuple[str, ...] = ()) -> None:
        """Another network, some seconds later."""
        self.here = (interfaces, ways_out)
        self.time += LOOK_AGAIN
