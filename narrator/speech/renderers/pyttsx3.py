"""Renders with pyttsx3 in a process of its own, which may hang or die without harm."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from narrator.clock import Clock
from narrator.language_tags import base
from narrator.speech import troubles
from narrator.speech.clip import Clip, join
from narrator.speech.renderers.renderer import RenderError, Request, TroubleListener
from narrator.speech.sound_files import read_sound
from narrator.speech.text.cleaning import MOST_CHARACTERS, parts_by_voice, respelled, speakable
from narrator.speech.troubles import Trouble
from narrator.speech.utterance import Segment
from narrator.speech.voices import START_SECONDS, Voice, best_voice, no_engine, voices_from
from narrator.speech.worker.drivers import BUNDLED, STOCK_ESPEAK
from narrator.speech.worker.process import COMMAND, EngineLostError, Patience, SteadyWorker, WorkerRefusedError

_ESPEAKS = (BUNDLED, STOCK_ESPEAK)
_ESPEAK_RATES = {"zh": 160, "es": 160, "en": 160}
_OTHER_RATE = 175
_TIMBRES = {"zh": "+Annie"}
"""espeak's timbres by language, where one is clearly better understood than the plain voice."""
_SLOWEST, _FASTEST = 80, 450
_BREATH = 0.12
_SHOWN = 60


class Pyttsx3Renderer:
    """One clip at a time, each from a file the engine wrote; files are gone as soon as they are read."""

    def __init__(self, clock: Clock, *, patience: Patience | None = None, command: Sequence[str] = COMMAND) -> None:
        """Nothing starts before `warm_up` or the first line. `command` starts the worker."""
        self._patience = patience or Patience()
        self._worker = SteadyWorker(clock, self._patience, command)
        self._folder = Path(tempfile.mkdtemp(prefix="narrator-"))
        self._voices: tuple[Voice, ...] = ()
        self._missing: set[str] = set()

    @property
    def worker_pid(self) -> int | None:
        """Process number of the worker that runs, if one does."""
        return self._worker.pid

    def warm_up(self, report: TroubleListener) -> None:
        """Start the worker and learn its voices."""
        try:
            self._known_voices(report)
        except RenderError:
            return  # it was reported, and the first line tries again

    def render(self, request: Request, report: TroubleListener) -> Clip:
        """The clip of a request; see `Renderer`."""
        if len(request.segment.text) > MOST_CHARACTERS:
            _refuse(f"a line may have {MOST_CHARACTERS} characters: {len(request.segment.text)}", report)
        if not speakable(request.segment.text, request.segment.language):
            _refuse(f"nothing in this line can be spoken: {_shown(request)}", report)
        try:
            *inner, last = [self._part(part, request, report) for part in parts_by_voice(request.segment)]
            return join([*(clip.without_end(_BREATH) for clip in inner), last], 0.0)
        except EngineLostError as lost:
            raise RenderError(str(lost)) from lost
        except (WorkerRefusedError, OSError, ValueError) as error:
            _refuse(f"{error}: {_shown(request)}", report)

    def close(self) -> None:
        """End the worker, even in the middle of a line."""
        self._worker.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _part(self, part: Segment, whole: Request, report: TroubleListener) -> Clip:
        """A piece of the request, in the voice of its own language where there is one."""
        voice = self._voice(whole, report)
        if part.language != whole.segment.language:
            voice = best_voice(part.language, self._voices) or voice
        return self._rendered(Request(part, rate=whole.rate), voice, report)

    def _rendered(self, request: Request, voice: Voice, report: TroubleListener) -> Clip:
        text = engine_text(request, voice)
        path = self._folder / "line.wav"
        path.unlink(missing_ok=True)
        order = {
            "do": "render",
            "engine": voice.engine,
            "voice": engine_voice(request, voice),
            "text": text,
            "rate": words_per_minute(request, voice),
            "path": str(path),
        }
        self._worker.ask(order, self._patience.for_text(text), report)
        clip = read_sound(path)
        path.unlink()
        if clip.is_silent():
            raise ValueError(f"voice {voice.name!r} made nothing to hear of a line")
        return clip

    def _voice(self, request: Request, report: TroubleListener) -> Voice:
        language = request.segment.language
        voices = self._known_voices(report)
        chosen = next((voice for voice in voices if voice.id == request.voice), None)
        if request.voice and not chosen:
            self._tell_missing(f"no voice {request.voice!r} on this machine; another one speaks", report)
        voice = chosen or best_voice(language, voices)
        if voice is None:
            self._tell_missing(f"no voice on this machine speaks {language!r}; its lines are text only", report)
            raise RenderError(f"no voice for {language!r}", final=True)
        return voice

    def _known_voices(self, report: TroubleListener) -> tuple[Voice, ...]:
        try:
            answer = {} if self._voices else self._worker.ask({"do": "voices"}, START_SECONDS, report)
        except (EngineLostError, WorkerRefusedError) as error:
            raise RenderError(str(error)) from error
        self._voices = self._voices or voices_from(answer)
        if not self._voices:
            self._tell_missing(no_engine(answer["problems"]), report)
            raise RenderError("no voice on this machine")
        return self._voices

    def _tell_missing(self, detail: str, report: TroubleListener) -> None:
        """Once is enough: every line would tell it again."""
        if detail not in self._missing:
            self._missing.add(detail)
            report(Trouble(troubles.NO_VOICE, detail))


def engine_text(request: Request, voice: Voice) -> str:
    """What the voice's engine is given for a request; empty when there is nothing to say."""
    text = speakable(request.segment.text, request.segment.language)
    return respelled(text, request.segment.language) if voice.engine in _ESPEAKS else text


def engine_voice(request: Request, voice: Voice) -> str:
    """The id the voice's engine is given; the bundled espeak speaks Mandarin in the timbre that is clearest there."""
    timbre = _TIMBRES.get(base(request.segment.language), "") if voice.engine == BUNDLED else ""
    return voice.engine_id + timbre


def words_per_minute(request: Request, voice: Voice) -> int:
    """The rate for the voice's engine; normal is what is clear and natural in the language."""
    normal = _ESPEAK_RATES.get(base(request.segment.language), _OTHER_RATE)
    rate = (normal if voice.engine in _ESPEAKS else _OTHER_RATE) * request.rate // 100
    return min(max(rate, _SLOWEST), _FASTEST)


def _refuse(reason: str, report: TroubleListener) -> NoReturn:
    report(Trouble(troubles.LINE_FAILED, reason))
    raise RenderError(reason, final=True)


def _shown(request: Request) -> str:
    return repr(request.segment.text[:_SHOWN])
