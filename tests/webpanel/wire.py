"""The way between browser and server, which can be held so that everything stays open and nothing comes through."""

from __future__ import annotations

import contextlib
import re
import selectors
import socket
import threading
from dataclasses import dataclass, field

PIECE = 65536
ASKED = re.compile(rb"(?:GET|POST) (?!\S*icon)\S+ HTTP/1")
LOOK = 0.02
"""Seconds between two looks for what shall be held."""
MOST = 3000
"""Looks after which what is under way never arrives."""


@dataclass(eq=False)
class Pair:
    """One connection: the browser's end and the server's."""

    near: socket.socket
    far: socket.socket
    held: bool = False
    asked: bool = False
    """Whether something was sent to the server that it has not answered yet."""
    ends: tuple[socket.socket, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.ends = (self.near, self.far)


class Wire:
    """A way to a port of this machine, on a port of its own."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._lock = threading.Lock()
        self._pairs: list[Pair] = []
        self._dark = False
        self.asked = 0
        """Requests that came from the browser, held or not; those for a page's icon are nobody's."""
        self._over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._carry, name="wire", daemon=True)
        self._thread.start()

    def hold(self) -> None:
        """From now on nothing comes through what is open, and no end is told; what is opened later is sound."""
        with self._lock:
            for pair in self._pairs:
                pair.held = True

    def go_dark(self, dark: bool = True) -> None:
        """Nothing comes through, whenever it was opened; after that, what is opened anew is sound."""
        with self._lock:
            self._dark = dark
        self.hold()

    def settle(self, begun: int) -> None:
        """Wait until so many requests have come, and whatever came through has been answered."""
        for _ in range(MOST):
            with self._lock:
                if self.asked >= begun and not any(pair.asked and not pair.held for pair in self._pairs):
                    return
            self._over.wait(LOOK)
        raise AssertionError(f"{begun} requests begun, {self.asked} came, or the server never answered")

    def close(self) -> None:
        """End every connection."""
        self._over.set()
        self._thread.join()
        for end in (self._listener, *(end for pair in self._pairs for end in pair.ends)):
            end.close()

    def _carry(self) -> None:
        with selectors.DefaultSelector() as eyes:
            eyes.register(self._listener, selectors.EVENT_READ)
            while not self._over.is_set():
                ready = eyes.select(LOOK)
                with self._lock:
                    for key, _ in ready:
                        self._see(eyes, key)

    def _see(self, eyes: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
        if key.data is None:
            near, _ = self._listener.accept()
            pair = Pair(near, socket.create_connection(("127.0.0.1", self._to)), held=self._dark)
            self._pairs.append(pair)
            for end in pair.ends:
                eyes.register(end, selectors.EVENT_READ, pair)
        elif key.data in self._pairs:
            self._hand_on(eyes, key.data, key.fileobj)  # type: ignore[arg-type]

    def _hand_on(self, eyes: selectors.BaseSelector, pair: Pair, end: socket.socket) -> None:
        """Hand a piece on, or lose it where the way is held: then an end is not told either."""
        piece = b""
        with contextlib.suppress(OSError):
            piece = end.recv(PIECE)
        if end is pair.near:
            self.asked += len(ASKED.findall(piece))
        pair.asked = end is pair.near and bool(piece)
        if piece and pair.held:
            return
        if pair.held:
            eyes.unregister(end)
            return
        try:
            if piece:
                (pair.far if end is pair.near else pair.near).sendall(piece)
                return
        except OSError:
            pass
        self._pairs.remove(pair)
        for closing in pair.ends:
            eyes.unregister(closing)
            closing.close()
