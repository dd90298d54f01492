"""The phones that were let in, and the server's secret key. Of tokens only hashes are kept, never they themselves."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from narrator.storage.folders import StorageError, reason, set_aside, write_atomically

FILE = "devices.json"

RoleAtTable = Literal["judge", "helper"]
Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Device(BaseModel):
    """One paired phone."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    token_hash: Hex
    """`hash_token` of the secret in its cookie."""
    role: RoleAtTable
    name: Annotated[str, Field(max_length=100)] = ""
    """What the judge calls it, or what kind of phone it said it is."""
    paired_at: str
    """ISO time."""
    seen_at: str | None = None
    """ISO time at which it last asked for anything, to some minutes; None if it never has since it was let in."""


class Contents(BaseModel):
    """The file."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    devices: Literal[1] = 1
    """Version of the file."""
    secret_key: Hex
    paired: Annotated[tuple[Device, ...], Field(strict=False)] = ()


def hash_token(token: str) -> str:
    """What is kept of a token (64 hex digits)."""
    return hashlib.sha256(token.encode("utf-8")).hexdigest()


def new_key() -> str:
    """A fresh secret of 256 bits (64 hex digits)."""
    return secrets.token_hex(32)


class DeviceStore:
    """The paired phones, on disk after every change. For any number of threads of one process."""

    problem: str | None
    """A sentence for the judge if the file was damaged or cannot be written, or None."""

    def __init__(self, folder: Path, make_key: Callable[[], str] = new_key) -> None:
        """Read the store in the folder, or begin one with a fresh key where there is none or a damaged one."""
        self.folder = folder
        self._path = folder / FILE
        self._lock = Lock()
        contents, self.problem = read_devices(self._path)
        self._contents = contents or Contents(secret_key=make_key())
        if contents is None:
            try:
                self._save()
            except StorageError as fault:
                self.problem = "; ".join(filter(None, [self.problem, str(fault)]))

    @property
    def secret_key(self) -> bytes:
        """The server's key for signing cookies (32 bytes)."""
        return bytes.fromhex(self._contents.secret_key)

    @property
    def devices(self) -> tuple[Device, ...]:
        """All paired phones, the longest paired first."""
        return self._contents.paired

    def find(self, token_hash: str) -> Device | None:
        """The phone with that token, or None."""
        return next((device for device in self.devices if device.token_hash == token_hash), None)

    def pair(self, device: Device) -> None:
        """Let a phone in, or change what is kept of the phone with that token.

        Raises StorageError if that cannot be written down: the phone is in all the same, until the program ends.
        """
        with self._lock:
            if self.find(device.token_hash) is None:
                self._change((*self.devices, device))
            else:
                self._replace(device)

    def forget_all(self) -> int:
        """Show every phone out; how many there were. Raises StorageError if that cannot be written down."""
        with self._lock:
            known = len(self.devices)
            if known:
                self._change(())
            return known

    def saw(self, token_hash: str, at: str) -> None:
        """Note that a phone has asked for something at that ISO time, if it is (still) in.

        Raises StorageError if that cannot be written down.
        """
        with self._lock:
            known = self.find(token_hash)
            if known:
                self._replace(known.model_copy(update={"seen_at": at}))

    def forget(self, token_hash: str) -> bool:
        """Show a phone out; False if it was not in. Raises StorageError if that cannot be written down."""
        with self._lock:
            others = self._others(token_hash)
            if known := len(others) < len(self.devices):
                self._change(others)
            return known

    def _others(self, token_hash: str) -> tuple[Device, ...]:
        return tuple(device for device in self.devices if device.token_hash != token_hash)

    def _replace(self, device: Device) -> None:
        self._change(tuple(device if other.token_hash == device.token_hash else other for other in self.devices))

    def _change(self, paired: tuple[Device, ...]) -> None:
        self._contents = self._contents.model_copy(update={"paired": paired})
        self._save()

    def _save(self) -> None:
        write_atomically(self._path, self._contents.model_dump_json(indent=2) + "\n")


def read_devices(path: Path) -> tuple[Contents | None, str | None]:
    """The file's contents if there are any, and what was wrong with it; it is made private if it was not."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None, None
    except OSError as fault:
        return None, f"{path} cannot be read: {reason(fault)}"
    with contextlib.suppress(OSError):
        path.chmod(0o600)
    try:
        return Contents.model_validate_json(text), None
    except ValidationError as error:
        places = {".".join(map(str, fault["loc"])) or "file" for fault in error.errors()}
        return None, set_aside(path, f"at {', '.join(sorted(places))}") + "; every phone must be let in again"
