"""What the table shows, as values: everything for the judge's page, and what everybody has heard for the public one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from narrator.engine.cards import front, hand, is_alive
from narrator.engine.day import order
from narrator.engine.deaths import quota
from narrator.engine.legal import prompt
from narrator.model.prompts import Prompt
from narrator.model.ruleset import Ruleset
from narrator.model.state import Call, Card, Death, State, Vote
from narrator.narration.scripts import Script, languages, localized
from narrator.narration.story import StoryLine
from narrator.speech.troubles import Trouble
from narrator.storage.settings import Settings
from narrator.table.ears import HearingView
from narrator.table.games import InterruptedGame
from narrator.table.heard import is_night
from narrator.table.record import ExplainedDeath
from narrator.table.setup.draft import Draft, DraftProblem
from narrator.table.setup.shelf import Broken, Shelf, role_texts
from narrator.table.stage.countdown import TimeLeft

# The game, for the judge


@dataclass(frozen=True)
class SeatView:
    """A seat with what the judge knows of it."""

    number: int
    alive: bool
    office: bool
    """Whether it holds the table's office."""
    bound: bool
    """Whether it is bound to another."""
    needles: int
    """In all of its cards."""
    cards: tuple[Card, ...]
    """As they lie, dead ones included."""
    front: Card | None
    """The first living card."""


@dataclass(frozen=True)
class CallRecord:
    """What has been recorded of a call of this night."""

    call: Call
    choice: Mapping[str, Any]
    """Field -> what was chosen; empty for nothing."""
    answered: bool
    answer: Any
    """What was shown, if it was answered."""


@dataclass(frozen=True)
class GameView:
    """A game with every secret: its state, what is asked now, and what follows from the two."""

    state: State
    prompt: Prompt

    @classmethod
    def of(cls, state: State) -> GameView:
        """The view of a game as it stands."""
        return cls(state, prompt(state))

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        """Every seat, from seat 1 on."""
        return tuple(_seat(self.state, number) for number in range(1, self.state.seats + 1))

    @property
    def order(self) -> tuple[int, ...]:
        """The day's speaking order, silenced seats in their places; empty before the first day and at night."""
        if self.state.order or self.state.stage in ("dealt", "night"):
            return self.state.order
        return order(self.state)

    @property
    def tonight(self) -> list[CallRecord]:
        """The calls of this night in which something was chosen or shown."""
        choices, answers = self.state.choices, self.state.answers
        return [
            CallRecord(call, choices.get(call.id, {}), call.id in answers, answers.get(call.id))
            for call in self.state.calls
            if call.id in choices or call.id in answers
        ]

    @property
    def last_words_left(self) -> int | None:
        """How many more of the dead will have last words; None where all have them."""
        limit = quota(self.state)
        return None if limit is None else max(0, limit - self.state.words)

    @property
    def observed(self) -> int | None:
        """By day: the seat under observation, if there is one."""
        found: int | None = self.state.memo.get("observed") if self.state.phase == "day" else None
        return found

    @property
    def claim(self) -> str | None:
        """The role that the seat under observation says it is."""
        found: str | None = self.state.memo.get("claim")
        return found

    @property
    def on_cards(self) -> bool:
        """Whether cards lie numbered on the table, so that they are named rather than seats."""
        return self.state.ruleset.hand.kind == "numbered"


def _seat(state: State, number: int) -> SeatView:
    cards = hand(state, number)
    own = {str(card.number) for card in cards}
    return SeatView(
        number=number,
        alive=is_alive(state, number),
        office=state.memo.get("office") == number,
        bound=any(state.cards[card - 1].seat == number for card in state.memo.get("bound", ())),
        needles=sum(count for key, count in state.needles.items() if key.partition("/")[0] in own),
        cards=cards,
        front=front(state, number),
    )


# The set-up


@dataclass(frozen=True)
class RulesetLine:
    """A ruleset in a list of them, in the words of one language."""

    id: str
    name: str
    about: str
    seats: tuple[int, int]
    """The fewest and the most."""

    @classmethod
    def of(cls, ruleset: Ruleset, language: str) -> RulesetLine:
        """The line of a ruleset."""
        name, about = localized(ruleset.name, language, ruleset.id), localized(ruleset.about, language, "")
        return cls(ruleset.id, name, about, ruleset.seats)


