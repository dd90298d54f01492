"""Phones, tablets and screens as loudspeakers: instead of this computer's own, or beside it."""

from __future__ import annotations

import threading

from narrator.clock import Clock, Timer
from narrator.speech.broadcast import Broadcast
from narrator.speech.lead_in import LeadIn
from narrator.speech.output import ClockOutput, Done, NoSoundDeviceError, Output, Take
from narrator.speech.surroundings import LEAD_IN_SECONDS, Surroundings, Surrounds

GRACE = 2.5
"""Seconds for which the next line waits for pages that are late: fetching takes a moment."""
LOOK = 0.1


class PageOutput:
    """A line lasts until every page has told its end; without pages, by the clock."""

    wants_clips = True

    def __init__(self, clock: Clock, broadcast: Broadcast, lead_in: float = LEAD_IN_SECONDS) -> None:
        self._clock = clock
        self._broadcast = broadcast
        self._lead_in = LeadIn(clock, lead_in)
        self._as_text = ClockOutput(clock)
        self._playing: _Playing | None = None
        self._lock = threading.Lock()

    def open(self) -> None:
        """Always ready: pages may come and go."""

    def start(self, take: Take, done: Done) -> None:
        """Put the line on the air."""
        if not take.clip:
            self._as_text.start(take, done)
            return
        clip = self._lead_in.before(take.clip)
        playing = _Playing(self._broadcast.publish(clip), done, self._clock.now() + clip.seconds)
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

    def _look_in(self, playing: _Playing, seconds: float) -> None:
        playing.timer = self._clock.call_later(seconds, lambda: self._look(playing))

    def _look(self, playing: _Playing) -> None:
        if playing is not self._playing:
            return
        late = self._clock.now() >= playing.ends + GRACE
        if self._broadcast.is_owed(playing.name) and not late:
            self._look_in(playing, LOOK)
        elif self._forget(playing):
            playing.done(True)

    def _forget(self, playing: _Playing | None) -> bool:
        with self._lock:
            if playing is None or playing is not self._playing:
                return False
            self._playing = None
        if playing.timer:
            playing.timer.cancel()
        self._lead_in.over()
        return True


class _Playing:
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

    def start(self, take: Take, done: Done) -> None:
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
