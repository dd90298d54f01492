"""What the judge is asked: for each kind of prompt a view of its own, which its template lays out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from narrator.model.prompts import Field, Prompt
from narrator.table.views import CallRecord, GameView, JudgeView
from webpanel.cells import CARDS, SEATS, Pick, cells
from webpanel.texts import Shown, Texts, Words


class Question:
    """What is asked of the judge now, as far as all kinds of prompts have it in common."""

    def __init__(self, judge: JudgeView, game: GameView, words: Words, t: Texts) -> None:
        self.judge = judge
        self.game = game
        self.prompt: Prompt = game.prompt
        self.words = words
        self.t = t

    @property
    def template(self) -> str:
        """The template that lays it out."""
        return f"prompts/{self.prompt.kind}.html"


class BeginView(Question):
    """Before the first night: what has been dealt."""

    @property
    def cards_known(self) -> bool:
        """Whether the table knows who holds what."""
        return all(card.role for card in self.game.state.cards)

    @property
    def deal(self) -> list[tuple[str, int]]:
        """Role and how many cards of it are in the deck."""
        return [(self.words.role(role), count) for role, count in self.game.state.setup.counts.items() if count]


# Those that are answered by tapping


class Picking(Question):
    """Something that is answered by tapping seats, cards, or other values."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """What is asked for."""
        return self.prompt.fields

    @cached_property
    def picks(self) -> list[Pick]:
        """Each field, laid out."""
        return [self.pick(field) for field in self.fields]

    def pick(self, field: Field) -> Pick:
        """A field, laid out."""
        found = cells(field, self.game.seats, self.words, self.t)
        layout = "slots" if field.kind == "roles" else "choices"
        if field.kind in (*SEATS, *CARDS):
            layout = "grid"
        elif field.kind == "flag" and len(self.fields) > 1:
            layout = "switch"  # a yes that goes with something else
        return Pick(self.form_name(field), self.label(field), layout, found, field.least, field.most, field.optional)

    def form_name(self, field: Field) -> str:
        """Under which name the form sends a field."""
        return f"f.{field.name}"

    def label(self, field: Field) -> str:
        """What a field is called; '' where it is plain."""
        if len(self.fields) == 1 and field.kind != "flag":
            return ""
        if field.kind == "role" and field.name == "target":
            return self.t("field.taken")
        return self.words.field(field.name)

    @property
    def group(self) -> str:
        """Who is awake, or whose choice it is."""
        return self.words.listed(self.words.role(role) for role in self.prompt.roles)

    @property
    def none_label(self) -> str:
        """What the button beside the confirm says; '' where something must be given."""
        if not all(field.optional for field in self.fields):
            return ""
        on_table = all(field.kind in (*SEATS, *CARDS) for field in self.fields)
        return self.t(NOBODY.get(self.ability, "choose.nobody") if on_table else "choose.nothing")

    @property
    def ability(self) -> str:
        """By what it is chosen, at night; '' by day."""
        call = self.prompt.call
        return self.game.state.ruleset.step(call.step).ability if call else ""


NOBODY = {"hit": "choose.no_hit", "check": "choose.no_check", "treat": "choose.no_treat"}
"""Ability -> key of what it is called to choose nobody; for others there is a general word."""


@dataclass(frozen=True)
class NightLine:
    """What has been recorded of a call of this night, in words; '' for what there is none of."""

    step: str
    choice: str
    answer: str


class NightQuestion(Question):
    """A call of the night."""

    @property
    def call_title(self) -> str:
        """The step of the night that is open."""
        return self.words.step(self.prompt.call) if self.prompt.call else ""

    @property
    def own_record(self) -> CallRecord | None:
        """What has been recorded of the call that is open."""
        return next((entry for entry in self.game.tonight if self._is_open(entry)), None)

    def _is_open(self, entry: CallRecord) -> bool:
        return self.prompt.call is not None and entry.call.id == self.prompt.call.id

    @property
    def tonight(self) -> list[NightLine]:
        """What has been recorded this night, but for the call that is open."""
        return [self._line(entry) for entry in self.game.tonight if not self._is_open(entry)]

    def _line(self, entry: CallRecord) -> NightLine:
        answer = self.words.shown(entry.answer).label if entry.answered else ""
        chosen = self.words.choice(entry.choice) if entry.choice or not answer else ""
        return NightLine(self.words.step(entry.call), chosen, answer)

    @property
    def tasks(self) -> list[str]:
        """What the roles that are awake do."""
        tasks = self.judge.words.tasks
        return [tasks[role] for role in self.prompt.roles if tasks.get(role)]


class IdentifyView(NightQuestion, Picking):
    """Who woke: for each role that does, the seats that hold it."""

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """A field for each role that wakes; only seats with a card that nobody has shown yet may hold it."""
        hidden = {card.seat: True for card in self.game.state.cards if card.role is None}
        known = {seat.number: "already_known" for seat in self.game.seats if seat.number not in hidden}
        return tuple(self._holders(role, count, tuple(hidden), known) for role, count in self.prompt.counts.items())

    def _holders(self, role: str, count: int, seats: tuple[int, ...], known: Mapping[int, str]) -> Field:
        least = max(0, count - self.spare)
        return Field(role, "seats", seats, known, least=least, most=count, optional=least == 0)

    @property
    def spare(self) -> int:
        """How many cards lie on the table that nobody has been told of."""
        state = self.game.state
        return 0 if state.spare else max(0, sum(state.setup.counts.values()) - len(state.cards))

    def form_name(self, field: Field) -> str:
        """Roles have names of their own in the form."""
        return f"r.{field.name}"

    def label(self, field: Field) -> str:
        """`Police: 3`, where several roles wake."""
        return self._count(field) if len(self.fields) > 1 else ""

    def _count(self, field: Field) -> str:
        return self.t("identify.count", role=self.words.role(field.name), count=field.most)

    @property
    def counts_text(self) -> str:
        """How many must be named, of which role."""
        told = self.t("identify.counts", counts=self.words.listed(map(self._count, self.fields)))
        return f"{told} {self.t('identify.fewer')}" if self.spare else told


class ChooseView(NightQuestion, Picking):
    """What those who are awake choose."""

    @property
    def awake(self) -> str:
        """Whose eyes are open."""
        seats = self.prompt.awake
        return self.t("choose.awake", seats=self.words.seats(seats)) if seats else ""

    @property
    def briefing(self) -> list[str]:
        """What the group is shown before it chooses."""
        if self.own_record is None or not self.own_record.answered:
            return []
        answer = self.prompt.answer
        if isinstance(answer, Mapping):
            return self.words.pairs(answer)
        return [self.t("answer.shown", answer=self.words.value(answer))]


class ShowView(NightQuestion):
    """What is shown to those who are awake; the page may be turned to them, so nothing of others stands on it."""

    @property
    def shown(self) -> Shown:
        """What the group is shown."""
        return self.words.shown(self.prompt.answer)

    @property
    def chosen(self) -> str:
        """Whom it has chosen."""
        choice = self.own_record.choice if self.own_record else None
        return self.t("show.chosen", choice=self.words.choice(choice)) if choice else ""


class IdleView(NightQuestion):
    """Nobody is left to answer: the call is held open for a while."""


# By day


@dataclass(frozen=True)
class DeathLine:
    """A death, in words."""

    card: int
    who: str
    why: str


@dataclass(frozen=True)
class OrderedSeat:
    """A seat in the order of speakers."""

    seat: int
    now: bool
    done: bool
    mute: bool
    """Whether it may not speak today."""


class DayQuestion(Question):
    """Something by day, when it is known who has died."""

    @property
    def deaths(self) -> list[DeathLine]:
        """The deaths of this dawn or vote, each with a sentence that says why."""
        return [DeathLine(one.card, self._dead(one.card, one.seat), one.text) for one in self.judge.deaths]

    def _dead(self, card: int, seat: int) -> str:
        return self.t("pick.card_of", card=card, seat=seat) if self.game.on_cards else self.words.seat(seat)

    @property
    def calm(self) -> bool:
        """Whether the night has taken nobody."""
        return not self.judge.deaths and self.game.state.vote.number == 0

    @property
    def silenced(self) -> str:
        """Who may not speak today."""
        return self.words.seats(self.game.state.silenced)

    @property
    def tied(self) -> str:
        """Who has the same number of votes."""
        return self.words.seats(self.game.state.vote.tied)

    # A claim

    @property
    def observed(self) -> str:
        """The seat whose claim is to be recorded; '' if there is none."""
        seat = self.game.observed
        return self.words.seat(seat) if self.prompt.claim and seat is not None else ""

    @property
    def roles(self) -> list[tuple[str, str]]:
        """Every role by id and name."""
        return [(role, self.words.role(role)) for role in self.judge.words.roles]


class SpeechView(DayQuestion):
    """Somebody speaks."""

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.prompt.seat or 0

    @property
    def speaker_name(self) -> str:
        """That player's name, or ''."""
        return self.words.name(self.seat)

    @property
    def order(self) -> list[OrderedSeat]:
        """The speakers in their order: who has spoken, who speaks, and in their places those who may not."""
        state, whole = self.game.state, self.game.order
        speaking = state.speaking
        if len(speaking) < 2:
            return []
        if set(whole) - set(state.silenced) != set(speaking):
            whole = speaking
        now = speaking[state.speaker]
        return [
            OrderedSeat(seat, seat == now, seat in speaking[: state.speaker], seat not in speaking) for seat in whole
        ]

    @property
    def next_speaker(self) -> int | None:
        """Who speaks next; None after the last."""
        state = self.game.state
        return next(iter(state.speaking[state.speaker + 1 :]), None)

    @property
    def can_go_back(self) -> bool:
        """Whether somebody has spoken before."""
        return self.game.state.speaker > 0


