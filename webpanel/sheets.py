"""What stands in the set-up and, while a game is on, in sheets: the voice with its sound and time, ears, addresses."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import segno
from markupsafe import Markup

from narrator.speech.outputs.output import LEAD_IN_SECONDS
from narrator.speech.renderers.auto import offered_voices
from narrator.speech.voices import Voice, VoicesError, speaking
from narrator.storage.settings import Settings
from narrator.table.ears import HearingView
from narrator.table.views import JudgeView, language_names
from webpanel.network import BRIDGE, GONE, NOWHERE, SELF_ASSIGNED, TUNNEL, Network
from webpanel.texts import Texts, Words

SPEAKERS = {"pyttsx3": "voice.at_computer", "page": "voice.at_page", "silent": "voice.at_nowhere"}
"""Backend -> key of what it is called."""
TIMES = (30, 45, 60, 90, 120, 180, 300)
"""Speaking times that are offered, in seconds."""
MOST_VOICES = 30
"""Voices offered for one language."""
STATES = {
    "off": "ears.not_on",
    "closed": "ears.closed",
    "listening": "ears.listening",
    "muted": "ears.muted",
    "noisy": "ears.noisy",
    "heard": "ears.listening",
}
"""State of the ears -> key of what is told of it."""
REASONS = {
    "no_library": "ears.no_library",
    "no_microphone": "ears.no_microphone",
    "no_model": "ears.no_model",
    "no_files": "ears.no_files",
    "lost": "ears.lost",
}
"""Why it cannot be listened -> key of what is told of it."""
MARKS = {kind: f"network.{kind.replace('-', '_')}" for kind in (SELF_ASSIGNED, TUNNEL, BRIDGE, GONE, NOWHERE)}
"""Kind of address -> key of what is said of it."""
VERDICTS = {"kept": "ears.good", "unlike": "ears.unlike", "long": "ears.long", "noisy": "ears.too_noisy"}
"""What became of an attempt -> key of what is told of it."""


class VoiceSheet:
    """Languages, voices, sound, and the time that speakers have."""

    def __init__(self, judge: JudgeView, t: Texts) -> None:
        self.settings: Settings = judge.settings
        self.backend = judge.speech.backend
        self.language_names = language_names()
        """Every language by tag and own name."""
        self.t = t

    @property
    def languages(self) -> tuple[str, ...]:
        """The spoken languages, in order."""
        return self.settings.languages

    @property
    def second_language(self) -> str:
        """The second spoken language, or ''."""
        return "".join(self.languages[1:2])

    @property
    def spoken_names(self) -> str:
        """The spoken languages by their own names."""
        return " + ".join(map(self.language_name, self.languages))

    def language_name(self, tag: str) -> str:
        """A language's own name."""
        return self.language_names.get(tag, tag)

    @property
    def times(self) -> list[int]:
        """The speaking times that are offered, in seconds, the one chosen among them."""
        return sorted({*TIMES, self.settings.speech_seconds} - {0})

    @property
    def lead_in(self) -> int:
        """Milliseconds of silence before a line."""
        seconds = self.settings.lead_in
        return round(1000 * (LEAD_IN_SECONDS if seconds is None else seconds))

    @property
    def loudness(self) -> list[tuple[str, str, int]]:
        """What is heard behind the narrator: name in the form, label, percent."""
        night, day = self.settings.ambience_night, self.settings.ambience_day
        return [
            ("ambience_night", self.t("voice.ambience_night"), night),
            ("ambience_day", self.t("voice.ambience_day"), day),
        ]

    @property
    def speakers(self) -> list[tuple[str, str]]:
        """What can speak, the present one among them even where it was chosen elsewhere."""
        known = {backend: self.t(key) for backend, key in SPEAKERS.items()}
        return list({**({} if self.backend in known else {self.backend: self.backend}), **known}.items())

    @property
    def speaks_at(self) -> str:
        """Where the voice comes from, and where else it could."""
        where = {"silent": "voice.silent", "page": "voice.page"}
        return self.t(where.get(self.backend, "voice.page_beside"))


class VoiceList:
    """The recorded voices and those of this machine, once they have been asked for."""

    def __init__(self, ask: Callable[[], tuple[Voice, ...]] = offered_voices) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._voices: tuple[Voice, ...] = ()
        self.state = "unknown"
        """`unknown asking known`."""

    def find(self) -> None:
        """Begin to ask, unless that has been done; `state` tells when it is over."""
        with self._lock:
            if self.state != "unknown":
                return
            self.state = "asking"
        threading.Thread(target=self._find, name="voices", daemon=True).start()

    def for_language(self, language: str) -> list[tuple[str, str]]:
        """Id and name of each voice that speaks a language, the best first."""
        return [(voice.id, voice.name) for voice in speaking(language, self._voices)[:MOST_VOICES]]

    def _find(self) -> None:
        try:
            self._voices = self._ask()
        except VoicesError:
            self._voices = ()
        self.state = "known"


