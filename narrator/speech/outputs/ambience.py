"""Night, dawn and day behind the narrator: played round and round on channels of their own, lowered while he speaks."""

from __future__ import annotations

import io
import logging
import sys
import threading
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from narrator.clock import Clock, Timer
from narrator.places import data_folder
from narrator.speech.clip import Clip
from narrator.speech.outputs.output import Surroundings
from narrator.speech.sound_files import decode_sounds

SCENE_SOUNDS = "sounds"
"""The folder of shipped sounds."""
NIGHT, DAWN, DAY = SCENES = ("night", "dawn", "day")
"""Each has its file; dawn is played once, the others again and again."""
OVERLAP_SECONDS = 0.5
"""How much of a loop's end is blended into its beginning."""


@cache
def scene_clip(scene: str) -> Clip:
    """The sound of a scene, with a loop's seam hidden. Raises OSError or ValueError where there is none to be had."""
    [clip] = decode_sounds([(data_folder(SCENE_SOUNDS) / f"{scene}.ogg").read_bytes()])
    return clip if scene == DAWN else seamless(clip, OVERLAP_SECONDS)


def seamless(clip: Clip, overlap: float) -> Clip:
    """The clip without its last `overlap` seconds, which are blended into its beginning."""
    values, size = clip.values(), round(overlap * clip.rate)
    head, tail, rest = values[:size], values[-size:], values[size:-size]
    pairs = enumerate(zip(head, tail, strict=True))
    blended = array("h", [new + (old - new) * (size - at) // size for at, (new, old) in pairs])
    blended.extend(rest)
    if sys.byteorder == "big":
        blended.byteswap()
    return Clip(blended.tobytes(), clip.rate)


CHANNELS = (1, 2)
"""The mixer's channels for a scene that comes and the one that goes."""
HUM = 3
"""The mixer's channel for the noise that nobody hears."""
DUCKED = 0.3
"""What is left of the loudness while the narrator speaks."""
HOLD = 0.7
"""Seconds after a line before it gets louder again: lines that follow closely do not make it pump."""
STEP = 0.04
DOWN, UP = 0.3, 0.07
"""How far towards its aim a loudness goes in a step."""
NEAR = 0.004
DAWN_BLEND = 3.0
"""Seconds before the end of dawn at which day comes in."""

_log = logging.getLogger(__name__)


@dataclass
class _PlayedScene:
    """A scene on a channel."""

    scene: str
    channel: Any
    volume: float = 0.0
    leaves: bool = False


class Ambience:
    """Thread-safe; methods return at once. Sounds are fetched on a thread of their own, when first wanted."""

    def __init__(self, clock: Clock, fetch: Callable[[str], Clip] = scene_clip) -> None:
        self._clock = clock
        self._fetch = fetch
        self._mixer: Any = None
        self._around = Surroundings()
        self._scene = ""
        """What is to be heard now: as the surroundings say, but dawn between night and day."""
        self._sounds: dict[str, Any] = {}
        self._asked: set[str] = set()
        self._voices: list[_PlayedScene] = []
        self._speaking = False
        self._quiet_since = -HOLD
        self._stepping: Timer | None = None
        self._dawn: Timer | None = None
        self._lock = threading.RLock()

    @property
    def scene(self) -> str:
        """The scene that is played, or is coming: `night dawn day`, or '' for none."""
        return self._scene if self._level() else ""

    @property
    def audible(self) -> tuple[str, ...]:
        """The scenes that are played, one that comes and one that goes included."""
        with self._lock:
            return tuple(voice.scene for voice in self._voices)

    def volume(self, scene: str) -> float:
        """How loud a scene is at this moment, 0 to 1."""
        with self._lock:
            return max((voice.volume for voice in self._voices if voice.scene == scene), default=0.0)

    def attach(self, mixer: Any) -> None:
        """A stream has been opened."""
        with self._lock:
            self._mixer = mixer
            self._hum()
            self._settle()

    def detach(self) -> None:
        """The stream is about to be closed."""
        with self._lock:
            self._cancel()
            for voice in self._voices:
                voice.channel.stop()
            self._voices, self._sounds, self._mixer = [], {}, None
            self._asked.clear()

    def surround(self, around: Surroundings) -> None:
        """Play what belongs there."""
        with self._lock:
            before, self._around = self._around, around
            if around.scene != before.scene:
                self._turn(before.scene)
            if around.awake != before.awake:
                self._hum()
            self._settle()

    def speaking(self, yes: bool) -> None:
        """Be lower while the narrator speaks."""
        with self._lock:
            self._speaking = yes
            self._quiet_since = self._clock.now()
            self._settle()

    def _turn(self, before: str) -> None:
        if self._dawn:
            self._dawn.cancel()
            self._dawn = None
        dawns = before == NIGHT and self._around.scene == DAY
        self._scene = DAWN if dawns else self._around.scene
        if dawns:
            self._dawn = self._clock.call_later(DAWN_SECONDS - DAWN_BLEND, self._dawned)

    def _dawned(self) -> None:
        with self._lock:
            if self._scene == DAWN:
                self._scene = DAY
                self._settle()

    def _level(self) -> float:
        if self._scene == DAWN:
            return max(self._around.night, self._around.day) / 100
        return self._around.level / 100

    def _settle(self) -> None:
        """Begin what is wanted and not there yet; let loudness go where it should."""
        if self._mixer is None:
            return
        if self.scene and not any(voice.scene == self.scene and not voice.leaves for voice in self._voices):
            self._begin(self.scene)
        if self._voices and self._stepping is None:
            self._stepping = self._clock.call_later(STEP, self._step)

    def _begin(self, scene: str) -> None:
        if scene not in self._sounds:
            self._ask(scene)
            return
        for voice in self._voices:
            voice.leaves = True
        for voice in self._voices[: 1 - len(CHANNELS)]:
            self._end(voice)
        taken = [voice.channel for voice in self._voices]
        channel = next(one for one in map(self._mixer.Channel, CHANNELS) if one not in taken)
        channel.set_volume(0.0)
        channel.play(self._sounds[scene], loops=0 if scene == DAWN else -1)
        channel.set_volume(0.0)
        self._voices.append(_PlayedScene(scene, channel))

    def _ask(self, scene: str) -> None:
        if scene not in self._asked:
            self._asked.add(scene)
            threading.Thread(target=self._get, args=(scene, self._mixer), name=f"ambience-{scene}", daemon=True).start()

    def _get(self, scene: str, mixer: Any) -> None:
        try:
            clip = self._fetch(scene)
        except (OSError, ValueError) as fault:
            _log.warning("the sound of %s cannot be played: %s", scene, fault)
            return
        with self._lock:
            if self._mixer is mixer and mixer is not None:
                self._sounds[scene] = mixer.Sound(file=io.BytesIO(clip.wav()))
                self._settle()

    def _step(self) -> None:
        with self._lock:
            self._stepping = None
            if self._mixer is None:
                return
            holds = not self._speaking and self._clock.now() - self._quiet_since < HOLD
            level = self._level() * (DUCKED if self._speaking or holds else 1.0)
            moving = [self._approach(voice, level) for voice in list(self._voices)]
            if holds or any(moving):
                self._stepping = self._clock.call_later(STEP, self._step)

    def _approach(self, voice: _PlayedScene, level: float) -> bool:
        """Go a step towards a loudness; whether there is more of the way to go."""
        aim = 0.0 if voice.leaves or voice.scene != self.scene else level
        way = aim - voice.volume
        voice.volume = aim if abs(way) < NEAR else voice.volume + way * (UP if way > 0 else DOWN)
        voice.channel.set_volume(voice.volume)
        if voice.volume == 0.0 and voice.scene != self.scene:
            self._end(voice)
        return voice.volume != aim

    def _end(self, voice: _PlayedScene) -> None:
        voice.channel.stop()
        self._voices.remove(voice)

    def _cancel(self) -> None:
        if self._stepping:
            self._stepping.cancel()
        self._stepping = None

    def _hum(self) -> None:
        if self._mixer is None:
            return
        channel = self._mixer.Channel(HUM)
        channel.stop()
        if self._around.awake:
            channel.play(self._mixer.Sound(buffer=hum()), loops=-1)


DAWN_SECONDS = 13.0
"""How long dawn lasts."""


def hum(frames: int = 44_100) -> bytes:
    """Noise at about -66 dBFS: nothing to an ear at some distance, a signal to a loudspeaker that would fall asleep."""
    return array("h", bounded(Random(0).gauss(0, 16) for _ in range(frames))).tobytes()


def bounded(values: Iterable[float]) -> Iterable[int]:
    """As samples of 16 bits."""
    return (max(-100, min(100, round(value))) for value in values)
