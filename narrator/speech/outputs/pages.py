"""Phones, tablets and screens as loudspeakers: instead of this computer's own, or beside it."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from narrator.clock import Clock, SystemClock, Timer
from narrator.speech.clip import Clip
from narrator.speech.outputs.output import (
    LEAD_IN_SECONDS,
    ClockOutput,
    Done,
    LeadIn,
    NoSoundDeviceError,
    Output,
    ReadyLine,
    Surroundings,
    Surrounds,
)

GRACE = 2.5
"""Seconds for which the next line waits for pages that are late: fetching takes a moment."""
_LOOK_AGAIN = 0.1


class PageOutput:
    """A line lasts until every page has told its end; without pages, by the clock."""

    wants_clips = True

    def __init__(self, clock: Clock, broadcast: Broadcast, lead_in: float = LEAD_IN_SECONDS) -> None:
        self._clock = clock
        self._broadcast = broadcast
        self._lead_in = LeadIn(clock, lead_in)
        self._as_text = ClockOutput(clock)
        self._playing: _OnAir | None = None
        self._lock = threading.Lock()

    def open(self) -> None:
        """Always ready: pages may come and go."""

    def start(self, take: ReadyLine, done: Done) -> None:
        """Put the line on the air."""
        if not take.clip:
            self._as_text.start(take, done)
            return
        clip = self._lead_in.before(take.clip)
        playing = _OnAir(self._broadcast.publish(clip), done, self._clock.now() + clip.seconds)
        self._playing = playing
        self._look_in(playing, clip.seconds)

    def stop(self) -> None:
        """Let every page be silent."""
        self._as_text.stop()
        if self._forget(self._playing):
            self._broadcast.hush()

    def set_volume(self, percent: int) -> None:
        """Tell the pages."""
        self._broadcast.set_volume(percent)

    def surround(self, around: Surroundings) -> None:
        """Begin lines after such a silence; pages play nothing but lines."""
        self._lead_in.seconds = around.lead_in

    def close(self) -> None:
        """Nothing to give back."""
        self.stop()

    def _look_in(self, playing: _OnAir, seconds: float) -> None:
        playing.timer = self._clock.call_later(seconds, lambda: self._look(playing))

    def _look(self, playing: _OnAir) -> None:
        if playing is not self._playing:
            return
        late = self._clock.now() >= playing.ends + GRACE
        if self._broadcast.is_owed(playing.name) and not late:
            self._look_in(playing, _LOOK_AGAIN)
        elif self._forget(playing):
            playing.done(True)

    def _forget(self, playing: _OnAir | None) -> bool:
        with self._lock:
            if playing is None or playing is not self._playing:
                return False
            self._playing = None
        if playing.timer:
            playing.timer.cancel()
        self._lead_in.over()
        return True


class _OnAir:
    def __init__(self, name: str, done: Done, ends: float) -> None:
        self.name = name
        self.done = done
        self.ends = ends
        self.timer: Timer | None = None


class Beside:
    """Plays on a device and lets pages play the same; on the pages alone while there is no device."""

    def __init__(self, device: Output, broadcast: Broadcast, clock: Clock) -> None:
        self._device = device
        self._broadcast = broadcast
        self._pages = PageOutput(clock, broadcast)
        self._alone = False
        """Whether only pages can be heard."""
        self.wants_clips = device.wants_clips

    def open(self) -> None:
        """Open the device. Raises NoSoundDeviceError when there is none, nor a page."""
        try:
            self._device.open()
            self._alone = False
        except NoSoundDeviceError:
            self._alone = self._broadcast.has_pages
            if not self._alone:
                raise

    def start(self, take: ReadyLine, done: Done) -> None:
        """Begin everywhere; it is over when the device says so."""
        if self._alone:
            self._pages.start(take, done)
            return
        if take.clip and self._broadcast.has_pages:
            self._broadcast.publish(take.clip)
        self._device.start(take, done)

    def stop(self) -> None:
        """Silence everywhere."""
        self._pages.stop()
        self._broadcast.hush()
        self._device.stop()

    def set_volume(self, percent: int) -> None:
        """The same everywhere."""
        self._device.set_volume(percent)
        self._pages.set_volume(percent)

    def surround(self, around: Surroundings) -> None:
        """Tell both."""
        self._pages.surround(around)
        if isinstance(self._device, Surrounds):
            self._device.surround(around)

    def close(self) -> None:
        """Give the device back."""
        self.stop()
        self._device.close()


AFTERWARDS = 5.0
"""Seconds after its length for which a line can still be fetched."""


@dataclass
class _Airing:
    """A line on the air."""

    name: str
    wav: bytes
    seconds: float
    since: float
    owed: set[str] = field(default_factory=set)
    """The pages that have not told its end."""


class Broadcast:
    """One for all pages and outputs of a table. Thread-safe; holds one line at a time, from its beginning on."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._line: _Airing | None = None
        self._hushed: _Airing | None = None
        self._hushed_at = 0.0
        self._pages: dict[object, str] = {}
        self._volume = 100
        self._bells: dict[object, Callable[[], None]] = {}
        self._lock = threading.Lock()

    # For outputs

    def publish(self, clip: Clip) -> str:
        """Let every page play this, in place of what it plays; the line's name."""
        line = _Airing(secrets.token_urlsafe(16), clip.wav(), clip.seconds, self._clock.now())
        with self._lock:
            line.owed = set(self._pages.values())
            self._line = line
            self._change()
        return line.name

    def hush(self) -> None:
        """Let every page be silent."""
        with self._lock:
            if self._line:
                self._hushed, self._hushed_at = self._line, self._clock.now()
                self._line = None
                self._change()

    def set_volume(self, percent: int) -> None:
        """0 to 100, also for the line under way."""
        with self._lock:
            self._volume = percent
            self._change()

    @property
    def has_pages(self) -> bool:
        """Whether anybody would play a line."""
        return bool(self._pages)

    def is_owed(self, name: str) -> bool:
        """Whether a page that began this line, and is still there, has not told its end."""
        with self._lock:
            return self._line is not None and self._line.name == name and bool(self._line.owed)

    # For pages

    def join(self, page: str) -> Callable[[], None]:
        """A page plays from now on, until what is returned is called; it may have joined twice, and plays once."""
        key = object()
        with self._lock:
            self._pages[key] = page
        return lambda: self._part(key)

    def leave(self, page: str) -> None:
        """A page is gone: nobody waits for it."""
        with self._lock:
            keys = [key for key, name in self._pages.items() if name == page]
        for key in keys:
            self._part(key)

    def ended(self, page: str, name: str) -> None:
        """A page has come to the end of a line; before the line can be over, that is not believed."""
        with self._lock:
            line = self._line
            if line and line.name == name and self._clock.now() >= line.since + 0.9 * line.seconds:
                line.owed.discard(page)

    def now(self) -> dict[str, object]:
        """What a page must know: the `name` of the line or '', how long ago it began, and how loud it is to be."""
        with self._lock:
            line = self._current()
            since = round(self._clock.now() - line.since, 2) if line else 0.0
            return {"name": line.name if line else "", "elapsed": since, "volume": self._volume / 100}

    def wav(self, name: str) -> bytes | None:
        """The sound of that name while it is being spoken, and a moment longer for pages that are still fetching it."""
        with self._lock:
            lines = filter(None, (self._current(), self._fading()))
            return next((one.wav for one in lines if secrets.compare_digest(one.name.encode(), name.encode())), None)

    def listen(self, bell: Callable[[], None]) -> Callable[[], None]:
        """Call `bell`, which must not wait, whenever pages must look again, until what is returned is called."""
        with self._lock:
            key = object()
            self._bells[key] = bell
        return lambda: self._silence(key)

    def _current(self) -> _Airing | None:
        line = self._line
        return line if line and self._clock.now() <= line.since + line.seconds + AFTERWARDS else None

    def _fading(self) -> _Airing | None:
        return self._hushed if self._clock.now() <= self._hushed_at + AFTERWARDS else None

    def _part(self, key: object) -> None:
        with self._lock:
            page = self._pages.pop(key, None)
            if self._line and page not in self._pages.values():
                self._line.owed.discard(page or "")

    def _silence(self, key: object) -> None:
        with self._lock:
            self._bells.pop(key, None)

    def _change(self) -> None:
        for bell in self._bells.values():
            bell()
