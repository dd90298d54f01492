"""How a command ends when it is asked to: at once, cleanly, and within two seconds whatever it is doing.

SIGINT (Ctrl-C), SIGTERM, SIGHUP and Windows' Ctrl-Break leave the program through all its `finally`s. Where that takes
too long, because something hangs that is being closed, the children are killed and the process ends without it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

from narrator import child

PATIENCE = 1.7
"""Seconds from the signal until children are killed and the process ends as it is."""
LAST_SECONDS = 1.9
"""Seconds until the system ends it, should not even that be possible; where there are such alarms."""
KINDS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))

asked = threading.Event()
"""Set once this process has been asked to end."""

Handler = Callable[[int, FrameType | None], object]


class Asked(SystemExit):
    """The program was asked to end; its exit status is the one that shells expect."""

    def __init__(self, kind: int) -> None:
        super().__init__(128 + kind)


def leaving() -> Handler:
    """A handler that leaves the program from wherever it is, once: what is closed after that is not disturbed."""
    left: list[int] = []

    def leave(kind: int, _frame: FrameType | None) -> None:
        if not left:
            left.append(kind)
            raise Asked(kind)

    return leave


@contextlib.contextmanager
def heeding(handle: Handler, lasting: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """Meanwhile, a request to end calls `handle` in the main thread. What was ignored before (as by nohup) still is.

    `lasting`: whether the handlers stay at the end. Does nothing outside of the main thread, where Python allows none.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def heed(kind: int, frame: FrameType | None) -> None:
        asked.set()
        handle(kind, frame)

    before = {kind: signal.getsignal(kind) for kind in KINDS}
    heeded = [kind for kind, handler in before.items() if handler not in (signal.SIG_IGN, None)]
    try:
        for kind in heeded:
            signal.signal(kind, heed)
        yield
    finally:
        for kind in heeded if not lasting() else ():
            signal.signal(kind, before[kind])


@contextlib.contextmanager
def stopping() -> Iterator[threading.Event]:
    """Meanwhile, a request to end sets this event; once it has come, no other disturbs what is closed after that."""
    stop = threading.Event()
    with heeding(lambda *_: stop.set(), stop.is_set):
        yield stop


class Watchdog:
    """Ends the process when a request to end has not been followed in time.

    The interpreter tells it of a signal by a socket, and at once: a handler in Python has to wait until the library
    that is being called comes back.
    """

    def __init__(self, end: Callable[[int], None], patience: float = PATIENCE) -> None:
        """`end` is called with the signal, in a thread of its own, `patience` seconds after the first."""
        self._end = end
        self._patience = patience
        self._reading, self._writing = socket.socketpair()
        self._writing.setblocking(False)
        self._before = -1

    def start(self) -> None:
        """Watch from now on. Only in the main thread."""
        self._before = signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def stop(self) -> None:
        """Watch no more. What has been asked for already is still seen to."""
        signal.set_wakeup_fd(self._before)
        self._writing.close()

    def _watch(self) -> None:
        kind = next((kind for kind in iter(self._next, 0) if kind in KINDS and not is_ignored(kind)), 0)
        if kind:
            expire()
            time.sleep(self._patience)
            self._end(kind)
        self._reading.close()

    def _next(self) -> int:
        return next(iter(self._reading.recv(1)), 0)


def is_ignored(kind: int) -> bool:
    """Whether that signal means nothing here."""
    return signal.getsignal(kind) is signal.SIG_IGN


def expire() -> None:
    """Have the system end this process soon, come what may."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, LAST_SECONDS)


def finish(status: object) -> None:
    """Everything is closed: end now with that exit status, if that was asked for, without taking the libraries apart.

    That alone may take seconds on a small computer.
    """
    if asked.is_set() and isinstance(status, int):
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)


def end_now(kind: int) -> None:
    """End the children, then this process, without another word."""
    child.end_all()
    os._exit(128 + kind)


@contextlib.contextmanager
def watched() -> Iterator[None]:
    """A whole command: it ends when it is asked to, and leaves no children."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    theirs = child.running()
    watchdog = Watchdog(end_now)
    watchdog.start()
    try:
        with heeding(leaving(), lambda: sys.exc_info()[0] is Asked):
            yield
    finally:
        child.end_all(but=theirs)
        watchdog.stop()
