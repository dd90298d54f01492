"""Ways to a microphone, in the order in which they are tried; looking for one does not open it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from narrator.hearing.library import FRAME, RATE, sr
from narrator.hearing.sources import MiniaudioSource, SdlSource, real_backends
from narrator.hearing.trouble import no_microphone

Source = Any
"""An `sr.AudioSource`."""
Opener = Callable[[], Source]

_ways: dict[str, Callable[[], Opener]] = {}
_NOTHING = "Discard all samples"
"""How a sound system names a device that is none."""


class NoWay(Exception):
    """This way leads to no microphone; the message says why."""


def way(name: str) -> Callable[[Callable[[], Opener]], Callable[[], Opener]]:
    """Register a way. Raises ValueError when the name is taken."""

    def register(find: Callable[[], Opener]) -> Callable[[], Opener]:
        if name in _ways:
            raise ValueError(f"a way to the microphone of this name is registered already: {name!r}")
        _ways[name] = find
        return find

    return register


def find_microphone() -> Opener:
    """What makes a source of the first microphone there is. Raises Unavailable, saying what was tried."""
    tried = []
    for name, find in _ways.items():
        try:
            return find()
        except NoWay as why:
            tried.append(f"{name}: {why}")
    raise no_microphone("; ".join(tried))


@way("miniaudio")
def _miniaudio() -> Opener:
    try:
        import miniaudio
    except ImportError:
        raise NoWay("not installed") from None
    try:
        devices = miniaudio.Devices(real_backends()).get_captures()
    except miniaudio.MiniaudioError as fault:
        raise NoWay(f"no sound system ({fault.args[0]})") from fault
    if not any(not str(device["name"]).startswith(_NOTHING) for device in devices):
        raise NoWay("no device")
    return MiniaudioSource


@way("SDL")
def _sdl() -> Opener:
    try:
        found = SdlSource.count()
    except OSError as fault:
        raise NoWay(str(fault)) from fault
    if not found:
        raise NoWay("no device")
    return SdlSource


@way("PyAudio")
def _pyaudio() -> Opener:
    try:
        if not sr.Microphone.list_microphone_names():
            raise NoWay("no device")
    except AttributeError:  # how the library says that PyAudio is missing
        raise NoWay("not installed") from None
    except OSError as fault:
        raise NoWay(str(fault)) from fault
    return lambda: sr.Microphone(sample_rate=RATE, chunk_size=FRAME)
