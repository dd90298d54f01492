"""What is to be spoken."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Segment:
    """A piece of a line in one language."""

    text: str
    """As people read it: digits, quotes and brackets are allowed; the front end makes it speakable."""
    language: str
    """A BCP 47 tag, such as 'zh-Hans', 'zh-Hant', 'es' or 'en'."""
    is_name: bool = False
    """Whether it is a player's name, said right after the line: heard, not shown, and never a recording of the line."""
    phrases: tuple[str, ...] = field(default=(), compare=False)
    """The text in the pieces that are recorded once each; empty where it is one piece."""


@dataclass(frozen=True)
class Utterance:
    """One line of the narrator: the same thing said in one language, or in several one after the other."""

    number: int
    """Unique in this process; callbacks and listeners tell lines apart by it."""
    segments: tuple[Segment, ...]
    """In the order in which they are spoken."""
    key: str = ""
    """Key of the script line, such as 'night.falls'; empty for free text."""
    recording: str = ""
    """Name of the group's own recording of it, such as 'speech.next-5', where it can have one."""

    def text(self) -> str:
        """All segments as one text, for screens and logs; without the players' names."""
        return " ".join(segment.text for segment in self.segments if not segment.is_name)
