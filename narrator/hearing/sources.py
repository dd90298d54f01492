"""Microphones as audio sources of SpeechRecognition: a device pushes sound, whoever reads waits for it."""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Callable, Generator
from typing import Any

from narrator.hearing.library import FRAME, RATE, WIDTH, sr

QUEUED = 500
"""Blocks of sound that may wait (about 10 s); what comes after that is lost."""
PATIENCE = 3.0
"""Seconds after which a device that delivers nothing has stopped."""
BLOCK_MILLISECONDS = 20


class PushedSource(sr.AudioSource):  # type: ignore[misc]
    """A source into whose queue a device puts signed 16-bit mono sound; `read` gives nothing once it has ended."""

    SAMPLE_RATE, SAMPLE_WIDTH, CHUNK = RATE, WIDTH, FRAME

    def __init__(self) -> None:
        self.stream: Any = None
        self._queue: queue.Queue[bytes] = queue.Queue(QUEUED)
        self._left = b""

    def __enter__(self) -> PushedSource:
        self.stream = self
        try:
            self.begin()
        except BaseException:
            self.stream = None
            raise
        return self

    def __exit__(self, *fault: object) -> None:
        self.stream = None
        self.end()

    def begin(self) -> None:
        """Open the device and let it push."""
        raise NotImplementedError

    def end(self) -> None:
        """Close the device."""
        raise NotImplementedError

    def push(self, data: bytes) -> None:
        """Take sound from the device; never waits."""
        with contextlib.suppress(queue.Full):
            self._queue.put_nowait(data)

    def read(self, size: int) -> bytes:
        """`size` samples, or b'' if the device has stopped."""
        wanted = size * WIDTH
        while len(self._left) < wanted:
            try:
                self._left += self._queue.get(timeout=PATIENCE)
            except queue.Empty:
                return b""
        data, self._left = self._left[:wanted], self._left[wanted:]
        return data


class MiniaudioSource(PushedSource):
    """The system's microphone through miniaudio."""

    def __init__(self) -> None:
        super().__init__()
        self._device: Any = None

    def begin(self) -> None:
        import miniaudio

        self._device = miniaudio.CaptureDevice(
            input_format=miniaudio.SampleFormat.SIGNED16,
            nchannels=1,
            sample_rate=RATE,
            buffersize_msec=BLOCK_MILLISECONDS,
            backends=real_backends(),
        )
        taking = pushing(self.push)
        next(taking)
        self._device.start(taking)

    def end(self) -> None:
        if self._device is not None:
            self._device.close()


class SdlSource(PushedSource):
    """The system's microphone through SDL, which comes with the player of sound."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._device: Any = None

    def begin(self) -> None:
        from pygame._sdl2 import audio

        self._device = audio.AudioDevice(
            devicename=self._name,
            iscapture=True,
            frequency=RATE,
            audioformat=audio.AUDIO_S16,
            numchannels=1,
            chunksize=FRAME,
            allowed_changes=0,
            callback=lambda device, memory: self.push(bytes(memory)),
        )
        self._device.pause(0)

    def end(self) -> None:
        if self._device is not None:
            self._device.close()


def pushing(push: Callable[[bytes], None]) -> Generator[None, bytes, None]:
    """What miniaudio sends its sound to."""
    while True:
        push(bytes((yield)))


def real_backends() -> list[Any]:
    """All of miniaudio's ways to a device but the one to none."""
    import miniaudio

    return [backend for backend in miniaudio.Backend if backend.name not in ("NULL", "CUSTOM")]
