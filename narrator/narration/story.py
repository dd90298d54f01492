"""A whole game in plain words, night by night: for the judge, and for everybody once it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from narrator.engine.cards import deal
from narrator.engine.state_changes import apply
from narrator.model import events as ev
from narrator.model.state import Call, Death, Setup, State
from narrator.narration.day import ending
from narrator.narration.lines import Line, render_line
from narrator.narration.scripts import Names, Script
from narrator.narration.telling import Teller


@dataclass(frozen=True)
class StoryLine:
    """One sentence of the story, or a heading."""

    kind: str
    """`heading deal choice answer death change vote talk end`"""
    round: int
    text: str


def story(setup: Setup, events: Iterable[ev.Event], language: str, names: Names | None = None) -> list[StoryLine]:
    """The whole game so far, secrets included: the deal, each night's choices and answers, deaths with their causes,
    votes, the end.
    """
    given = list(events)
    chapters = _Chapters(setup, Script.load(language), names)
    told = [line for event in given for line in chapters.tell(event)]
    return [*chapters.opening(), *told]


def explain_death(state: State, death: Death, language: str, names: Names | None = None) -> str:
    """Why a card died, in one sentence; `state` may be any in which its roles are known."""
    return Teller(state, Script.load(language), names).death(death)


def explain_answer(state: State, call: Call, language: str, names: Names | None = None) -> str:
    """What the group of a call was shown tonight, and of whom, in one sentence; KeyError if it was shown nothing."""
    return Teller(state, Script.load(language), names).answer(call, state.answers[call.id])


Chapter = Callable[["_Chapters", Any], Iterator[tuple[str, str]]]
CHAPTERS: dict[type[ev.Event], Chapter] = {}


def tells(*kinds: type[ev.Event]) -> Callable[[Chapter], Chapter]:
    """Register how events are told; a kind that is taken is a ValueError."""

    def register(function: Chapter) -> Chapter:
        for kind in kinds:
            if kind in CHAPTERS:
                raise ValueError(f"{kind.__name__} is told twice")
            CHAPTERS[kind] = function
        return function

    return register


class _Chapters:
    """Follows a game and tells each event as it stood when it happened."""

    def __init__(self, setup: Setup, script: Script, names: Names | None) -> None:
        self.state = deal(setup)
        self.script = script
        self.names = names

    @property
    def teller(self) -> Teller:
        return Teller(self.state, self.script, self.names)

    def tell(self, event: ev.Event) -> list[StoryLine]:
        """The sentences for an event, which then becomes part of the state."""
        chapter = CHAPTERS.get(type(event))
        found = list(chapter(self, event)) if chapter else []
        self.state = apply(self.state, event)
        return [StoryLine(kind, self.state.round, text) for kind, text in found]

    def opening(self) -> list[StoryLine]:
        """Who held what, as far as it ever became known."""
        texts = self.teller.hands()
        heading = StoryLine("heading", 0, self.script.render("story.heading.deal"))
        return [heading, *(StoryLine("deal", 0, text) for text in texts)] if texts else []

    def line(self, key: str, **params: Any) -> str:
        return render_line(Line(key, params), self.script, self.state.ruleset, self.names)

    def phrase(self, key: str, **params: Any) -> str:
        return self.script.render(f"story.{key}", self.names, **params)


@tells(ev.NightFell)
def _night(story: _Chapters, event: ev.NightFell) -> Iterator[tuple[str, str]]:
    yield "heading", story.phrase("heading.night", number=event.round)
    yield from (("talk", story.line(notice)) for notice in event.notices)


@tells(ev.Dawned)
def _dawn(story: _Chapters, event: ev.Dawned) -> Iterator[tuple[str, str]]:
    yield "heading", story.phrase("heading.day", number=event.round)


@tells(ev.Chosen)
def _chosen(story: _Chapters, event: ev.Chosen) -> Iterator[tuple[str, str]]:
    yield from (("choice", text) for text in story.teller.choice(event.call, event.choice))


@tells(ev.Answered)
def _answered(story: _Chapters, event: ev.Answered) -> Iterator[tuple[str, str]]:
    yield "answer", story.teller.answer(event.call, event.answer)


@tells(ev.RoleTaken)
def _role_taken(story: _Chapters, event: ev.RoleTaken) -> Iterator[tuple[str, str]]:
    if story.state.cards[event.card - 1].plays != event.plays:
        teller = story.teller
        yield "change", story.phrase("plays", place=teller.place(event.card), role=teller.role(event.plays))


@tells(ev.Needled)
def _needled(story: _Chapters, event: ev.Needled) -> Iterator[tuple[str, str]]:
    for key, count in event.needles.items():
        card, _, role = key.partition("/")
        teller = story.teller
        text = story.phrase("needles", place=teller.place(int(card)), doer=teller.doer(role), count=count)
        yield "change", text


@tells(ev.Died)
def _died(story: _Chapters, event: ev.Died) -> Iterator[tuple[str, str]]:
    if not event.deaths:
        yield "death", story.phrase("nobody_died")
    yield from (("death", story.teller.death(death)) for death in event.deaths)


@tells(ev.Revealed)
def _revealed(story: _Chapters, event: ev.Revealed) -> Iterator[tuple[str, str]]:
    key = "wins_apart" if event.reason == "wins_apart" else "role.revealed"
    yield "talk", story.line(key, seat=event.seat, role=event.role)


@tells(ev.Left)
def _left(story: _Chapters, event: ev.Left) -> Iterator[tuple[str, str]]:
    if event.reason != "wins_apart":
        yield "change", story.line("seat.left", seat=event.seat)


@tells(ev.Announced)
def _announced(story: _Chapters, event: ev.Announced) -> Iterator[tuple[str, str]]:
    yield "talk", story.line(event.line, **event.values)


@tells(ev.Silenced)
def _silenced(story: _Chapters, event: ev.Silenced) -> Iterator[tuple[str, str]]:
    if event.reason == "asleep":
        yield from (("talk", story.line("asleep", seat=seat)) for seat in event.seats)
    else:
        yield "talk", story.line("silenced", seats=list(event.seats))


@tells(ev.Reacted)
def _reacted(story: _Chapters, event: ev.Reacted) -> Iterator[tuple[str, str]]:
    if event.reaction.role not in story.state.ruleset.roles:
        return
    params = {"role": story.teller.role(event.reaction.role), "seat": event.reaction.seat}
    if event.target is None:
        yield "choice", story.phrase("took_nobody", **params)
    else:
        yield "choice", story.phrase("took", target=event.target, **params)


@tells(ev.OfficeGiven)
def _office_given(story: _Chapters, event: ev.OfficeGiven) -> Iterator[tuple[str, str]]:
    if event.seat is None:
        yield "talk", story.line("office.nobody" if event.elected else "office.vacant", office=event.office)
        return
    office = story.state.ruleset.day.office
    votes = {"votes": office.votes} if office and event.elected else {}
    key = "office.elected" if votes else "office.successor"
    yield "talk", story.line(key, seat=event.seat, office=event.office, **votes)


@tells(ev.LastWordsBegan)
def _last_words(story: _Chapters, event: ev.LastWordsBegan) -> Iterator[tuple[str, str]]:
    yield "talk", story.phrase("last_words", seats=list(event.seats))


@tells(ev.Claimed)
def _claimed(story: _Chapters, event: ev.Claimed) -> Iterator[tuple[str, str]]:
    if event.role is None:
        yield "talk", story.phrase("claimed_nothing", seat=event.seat)
    else:
        yield "talk", story.phrase("claimed", seat=event.seat, role=story.teller.role(event.role))


@tells(ev.Voted)
def _voted(story: _Chapters, event: ev.Voted) -> Iterator[tuple[str, str]]:
    if event.tally:
        yield "vote", story.phrase("vote", number=event.number, tally=story.teller.tally(event.tally))
    else:
        yield "vote", story.phrase("vote_none", number=event.number)
    for voter, named in sorted(event.ballots.items()):
        if named:
            yield "vote", story.phrase("ballots", voter=voter, named=story.teller.targets(named))


@tells(ev.Tied)
def _tied(story: _Chapters, event: ev.Tied) -> Iterator[tuple[str, str]]:
    yield "vote", story.phrase("tied", places=story.teller.targets(event.seats))


@tells(ev.NobodyOut)
def _nobody_out(story: _Chapters, event: ev.NobodyOut) -> Iterator[tuple[str, str]]:
    yield "vote", story.line(f"nobody_out.{event.reason}")


@tells(ev.DaySkipped)
def _day_skipped(story: _Chapters, event: ev.DaySkipped) -> Iterator[tuple[str, str]]:
    yield "talk", story.line("day.skipped")


@tells(ev.GameEnded)
def _game_ended(story: _Chapters, event: ev.GameEnded) -> Iterator[tuple[str, str]]:
    yield "heading", story.phrase("heading.end")
    line = ending(event.winner, event.reason)
    yield "end", render_line(line, story.script, story.state.ruleset, story.names)


__all__ = ["StoryLine", "explain_answer", "explain_death", "story"]
