"""A whole game in plain words, night by night: for the judge, and for everybody once it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from narrator.engine.ability import role_of
from narrator.engine.cards import card_of, deal, hand, on_cards, target_of
from narrator.engine.state_changes import apply
from narrator.model import events as ev
from narrator.model.ruleset import Step
from narrator.model.state import Call, Cause, Death, Setup, State
from narrator.narration.lines import Line, ending, render_line, role_name, tally_words
from narrator.narration.scripts import Names, Script

AIMED = ("hit", "treat", "silence", "observe", "carry", "bind")
"""Abilities whose choice is one target, or several, and is told with a verb of its own."""
MIXED = ("rescue", "potions", "take_card")
"""Abilities whose choice may have several parts, each told in a sentence of its own."""


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


# What is true of one moment


class Teller:
    """Tells what is true of one state, in one language."""

    def __init__(self, state: State, script: Script, names: Names | None = None) -> None:
        self.state = state
        self.script = script
        self.names = names

    # --- names

    def role(self, role: str) -> str:
        """What a role is called."""
        return role_name(role, self.script, self.state.ruleset)

    def doer(self, role: str) -> str:
        """The role as one who does something: "the doctor"; proper names stand without an article."""
        name = self.role(role)
        plain = name[:1].islower() and not name.startswith(self.script.phrase("words.the", role=""))
        return self.script.phrase("words.the", role=name) if plain else name

    def place(self, card: int) -> str:
        """A card by its number, or by its seat where cards have none."""
        return self.targets([card if on_cards(self.state) else self.state.cards[card - 1].seat])

    def targets(self, targets: Iterable[int]) -> str:
        """Targets in words: seats, or numbered cards."""
        if on_cards(self.state):
            return self.script.cards(targets)
        return self.script.seats(targets, self.names)

    def tally(self, tally: Mapping[int, int]) -> str:
        """The result of a vote in words."""
        return tally_words(tally, on_cards(self.state), self.script)

    def actor(self, call: Call) -> str:
        """Who acts in a call: the role, with its card where each card is called for itself."""
        step = self.state.ruleset.step(call.step)
        role = role_of(self.state, call, step)
        if not call.card:
            return self.doer(role if role in self.state.ruleset.roles else next(iter(step.wakes), step.id))
        return self.script.phrase("story.holder", role=self.doer(role), place=self.place(call.card))

    # --- the deal

    def hands(self) -> list[str]:
        """Who was dealt what; nothing as long as nobody is known."""
        told = self._seat_by_seat() if self.state.ruleset.hand.kind == "ordered" else self._role_by_role()
        if self.state.spare:
            told.append(self._say("deal.spare", roles=self._value(self.state.spare)))
        return told

    def _role_by_role(self) -> list[str]:
        held: dict[str, list[int]] = {}
        for card in self.state.cards:
            if card.role is not None:
                held.setdefault(card.role, []).append(target_of(self.state, card))
        roles = [role for role in self.state.ruleset.roles if role in held]
        return [self._say("deal.role", role=self.role(role), places=self.targets(held[role])) for role in roles]

    def _seat_by_seat(self) -> list[str]:
        told = []
        for seat in range(1, self.state.seats + 1):
            roles = [card.role for card in hand(self.state, seat) if card.role is not None]
            if roles:
                told.append(self._say("deal.hand", seat=seat, roles=self._value(roles)))
        return told

    # --- choices

    def choice(self, call: Call, choice: Mapping[str, Any]) -> Iterator[str]:
        """What was chosen in a call, in sentences."""
        ability = self.state.ruleset.step(call.step).ability
        given = {name: value for name, value in choice.items() if value not in (None, False)}
        doer = self.actor(call)
        if not given:
            yield self._say("choice.none", doer=doer)
        elif ability == "check":
            return  # the answer tells it
        elif ability in AIMED and set(given) == {"target"}:
            yield self._say(f"choice.{ability}", doer=doer, places=self._aim(given["target"]))
        elif ability in MIXED:
            yield from self._mixed(doer, given)
        else:
            yield self._say("choice.other", doer=doer, choice=self._pairs(given))

    def _mixed(self, doer: str, given: Mapping[str, Any]) -> Iterator[str]:
        if given.get("save"):
            yield self._say("choice.rescue", doer=doer)
        if given.get("heal"):
            yield self._say("choice.heal", doer=doer)
        if given.get("poison") is not None:
            yield self._say("choice.poison", doer=doer, places=self._aim(given["poison"]))
        if given.get("target") is not None:
            yield self._say("choice.take_card", doer=doer, taken=self._value(given["target"]))
        elif given.get("left"):
            yield self._say("choice.none", doer=doer)

    def _aim(self, target: Any) -> str:
        return self.targets(target if isinstance(target, list | tuple) else [target])

    # --- answers

    def answer(self, call: Call, answer: Any) -> str:
        """What a group was shown, in one sentence."""
        step = self.state.ruleset.step(call.step)
        if step.ability == "check":
            return self._check(call, step, answer)
        return self._say("told", doer=self.actor(call), answer=self._value(answer))

    def _check(self, call: Call, step: Step, answer: Any) -> str:
        target = self.state.choices[call.id]["target"]
        params = {"doer": self.actor(call), "place": self.targets([target])}
        if answer is None:
            return self._say("told_nothing", **params)
        plays = card_of(self.state, target).plays or self.state.ruleset.citizen
        return self._say("told_check", plays=self.role(plays), answer=self._value(answer), **params)

    # --- deaths

    def death(self, death: Death) -> str:
        """Who died, what it played, and why."""
        plays = self.state.cards[death.card - 1].plays or self.state.ruleset.citizen
        causes = self.script.phrase("words.pause").join(self.cause(cause) for cause in death.causes)
        causes = causes or self.script.phrase("cause.other")
        return self._say("died", place=self.place(death.card), role=self.role(plays), causes=causes)

    def cause(self, cause: Cause) -> str:
        """A cause, with what lies behind it."""
        if cause.kind in ("hit", "arrested", "kidnapped") and cause.through:
            because = self.cause(replace(cause, through=0))
            return self.script.phrase("cause.instead", place=self.place(cause.through), because=because)
        if cause.kind == "carried":
            return self._carried(cause)
        if cause.kind == "bound":
            return self.script.phrase("cause.bound", place=self.place(cause.through))
        if cause.kind in ("hit", "needle", "taken"):
            own = f"cause.{cause.kind}_by_{cause.by}"
            key = own if self.script.has(own) else f"cause.{cause.kind}"
            return self.script.phrase(key, doer=self.doer(cause.by))
        key = f"cause.{cause.kind}"
        return self.script.phrase(key if self.script.has(key) else "cause.other")

    def _carried(self, cause: Cause) -> str:
        carrier = self.state.cards[cause.through - 1].plays or self.state.ruleset.citizen
        because = self.script.phrase("words.pause").join(self.cause(one) for one in cause.because)
        return self.script.phrase("cause.carried", doer=self.doer(carrier), because=because)

    # --- values of any kind

    def _say(self, key: str, **params: Any) -> str:
        return self.script.render(f"story.{key}", self.names, **params)

    def _value(self, value: Any) -> str:
        if value is None or value == () or value == []:
            return self.script.phrase("story.answer.nothing")
        if isinstance(value, bool):
            return self.script.phrase("words.yes" if value else "words.no")
        if isinstance(value, int):
            return self.targets([value])
        if isinstance(value, Mapping):
            return self._pairs(value)
        if isinstance(value, list | tuple):
            return self._several(value)
        return self.script.phrase("story.answer.skipped") if value == "none" else self._name(str(value))

    def _several(self, values: Iterable[Any]) -> str:
        found = list(values)
        if all(isinstance(value, int) for value in found):
            return self.targets(found)
        return self.script.listed(self._value(value) for value in found)

    def _pairs(self, values: Mapping[str, Any]) -> str:
        pairs = [
            self.script.phrase("story.answer.pair", label=self._label(name), value=self._value(value))
            for name, value in values.items()
        ]
        return self.script.phrase("words.pause").join(pairs)

    def _label(self, name: str) -> str:
        key = f"story.field.{name}"
        return self.script.phrase(key) if self.script.has(key) else self._name(name)

    def _name(self, name: str) -> str:
        if name in self.state.ruleset.roles:
            return self.role(name)
        groups = ("look", "type", "sex")
        known = next((group for group in groups if self.script.has(f"names.{group}.{name}")), "role")
        return self.script.word(known, name)
