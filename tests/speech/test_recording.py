"""Recording: what is said before a phrase is cut off where it ends, and sound files are as small as they can be."""

from __future__ import annotations

import math
from array import array

import pytest

from narrator.making.kokoro import RATE, KokoroError, behind, phonemes
from narrator.making.opus import checksum, lean
from narrator.places import data_folder
from narrator.speech.clip import Clip
from narrator.speech.packs import Pack, pack_folders
from narrator.speech.sound_files import decode_sounds


def tones(*parts: tuple[float, float]) -> Clip:
    """One tone after the other, each of so many seconds at an amplitude."""
    values = [
        round(32767 * amplitude * math.sin(2 * math.pi * 300 * at / RATE))
        for seconds, amplitude in parts
        for at in range(round(seconds * RATE))
    ]
    return Clip(array("h", values).tobytes(), RATE)


@pytest.mark.parametrize("early", [0.0, 0.08, 0.12])
def test_a_phrase_is_cut_from_the_words_before_it(early: float) -> None:
    clip = tones((0.475 - early, 0.0), (0.3, 0.3), (0.06, 0.01), (0.6, 0.3), (0.4, 0.0))
    after = behind(clip, begins=0.475, last=0.775, first=0.835)
    assert 1.0 <= after.seconds <= 1.06


def test_a_phrase_is_cut_at_the_quietest_place_thereabouts() -> None:
    clip = tones((0.4, 0.0), (0.3, 0.3), (0.02, 0.1), (0.02, 0.005), (0.02, 0.1), (0.6, 0.3))
    assert behind(clip, begins=0.4, last=0.7, first=0.76).seconds == pytest.approx(0.63, abs=0.012)


def test_a_language_that_nobody_has_taught_it_is_refused_with_those_it_knows() -> None:
    with pytest.raises(KokoroError, match="zh, es, en; got fr"):
        phonemes("bonjour", "fr")


@pytest.fixture(scope="module")
def sound() -> bytes:
    """A shipped recording."""
    pack = Pack.load(next(pack_folders(data_folder("voicepacks"))))
    return pack.read(pack.recordings[0])


def page_at(data: bytes, at: int) -> bytes:
    lengths = data[at + 26]
    return data[at : at + 27 + lengths + sum(data[at + 27 : at + 27 + lengths])]


def test_the_checksum_is_that_of_the_format(sound: bytes) -> None:
    page = page_at(sound, 0)
    assert checksum(page[:22] + bytes(4) + page[26:]).to_bytes(4, "little") == page[22:26]


def test_comments_are_left_out_and_nothing_else(sound: bytes) -> None:
    first, second = page_at(sound, 0), page_at(sound, len(page_at(sound, 0)))
    wordy = bytearray(second[:26]) + bytes([3, 255, 255, 90]) + b"OpusTags" + bytes(592)
    wordy[22:26] = bytes(4)
    wordy[22:26] = checksum(bytes(wordy)).to_bytes(4, "little")
    rest = sound[len(first) + len(second) :]
    made = lean(first + bytes(wordy) + rest)
    assert made == sound
    assert decode_sounds([made])[0] == decode_sounds([first + bytes(wordy) + rest])[0]
