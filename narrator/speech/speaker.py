"""The speaker: speaks one line after the other, and tells of each when it begins and how it ended."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from narrator.clock import Clock
from narrator.speech import troubles
from narrator.speech.clip import Clip, silence
from narrator.speech.levelling import AFTER, faded, trimmed
from narrator.speech.outputs.output import ClockOutput, NoSoundDeviceError, Output, ReadyLine, Surroundings, Surrounds
from narrator.speech.preparer import ClipCache, Preparer
from narrator.speech.renderers.renderer import Renderer, Request
from narrator.speech.text.pacing import estimate, pause_before
from narrator.speech.troubles import Trouble
from narrator.speech.utterance import Segment, Utterance

_LINES_AHEAD = 4
_MOST_LOSSES = 2
_RETURN_SECONDS = 12.0
_LOOK_SECONDS = 1.0
_NAME_SECONDS = 2.0
"""How long a line that is ready waits for the names after it, which may need an engine that is cold or hangs."""

__all__ = ("FAILED", "SKIPPED", "SPOKEN", "Speaker")

_log = logging.getLogger(__name__)


class Speaker:
    """Owns the queue. Thread-safe; nothing here waits for an engine or a device except `close`, for a moment.

    For every line `on_started` comes when its sound begins, then `on_finished` with SPOKEN, SKIPPED or FAILED. A line
    that ends before it began has only the latter. Callbacks come one at a time on the speaker's own thread, without
    any lock held, so they may call the speaker; none comes after `close`.
    """

    def __init__(
        self,
        renderer: Renderer | None,
        output: Output,
        clock: Clock,
        *,
        on_started: Callable[[Utterance], None],
        on_finished: Callable[[Utterance, str], None],
        on_trouble: Callable[[Trouble], None],
        cache: ClipCache | None = None,
    ) -> None:
        """ReadyLine over `renderer` and `output`, which `close` closes. Without a renderer, lines are text only."""
        self._changed = threading.Condition()
        self._queue: deque[Utterance] = deque()
        self._line: LineUnderWay | None = None
        self._news: list[Callable[[], None]] = []
        self._awaited: Callable[[], bool] | None = None
        self._paused = self._closed = self._mute = False
        self._rate = 100
        self._clock = clock
        self._voices: dict[str, str] = {}
        self._output, self._as_text = output, ClockOutput(clock)
        self._on_started, self._on_finished, self._on_trouble = on_started, on_finished, on_trouble
        self._preparer: Preparer | None = None
        if renderer and output.wants_clips:
            self._preparer = Preparer(renderer, cache or ClipCache(), on_news=self._wake, report=self._report)
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)
        self._thread.start()

    def say(self, utterance: Utterance) -> None:
        """Speak this after everything that was said before."""
        with self._changed:
            if not self._closed:
                self._queue.append(utterance)
                self._has_line()
                self._want()
                self._changed.notify_all()

    def skip(self) -> None:
        """Stop the line being spoken, or about to be, at once; go on with the next.

        Between two lines, while the end of the first is being told, there is nothing to skip.
        """
        with self._changed:
            if self._line:
                self._line.end(SKIPPED)
                self._changed.notify_all()

    def clear(self) -> None:
        """Drop the lines that have not begun; each is told as SKIPPED."""
        with self._changed:
            if self._line and not self._line.began:
                self._line.end(SKIPPED)
            self._news += [partial(self._on_finished, utterance, SKIPPED) for utterance in self._queue]
            self._queue.clear()
            self._changed.notify_all()

    def pause(self) -> None:
        """Be silent at once, until `resume`."""
        with self._changed:
            self._paused = True
            if self._line:
                self._line.interrupt()
            self._changed.notify_all()

    def resume(self) -> None:
        """Go on; a line that was interrupted is spoken again from its beginning, without a second `on_started`."""
        with self._changed:
            self._paused = False
            self._changed.notify_all()

    def set_volume(self, percent: int) -> None:
        """0 to 100, also for the line being spoken. Raises ValueError."""
        _check(percent, 0, 100, "volume")
        with self._changed:
            self._output.set_volume(percent)

    def set_rate(self, percent: int) -> None:
        """50 to 200, 100 being normal, for lines that have not begun. Raises ValueError."""
        _check(percent, 50, 200, "rate")
        with self._changed:
            self._rate = percent
            self._want()

    def surround(self, around: Surroundings) -> None:
        """Fill silences, and begin lines after a pause, like this from now on, where the output can."""
        with self._changed:
            if isinstance(self._output, Surrounds) and not self._closed:
                self._output.surround(around)

    def set_voice(self, language: str, voice_id: str | None) -> None:
        """The voice for a language, None for the best one, for lines that have not begun."""
        with self._changed:
            self._voices.pop(language, None)
            if voice_id:
                self._voices[language] = voice_id
            self._want()

    def prepare(self, utterances: Iterable[Utterance]) -> None:
        """Render lines that may be said soon, while nothing that was said needs rendering."""
        with self._changed:
            if self._preparer and not self._closed:
                self._preparer.later(request for utterance in utterances for request in self._requests(utterance))

    def expect(self, utterances: Iterable[Utterance]) -> None:
        """Render what an evening is made of, when there is nothing else to do; in place of what was expected before."""
        with self._changed:
            if self._preparer and not self._closed:
                self._preparer.expect(request for utterance in utterances for request in self._requests(utterance))

    @property
    def progress(self) -> tuple[int, int]:
        """How many of the pieces that are expected are done with, and of how many."""
        return self._preparer.progress if self._preparer else (0, 0)

    def settle(self, seconds: float = 5.0) -> bool:
        """Wait until only time, or a resume, can make anything more happen; False when that took too long.

        Not to be called from a callback.
        """
        with self._changed:
            return self._changed.wait_for(self._is_settled, seconds)

    def close(self) -> None:
        """Be silent at once, for good, and give back the engine and the device."""
        with self._changed:
            self._closed = True
            if self._line:
                self._line.end(SKIPPED)
            self._queue.clear()
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(2.0)
        if self._preparer:
            self._preparer.close()
        self._output.close()

    # What follows runs on the speaker's thread, unless it says otherwise.

    def _run(self) -> None:
        self._device_is_open()
        while self._wait_for(self._has_line):
            if self._line:
                self._perform(self._line)

    def _perform(self, line: LineUnderWay) -> None:
        try:
            self._play_through(line, self._take(line))
        except Exception:  # whatever an output throws must not silence the lines after this one
            _log.exception("a line could not be spoken")
        with self._changed:
            line.end(FAILED)
            self._line = None
            self._news.append(partial(self._on_finished, line.utterance, line.ending or FAILED))

    def _take(self, line: LineUnderWay) -> ReadyLine:
        """The line with its sound as soon as that is rendered, or without where there will be none."""
        text = ReadyLine(line.utterance, None, estimate(line.utterance, self._rate))
        preparer = self._preparer
        if preparer is None or not self._device_is_open():
            return text
        self._wait_for(lambda: bool(line.ending) or preparer.is_settled(line.unnamed), rests=False)
        if not preparer.is_settled(line.requests):
            self._idle(line, _NAME_SECONDS, lambda: preparer.is_settled(line.requests), rests=False)
        line.is_ready = True
        pieces = [(request.segment, clip) for request in line.requests if (clip := preparer.clip(request))]
        line.incomplete = len(pieces) < max(1, len(line.requests))
        if not pieces:
            return text
        clip = spoken_line(pieces)
        return ReadyLine(line.utterance, clip, clip.seconds)

    def _play_through(self, line: LineUnderWay, take: ReadyLine) -> None:
        while self._wait_for(lambda: bool(line.ending) or not self._paused) and not line.ending:
            losses = line.losses
            self._begin(line, take)
            self._wait_for(lambda: bool(line.ending) or not line.is_playing)
            if line.losses > losses:
                self._report(Trouble(troubles.DEVICE_LOST, "the sound device went away; the line is spoken again"))
                self._wait_for_device(line)

    def _wait_for_device(self, line: LineUnderWay) -> None:
        """Give a device that was lost under a line a while to come back."""
        until = self._clock.now() + _RETURN_SECONDS
        while not self._device_is_open() and self._clock.now() < until and not (line.ending or self._closed):
            self._idle(line, _LOOK_SECONDS)

    def _idle(
        self, line: LineUnderWay, seconds: float, happened: Callable[[], bool] = lambda: False, *, rests: bool = True
    ) -> None:
        """Let time pass, unless the line is ended or something happened meanwhile."""
        over = threading.Event()
        timer = self._clock.call_later(seconds, partial(self._wake, over))
        self._wait_for(lambda: bool(line.ending) or over.is_set() or happened(), rests=rests)
        timer.cancel()

    def _begin(self, line: LineUnderWay, take: ReadyLine) -> None:
        with self._changed:
            if line.ending or self._paused or self._closed:
                return
            silent = self._mute or line.losses >= _MOST_LOSSES
            line.begin(self._as_text if silent else self._output, take, partial(self._over, line))
            if not line.began:
                line.began = True
                self._news.append(partial(self._on_started, line.utterance))

    def _device_is_open(self) -> bool:
        try:
            self._output.open()
        except (NoSoundDeviceError, OSError) as error:
            if not self._mute:
                self._report(Trouble(troubles.NO_SOUND_DEVICE, f"{error}; until then lines are text only"))
            self._mute = True
        else:
            self._mute = False
        return not self._mute

    def _wait_for(self, happened: Callable[[], bool], *, rests: bool = True) -> bool:
        """Sleep until it happened, telling news meanwhile; False when the speaker was closed.

        `rests` says whether this is a wait that `settle` takes for rest.
        """
        while True:
            with self._changed:
                self._awaited = happened if rests else None
                self._changed.notify_all()
                self._changed.wait_for(lambda: bool(self._news) or self._closed or happened())
                self._awaited = None
                news, self._news = self._news, []
                if self._closed or not news:
                    return not self._closed
            for tell in news:
                _told(tell)

    # What follows is called with the lock held, or takes it; on any thread.

    def _has_line(self) -> bool:
        """Whether there is a line to speak; the first in the queue becomes it."""
        if self._line is None and self._queue:
            self._line = LineUnderWay(self._queue.popleft())
            self._want()
            if self._preparer:
                self._preparer.forgive(self._line.requests)
        return self._line is not None

    def _want(self) -> None:
        """Tell the preparer what is needed next."""
        line = self._line
        if line and not line.is_ready:
            line.requests = self._requests(line.utterance)
        if self._preparer:
            soon = [request for utterance in islice(self._queue, _LINES_AHEAD) for request in self._requests(utterance)]
            self._preparer.want([*(line.requests if line else ()), *soon])

    def _requests(self, utterance: Utterance) -> tuple[Request, ...]:
        return tuple(self._request(segment, utterance) for segment in utterance.segments)

    def _request(self, segment: Segment, utterance: Utterance) -> Request:
        recording = "" if segment.is_name else utterance.recording
        return Request(segment, recording, self._voices.get(segment.language), self._rate)

    def _is_settled(self) -> bool:
        return self._closed or (self._awaited is not None and not self._news and not self._awaited())

    def _over(self, line: LineUnderWay, run: int, complete: bool) -> None:
        with self._changed:
            line.over(run, complete)
            self._changed.notify_all()

    def _report(self, what: Trouble) -> None:
        with self._changed:
            self._news.append(partial(self._on_trouble, what))
            self._changed.notify_all()

    def _wake(self, said: threading.Event | None = None) -> None:
        if said:
            said.set()
        with self._changed:
            self._changed.notify_all()


def _told(tell: Callable[[], None]) -> None:
    try:
        tell()
    except Exception:  # a listener's fault must not silence the narrator
        _log.exception("a listener of the speaker failed")


def _check(percent: int, least: int, most: int, what: str) -> None:
    if not least <= percent <= most:
        raise ValueError(f"{what} must be {least} to {most} percent: {percent}")


SPOKEN = "spoken"
"""The line was heard to its end, or lasted its time as text where there is no sound at all."""
SKIPPED = "skipped"
"""The line was stopped, or dropped before it began."""
FAILED = "failed"
"""The line could not be rendered, wholly or in one of its languages; what was missing went by as text."""


class LineUnderWay:
    """The state of the line being spoken. The speaker's lock guards it."""

    def __init__(self, utterance: Utterance) -> None:
        self.utterance = utterance
        self.requests: tuple[Request, ...] = ()
        """What must be rendered for it; may change until it is ready."""
        self.is_ready = False
        """Whether its sound was fetched."""
        self.ending: str | None = None
        """SPOKEN, SKIPPED or FAILED once it is over."""
        self.incomplete = False
        """Whether something of it could not be rendered."""
        self.losses = 0
        """How often the device went away under it."""
        self.began = False
        """Whether its beginning was told."""
        self._output: Output | None = None
        self._run = 0

    @property
    def unnamed(self) -> tuple[Request, ...]:
        """What must be rendered for it but for the names after it."""
        return tuple(request for request in self.requests if not request.segment.is_name)

    @property
    def is_playing(self) -> bool:
        """Whether an output is at it."""
        return self._output is not None

    def begin(self, output: Output, take: ReadyLine, told: Callable[[int, bool], None]) -> None:
        """Play it; `told` gets the number of this run, for `over`, and whether it came to its end."""
        self._run += 1
        self._output = output
        run = self._run
        output.start(take, lambda complete: told(run, complete))

    def over(self, run: int, complete: bool) -> None:
        """A run came to its end, or lost its device; runs that were stopped in between are of no interest."""
        if run != self._run or self._output is None:
            return
        self._output = None
        if complete:
            self.ending = FAILED if self.incomplete else SPOKEN
        else:
            self.losses += 1

    def interrupt(self) -> None:
        """Silence, but not the end."""
        output, self._output = self._output, None
        if output:
            output.stop()

    def end(self, ending: str) -> None:
        """Silence for good, unless it is over already."""
        self.interrupt()
        self.ending = self.ending or ending


_Spoken = tuple[Segment, Clip]


def spoken_line(pieces: Sequence[_Spoken]) -> Clip:
    """The whole line, at the first piece's rate. Needs at least one piece.

    Engines leave silence of their own around what they say: before a name, and around it, little of that is kept.
    """
    rate = pieces[0][1].rate
    return Clip(b"".join(_samples(pieces, rate)), rate)


def _samples(pieces: Sequence[_Spoken], rate: int) -> Iterator[bytes]:
    followers = [*(segment for segment, _ in pieces[1:]), None]
    for place, ((segment, clip), follower) in enumerate(zip(pieces, followers, strict=True)):
        if place:
            yield silence(pause_before(segment), rate)
        if segment.is_name:
            clip = faded(trimmed(clip))
        elif follower and follower.is_name:
            clip = clip.without_end(AFTER)
        yield clip.at_rate(rate).samples
