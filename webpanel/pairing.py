"""Which phones belong to the table: the judge's own, helpers' phones, and those that wait at the door.

A phone is known by a random token in its cookie; only a hash of it is kept. The first phone that brings the one-time
secret, and keeps its cookie, becomes the judge's. From then on the same secret only lets a phone knock: it waits until
the judge's phone, or the terminal, lets it in or refuses it. The terminal has the last word on all of them.
"""

from __future__ import annotations

import contextlib
import hmac
import secrets
import threading
import time
from collections import Counter
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
"""A phone that has not asked for anything so long is forgotten: another evening, another judge."""
GRACE = 5.0
"""Seconds after which a judge's phone that has not come back with its token gives way to the next."""
WRITTEN_EVERY = 600.0
"""Seconds between two notes on the disk that a phone is in use."""

Log = Callable[[str], None]


@dataclass(frozen=True)
class Knocker:
    """A phone at the door."""

    token_hash: str
    name: str
    """What kind of phone it says it is."""
    refused: bool = False
    address: str = ""

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


def elapsed() -> float:
    """Seconds by a clock that nobody sets, and that goes on while the computer sleeps."""
    clock = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def new_secret() -> str:
    """What the address in the QR code ends with."""
    return secrets.token_urlsafe(9)


class Pairing:
    """The door. Every method may be called from any thread."""

    def __init__(
        self,
        store: DeviceStore,
        secret: str | None = None,
        now: Callable[[], datetime] = system_now,
        elapsed: Callable[[], float] = elapsed,
        log: Log = lambda text: None,
    ) -> None:
        """Open the door of a table whose phones are kept in `store`; those of another evening are forgotten.

        `now` tells what is written down, `elapsed` (seconds) how long a phone has been away. `log` is told all.
        """
        self.secret = secret or new_secret()
        self.log = log
        self._store = store
        self._now = now
        self._elapsed = elapsed
        self._lock = threading.RLock()
        self._listeners: list[Callable[[], None]] = []
        self._door: list[Knocker] = []
        self._changes = 0
        self._seen = {device.token_hash: elapsed() - self._away_before(device) for device in store.devices}
        self._written: dict[str, float] = {}
        self._forget_absent()

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
        self._forget_absent()
        with self._lock:
            at_door = (knocker for knocker in self._door if knocker.token_hash == hashed)
            return self._store.find(hashed) or next(at_door, None)

    def see(self, token: str | None) -> None:
        """Note that the phone with this token has asked for something: it is in use."""
        known = self.find(token)
        if not isinstance(known, Device):
            return
        moment = self._elapsed()
        with self._lock:
            self._seen[known.token_hash] = moment
            written = self._written.get(known.token_hash)
            if known.seen_at is not None and written is not None and moment - written < WRITTEN_EVERY:
                return
            self._written[known.token_hash] = moment
        with contextlib.suppress(StorageError):
            self._store.saw(known.token_hash, self._stamp())

    def knock(self, secret: str, token: str | None, name: str, address: str = "") -> str | None:
        """Bring the secret; the token the phone has from now on, or None if the secret is wrong.

        A phone that is known already keeps its token and standing: knocking twice changes nothing, unless there is no
        judge any more. One that was refused may try again with a fresh look at the code; it waits once more.
        """
        if not self.knows_secret(secret):
            return None
        with self._lock:
            standing = self.standing(token)
            vacant = self.judge() is None
            if token and (standing in (JUDGE, HELPER) or (standing == WAITING and not vacant)):
                return token
            fresh = self._new_token()
            knocker = Knocker(hash_token(fresh), name, address=address)
            earlier = hash_token(token or "")
            if vacant:
                self._leave_door(earlier)
                self._seat_judge(knocker)
            else:
                self._wait(knocker, earlier)
        self._changed(f"{described(knocker)} {'is the judge now' if vacant else 'waits at the door'}")
        return fresh

    def judge(self) -> Device | None:
        """The judge's phone, if there is one. One that has never come back with its token is none."""
        judge = self._judge()
        return None if judge is None or self._is_ghost(judge) else judge

    def phones(self) -> tuple[Device, ...]:
        """Every phone let in."""
        self._forget_absent()
        return self._store.devices

    def waiting(self) -> list[Knocker]:
        """Phones at the door that have not been refused, the first to come first."""
        with self._lock:
            return [knocker for knocker in self._door if not knocker.refused]

    def refused(self) -> list[Knocker]:
        """Phones at the door that have been refused."""
        with self._lock:
            return [knocker for knocker in self._door if knocker.refused]

    def let_in(self, number: str, role: RoleAtTable = HELPER) -> bool:
        """Let a waiting phone in; as `judge` it takes the place of the judge's phone, which is a helper's from then on.

        False if nobody of that number waits.
        """
        with self._lock:
            knocker = self._of_number(number, self.waiting())
            if knocker is None:
                return False
            before = self.judge()
            self._leave_door(knocker.token_hash)
            if role == JUDGE:
                self._seat_judge(knocker)
            else:
                self._keep(knocker.token_hash, role, knocker.name)
            if before and role == JUDGE:
                self._keep(before.token_hash, HELPER, before.name)
        self._changed(f"{described(knocker)} was let in: {role}")
        return True

    def refuse(self, number: str) -> bool:
        """Refuse a waiting phone, which is told so; False if nobody of that number waits."""
        with self._lock:
            knocker = self._of_number(number, self.waiting())
            if knocker is None:
                return False
            self._door[self._door.index(knocker)] = replace(knocker, refused=True)
        self._changed(f"{described(knocker)} was refused")
        return True

    def dismiss(self, number: str) -> bool:
        """Show a helper's phone out; False if there is none of that number, or it is the judge's."""
        with self._lock:
            helpers = (device for device in self.phones() if device.role != JUDGE)
            found = next((device for device in helpers if number_of(device.token_hash) == number), None)
            if found is None:
                return False
            self._forget(found)
        self._changed(f"phone {number} was shown out")
        return True

    # What only the computer itself may do: its owner has the last word

    def overrule(self, number: str, role: RoleAtTable) -> bool:
        """Make a phone the judge's or a helper's, whatever the judge's phone has done with it.

        It may wait, have been refused, or be in. The judge's phone before it is shown out. False if there is none of
        that number, or the judge's own shall be a helper's: first somebody else must judge.
        """
        with self._lock:
            knocker = self._of_number(number, self._door)
            device = next((one for one in self.phones() if number_of(one.token_hash) == number), None)
            if (knocker is None and device is None) or (device and device.role == JUDGE and role != JUDGE):
                return False
            found = knocker or Knocker(device.token_hash if device else "", device.name if device else "")
            if device is None or device.role != role:
                self._leave_door(found.token_hash)
                if role == JUDGE:
                    self._seat_judge(found)
                else:
                    self._keep(found.token_hash, role, found.name)
        self._changed(f"{described(found)} was let in from the computer: {role}")
        return True

    def show_out(self, number: str) -> bool:
        """Show any phone out, the judge's too; False if there is none of that number.

        Where that leaves the table without a judge, the secret is a new one: who is out cannot come back by himself.
        """
        with self._lock:
            found = next((one for one in self.phones() if number_of(one.token_hash) == number), None)
            knocker = self._of_number(number, self._door)
            if found:
                self._forget(found)
                if found.role == JUDGE:
                    self._renew_secret()
            elif knocker:
                self._leave_door(knocker.token_hash)
            else:
                return False
        self._changed(f"phone {number} was shown out from the computer")
        return True

    def reset(self) -> None:
        """Show every phone out, and let nobody in by the code that has been shown so far."""
        with self._lock:
            with contextlib.suppress(StorageError):
                self._store.forget_all()
            self._renew_secret()
        self._changed("every phone was shown out from the computer")

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` after every change, on the thread that made it."""
        self._listeners.append(listener)

    def _renew_secret(self) -> None:
        self.secret = new_secret()
        self._door = []

    def _judge(self) -> Device | None:
        return next((device for device in self.phones() if device.role == JUDGE), None)

    def _is_ghost(self, device: Device) -> bool:
        return device.seen_at is None and self._away(device) >= GRACE

    def _seat_judge(self, knocker: Knocker) -> None:
        """The judge's phone from now on; the one before it is out."""
        before = self._judge()
        if before and before.token_hash != knocker.token_hash:
            self._forget(before)
        self._keep(knocker.token_hash, JUDGE, knocker.name)

    def _wait(self, knocker: Knocker, earlier: str) -> None:
        """Put a phone at the door, in place of what it was there before.

        At a crowded door the longest there of the address that most have come from makes room, the refused first.
        """
        self._leave_door(earlier)
        self._door.append(knocker)
        if len(self._door) > MOST_AT_THE_DOOR:
            crowd = self.refused() or self._door
            busiest = Counter(one.address for one in crowd).most_common(1)[0][0]
            self._door.remove(next(one for one in crowd if one.address == busiest))

    def _leave_door(self, hashed: str) -> None:
        self._door = [other for other in self._door if other.token_hash != hashed]

    def _keep(self, hashed: str, role: RoleAtTable, name: str) -> None:
        known = self._store.find(hashed)
        kept = known or Device(token_hash=hashed, role=role, name=name, paired_at=self._stamp())
        self._seen[hashed] = self._elapsed()
        self._write(kept.model_copy(update={"role": role}))

    def _write(self, device: Device) -> None:
        with contextlib.suppress(StorageError):
            self._store.pair(device)

    def _forget(self, device: Device) -> None:
        with contextlib.suppress(StorageError):
            self._store.forget(device.token_hash)

    def _forget_absent(self) -> None:
        """Forget the phones that have been away for an evening."""
        absent = [device for device in self._store.devices if self._away(device) >= EVENING.total_seconds()]
        for device in absent:
            self._forget(device)
        if absent:
            self._changed(f"{len(absent)} phone(s) of another evening were forgotten")

    def _away(self, device: Device) -> float:
        """Seconds since the phone last asked for anything, or was let in."""
        return self._elapsed() - self._seen.get(device.token_hash, 0.0)

    def _away_before(self, device: Device) -> float:
        """The same for a phone known from an earlier start, by the time of day, which may have been set back."""
        try:
            seen = datetime.fromisoformat(device.seen_at or device.paired_at)
        except ValueError:
            return EVENING.total_seconds()
        return EVENING.total_seconds() if seen.tzinfo is None else abs((self._now() - seen).total_seconds())

    def _stamp(self) -> str:
        return self._now().isoformat(timespec="seconds")

    def _of_number(self, number: str, among: list[Knocker]) -> Knocker | None:
        return next((knocker for knocker in among if knocker.number == number), None)

    def _new_token(self) -> str:
        """A token whose number nobody else has."""
        known = [*(phone.token_hash for phone in self.phones()), *(knocker.token_hash for knocker in self._door)]
        taken = set(map(number_of, known))
        while True:
            token = secrets.token_urlsafe(32)
            if number_of(hash_token(token)) not in taken or len(taken) >= 90:
                return token

    def _changed(self, what: str) -> None:
        self._changes += 1
        self.log(what)
        for listener in list(self._listeners):
            listener()


def described(knocker: Knocker) -> str:
    """A phone, for the log of the door."""
    about = ", ".join(filter(None, (knocker.name, knocker.address)))
    return f"phone {knocker.number}" + (f" ({about})" if about else "")