@dataclass(frozen=True)
class WordRow:
    """Somebody's word, or a command of the judge's, and whether it is known."""

    id: str
    """The command; '' for a player's closing word."""
    seat: int
    """The player's; 0 for the judge."""
    label: str
    ready: bool
    takes: int = 0


@dataclass(frozen=True)
class AskedWord:
    """Who is asked for which word, and how it goes, in words."""

    who: str
    word: str
    count: str
    verdict: str


class EarsSheet:
    """Whether it is listened, what was heard, and whose words are known."""

    def __init__(self, hearing: HearingView, words: Words, t: Texts, by_night: bool) -> None:
        """`by_night`: whether it is night at the table."""
        self.hearing = hearing
        self.words = words
        self.t = t
        self._by_night = by_night

    @property
    def state(self) -> str:
        """In a word or two."""
        if self.hearing.state == "unavailable":
            return self.trouble
        return self.t(STATES[self.hearing.state], word=self.closing_word)

    @property
    def note(self) -> str:
        """What the judge should know of it while a game is on; '' for nothing."""
        hearing = self.hearing
        if not hearing.on:
            return ""
        if hearing.reason == "no_takes" and hearing.state in ("listening", "muted"):
            return self.t("ears.no_takes")
        return self.t("ears.night") if hearing.reason == "night" and self._by_night else self.state

    @property
    def trouble(self) -> str:
        """Why it cannot be listened, and what to do; '' if it can."""
        return self.t(REASONS[self.hearing.reason]) if self.hearing.reason in REASONS else ""

    @property
    def heard(self) -> str:
        """The word that was heard, and what it will bring about; '' if there is none."""
        if self.hearing.state != "heard":
            return ""
        seconds = math.ceil(self.hearing.seconds_left or 0)
        return self.t("ears.heard", word=self.hearing.word, seconds=seconds)

    @property
    def closing_word(self) -> str:
        """How a speaker ends."""
        return self.hearing.closing_words[0]

    @property
    def surest_words(self) -> str:
        """The forms that are recognised best."""
        return self.words.listed(self.hearing.closing_words[1:])

    @property
    def takes_given(self) -> str:
        """How many players can be heard."""
        players = self.hearing.players
        return self.t("ears.known", count=sum(one.ready for one in players), seats=len(players))

    @property
    def players(self) -> list[WordRow]:
        """Every seat, with whether its word is known."""
        return [WordRow("", one.seat, self.words.seat(one.seat), one.ready, one.takes) for one in self.hearing.players]

    @property
    def commands(self) -> list[WordRow]:
        """The judge's own words."""
        return [WordRow(id, 0, word, self.hearing.judge[id]) for id, word in self.hearing.commands.items()]

    @property
    def asked(self) -> AskedWord | None:
        """Who is asked for a word; None while nobody is."""
        asked = self.hearing.recording
        if asked is None:
            return None
        return AskedWord(
            who=self.t("ears.you") if asked.seat is None else self.words.seat(asked.seat),
            word=self.hearing.commands.get(asked.word, self.closing_word),
            count=self.t("ears.kept", kept=asked.kept, of=asked.of),
            verdict=self.t(VERDICTS[asked.verdict]) if asked.verdict else "",
        )


@dataclass(frozen=True)
class AddressLine:
    """One address of the page for everybody."""

    link: str
    mark: str
    """What is to be said of it; '' for nothing."""
    code: Markup
    """The code to scan, as a drawing."""


class AddressSheet:
    """Where the page for everybody is found."""

    def __init__(self, network: Network | None, t: Texts) -> None:
        self._network = network
        self._t = t

    @property
    def lines(self) -> list[AddressLine]:
        """Every address, the best first, and the name; none as long as nothing is listened on."""
        net, t = self._network, self._t
        if net is None or not net.port:
            return []
        found = [
            (net.link(place, "/table"), t(MARKS[place.kind]) if place.kind in MARKS else "") for place in net.places
        ]
        if net.name:
            found.insert(1, (net.link(net.best, "/table", name=net.name), t("network.by_name")))
        return [AddressLine(link, mark, drawn_code(link)) for link, mark in found]

    @property
    def news(self) -> str:
        """What to say when the network has changed not long ago; '' for nothing."""
        net = self._network
        if net is None or not net.has_moved:
            return ""
        lost = net.best.kind in (NOWHERE, GONE)
        return self._t("network.lost") if lost else self._t("network.moved", link=net.link(net.best, "/table"))


@lru_cache(64)
def drawn_code(link: str) -> Markup:
    """The code of a link as a drawing, dark on light."""
    code = segno.make(link, error="l", micro=False)
    return Markup(code.svg_inline(border=3, light="#fff", omitsize=True))
