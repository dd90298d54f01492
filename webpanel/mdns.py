"""The machine's name in the local network: announced by multicast DNS, another one if somebody has it already."""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import re
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

CHECK = 10.0
"""Seconds between two looks at whether somebody else uses the name as well."""
ASKING_MS = 900
"""How long is waited for somebody who has a name already."""
TRIES = 20
"""Names that are tried: the wished one, then `-2`, `-3` and so on."""
GOODBYE = 0.5
"""Seconds that taking the name back may last."""


class Responder(Protocol):
    """What speaks multicast DNS for this machine, with its addresses."""

    def holders(self, host: str) -> Collection[str]:
        """Ask for the addresses of everybody who has that name."""

    def announce(self, host: str) -> None:
        """Have that name instead of any other."""

    def rivals(self, host: str) -> Collection[str]:
        """The addresses heard for that name so far."""

    def close(self) -> None:
        """Take the name back."""


class Announcer:
    """Gives this machine a name in the network, in a thread of its own.

    `tell` is called with the name (`narrator.local`), and with '' when there is none any more. `open_responder` takes
    addresses and a port, and raises OSError if there is no speaking multicast DNS on them.
    """

    def __init__(
        self,
        wished: str,
        tell: Callable[[str], None],
        open_responder: Callable[[Sequence[str], int], Responder] | None = None,
    ) -> None:
        """ValueError if `wished` cannot be a name."""
        self._wished = label(wished)
        self._tell = tell
        self._open = open_responder or ZeroconfResponder
        self._changed = threading.Condition()
        self._wanted: tuple[tuple[str, ...], int] = ((), 0)
        self._done: tuple[tuple[str, ...], int] = ((), 0)
        self._closing = False
        self._responder: Responder | None = None
        self._number = 1
        self.name = ""
        """What this machine is called now; '' for nothing."""
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Do what is wanted from now on."""
        self._thread = threading.Thread(target=self._run, name="name", daemon=True)
        self._thread.start()

    def announce(self, addresses: Sequence[str], port: int) -> None:
        """Have the name stand for these addresses; for none, there is no name."""
        with self._changed:
            self._wanted = (tuple(addresses), port)
            self._changed.notify()

    def leave(self) -> None:
        """Begin to take the name back."""
        with self._changed:
            self._closing = True
            self._changed.notify()

    def close(self) -> None:
        """Take the name back, if that is quick."""
        self.leave()
        if self._thread:
            self._thread.join(GOODBYE)

    def step(self) -> None:
        """Do once what is to be done now. Without a network it is tried again next time."""
        wanted, is_open = self._wanted, self._responder is not None
        try:
            if wanted != self._done or (wanted[0] and not is_open):
                self._forget()
                self._done = wanted
                if wanted[0]:
                    self._responder = self._open(*wanted)
                    self._take_name(1)
            elif self._responder and self.name and must_yield(self._responder.rivals(self.name), wanted[0]):
                self._take_name(self._number + 1)
        except OSError:
            self._forget()

    def _run(self) -> None:
        while not self._closing:
            self.step()
            with self._changed:
                self._changed.wait_for(lambda: self._closing or self._wanted != self._done, timeout=CHECK)
        self._forget()

    def _take_name(self, first: int) -> None:
        """Take the first name from that number on that nobody else has."""
        assert self._responder
        own: set[str] = set(self._done[0])
        for number in range(first, first + TRIES):
            name = f"{self._wished}{'' if number == 1 else f'-{number}'}.local"
            if set(self._responder.holders(name)) <= own:
                self._responder.announce(name)
                self._number = number
                self._tell_name(name)
                return
        self._tell_name("")

    def _forget(self) -> None:
        """Have no name any more."""
        responder, self._responder = self._responder, None
        if responder:
            with contextlib.suppress(OSError):
                responder.close()
        self._tell_name("")

    def _tell_name(self, name: str) -> None:
        if name != self.name:
            self.name = name
            self._tell(name)


def label(wished: str) -> str:
    """A name without its ending. ValueError if it cannot be one."""
    found = wished.strip().lower().removesuffix(".").removesuffix(".local")
    if not re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?", found):
        raise ValueError(
            f"--name must be letters from a to z, digits and hyphens, at most 60, as in narrator; got {wished!r}"
        )
    return found


def must_yield(rivals: Collection[str], own: Collection[str]) -> bool:
    """Whether somebody else who has the same name keeps it: of two who took it at once, the higher address does."""
    others = set(rivals) - set(own)
    return bool(others) and max(others) > max(own)


class ZeroconfResponder:
    """Multicast DNS by the library."""

    def __init__(self, addresses: Sequence[str], port: int) -> None:
        """OSError if it cannot be spoken on these addresses, or the library is not there."""
        try:
            import zeroconf
        except ImportError as fault:
            raise OSError(str(fault)) from fault
        logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
        version = zeroconf.IPVersion.All if any(":" in one for one in addresses) else zeroconf.IPVersion.V4Only
        self._addresses = list(addresses)
        self._port = port
        self._info: ServiceInfo | None = None
        with told_as_oserror():
            self._zeroconf: Zeroconf = zeroconf.Zeroconf(list(addresses), ip_version=version)

    def holders(self, host: str) -> Collection[str]:
        """Ask for the addresses of everybody who has that name."""
        from zeroconf import AddressResolver  # type: ignore[attr-defined]

        resolver = AddressResolver(f"{host}.")
        with told_as_oserror():
            resolver.request(self._zeroconf, ASKING_MS)
        return resolver.parsed_addresses()

    def announce(self, host: str) -> None:
        """Have that name instead of any other."""
        from zeroconf import ServiceInfo

        kind, server = "_http._tcp.local.", f"{host}."
        name = host.removesuffix(".local")
        with told_as_oserror():
            if self._info:
                self._zeroconf.unregister_service(self._info)
            self._info = ServiceInfo(
                kind,
                f"{name} {self._port}.{kind}",
                port=self._port,
                properties={"path": "/table"},
                server=server,
                parsed_addresses=self._addresses,
            )
            self._zeroconf.register_service(self._info, allow_name_change=True)

    def rivals(self, host: str) -> Collection[str]:
        """The addresses heard for that name so far."""
        from zeroconf import DNSAddress, current_time_millis  # type: ignore[attr-defined]

        now = current_time_millis()
        heard = self._zeroconf.cache.entries_with_name(f"{host}.")
        alive = [one for one in heard if isinstance(one, DNSAddress) and not one.is_expired(now)]
        return [printed(one.address) for one in alive]

    def close(self) -> None:
        """Take the name back."""
        with told_as_oserror():
            self._zeroconf.close()


def printed(address: bytes) -> str:
    """An address as it is written."""
    return str(ipaddress.ip_address(address))


@contextlib.contextmanager
def told_as_oserror() -> Iterator[None]:
    """Turn the library's own errors into OSError."""
    import zeroconf

    try:
        yield
    except (zeroconf.Error, TimeoutError, RuntimeError, ValueError) as fault:
        raise OSError(f"no multicast DNS: {fault}") from fault
