"""A recogniser tells the lines of the shipped voice packs apart. Heavy, so run only by its name:

    pip install faster-whisper pypinyin
    NARRATOR_WHISPER=FOLDER pytest tests/speech/recognise_packs.py

where FOLDER holds a converted Whisper model (`model.bin` with its tables).
"""

from __future__ import annotations

import os
import random
import re
from array import array
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from narrator.language_tags import is_han
from narrator.making.voicepacks import shipped_rulesets
from narrator.narration.lines import Line, line_phrases, render_line
from narrator.narration.repertoire import repertoire
from narrator.narration.scripts import Script
from narrator.places import data_folder
from narrator.speech.clip import Clip, silence
from narrator.speech.packs import Pack, PackVoice, pack_folders
from narrator.speech.text.numerals import spelled
from narrator.speech.utterance import Segment

pytestmark = pytest.mark.sound

FOLDERS = list(pack_folders(data_folder("voicepacks")))
TAGS = {"zh": "zh-Hans", "es": "es", "en": "en"}
CHOICES = 40
WITH_NUMBERS = 20
RIGHT = 0.95
HEARING_RATE = 16_000
SMALL = {
    "es": "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis",
    "en": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen",
}


@cache
def recogniser() -> Any:
    from faster_whisper import WhisperModel

    return WhisperModel(os.environ["NARRATOR_WHISPER"], device="cpu", compute_type="int8", cpu_threads=2)


def lines(language: str) -> dict[str, Segment]:
    """Forty lines of a usual game, half of them with seats in them."""
    ruleset = next(ruleset for ruleset in shipped_rulesets() if ruleset.id == "killers-2")
    chance = random.Random(7)
    script = Script.load(language)
    one_a_key = {line.key: line for line in repertoire(ruleset)}.values()
    found = {render_line(line, script, ruleset): line for line in (*one_a_key, *numbered(chance, ruleset.seats[1]))}
    usual = {render_line(line, script, ruleset) for line in one_a_key}
    plain = sorted(text for text in usual if not re.search(r"\d", text))
    told = sorted(found.keys() - usual)
    chosen = chance.sample(plain, CHOICES - WITH_NUMBERS) + chance.sample(told, WITH_NUMBERS)
    return {text: Segment(text, language, phrases=line_phrases(found[text], script, ruleset)) for text in chosen}


def numbered(chance: random.Random, seats: int) -> list[Line]:
    made = []
    for _ in range(WITH_NUMBERS):
        some = sorted(chance.sample(range(1, seats + 1), chance.choice((1, 2, 3, 4))))
        places = {"places": some, "cards": False, "count": len(some)}
        made += [Line("deaths.night", places), Line("speech.next", {"seat": some[0]})]
        made += [Line("tie.nobody", places)] if len(some) > 1 else [Line("vote.candidate", {"place": some[0]})]
        made += [Line("vote.result", {"tally": {place: chance.randint(1, 9) for place in some}, "cards": False})]
    return made


def transcript(clip: Clip, language: str) -> str:
    """What the recogniser makes of it, without having been told what may be said."""
    import numpy

    sound = Clip(silence(0.3, clip.rate) + clip.samples + silence(0.5, clip.rate), clip.rate).at_rate(HEARING_RATE)
    samples = numpy.asarray(array("h", sound.samples), dtype=numpy.float32) / 32768
    found, _ = recogniser().transcribe(
        samples, language=language[:2], beam_size=5, temperature=0.0, condition_on_previous_text=False
    )
    return "".join(segment.text for segment in found)


def sounds(text: str, language: str) -> list[str]:
    """The text as it sounds: syllables without tones, or letters with small numbers as words."""
    if is_han(language):
        from pypinyin import lazy_pinyin

        return [syllable for syllable in lazy_pinyin(spelled(text)) if syllable.isalpha()]
    names = dict(enumerate(SMALL[language].split(), 1))
    worded = re.sub(r"\d+", lambda found: names.get(int(found[0]), found[0]), text.lower())
    return [sign for sign in worded if sign.isalnum()]


def chosen(heard: str, texts: list[str], language: str) -> str:
    """The line that is most like what was heard."""
    made = sounds(heard, language)
    return max(texts, key=lambda text: SequenceMatcher(None, made, sounds(text, language), autojunk=False).ratio())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_the_right_one_is_chosen_among_forty_lines(folder: Path) -> None:
    language = TAGS[folder.parent.name]
    said, voice = lines(language), PackVoice([Pack.load(folder)])
    texts = list(said)
    clips = {text: voice.clip(segment) for text, segment in said.items()}
    heard = {text: transcript(clip, language) for text, clip in clips.items() if clip}
    wrong = {text: made for text, made in heard.items() if chosen(made, texts, language) != text}
    assert len(heard) == CHOICES
    assert 1 - len(wrong) / CHOICES >= RIGHT, wrong
