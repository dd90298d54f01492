"""Which phones belong to the table: the judge's own, helpers' phones, and those that wait at the door.

A phone is known by a random token in its cookie; only a hash of it is kept. The first phone that brings the one-time
secret becomes the judge's. From then on the same secret only lets a phone knock: it waits until the judge's phone, or
the terminal, lets it in or refuses it.
"""

from __future__ import annotations

import contextlib
import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from narrator.storage.devices import Device, DeviceStore, RoleAtTable, hash_token
from narrator.storage.folders import StorageError

JUDGE: RoleAtTable = "judge"
HELPER: RoleAtTable = "helper"
WAITING = "waiting"
REFUSED = "refused"
MOST_AT_THE_DOOR = 12
EVENING = timedelta(hours=16)
"""A phone let in longer ago than this, when the table opens, is forgotten: another evening, another judge."""


@dataclass(frozen=True)
class Knocker:
    """A phone at the door."""

    token_hash: str
    name: str
    """What kind of phone it says it is."""
    refused: bool = False

    @property
    def number(self) -> str:
        """Two digits, shown on both phones, so that the judge sees which one knocks."""
        return number_of(self.token_hash)


def number_of(token_hash: str) -> str:
    """The two digits by which a phone goes."""
    return str(10 + int(token_hash[:8], 16) % 90)


def system_now() -> datetime:
    """The time of day, with its zone."""
    return datetime.now(UTC)


class Pairing:
    """The door. Every method may be called from any thread."""

    def __init__(self, store: DeviceStore, secret: str | None = None, now: Callable[[], datetime] = system_now) -> None:
        """Open the door of a table whose phones are kept in `store`; those of another evening are forgotten."""
        self.secret = secret or secrets.token_urlsafe(9)
        self._store = store
        self._now = now
        self._lock = threading.RLock()
        self._listeners: list[Callable[[], None]] = []
        self._door: list[Knocker] = []
        self._changes = 0
        self._forget_other_evenings()

    @property
    def changes(self) -> int:
        """Goes up whenever somebody knocks, is let in, refused or dismissed."""
        return self._changes

    def knows_secret(self, secret: str) -> bool:
        """Whether this is the secret of the address in the QR code."""
        return hmac.compare_digest(secret.encode(), self.secret.encode())

    def standing(self, token: str | None) -> str | None:
        """`judge helper waiting refused`, or None for a phone never seen."""
        known = self.find(token)
        if isinstance(known, Device):
            return known.role
        if isinstance(known, Knocker):
            return REFUSED if known.refused else WAITING
        return None

    def find(self, token: str | None) -> Device | Knocker | None:
        """The phone, or the knocker, that has this token."""
        if not token:
            return None
        hashed = hash_token(token)
        with self._lock:
            at_door = (knocker for knocker in self._door if knocker.token_hash == hashed)
            return self._store.find(hashed) or next(at_door, None)

    def knock(self, secret: str, token: str | None, name: str) -> str | None:
        """Bring the secret; the token the phone has from now on, or None if the secret is wrong.

        A phone that is known already keeps its token and standing: knocking twice changes nothing. One that was
        refused may try again with a fresh look at the code; it waits once more.
        """
        if not self.knows_secret(secret):
            return None
        with self._lock:
            standing = self.standing(token)
            if token and standing and standing != REFUSED:
                return token
            fresh = self._new_token()
            if self.judge() is None:
                self._keep(hash_token(fresh), JUDGE, name)
            else:
                self._wait(Knocker(hash_token(fresh), name), hash_token(token or ""))
        self._changed()
        return fresh

    def judge(self) -> Device | None:
        """The judge's phone, if there is one."""
        return next((device for device in self.phones() if device.role == JUDGE), None)

    def phones(self) -> tuple[Device, ...]:
        """Every phone let in."""
        return self._store.devices

    def waiting(self) -> list[Knocker]:
        """Phones at the door that have not been refused, the first to come first."""
        with self._lock:
            return [knocker for knocker in self._door if not knocker.refused]

    def let_in(self, number: str, role: RoleAtTable = HELPER) -> bool:
        """Let a waiting phone in; as `judge` it takes the place of the judge's phone, which is a helper's from then on.

        False if nobody of that number waits.
        """
        with self._lock:
            knocker = self._at_door(number)
            if knocker is None:
                return False
            before = self.judge()
            self._door.remove(knocker)
            self._keep(knocker.token_hash, role, knocker.name)
            if before and role == JUDGE:
                self._keep(before.token_hash, HELPER, before.name)
        self._changed()
        return True

    def refuse(self, number: str) -> bool:
        """Refuse a waiting phone, which is told so; False if nobody of that number waits."""
        with self._lock:
            knocker = self._at_door(number)
            if knocker is None:
                return False
            self._door[self._door.index(knocker)] = replace(knocker, refused=True)
        self._changed()
        return True

    def dismiss(self, number: str) -> bool:
        """Show a helper's phone out; False if there is none of that number, or it is the judge's."""
        with self._lock:
            helpers = (device for device in self.phones() if device.role != JUDGE)
            found = next((device for device in helpers if number_of(device.token_hash) == number), None)
            if found is None:
                return False
            self._forget(found)
        self._changed()
        return True

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` after every change, on the thread that made it."""
        self._listeners.append(listener)

    def _wait(self, knocker: Knocker, earlier: str) -> None:
        """Put a phone at the door, in place of what it was there before; the longest waiting makes room."""
        others = [other for other in self._door if other.token_hash != earlier]
        self._door = [*others, knocker][-MOST_AT_THE_DOOR:]

    def _keep(self, hashed: str, role: RoleAtTable, name: str) -> None:
        paired = Device(token_hash=hashed, role=role, name=name, paired_at=self._now().isoformat(timespec="seconds"))
        with contextlib.suppress(StorageError):
            self._store.pair(paired)

    def _forget(self, device: Device) -> None:
        with contextlib.suppress(StorageError):
            self._store.forget(device.token_hash)

    def _forget_other_evenings(self) -> None:
        for device in self.phones():
            if not self._is_of_this_evening(device):
                self._forget(device)

    def _is_of_this_evening(self, device: Device) -> bool:
        try:
            paired_at = datetime.fromisoformat(device.paired_at)
        except ValueError:
            return False
        return paired_at.tzinfo is not None and abs(self._now() - paired_at) < EVENING

    def _at_door(self, number: str) -> Knocker | None:
        return next((knocker for knocker in self.waiting() if knocker.number == number), None)

    def _new_token(self) -> str:
        """A token whose number nobody else has."""
        known = [*(phone.token_hash for phone in self.phones()), *(knocker.token_hash for knocker in self._door)]
        taken = set(map(number_of, known))
        while True:
            token = secrets.token_urlsafe(32)
            if number_of(hash_token(token)) not in taken or len(taken) >= 90:
                return token

    def _changed(self) -> None:
        self._changes += 1
        for listener in list(self._listeners):
            listener()
