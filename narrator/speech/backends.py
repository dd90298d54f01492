"""Where the narrator's voice can go, by name: what `--speaker` chooses from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from narrator.clock import Clock
from narrator.speech.outputs.folder import FolderOutput
from narrator.speech.outputs.mixer import MixerOutput
from narrator.speech.outputs.output import LEAD_IN_SECONDS, ClockOutput, Output
from narrator.speech.outputs.pages import Beside, Broadcast, PageOutput
from narrator.speech.renderers.auto import AutoRenderer
from narrator.speech.renderers.pyttsx3 import Pyttsx3Renderer
from narrator.speech.renderers.renderer import Renderer
from narrator.speech.speaker import Speaker
from narrator.speech.troubles import Trouble
from narrator.speech.utterance import Utterance

DEFAULT = "pyttsx3"

AUTO, ENGINE = VOICES = ("auto", "pyttsx3")
"""Who may speak: recordings where there are any and the system's engine elsewhere, or that engine alone."""


@dataclass(frozen=True)
class BackendSettings:
    """What a backend may need to know."""

    clock: Clock
    argument: str
    """What follows the colon in the name."""
    lead_in: float = LEAD_IN_SECONDS
    """Seconds of silence before a line after a pause."""
    paced: bool = False
    """Whether lines written to files last their time."""
    voice: str = AUTO
    """One of VOICES."""
    own: Path | None = None
    """The user's folder of voices: recordings of lines, and packs."""
    broadcast: Broadcast | None = None
    """What loudspeaker pages listen to, where there are such pages."""

    def renderer(self) -> Renderer:
        """Who speaks."""
        engine = Pyttsx3Renderer(self.clock)
        return AutoRenderer(engine, self.own) if self.voice == AUTO else engine


Parts = tuple[Renderer | None, Output]
BackendFactory = Callable[[BackendSettings], Parts]


@dataclass(frozen=True)
class _Backend:
    argument: str
    factory: BackendFactory

    def usage(self, name: str) -> str:
        return f"{name}:{self.argument}" if self.argument else name


_backends: dict[str, _Backend] = {}


def backend(name: str, argument: str = "") -> Callable[[BackendFactory], BackendFactory]:
    """Register a factory; `argument` names what must follow the name and a colon. Raises ValueError when taken."""

    def register(factory: BackendFactory) -> BackendFactory:
        if name in _backends:
            raise ValueError(f"a speaker of this name is registered already: {name!r}")
        _backends[name] = _Backend(argument, factory)
        return factory

    return register


def backend_names() -> tuple[str, ...]:
    """The names as they are to be given, such as 'pyttsx3' or 'wav:FOLDER'."""
    return tuple(entry.usage(name) for name, entry in _backends.items())


def open_speaker(
    name: str,
    clock: Clock,
    *,
    on_started: Callable[[Utterance], None],
    on_finished: Callable[[Utterance, str], None],
    on_trouble: Callable[[Trouble], None],
    lead_in: float = LEAD_IN_SECONDS,
    paced: bool = False,
    voice: str = AUTO,
    own: Path | None = None,
    broadcast: Broadcast | None = None,
) -> Speaker:
    """The speaker of a backend, at work at once.

    `lead_in` is the silence, in seconds, before a line after a pause. `paced` makes `wav:` lines last their time;
    without it they are over as soon as they are written. `voice` is one of VOICES; `own` the user's folder of voices.
    `broadcast` is what loudspeaker pages listen to.
    Raises ValueError for a name that is not registered, or another voice.
    """
    if voice not in VOICES:
        raise ValueError(f"a voice is one of {', '.join(VOICES)}: {voice!r}")
    plain, colon, argument = name.partition(":")
    entry = _backends.get(plain)
    if entry is None or bool(colon) != bool(entry.argument) or bool(argument) != bool(entry.argument):
        raise ValueError(f"a speaker is one of {', '.join(backend_names())}: {name!r}")
    renderer, output = entry.factory(BackendSettings(clock, argument, lead_in, paced, voice, own, broadcast))
    return Speaker(renderer, output, clock, on_started=on_started, on_finished=on_finished, on_trouble=on_trouble)


@backend("pyttsx3")
def _pyttsx3(settings: BackendSettings) -> Parts:
    mixer = MixerOutput(settings.clock, lead_in=settings.lead_in)
    output = Beside(mixer, settings.broadcast, settings.clock) if settings.broadcast else mixer
    return settings.renderer(), output


@backend("silent")
def _silent(settings: BackendSettings) -> Parts:
    return None, ClockOutput(settings.clock)


@backend("wav", argument="FOLDER")
def _wav(settings: BackendSettings) -> Parts:
    folder = Path(settings.argument).expanduser()
    return settings.renderer(), FolderOutput(folder, settings.clock, paced=settings.paced)


@backend("page")
def _page(settings: BackendSettings) -> Parts:
    broadcast = settings.broadcast or Broadcast(settings.clock)
    return settings.renderer(), PageOutput(settings.clock, broadcast, settings.lead_in)
