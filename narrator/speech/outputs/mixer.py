"""Plays through pygame's mixer: one stream, open all evening, with a channel for the narrator."""

from __future__ import annotations

import contextlib
import io
import math
import os
import sys
import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from narrator.clock import Clock, Timer
from narrator.speech.clip import PLAYED_RATE, Clip
from narrator.speech.outputs.ambience import Ambience
from narrator.speech.outputs.output import (
    LEAD_IN_SECONDS,
    QUIET_SECONDS,
    ClockOutput,
    Done,
    LeadIn,
    NoSoundDeviceError,
    ReadyLine,
    Surroundings,
)
from narrator.speech.sound_files import MIXER_LOCK, hush_pygame

NARRATION = 0
"""The mixer's channel for the narrator; the sounds behind him have others."""
_BUFFER = 512
_CHECK_SECONDS = 0.01
_OVERDUE_SECONDS = 2.0
_FADE_MS = 20
_RETRY_SECONDS = 5.0
_ROLL_CALL_SECONDS = 1.0


class MixerOutput:
    """Sound comes out of the device SDL chooses; SDL_AUDIODRIVER and its companions are respected."""

    wants_clips = True

    def __init__(
        self,
        clock: Clock,
        *,
        lead_in: float = LEAD_IN_SECONDS,
        quiet: float = QUIET_SECONDS,
        devices: Callable[[], tuple[str, ...]] | None = None,
    ) -> None:
        """`lead_in` seconds of silence go before a line when nothing was heard for `quiet` seconds.

        `devices` gives the names of what could be played on now; SDL is asked if nothing else is.
        """
        self._names = devices or sdl_devices
        self._clock = clock
        self._as_text = ClockOutput(clock)
        self._lead_in = LeadIn(clock, lead_in, quiet)
        self.ambience = Ambience(clock)
        self._mixer: ModuleType | None = None
        self._devices: tuple[str, ...] = ()
        """The names of what could be played on when the stream was opened."""
        self._gain = 1.0
        self._playing: _Playing | None = None
        self._next_try = -math.inf
        self._reason = ""
        self._lock = threading.Lock()  # the clock's thread and the speaker's meet over what is playing

    def open(self) -> None:
        """Open the stream, anew where the devices have changed since it was opened.

        Raises NoSoundDeviceError; after that, no device is tried again for a few seconds.
        """
        if self._mixer and self._devices == self._names():
            return
        if self._mixer:
            self.close()
        if self._clock.now() >= self._next_try:
            self._try_device()
        if not self._mixer:
            raise NoSoundDeviceError(self._reason)

    def start(self, take: ReadyLine, done: Done) -> None:
        """Play the take's clip, or let its time pass where it has none; a device that refuses counts as lost."""
        if not take.clip:
            self._as_text.start(take, done)
            return
        if not self._mixer:
            done(False)
            return
        clip = self._lead_in.before(take.clip)
        try:
            sound = _sound(self._mixer, clip)
            sound.set_volume(self._gain)
            self._channel().play(sound)
        except _pygame_error():
            self.close()
            done(False)
            return
        self._playing = _Playing(sound, done, self._clock.now() + clip.seconds)
        self.ambience.speaking(True)
        self._check_in(clip.seconds - _CHECK_SECONDS)

    def stop(self) -> None:
        """Fade out within 20 ms, so that nothing clicks."""
        self._as_text.stop()
        self._forget(self._playing)
        if self._mixer:
            with contextlib.suppress(_pygame_error()):
                self._channel().fadeout(_FADE_MS)

    def set_volume(self, percent: int) -> None:
        """Loudness in percent of the full amplitude."""
        self._gain = percent / 100
        playing = self._playing
        if playing:
            playing.sound.set_volume(self._gain)

    def surround(self, around: Surroundings) -> None:
        """Begin lines and fill silences like this from now on."""
        self._lead_in.seconds = around.lead_in
        self.ambience.surround(around)

    def close(self) -> None:
        """Give the device back."""
        self._as_text.stop()
        self._forget(self._playing)
        self.ambience.detach()
        mixer, self._mixer = self._mixer, None
        if mixer:
            with MIXER_LOCK:
                mixer.quit()

    def _try_device(self) -> None:
        try:
            mixer = _pygame_mixer()
            with MIXER_LOCK, _stderr_muted():
                mixer.init(PLAYED_RATE, -16, 1, _BUFFER, allowedchanges=0)
        except (ImportError, _pygame_error()) as error:
            self._next_try = self._clock.now() + _RETRY_SECONDS
            self._reason = f"{str(error).rstrip('.')}; switch a loudspeaker on or choose one in the system's settings"
        else:
            self._mixer = mixer
            self._devices = self._names()
            self.ambience.attach(mixer)

    def _check_in(self, seconds: float) -> None:
        playing = self._playing
        if playing:
            seconds = min(max(seconds, _CHECK_SECONDS), _ROLL_CALL_SECONDS)
            playing.timer = self._clock.call_later(seconds, lambda: self._check(playing))

    def _check(self, playing: _Playing) -> None:
        if playing is not self._playing:
            return
        try:
            busy = self._channel().get_busy()
        except _pygame_error():
            self._finish(playing, complete=False)
            return
        if not busy:
            self._finish(playing, complete=True)
        elif self._clock.now() > playing.ends + _OVERDUE_SECONDS or not set(self._devices) <= set(self._names()):
            self._finish(playing, complete=False)
        else:
            self._check_in(playing.ends - _CHECK_SECONDS - self._clock.now())

    def _finish(self, playing: _Playing, *, complete: bool) -> None:
        if not self._forget(playing):
            return
        if not complete:
            self.close()
        playing.done(complete)

    def _forget(self, playing: _Playing | None) -> bool:
        """Let go of what is playing, and say whether it still was; it is quiet from now on."""
        with self._lock:
            if playing is None or playing is not self._playing:
                return False
            self._playing = None
        if playing.timer:
            playing.timer.cancel()
        self._lead_in.over()
        self.ambience.speaking(False)
        return True

    def _channel(self) -> Any:
        return _pygame_mixer().Channel(NARRATION)


class _Playing:
    def __init__(self, sound: Any, done: Done, ends: float) -> None:
        self.sound = sound
        self.done = done
        self.ends = ends
        self.timer: Timer | None = None


def _sound(mixer: ModuleType, clip: Clip) -> Any:
    if clip.rate == PLAYED_RATE:
        return mixer.Sound(buffer=clip.samples)
    return mixer.Sound(file=io.BytesIO(clip.wav()))


def _pygame_mixer() -> ModuleType:
    """Imported only now: it takes a tenth of a second and 13 MB, and greets on standard output unless told not to."""
    hush_pygame()
    import pygame.mixer

    return pygame.mixer


def sdl_devices() -> tuple[str, ...]:
    """What could be played on now, by name: SDL keeps this list by itself, and goes on playing into nothing without."""
    try:
        from pygame._sdl2 import audio

        return tuple(audio.get_audio_device_names(False))
    except (ImportError, _pygame_error()):
        return ()


def _pygame_error() -> type[Exception]:
    """pygame's error, or one that never happens where there is no pygame."""
    try:
        _pygame_mixer()
    except ImportError:
        return NoSoundDeviceError
    import pygame

    return pygame.error


@contextlib.contextmanager
def _stderr_muted() -> Iterator[None]:
    """Keep ALSA's many lines about a missing card off the terminal; the reason is told in one sentence instead."""
    if sys.platform != "linux":
        yield
        return
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