@dataclass(frozen=True)
class AddableRole:
    """A role of another edition that can be added to this one."""

    id: str
    name: str
    task: str
    edition: str
    """The id of the ruleset it comes from."""


@dataclass(frozen=True)
class OptionView:
    """An option of the ruleset with its value."""

    id: str
    text: str
    value: bool | str
    choices: tuple[bool | str, ...]


@dataclass(frozen=True)
class SetupView:
    """The set-up in the making, without the cards that were dealt; all that can be chosen, and all that is wrong."""

    ruleset: str
    rulesets: tuple[RulesetLine, ...]
    broken: tuple[Broken, ...]
    seats: int
    counts: Mapping[str, int]
    """Role -> cards in the deck."""
    suggested: Mapping[str, int]
    """What the ruleset suggests."""
    cards: int
    """How many cards must be dealt."""
    camps: Mapping[str, str]
    """Role -> its camp."""
    citizen: str
    """The role that fills the deck up."""
    extras: tuple[str, ...]
    """Roles that were added."""
    addable: tuple[AddableRole, ...]
    options: tuple[OptionView, ...]
    hand_kind: str
    """`single ordered numbered`"""
    dealt: bool
    """Whether it is known who holds which cards."""
    seen: int | None
    """While the phone goes round, and after: how many seats have seen their cards."""
    turn: int | None
    """The seat whose turn it is to see its cards."""
    problems: tuple[DraftProblem, ...]


def setup_view(draft: Draft, shelf: Shelf, language: str) -> SetupView:
    """The view of a set-up."""
    ruleset = draft.ruleset
    return SetupView(
        ruleset=ruleset.id,
        rulesets=tuple(RulesetLine.of(one, language) for one in shelf.rulesets),
        broken=tuple(shelf.broken),
        seats=draft.seats,
        counts=draft.counts,
        suggested=draft.suggested,
        cards=draft.cards,
        camps={role.id: role.camp for role in ruleset.roles.values()},
        citizen=ruleset.citizen,
        extras=draft.extras,
        addable=tuple(_addable(role, book, language) for role, book in shelf.addable(ruleset.id).items()),
        options=tuple(
            OptionView(one.id, localized(one.text, language, one.id), draft.options[one.id], tuple(one.choices))
            for one in ruleset.options.values()
        ),
        hand_kind=ruleset.hand.kind,
        dealt=draft.hands is not None,
        seen=draft.seen,
        turn=draft.turn,
        problems=tuple(draft.problems()),
    )


def _addable(role: str, book: str, language: str) -> AddableRole:
    texts = role_texts(role, book)
    return AddableRole(
        role, localized(texts.get("name", {}), language, role), localized(texts.get("task", {}), language, ""), book
    )


# What the judge's page shows


@dataclass(frozen=True)
class RulesetWords:
    """What a ruleset calls its roles, camps and steps, in one language."""

    rules: str
    """The summary of its rules, a paragraph a line."""
    roles: Mapping[str, str]
    tasks: Mapping[str, str]
    """Role -> what it does; '' where nothing is told."""
    camps: Mapping[str, str]
    steps: Mapping[str, str]

    @classmethod
    def of(cls, ruleset: Ruleset, language: str) -> RulesetWords:
        """The words of a ruleset; a step is called like the role that wakes in it."""
        roles = {role.id: localized(role.name, language, role.id) for role in ruleset.roles.values()}
        steps, script = {}, Script.load(language)
        for step in ruleset.night:
            named = step.id if step.id in roles else next(iter(step.roles()), step.id)
            steps[step.id] = roles.get(named) or script.word("role", named)
        return cls(
            rules=localized(ruleset.rules, language, ""),
            roles=roles,
            tasks={role.id: localized(role.task, language, "") for role in ruleset.roles.values()},
            camps={camp: localized(text, language, camp) for camp, text in ruleset.camps.items()},
            steps=steps,
        )


