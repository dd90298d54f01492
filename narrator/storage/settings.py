"""What the judge chose last time, kept for the next game.

A setting that makes no sense is replaced by its default and told; a file that cannot be read at all is set aside.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import ErrorDetails

from narrator.form_faults import place, shown, what_is_wrong
from narrator.storage.folders import StorageError, reason, set_aside, write_atomically

FILE = "settings.json"
NEW_LINE = "\n"

Code = Annotated[str, Field(min_length=1, max_length=100)]
Name = Annotated[str, Field(max_length=100)]


class Settings(BaseModel):
    """Preferences of one laptop. To change some, use `changed`."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    languages: Annotated[tuple[Code, ...], Field(min_length=1, max_length=2, strict=False)] = ("zh-Hans",)
    """The one or two languages every line is spoken in, one after the other."""
    panel_language: Code | None = None
    """The language of the judge's pages; None: the first spoken one."""
    ruleset: Code | None = None
    """The id of the ruleset played last."""
    seats: Annotated[int, Field(ge=3, le=60)] | None = None
    names: Annotated[tuple[Name, ...], Field(max_length=60, strict=False)] = ()
    """The players' names from seat 1 on; "" where a seat has none."""
    names_spoken: bool = False
    """Whether names are said after the lines of the day that tell of their seats."""
    speaker: Code = "pyttsx3"
    """The name of the backend that speaks, without any argument: folders come from the command line only."""
    voices: dict[Code, Code] = Field(default_factory=dict)
    """Language -> id of the voice chosen for it."""
    volume: Annotated[int, Field(ge=0, le=100)] = 80
    """Percent."""
    speed: Annotated[int, Field(ge=50, le=200)] = 100
    """Percent of the natural pace."""
    lead_in: Annotated[float, Field(ge=0, le=1.5)] | None = None
    """Seconds of silence before a line after a pause, for loudspeakers that swallow a beginning; None: the usual."""
    faint_noise: bool = False
    """Whether a noise that nobody hears keeps loudspeakers from falling asleep."""
    ambience: bool = True
    """Whether the night and the day are heard at all."""
    ambience_night: Annotated[int, Field(ge=0, le=100)] = 20
    """Loudness of the night behind the narrator, in percent."""
    ambience_day: Annotated[int, Field(ge=0, le=100)] = 0
    """Loudness of the day behind the narrator, in percent."""
    speech_seconds: Annotated[int, Field(ge=0, le=600)] = 0
    """Seconds each speaker has by day; 0: no timer."""

    @field_validator("speaker")
    @classmethod
    def _names_no_folder(cls, name: str) -> str:
        if ":" in name:
            raise ValueError("must be a name alone: a folder is chosen on the command line only (--speaker)")
        return name

    def changed(self, **values: object) -> Settings:
        """The same settings but for these.

        Raises ValueError, naming each wrong one, if a value is out of its range or a name is no setting.
        """
        if strange := sorted(values.keys() - Settings.model_fields.keys()):
            raise ValueError(f"there is no such setting; got {', '.join(strange)}")
        try:
            return Settings.model_validate({**self.model_dump(), **values})
        except ValidationError as error:
            raise ValueError("; ".join(explained(error))) from error


def load_settings(folder: Path) -> tuple[Settings, str | None]:
    """The settings kept in the folder, and a sentence if something was wrong with them. Raises nothing."""
    path = folder / FILE
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return Settings(), None
    except UnicodeDecodeError:
        return Settings(), set_aside(path, "it is not UTF-8 text")
    except OSError as fault:
        return Settings(), f"{path} cannot be read: {reason(fault)}"
    try:
        return Settings.model_validate_json(text), None
    except ValidationError as error:
        return rescued(path, text, error)


def save_settings(folder: Path, settings: Settings) -> None:
    """Keep the settings for next time. Raises StorageError if they cannot be written."""
    write_atomically(folder / FILE, settings.model_dump_json(indent=2) + "\n")


def rescued(path: Path, text: str, error: ValidationError) -> tuple[Settings, str]:
    """The sound ones among damaged settings; the file as it was is set aside."""
    told = set_aside(path, "; ".join(explained(error, text)))
    bad = {place["loc"][0] for place in error.errors() if place["loc"]}
    if not bad:
        return Settings(), told
    settings = Settings.model_validate_json(json.dumps({k: v for k, v in json.loads(text).items() if k not in bad}))
    try:
        save_settings(path.parent, settings)
    except StorageError as fault:
        told = f"{told}; {fault}"
    return settings, told


def explained(error: ValidationError, text: str = "") -> list[str]:
    """What is wrong, one sentence per setting, with its line in the file's `text` if that is given."""
    return [f"{_line(fault, text)}{place(fault['loc'])}: {_what(fault)}" for fault in error.errors()]


def _line(fault: ErrorDetails, text: str) -> str:
    told = re.search(r"line (\d+)", str(fault.get("ctx", {}).get("error", "")))
    if told or not fault["loc"]:
        return f"line {told[1]}: " if told else ""
    before, found, _ = text.partition(f'"{fault["loc"][0]}"')
    return f"line {before.count(NEW_LINE) + 1}: " if found else ""


def _what(fault: ErrorDetails) -> str:
    got = "" if fault["type"] in ("missing", "json_invalid") else f"; got {shown(fault['input'])}"
    return what_is_wrong(fault, fault["input"], fault["loc"][-1] if fault["loc"] else "") + got