class LastWordsView(SpeechView):
    """One of the dead speaks."""


class TalkView(DayQuestion):
    """All talk, in no order."""


class ElectView(DayQuestion, Picking):
    """Who is given the table's office."""


class ReactView(DayQuestion, Picking):
    """Whom one of the dead takes along, or what else a death brings about."""

    @property
    def who(self) -> str:
        """Whose choice it is."""
        return self.words.seat(self.prompt.seat or 0)


@dataclass(frozen=True)
class Voter:
    """A voter, with the boxes to fill in, and what each box counts."""

    seat: int
    name: str
    boxes: int
    weight: int
    candidates: tuple[int, ...]
    """For whom it may vote, by number."""
    asked: bool
    """Whether the narrator is asking it."""


@dataclass(frozen=True)
class Candidate:
    """Somebody, or a card, that can be voted for."""

    number: int
    name: str
    """The player's name, or the seat that a card lies at."""
    called: bool
    """Whether hands are being counted for it."""


@dataclass(frozen=True)
class NextCall:
    """What the narrator calls next, as a form sends it, and on a button."""

    value: str
    label: str


class VoteView(DayQuestion):
    """A vote: hands are counted, or votes are recorded by voter."""

    @property
    def number(self) -> int:
        """1 for the first vote of the day."""
        return self.game.state.vote.number

    @property
    def votes(self) -> int:
        """How many votes there are, weights included."""
        return sum(self.prompt.votes.values())

    @property
    def hands(self) -> bool:
        """Whether hands may be counted; else votes are recorded by voter only."""
        return not self.game.state.ruleset.day.ballots_only

    @cached_property
    def candidates(self) -> dict[int, Candidate]:
        """Who can be voted for, in calling order."""
        called = self.judge.calling.place if self.judge.calling else None
        return {place: Candidate(place, self._name(place), place == called) for place in self.prompt.candidates}

    def _name(self, place: int) -> str:
        if not self.game.on_cards:
            return self.words.name(place)
        seat = self.game.state.cards[place - 1].seat
        return self.words.name(seat) or self.t("pick.seat", seat=seat)

    @property
    def voters(self) -> list[Voter]:
        """Each voter in turn."""
        return [self._voter(seat, votes) for seat, votes in self.prompt.votes.items()]

    def _voter(self, seat: int, votes: int) -> Voter:
        boxes, weight = (votes, 1) if self.game.state.ruleset.day.split else (1, votes)
        barred = self.prompt.barred_votes.get(seat, ())
        named = tuple(sorted(set(self.prompt.candidates) - set(barred)))
        asked = self.judge.calling is not None and seat == self.judge.calling.seat
        return Voter(seat, self.words.name(seat), boxes, weight, named, asked)

    @property
    def next_call(self) -> NextCall | None:
        """Each candidate in turn, at last those who abstain; None after that."""
        calling = self.judge.calling
        if calling is not None and calling.place is None and calling.seat is None:
            return None
        place = following(self.prompt.candidates, calling.place if calling else None)
        if place is None:
            return NextCall("abstain", self.t("vote.call_abstain"))
        return NextCall(f"candidate.{place}", self.t("vote.call", seat=place))

    @property
    def next_ballot(self) -> NextCall | None:
        """Which voter the narrator asks next, where votes are recorded by voter; None after the last."""
        seat = following(tuple(self.prompt.votes), self.judge.calling.seat if self.judge.calling else None)
        return None if seat is None else NextCall(f"ballot.{seat}", self.t("vote.ask", seat=seat))


def following(places: tuple[int, ...], now: int | None) -> int | None:
    """The place after this one, the first if it is none of them; None after the last."""
    at = places.index(now) + 1 if now in places else 0
    return places[at] if at < len(places) else None


class OverView(DayQuestion):
    """The end."""

    @property
    def outcome(self) -> str:
        """Who has won."""
        return self.words.outcome(self.game.state.winner)

    @property
    def ending(self) -> str:
        """Why it ended, where that is not plain."""
        ended_by = self.game.state.ended_by
        key = f"over.{ended_by}"
        return self.t(key) if ended_by != "abandoned" and self.t.has(key) else ""


QUESTIONS: dict[str, type[Question]] = {
    "begin": BeginView,
    "identify": IdentifyView,
    "choose": ChooseView,
    "show": ShowView,
    "idle": IdleView,
    "react": ReactView,
    "last_words": LastWordsView,
    "elect": ElectView,
    "speech": SpeechView,
    "talk": TalkView,
    "vote": VoteView,
    "over": OverView,
}
"""Kind of prompt -> its view."""