@dataclass(frozen=True)
class VoiceView:
    """What the voice is doing."""

    state: str
    """`silent speaking pause waiting paused`"""
    line: str
    queue: int
    """How many lines and silences are still to come."""
    backend: str
    ready: tuple[int, int]
    """How many pieces of what is likely to be said are rendered, and of how many."""


@dataclass(frozen=True)
class Calling:
    """For whom hands are being counted; nobody's place or seat: for those who abstain."""

    place: int | None = None
    """The candidate who is called."""
    seat: int | None = None
    """The voter who is asked."""
    cards: bool = False
    """Whether the candidate is a card."""

    @classmethod
    def of(cls, params: Mapping[str, Any] | None) -> Calling | None:
        """The call that a line with these parameters makes, if it makes one."""
        return None if params is None else cls(params.get("place"), params.get("seat"), bool(params.get("cards")))


@dataclass(frozen=True)
class JudgeView:
    """Everything the judge's page shows."""

    revision: int
    mode: str
    """`resume?` (go on with a game, or begin another), `setup`, `game` or `over`"""
    language: str
    """Of the judge's pages."""
    settings: Settings
    setup: SetupView | None
    """Before the game."""
    game: GameView | None
    words: RulesetWords
    names: tuple[str, ...]
    """The players' names from seat 1 on; '' where a seat has none."""
    speech: VoiceView
    undo: str | None
    """What an undo would take back, in words."""
    record: tuple[str, ...]
    """What has happened in this round, in words."""
    deaths: tuple[ExplainedDeath, ...]
    """Those of this dawn or vote."""
    interrupted: tuple[InterruptedGame, ...]
    troubles: tuple[Trouble, ...]
    timer: TimeLeft | None
    calling: Calling | None
    hearing: HearingView


def panel_language(settings: Settings) -> str:
    """The language of the judge's pages."""
    return settings.panel_language or settings.languages[0]


def language_names() -> dict[str, str]:
    """Every language there is by its own name."""
    return {tag: Script.load(tag).name for tag in languages()}


# What the public page shows


@dataclass(frozen=True)
class PublicSeat:
    """A seat as everybody sees it."""

    number: int
    alive: bool
    silenced: bool
    office: bool
    revealed: tuple[str, ...]
    """The roles of its cards that were shown to all."""


@dataclass(frozen=True)
class PublicGame:
    """A game as far as it has been heard; what bears a name of `State` is the same thing."""

    stage: str
    round: int
    phase: str
    seats: tuple[PublicSeat, ...]
    deaths: tuple[Death, ...]
    """Without their causes."""
    speaking: tuple[int, ...]
    speaker: int
    vote: Vote
    winner: str | None


@dataclass(frozen=True)
class PublicPage:
    """Everything the public page shows."""

    mode: str
    """`setup`, `game` or `over`"""
    language: str
    ruleset: RulesetLine
    words: RulesetWords
    names: tuple[str, ...] = ()
    timer: TimeLeft | None = None
    game: PublicGame | None = None
    line: str = ""
    """The line that is spoken, or was spoken last."""
    calling: Calling | None = None
    story: tuple[StoryLine, ...] | None = None
    """Once the end has been heard: the whole of it."""


def public_game(state: State) -> PublicGame:
    """The game that everybody has heard of, as the fold of what was heard gives it."""
    return PublicGame(
        stage=state.stage,
        round=state.round,
        phase="night" if is_night(state) else "day",
        seats=tuple(_public_seat(state, seat) for seat in range(1, state.seats + 1)),
        deaths=state.deaths,
        speaking=state.speaking,
        speaker=state.speaker,
        vote=state.vote,
        winner=state.winner,
    )


def _public_seat(state: State, number: int) -> PublicSeat:
    roles = (state.revealed.get(card.number) for card in hand(state, number))
    return PublicSeat(
        number=number,
        alive=is_alive(state, number),
        silenced=number in state.silenced,
        office=state.memo.get("office") == number,
        revealed=tuple(role for role in roles if role),
    )
