"""Writes Ogg Opus files as small as they can be."""

from __future__ import annotations

import io

from narrator.speech.clip import Clip

RATES = (8_000, 12_000, 16_000, 24_000, 48_000)
"""Samples per second that Opus knows."""
THRIFT = 0.965
"""How much is saved, from 0 (256 kbit/s) to 1 (6 kbit/s): about 15 kbit/s."""

_POLYNOMIAL = 0x04C11DB7
_HEADER = 27
_TAGS = b"OpusTags" + bytes(8)
"""No maker's name and no comments: the usual ones take as much room as a third of a second of speech."""


def opus(clip: Clip, thrift: float = THRIFT) -> bytes:
    """The clip, at one of RATES, as an Ogg Opus file, as small as `thrift` says. Raises ValueError, ImportError."""
    if clip.rate not in RATES:
        known = f"{', '.join(map(str, RATES[:-1]))} or {RATES[-1]}"
        raise ValueError(f"Opus knows {known} samples a second; got {clip.rate}")
    import soundfile

    file = io.BytesIO()
    with soundfile.SoundFile(file, "w", clip.rate, 1, "OPUS", format="OGG", compression_level=thrift) as sound:
        sound.buffer_write(clip.samples, "int16")
    return lean(file.getvalue())


def lean(data: bytes) -> bytes:
    """An Ogg Opus file with nothing in its second page, the one for comments."""
    first = _page_size(data)
    second = _page_size(data[first:])
    head = bytearray(data[first : first + _HEADER])
    head[22:26] = bytes(4)
    head[26] = 1
    page = head + bytes([len(_TAGS)]) + _TAGS
    page[22:26] = checksum(bytes(page)).to_bytes(4, "little")
    return data[:first] + bytes(page) + data[first + second :]


def same_again(data: bytes) -> bytes:
    """An Ogg file without the number that its maker draws for each: the same sound gives the same bytes."""
    made, at = bytearray(), 0
    while at < len(data):
        page = bytearray(data[at : at + _page_size(data[at:])])
        page[14:18] = page[22:26] = bytes(4)
        page[22:26] = checksum(bytes(page)).to_bytes(4, "little")
        made += page
        at += len(page)
    return bytes(made)


def checksum(page: bytes) -> int:
    """The checksum of an Ogg page whose own field for it is zero."""
    crc = 0
    for byte in page:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1) ^ (_POLYNOMIAL if crc & 0x80000000 else 0)
            crc &= 0xFFFFFFFF
    return crc


def _page_size(data: bytes) -> int:
    lengths = data[26]
    return _HEADER + lengths + sum(data[_HEADER : _HEADER + lengths])
