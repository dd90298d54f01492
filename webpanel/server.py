"""A production server around the application, in a thread of its own."""

from __future__ import annotations

import errno
import logging
import socket
import sys
import threading
from pathlib import Path

import uvicorn
from flask import Flask

from webpanel.connections import KEPT_SECONDS, Connection, Connections
from webpanel.gateway import Gateway
from webpanel.live import Streams

MOST_CONNECTIONS = 1200
"""At a time, if the system gives so many descriptors."""
OWN_DESCRIPTORS = 100
"""What the table itself needs: its journal, sound, and children."""
LONGEST_HEADERS = 16 * 1024
"""Bytes of a request's headers."""
WAITING = 512
"""Connections that the system may hold until the server takes them."""
NEXT_PORTS = 20
"""How many ports after the wished one are tried if it is taken."""


class NoPort(OSError):
    """No port could be listened on."""


class Server:
    """The application, served. `port` is the one it really listens on."""

    def __init__(
        self, app: Flask, host: str, port: int, *, exactly: bool = False, certificate: Path | None = None
    ) -> None:
        """Listen on `port`, or on the next free one unless `exactly` that is wanted. NoPort if there is none.

        `certificate` is a file with a certificate and its key: then everything is encrypted (https).
        """
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # what strangers send is no news
        self._streams: Streams = app.extensions["streams"]
        self._listening, self.port = listen(host, port, 1 if exactly else NEXT_PORTS)
        self._listening.listen(WAITING)
        most = min(MOST_CONNECTIONS, descriptors(MOST_CONNECTIONS + OWN_DESCRIPTORS) - OWN_DESCRIPTORS)
        self._gateway = Gateway(app, Connections(most))
        self._server = uvicorn.Server(
            uvicorn.Config(
                self._gateway,
                interface="asgi3",
                http=Connection,
                ssl_certfile=certificate,
                loop="asyncio",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                backlog=WAITING,
                h11_max_incomplete_event_size=LONGEST_HEADERS,
                timeout_keep_alive=KEPT_SECONDS[False],
                timeout_graceful_shutdown=1,
            )
        )
        self._thread = threading.Thread(target=self._serve, name="server", daemon=True)

    def start(self) -> None:
        """Serve from now on."""
        self._thread.start()

    def stop(self) -> None:
        """End the streams, and serve no more."""
        self._server.should_exit = True
        self._streams.stop()
        self._thread.join(timeout=3)
        self._listening.close()
        self._gateway.close()

    def _serve(self) -> None:
        self._server.run(sockets=[self._listening])


def descriptors(wanted: int) -> int:
    """How many files and connections this program may have open at a time, after asking the system for `wanted`."""
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    possible = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (possible, hard))
    return possible


def listen(host: str, port: int, tries: int) -> tuple[socket.socket, int]:
    """A listening socket on the first free port from `port` on (0: any), and that port. NoPort if there is none."""
    last: OSError | None = None
    for wished in range(port, min(port + tries, 65536)):
        try:
            found = bound(host, wished)
        except OSError as fault:
            last = fault
        else:
            return found, int(found.getsockname()[1])
    raise NoPort(f"{host}:{port} cannot be listened on ({last})" if host else f"port {port} cannot be taken ({last})")


def bound(host: str, port: int) -> socket.socket:
    """A socket bound to that address, or to every address ('', or '::') of either kind. OSError if it is taken."""
    if host not in ("", "::") or not socket.has_dualstack_ipv6():
        return bound_to(socket.AF_INET6 if ":" in host else socket.AF_INET, host, port)
    if host == "" and port:
        bound_to(socket.AF_INET, host, port).close()  # some systems would share a port between the two kinds
    try:
        return bound_to(socket.AF_INET6, "::", port)
    except OSError as fault:
        if host or fault.errno in (errno.EADDRINUSE, errno.EACCES):
            raise
    return bound_to(socket.AF_INET, host, port)


def bound_to(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    """A socket of that family bound to that address; `::` takes IPv4 as well. OSError if it is taken."""
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # else small answers would be delayed
    try:
        if family == socket.AF_INET6 and host == "::":
            found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            found.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
    except OSError:
        found.close()
        raise
    return found
