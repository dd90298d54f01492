"""How the shipped voice packs sound: as loud as each other, at a natural pace, without clicks or silence."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pygame
import pytest

from narrator.making.voicepacks import shipped_rulesets
from narrator.narration.lines import Line, line_phrases, render_line
from narrator.narration.repertoire import repertoire
from narrator.narration.scripts import Script
from narrator.places import data_folder
from narrator.speech.clip import Clip
from narrator.speech.levelling import LEVEL, peak, speech_level
from narrator.speech.packs import Pack, PackVoice, pack_folders
from narrator.speech.sound_files import decode_sounds
from narrator.speech.text.pacing import syllables
from narrator.speech.utterance import Segment
from tests.amounts import lanes

pytestmark = pytest.mark.sound

FOLDERS = list(pack_folders(data_folder("voicepacks")))
TAGS = {"zh": ("zh-Hans", "zh-Hant"), "es": ("es",), "en": ("en",)}
PACES = {"zh": (0.16, 0.40), "es": (0.10, 0.34), "en": (0.12, 0.45)}
"""Seconds a syllable, of phrases of four syllables or more, by language."""
HEARD = 20
LINES = 20
CLICK = 600
"""No step between two samples at a joint is larger, in a scale of 32768: there is silence on both sides."""


def pack_name(folder: Path) -> str:
    return f"{folder.parent.name}-{folder.name}"


each_pack = pytest.mark.parametrize("folder", FOLDERS, ids=pack_name)


@pytest.fixture(scope="module", autouse=True)
def mixer() -> Iterator[None]:
    """An open mixer without a device: opening one for each line takes longer than decoding it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDL_AUDIODRIVER", "dummy")
        pygame.mixer.init(22_050, -16, 1, allowedchanges=0)
        yield
        pygame.mixer.quit()


@cache
def loaded(folder: Path) -> Pack:
    return Pack.load(folder)


@cache
def all_lines() -> tuple[Line, ...]:
    return tuple(line for ruleset in shipped_rulesets() if ruleset.id == "killers-2" for line in repertoire(ruleset))


def heard(folder: Path) -> list[tuple[float, Clip]]:
    """Some recordings, decoded, each with the level that the manifest tells."""
    some = random.Random(1).sample(loaded(folder).recordings, HEARD)
    clips = decode_sounds([loaded(folder).read(clip) for clip in some])
    return list(zip((clip.level for clip in some), clips, strict=True))


@cache
def spoken(folder: Path, tag: str) -> list[tuple[str, Clip, list[int]]]:
    """Some lines put together, each with where in it, in samples, its joints are."""
    ruleset = next(ruleset for ruleset in shipped_rulesets() if ruleset.id == "killers-2")
    script, voice = Script.load(tag), PackVoice([loaded(folder)])
    lines = random.Random(2).sample(all_lines(), LINES)
    said = [
        Segment(render_line(line, script, ruleset), tag, phrases=line_phrases(line, script, ruleset)) for line in lines
    ]
    return [(segment.text, _clip(voice, segment), _joints(voice, segment)) for segment in said]


def _clip(voice: PackVoice, segment: Segment) -> Clip:
    clip = voice.clip(segment)
    assert clip, f"not in the pack: {segment.text}"
    return clip


def _joints(voice: PackVoice, segment: Segment) -> list[int]:
    found = voice.find(segment)
    assert found
    clips = decode_sounds([pack.read(recording) for pack, recording, _ in found])
    at, joints = 0, [0]
    for clip, (_, _, pause) in zip(clips, found, strict=True):
        at += clip.frames
        joints.append(at)
        at += round(pause * clip.rate)
        joints.append(at)
    return joints[:-1]


@each_pack
def test_all_recordings_are_as_loud_as_each_other(folder: Path) -> None:
    far_off = [clip for clip in loaded(folder).recordings if abs(clip.level - LEVEL) > 1.5]
    assert far_off == []


@each_pack
def test_no_recording_is_clipped(folder: Path) -> None:
    assert [clip for clip in loaded(folder).recordings if clip.peak > -0.3] == []


@each_pack
def test_the_manifest_tells_how_loud_they_really_are(folder: Path) -> None:
    for level, clip in heard(folder):
        assert speech_level(clip) == pytest.approx(level, abs=0.2)
        assert not clip.is_silent()
        assert peak(clip) < 0


@each_pack
def test_speech_has_a_natural_pace(folder: Path) -> None:
    language = folder.parent.name
    slowest, fastest = PACES[language][::-1]
    counted = [(syllables(clip.text, language), clip) for clip in loaded(folder).recordings]
    strange = [clip.text for count, clip in counted if count > 3 and not fastest <= clip.seconds / count <= slowest]
    assert strange == []


@each_pack
def test_no_recording_is_longer_or_shorter_than_its_text(folder: Path) -> None:
    language = folder.parent.name
    for clip in loaded(folder).recordings:
        assert 0.25 < clip.seconds < 1.2 + 0.45 * syllables(clip.text, language), clip.text


@pytest.mark.parametrize("folder", lanes(FOLDERS, FOLDERS[:1]), ids=pack_name)
def test_joints_cannot_be_heard(folder: Path) -> None:
    for tag in TAGS[folder.parent.name]:
        for text, clip, joints in spoken(folder, tag):
            values = clip.values()
            for joint in joints:
                around = values[max(0, joint - 5) : joint + 5]
                assert max((abs(one - other) for one, other in pairwise([0, *around, 0])), default=0) < CLICK, text


@each_pack
def test_whole_lines_are_as_loud_as_each_other(folder: Path) -> None:
    for text, clip, _ in spoken(folder, TAGS[folder.parent.name][0]):
        assert abs(speech_level(clip) - LEVEL) <= 1.5, text
