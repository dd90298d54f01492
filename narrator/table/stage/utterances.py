"""The voice: lines of the script become utterances in the languages spoken now, and go to the speaker."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from narrator.clock import Clock
from narrator.model.ruleset import Ruleset
from narrator.narration.lines import Line, line_phrases, names_after, render_line
from narrator.narration.repertoire import likely, recording_name
from narrator.narration.scripts import Names, Script
from narrator.speech.outputs.output import LEAD_IN_SECONDS, Surroundings
from narrator.speech.text.cleaning import speakable
from narrator.speech.text.pacing import estimate
from narrator.speech.troubles import LINE_FAILED, Trouble
from narrator.speech.utterance import Segment, Utterance
from narrator.storage.settings import Settings

SLACK = 15.0
"""Seconds that a line may take beyond three times its estimated length before the game goes on without it."""
KEPT_TROUBLES = 8

_numbers = itertools.count(1)


class AnySpeaker(Protocol):
    """What the table needs of `narrator.speech.speaker.Speaker`."""

    def say(self, utterance: Utterance) -> None: ...

    def skip(self) -> None: ...

    def clear(self) -> None: ...

    def set_volume(self, percent: int) -> None: ...

    def set_rate(self, percent: int) -> None: ...

    def set_voice(self, language: str, voice_id: str | None) -> None: ...

    def surround(self, around: Surroundings) -> None: ...

    def prepare(self, utterances: Iterable[Utterance]) -> None: ...

    def expect(self, utterances: Iterable[Utterance]) -> None: ...

    @property
    def progress(self) -> tuple[int, int]: ...

    def close(self) -> None: ...


class SpeakerFactory(Protocol):
    """Opens a speaker by name, as `narrator.speech.backends.open_speaker` does; ValueError for an unknown name."""

    def __call__(
        self,
        name: str,
        clock: Clock,
        *,
        on_started: Callable[[Utterance], None],
        on_finished: Callable[[Utterance, str], None],
        on_trouble: Callable[[Trouble], None],
    ) -> AnySpeaker: ...


class NarratorVoice:
    """One speaker and the scripts it speaks from."""

    def __init__(self, speaker: AnySpeaker, name: str, languages: Sequence[str], ruleset: Ruleset) -> None:
        self._speaker = speaker
        self.name = name
        """The backend's name."""
        self._scripts = [Script.load(language) for language in languages]
        self._chosen: tuple[tuple[str, str], ...] = ()
        self._expected: object = None
        self.rate = 100
        """Percent of the natural speed."""
        self._troubles: list[Trouble] = []
        self.ruleset = ruleset
        """Whose names of roles and lines are spoken."""
        self.names: Names = {}
        """Seat -> the player's name, where names are spoken; "" where a seat has none."""

    def use(self, languages: Sequence[str], *, speed: int, volume: int, voices: Mapping[str, str]) -> None:
        """From the next line on: these languages one after the other, at this speed in percent, with these voices."""
        self._scripts = [Script.load(language) for language in languages]
        self.rate = speed
        self._chosen = tuple(voices.items())
        self._speaker.set_rate(speed)
        self._speaker.set_volume(volume)
        for language in languages:
            self._speaker.set_voice(language, voices.get(language))

    def surround(self, around: Surroundings) -> None:
        """From now on: what is heard besides the lines, and how they begin."""
        self._speaker.surround(around)

    def utter(self, line: Line) -> Utterance:
        """The line in words, under a number of its own."""
        return self._utterance(next(_numbers), line, self._text)

    def say(self, utterance: Utterance) -> float:
        """Hand it to the speaker; returns the seconds after which it should long be over."""
        self._speaker.say(utterance)
        return 3 * estimate(utterance, self.rate) + SLACK

    def hush(self) -> None:
        """Be silent at once."""
        self._speaker.clear()
        self._speaker.skip()

    def prepare(self, lines: Iterable[Line]) -> None:
        """These may be said soon; put into words only if the speaker prepares anything."""
        self._speaker.prepare(self.utter(line) for line in lines)

    def expect(self, seats: int) -> None:
        """Have everything ready that is likely to be said of the ruleset at such a table."""
        spoken = (self.rate, self._chosen, tuple(self._scripts), tuple(self.names.items()))
        expected = (self.ruleset.id, id(self.ruleset), seats, *spoken)
        if expected != self._expected:
            self._expected = expected
            self._speaker.expect(self._quiet(line) for line in likely(self.ruleset, seats))

    @property
    def progress(self) -> tuple[int, int]:
        """How much of it is ready, and how much there is."""
        return self._speaker.progress

    def note(self, trouble: Trouble) -> None:
        """Keep a trouble for the judge; the same one again takes the place of the earlier."""
        self._troubles = [old for old in self._troubles if old.kind != trouble.kind] + [trouble]
        del self._troubles[:-KEPT_TROUBLES]

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """What the judge is told of, the latest last."""
        return tuple(self._troubles)

    def close(self) -> None:
        """Give the speaker back."""
        self._speaker.close()

    def _quiet(self, line: Line) -> Utterance:
        """The line in words, where there are any; what is missing is told when it is missed."""
        return self._utterance(0, line, lambda line, script: words_of(line, script, self.ruleset)[0])

    def _utterance(self, number: int, line: Line, words: Callable[[Line, Script], str]) -> Utterance:
        """The line in each language that has words for it; after the first one, the names of those it is about."""
        worded = [
            (Segment(text, script.language, phrases=line_phrases(line, script, self.ruleset)), script)
            for script in self._scripts
            if (text := words(line, script))
        ]
        segments = [segment for segment, _ in worded]
        if worded:
            segments[1:1] = self._named(line, worded[0][1])
        return Utterance(number, tuple(segments), line.key, recording_name(line))

    def _named(self, line: Line, script: Script) -> list[Segment]:
        names = names_after(line, script, self.names)
        return [Segment(name, script.language, is_name=True) for name in names if speakable(name, script.language)]

    def _text(self, line: Line, script: Script) -> str:
        words, fault = words_of(line, script, self.ruleset)
        if fault:
            self.note(Trouble(LINE_FAILED, fault))
        return words


def surroundings(settings: Settings, scene: str) -> Surroundings:
    """What the judge wants to be heard besides the lines, in that scene."""
    night, day = (settings.ambience_night, settings.ambience_day) if settings.ambience else (0, 0)
    lead_in = LEAD_IN_SECONDS if settings.lead_in is None else settings.lead_in
    return Surroundings(scene, night, day, settings.faint_noise, lead_in)


def words_of(line: Line, script: Script, ruleset: Ruleset) -> tuple[str, str]:
    """The words of a line, or '' and what is wrong, where a script or a house ruleset lacks them: the game goes on."""
    try:
        return render_line(line, script, ruleset), ""
    except (LookupError, TypeError, ValueError, StopIteration) as fault:
        return "", f"there are no words for {line.key!r} in {script.language}: {fault!r}"
