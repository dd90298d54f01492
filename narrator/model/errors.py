"""What the engine says when something cannot be done."""

from __future__ import annotations


class Refused(ValueError):
    """A command that may not be carried out; nothing has changed.

    `reason` is a key of the script (`refused.<reason>`) and `values` are its parameters, so that the panel can say it
    in the judge's language; `str()` gives an English sentence for logs and the command line.
    """

    def __init__(self, reason: str, **values: object) -> None:
        self.reason = reason
        self.values = values
        told = ", ".join(f"{name} {value}" for name, value in values.items())
        super().__init__(f"{reason.replace('_', ' ')}{': ' + told if told else ''}")
