"""The shipped voice packs have every phrase of the scripts and rulesets as they are now.

Where this fails, texts have changed: `narrator voices build LANGUAGE --voice VOICE --only-missing --folder voicepacks`
records what is missing and leaves out what is not said any more.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from narrator.language_tags import base
from narrator.making.voicepacks import Wanted, phrasebook, shipped_rulesets
from narrator.narration.scripts import languages
from narrator.places import data_folder
from narrator.speech.packs import MANIFEST, SOUNDS, Pack, hashed, pack_folders

FOLDERS = list(pack_folders(data_folder("voicepacks")))
MOST_BYTES = 34_000_000

each_pack = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}-{folder.name}")


@cache
def wanted(language: str) -> tuple[Wanted, ...]:
    return tuple(phrasebook(language, shipped_rulesets()))


@each_pack
def test_every_phrase_has_its_recording(folder: Path) -> None:
    known = {clip.text for clip in Pack.load(folder).recordings}
    missing = [f"{phrase.key}: {phrase.text}" for phrase in wanted(folder.parent.name) if phrase.text not in known]
    assert missing == []


@each_pack
def test_no_recording_is_of_a_phrase_that_is_not_said(folder: Path) -> None:
    said = {phrase.text for phrase in wanted(folder.parent.name)}
    stale = [f"{clip.key}: {clip.text}" for clip in Pack.load(folder).recordings if clip.text not in said]
    assert stale == []


@each_pack
def test_every_writing_of_a_phrase_finds_its_recording(folder: Path) -> None:
    index = Pack.load(folder).by_text
    other = [text for phrase in wanted(folder.parent.name) for text in phrase.also if index[text].text != phrase.text]
    assert other == []


@each_pack
def test_nobody_has_changed_a_text_without_recording_it(folder: Path) -> None:
    changed = [clip.text for clip in Pack.load(folder).recordings if clip.sha256 != hashed(clip.text)]
    assert changed == []


@each_pack
def test_the_sounds_are_those_of_the_manifest(folder: Path) -> None:
    pack = Pack.load(folder)
    ends = [0, *(clip.at + clip.size for clip in pack.recordings)]
    assert [clip.at for clip in pack.recordings] == ends[:-1]
    assert (folder / SOUNDS).stat().st_size == ends[-1]
    assert all(pack.read(clip)[:4] == b"OggS" for clip in pack.recordings)


def test_every_language_of_the_scripts_has_a_pack() -> None:
    assert {folder.parent.name for folder in FOLDERS} == {base(tag) for tag in languages()}


def test_each_pack_says_whose_voice_it_is() -> None:
    for folder in FOLDERS:
        head = json.loads((folder / MANIFEST).read_text("utf-8"))["head"]
        assert [head["language"], head["voice"]] == [folder.parent.name, folder.name]
        assert head["engine"]
        assert head["licence"]


def test_all_packs_together_are_small_enough() -> None:
    files = [path for folder in FOLDERS for path in folder.iterdir()]
    assert {path.name for path in files} == {MANIFEST, SOUNDS}
    assert sum(path.stat().st_size for path in files) <= MOST_BYTES
