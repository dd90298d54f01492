"""A production server around the application, in a thread of its own."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from webpanel.live import Streams

THREADS = 56
"""More than there may be streams at a time, so that a tap never waits for one."""
NEXT_PORTS = 20
"""How many ports after the wished one are tried if it is taken."""


class NoPort(OSError):
    """No port could be listened on."""


class Server:
    """The application, served. `port` is the one it really listens on."""

    def __init__(self, app: Flask, host: str, port: int, *, exactly: bool = False) -> None:
        """Listen on `port`, or on the next free one unless `exactly` that is wanted. NoPort if there is none."""
        self._streams: Streams = app.extensions["streams"]
        listening, self.port = listen(host, port, 1 if exactly else NEXT_PORTS)
        self._server: Any = create_server(
            app,
            sockets=[listening],
            threads=THREADS,
            channel_timeout=60,
            clear_untrusted_proxy_headers=True,
            ident=None,
        )
        self._thread = threading.Thread(target=self._server.run, name="server", daemon=True)

    def start(self) -> None:
        """Serve from now on."""
        self._thread.start()

    def stop(self) -> None:
        """End the streams, and serve no more."""
        self._streams.stop()
        with contextlib.suppress(OSError):  # it may be closed between being told to and being woken for it
            self._server.trigger.pull_trigger(lambda: wasyncore.close_all(self._server._map, ignore_all=True))
        self._thread.join(timeout=3)
        self._server.task_dispatcher.shutdown(timeout=1)


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
    raise NoPort(f"{host}:{port} cannot be listened on ({last})")


def bound(host: str, port: int) -> socket.socket:
    """A socket bound to that address. OSError if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            found.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
    except OSError:
        found.close()
        raise
    return found
