"""The devices that were let in as loudspeakers this evening. Of what they are known by only hashes are kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from narrator.storage.folders import write_atomically

FILE = "loudspeakers.json"
EVENING = timedelta(hours=16)
"""So long after it was let in a device is forgotten."""
MOST = 50

Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Loudspeaker(BaseModel):
    """A device that was let in."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    device_hash: Hex
    name: Annotated[str, Field(max_length=100)] = ""
    """What kind of device it says it is."""
    let_in_at: AwareDatetime


class Contents(BaseModel):
    """The file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    loudspeakers: Literal[1] = 1
    """Version of the file."""
    asked: bool = False
    """Whether the judge has sent one away: since then, none comes in unasked."""
    let_in: tuple[Loudspeaker, ...] = ()


class LoudspeakerStore:
    """Keeps them in a file; without a folder, only as long as the program runs. Called by one thread at a time."""

    def __init__(self, folder: Path | None = None, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Read what is kept; what is older than an evening, or cannot be read, is forgotten."""
        self._path = folder / FILE if folder else None
        self._now = now
        found = self._read()
        self._let_in = {one.device_hash: one for one in found.let_in if abs(now() - one.let_in_at) < EVENING}
        self.asked = found.asked and bool(self._let_in)

    @property
    def let_in(self) -> tuple[Loudspeaker, ...]:
        """The first to be let in first."""
        return tuple(self._let_in.values())

    def knows(self, device_hash: str) -> bool:
        """Whether that device was let in."""
        return device_hash in self._let_in

    def add(self, device_hash: str, name: str) -> None:
        """Let a device in. Raises StorageError if that cannot be written down: it is in all the same."""
        one = Loudspeaker(device_hash=device_hash, name=name, let_in_at=self._now())
        kept = [other for other in self.let_in if other.device_hash != device_hash]
        self._let_in = {other.device_hash: other for other in [*kept, one][-MOST:]}
        self._save()

    def send_away(self, device_hash: str) -> None:
        """Forget a device, and let none in unasked any more. Raises StorageError if that cannot be written down."""
        self._let_in.pop(device_hash, None)
        self.asked = True
        self._save()

    def _read(self) -> Contents:
        try:
            return Contents.model_validate_json(self._path.read_bytes()) if self._path else Contents()
        except (OSError, ValidationError):
            return Contents()

    def _save(self) -> None:
        if self._path:
            write_atomically(
                self._path, Contents(asked=self.asked, let_in=self.let_in).model_dump_json(indent=2) + "\n"
            )
