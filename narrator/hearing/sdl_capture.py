"""The microphone through SDL, in a process of its own: what it hears goes to standard output.

SDL waits for its own thread as it closes a device, and pygame lets no other thread run Python meanwhile; a callback
that is due just then never returns. So nothing is ever closed here: the process ends when its standard input does.

`count` says how many microphones there are; `hear RATE FRAME` opens the system's own choice, or else the first that
opens, says OPEN and then gives signed 16-bit mono sound. Instead of either comes a line that says what went wrong,
with exit code 1.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

OPEN = b"!"
"""Says that the sound begins."""


def main(arguments: Sequence[str]) -> int:
    """The exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process tells it when to end
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = os.environ["SDL_NO_SIGNAL_HANDLERS"] = "1"
    try:
        _do(*arguments)
    except Exception as fault:
        _write((str(fault) or type(fault).__name__).encode())
        return 1
    return 0


def _do(what: str, *figures: str) -> None:
    from pygame._sdl2 import audio
    from pygame._sdl2.sdl2 import INIT_AUDIO, init_subsystem

    init_subsystem(INIT_AUDIO)
    names = audio.get_audio_device_names(True)
    if what == "count":
        _write(str(len(names)).encode())
        return
    if not names:
        raise OSError("no device")
    device = open_first(audio, [None, *names], *map(int, figures))
    _write(OPEN)
    device.pause(0)
    sys.stdin.buffer.read()
    os._exit(0)


def open_first(audio: Any, names: Sequence[str | None], rate: int, frame: int) -> Any:
    """The first device that opens (None is the system's choice), still silent. Raises what the first of them says."""
    faults = []
    for name in names:
        try:
            return audio.AudioDevice(
                devicename=name,
                iscapture=True,
                frequency=rate,
                audioformat=audio.AUDIO_S16,
                numchannels=1,
                chunksize=frame,
                allowed_changes=0,
                callback=lambda _device, memory: _write(bytes(memory)),
            )
        except audio.error as fault:
            faults.append(fault)
    raise faults[0]


def _write(data: bytes) -> None:
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:  # nobody listens any more
        os._exit(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
