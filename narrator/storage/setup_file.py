"""The set-up in the making, kept after every change: who holds which card is not forgotten when the power goes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from narrator.storage.folders import reason, set_aside, write_atomically
from narrator.storage.settings import explained

FILE = "setup.json"

Count = Annotated[int, Field(ge=0)]


class KeptDraft(BaseModel):
    """A draft as `narrator.table.setup.draft` has it, in plain values."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    ruleset: str
    """Its id."""
    seats: Count
    names: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    counts: dict[str, Count] = Field(default_factory=dict)
    """Only the roles whose number the judge has set."""
    options: dict[str, bool | str] = Field(default_factory=dict)
    """Only the options that the judge has set."""
    hands: dict[str, tuple[str, ...]] | None = None
    """Seat -> its cards, if they are dealt."""
    spare: tuple[str, ...] = ()
    seen: Count | None = None
    again: Count | None = None


class KeptSetup(BaseModel):
    """The file."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    setup: Literal[1] = 1
    """Version of the file."""
    order: Count = 0
    """The order of the latest game when this was kept; once a later game was on a table, the draft is used up."""
    given_up: tuple[str, ...] = ()
    """Ids of the interrupted games that a new one was preferred to."""
    draft: KeptDraft | None = None


def load_setup(folder: Path) -> tuple[KeptSetup, str | None]:
    """The set-up kept in the folder, and a sentence if something was wrong with it. Raises nothing."""
    path = folder / FILE
    try:
        return KeptSetup.model_validate_json(path.read_bytes()), None
    except FileNotFoundError:
        return KeptSetup(), None
    except OSError as fault:
        return KeptSetup(), f"{path} cannot be read: {reason(fault)}"
    except ValidationError as error:
        return KeptSetup(), set_aside(path, "; ".join(explained(error))) + "; the set-up must be made again"


def save_setup(folder: Path, kept: KeptSetup) -> None:
    """Keep the set-up. Raises StorageError if it cannot be written."""
    write_atomically(folder / FILE, kept.model_dump_json(indent=2) + "\n")
