"""Microphones as audio sources of SpeechRecognition, and the ways to one, in the order in which they are tried."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
from collections.abc import Callable, Generator
from typing import IO, Any

from narrator import child
from narrator.hearing.library import FRAME, RATE, WIDTH, sr
from narrator.hearing.sdl_capture import OPEN
from narrator.hearing.words import no_microphone

QUEUED = 500
"""Blocks of sound that may wait (about 10 s); what comes after that is lost."""
PATIENCE = 3.0
"""Seconds after which a device that delivers nothing has stopped."""
BLOCK_MILLISECONDS = 20
OPENING = 10.0
"""Seconds that the sound system may take to find or to open a device."""
CAPTURE = "narrator.hearing.sdl_capture"


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

    def stop(self) -> None:
        """Let whoever waits know at once that the device delivers no more."""
        self.push(b"")

    def read(self, size: int) -> bytes:
        """`size` samples, or b'' if the device has stopped."""
        wanted = size * WIDTH
        while len(self._left) < wanted:
            try:
                data = self._queue.get(timeout=PATIENCE)
            except queue.Empty:
                return b""
            if not data:
                return b""
            self._left += data
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
    """The system's microphone through SDL, which comes with the player of sound, in a process of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.process: subprocess.Popen[bytes] | None = None
        self._opened: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    @staticmethod
    def count() -> int:
        """How many microphones there are. Raises OSError when that cannot be known."""
        process = child.start(child.module(CAPTURE, "count"))
        try:
            said = process.communicate(timeout=OPENING)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise OSError("the sound system does not answer") from None
        if not said.isdecimal():
            raise OSError(said or "the sound system has crashed")
        return int(said)

    def begin(self) -> None:
        self.process = child.start(child.module(CAPTURE, "hear", str(RATE), str(FRAME)), bufsize=0)
        threading.Thread(target=self._pump, args=(self.process.stdout,), name="microphone", daemon=True).start()
        try:
            said = self._opened.get(timeout=OPENING).decode(errors="replace")
        except queue.Empty:
            said = "the sound system does not answer"
        if said:
            self.end()
            raise OSError(said)

    def end(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.wait()
            assert process.stdin is not None
            process.stdin.close()

    def _pump(self, pipe: IO[bytes]) -> None:
        with pipe:
            if (first := pipe.read(len(OPEN))) == OPEN:
                self._opened.put(b"")
                while data := pipe.read(WIDTH * FRAME):
                    self.push(data)
            else:
                self._opened.put(first + (pipe.read() or b"") or b"the sound system has crashed")
        self.stop()


def pushing(push: Callable[[bytes], None]) -> Generator[None, bytes, None]:
    """What miniaudio sends its sound to."""
    while True:
        push(bytes((yield)))


def real_backends() -> list[Any]:
    """All of miniaudio's ways to a device but the one to none."""
    import miniaudio

    return [backend for backend in miniaudio.Backend if backend.name not in ("NULL", "CUSTOM")]


Source = Any
"""An `sr.AudioSource`."""
Opener = Callable[[], Source]

WAYS: dict[str, Callable[[], Opener]] = {}
_NOTHING = "Discard all samples"
"""How a sound system names a device that is none."""


class NoWay(Exception):
    """This way leads to no microphone; the message says why."""


def way(name: str) -> Callable[[Callable[[], Opener]], Callable[[], Opener]]:
    """Register a way. Raises ValueError when the name is taken."""

    def register(find: Callable[[], Opener]) -> Callable[[], Opener]:
        if name in WAYS:
            raise ValueError(f"a way to the microphone of this name is registered already: {name!r}")
        WAYS[name] = find
        return find

    return register


def find_microphone() -> Opener:
    """What makes a source of the first microphone there is. Raises Unavailable, saying what was tried."""
    tried = []
    for name, find in WAYS.items():
        try:
            return find()
        except NoWay as why:
            tried.append(f"{name}: {why}")
    raise no_microphone("; ".join(tried))


@way("miniaudio")
def miniaudio_way() -> Opener:
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
def sdl_way() -> Opener:
    try:
        found = SdlSource.count()
    except OSError as fault:
        raise NoWay(str(fault)) from fault
    if not found:
        raise NoWay("no device")
    return SdlSource


@way("PyAudio")
def pyaudio_way() -> Opener:
    try:
        if not sr.Microphone.list_microphone_names():
            raise NoWay("no device")
    except AttributeError:  # how the library says that PyAudio is missing
        raise NoWay("not installed") from None
    except OSError as fault:
        raise NoWay(str(fault)) from fault
    return lambda: sr.Microphone(sample_rate=RATE, chunk_size=FRAME)
