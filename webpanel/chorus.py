"""Which devices may lend the narrator their voice.

The first that comes is in by itself, unless the judge has sent one away; any other waits for him. A device is known by
a secret that its browser keeps, so one that was let in is known again for the evening.
"""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from narrator.storage.devices import hash_token
from narrator.storage.folders import StorageError
from narrator.storage.loudspeakers import LoudspeakerStore
from webpanel.pairing import number_of

IN, WAITS, SENT_AWAY = "in", "waits", "sent_away"
MOST_WAITING = 12
"""Devices that may wait; the longest waiting makes room."""


@dataclass(frozen=True)
class Voice:
    """A device that plays, or would."""

    device_hash: str
    name: str
    """What kind of device it says it is."""

    @property
    def number(self) -> str:
        """Two digits, shown on the device too."""
        return number_of(self.device_hash)


class Chorus:
    """The devices. Every method may be called from any thread."""

    def __init__(self, store: LoudspeakerStore | None = None) -> None:
        self._store = store or LoudspeakerStore()
        self._lock = threading.RLock()
        self._here: Counter[str] = Counter()
        self._waiting: dict[str, Voice] = {}
        self._sent_away: set[str] = set()
        self._bells: dict[object, Callable[[], None]] = {}
        self.changes = 0
        """Goes up whenever something has changed that the judge sees."""

    def arrive(self, device: str, name: str) -> None:
        """A page of that device is open from now on; one that was sent away asks again by coming again."""
        hashed = hash_token(device)
        with self._lock:
            nobody = not any(self._here[one.device_hash] for one in self._store.let_in)
            self._here[hashed] += 1
            self._sent_away.discard(hashed)
            if self._store.knows(hashed) or (nobody and not self._store.asked):
                self._let_in(hashed, name)
            else:
                self._waiting.setdefault(hashed, Voice(hashed, name))
                for longest in list(self._waiting)[:-MOST_WAITING]:
                    del self._waiting[longest]
        self._changed()

    def depart(self, device: str) -> None:
        """A page of that device is closed."""
        hashed = hash_token(device)
        with self._lock:
            self._here[hashed] -= 1
            if self._here[hashed] <= 0:
                del self._here[hashed]
                self._waiting.pop(hashed, None)
        self._changed()

    def standing(self, device: str) -> str:
        """`in`, `waits` or `sent_away`."""
        hashed = hash_token(device)
        with self._lock:
            if hashed in self._sent_away:
                return SENT_AWAY
            return IN if self._store.knows(hashed) else WAITS

    def playing(self) -> list[Voice]:
        """The devices that are in and here."""
        with self._lock:
            let_in = [Voice(one.device_hash, one.name) for one in self._store.let_in]
            return [voice for voice in let_in if self._here[voice.device_hash]]

    def waiting(self) -> list[Voice]:
        """Those that wait for the judge, the longest waiting first."""
        with self._lock:
            return list(self._waiting.values())

    def let_in(self, number: str) -> bool:
        """Let a waiting device play; False if none of that number waits."""
        with self._lock:
            found = next((voice for voice in self._waiting.values() if voice.number == number), None)
            if found:
                self._let_in(found.device_hash, found.name)
        self._changed()
        return found is not None

    def send_away(self, number: str) -> bool:
        """Let a device, whether it plays or waits, be silent; False if there is none of that number."""
        with self._lock:
            voices = [*self._waiting.values(), *self.playing()]
            found = next((voice for voice in voices if voice.number == number), None)
            if found:
                self._waiting.pop(found.device_hash, None)
                self._sent_away.add(found.device_hash)
                with contextlib.suppress(StorageError):
                    self._store.send_away(found.device_hash)
        self._changed()
        return found is not None

    def listen(self, bell: Callable[[], None]) -> Callable[[], None]:
        """Call `bell` after every change, until what is returned is called."""
        key = object()
        with self._lock:
            self._bells[key] = bell

        def stop() -> None:
            with self._lock:
                self._bells.pop(key, None)

        return stop

    def _let_in(self, hashed: str, name: str) -> None:
        self._waiting.pop(hashed, None)
        if not self._store.knows(hashed):
            with contextlib.suppress(StorageError):
                self._store.add(hashed, name)

    def _changed(self) -> None:
        with self._lock:
            self.changes += 1
            bells = list(self._bells.values())
        for bell in bells:
            bell()
