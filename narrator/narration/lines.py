"""What is said of each event that everybody knows of: lines, the pauses after them, and their words in a language.

They are made of events and of the game before them, both as everybody sees them (`narrator.engine.seen`), so they
cannot give away what they do not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from narrator.engine.cards import living_seats
from narrator.language_tags import text_in
from narrator.model import events as ev
from narrator.model.ruleset import KIN, Ruleset, Step, Texts
from narrator.model.state import Call, State
from narrator.narration.keys import KEYS
from narrator.narration.scripts import CARD_JOINT, JOINT, Names, Script, isolated, localized

PAUSES: dict[str, tuple[float, float]] = {
    "none": (0.0, 0.0),
    "breath": (0.5, 1.0),
    "open": (1.0, 1.5),
    "work": (6.0, 12.0),
    "call": (1.6, 3.0),
    "dawn": (3.0, 5.0),
    "news": (1.0, 1.8),
    "turn": (0.0, 0.0),
    "end": (1.5, 2.5),
}
"""Kind of pause -> suggested seconds, (least, most), to be drawn anew each time, whoever is alive.

- `none`: the next line belongs to this one.
- `breath`: between two sentences on one matter.
- `open`: a group has been told to open its eyes; it needs a moment before it is asked.
- `work`: a group has been asked; the call stays open at least this long, even if the judge is quicker or nobody wakes.
- `call`: a group has been told to close its eyes; nobody else may be woken sooner.
- `dawn`: everybody has been told to close, or to open, their eyes.
- `news`: something was announced that the table wants to take in.
- `turn`: from here on the table itself speaks; the next line comes when the judge goes on.
- `end`: before and after the result of the game.
"""


@dataclass(frozen=True)
class Line:
    """Something to be said: a key of the script with its parameters, and the kind of pause after it."""

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)
    pause_after: str = "breath"


Piece = Callable[[Any, State], Iterable[Line]]
PIECES: dict[type[ev.Event], Piece] = {}
"""Kind of event -> what is said of it, given the event and the game before it, both as everybody sees them."""


def says(kind: type[ev.Event]) -> Callable[[Piece], Piece]:
    """Register what is said of a kind of event; a kind that is taken is a ValueError."""

    def register(function: Piece) -> Piece:
        if kind in PIECES:
            raise ValueError(f"two pieces of narration are for {kind.__name__}")
        PIECES[kind] = function
        return function

    return register


def lines_for(event: ev.Event, before: State) -> tuple[Line, ...]:
    """What is said when the table hears of an event; `before` is the game before it, both as everybody sees them."""
    piece = PIECES.get(type(event))
    return tuple(piece(event, before)) if piece else ()


def places(ruleset: Ruleset, numbers: Iterable[int]) -> dict[str, Any]:
    """Parameters that name seats, or cards where those are numbered: `places`, `cards` (a flag) and `count`."""
    found = [int(number) for number in numbers]
    return {"places": found, "cards": numbered(ruleset), "count": len(found)}


def numbered(ruleset: Ruleset) -> bool:
    """Whether the table speaks of numbered cards rather than of seats."""
    return ruleset.hand.kind == "numbered"


def role_called(step: Step, ruleset: Ruleset) -> str:
    """The role in whose name a step is called."""
    if step.id in ruleset.roles:
        return step.id
    return next(iter(step.roles()), step.id)


# The night


@says(ev.NightFell)
def _night_fell(event: ev.NightFell, before: State) -> Iterator[Line]:
    if before.stage == "vote" and _have_died(before, "vote"):
        yield from _no_last_words(before)
    yield from (Line(notice, pause_after="news") for notice in event.notices)
    yield Line("night.falls", pause_after="dawn")
    if before.deaths:
        yield from (Line(reminder, pause_after="breath") for reminder in before.ruleset.reminders)


def _have_died(before: State, how: str) -> bool:
    """Whether deaths have been announced in that way this round."""
    return (before.round, how) in before.announced


def _no_last_words(before: State) -> Iterator[Line]:
    """Where the table counts last words: that the latest dead have none."""
    if before.ruleset.last_words == "quota":
        yield Line("last_words.none", pause_after="news")


@says(ev.CallOpened)
def _call_opened(event: ev.CallOpened, before: State) -> Iterator[Line]:
    step = before.ruleset.step(event.call.step)
    if not step.spoken:
        return
    yield _part("open", event.call, step, before, "open")
    yield from _joining(step, before)
    if _meets_partners(event.call, step, before):
        yield Line("call.partners", pause_after="open")


def _joining(step: Step, before: State) -> Iterator[Line]:
    """On the first night: the roles that open their eyes with those by whose name a step is called."""
    named = role_called(step, before.ruleset)
    roles = [role for role in (*step.wakes, *step.anywhere, *step.joins) if role != named]
    if roles and before.round == 1 and step.ability != "meet" and not step.each:
        yield Line("call.joining", {"roles": roles, "count": len(roles)}, "open")


def _meets_partners(call: Call, step: Step, before: State) -> bool:
    """Whether this is the first time that the members of a group of several see each other."""
    first = before.round == 1 and not call.number and not call.meeting
    several = not step.each and _cards_of({*step.wakes, *step.anywhere, *step.joins}, before) > 1
    return first and step.ability not in ("meet", "bind") and several


def _cards_of(roles: Iterable[str], before: State) -> int:
    """How many cards of these roles the deck holds."""
    return sum(before.setup.counts.get(role, 0) for role in roles)


@says(ev.Asked)
def _asked(event: ev.Asked, before: State) -> Iterator[Line]:
    step = before.ruleset.step(event.call.step)
    if step.spoken:
        yield _part("ask", event.call, step, before, "work")


@says(ev.CallClosed)
def _call_closed(event: ev.CallClosed, before: State) -> Iterator[Line]:
    step = before.ruleset.step(event.call.step)
    if step.spoken:
        yield _part("close", event.call, step, before, "call")


def _part(part: str, call: Call, step: Step, before: State, pause: str) -> Line:
    params: dict[str, Any] = {"step": step.id, "role": role_called(step, before.ruleset)}
    roles = {*step.wakes, *step.anywhere}
    if call.meeting:
        key = "call.meet" if part == "ask" else f"calls.{step.id}.{part}"
        return Line(key, {**params, "count": _cards_of(roles, before), "meeting": True}, pause)
    if call.number:
        return Line(f"calls.{step.id}.{part}_numbered", {**params, "number": call.number}, pause)
    called = 2 if not roles else 1 if step.each else _cards_of(roles, before)  # two: the lovers, nobody's role
    return Line(f"calls.{step.id}.{part}", {**params, "count": called}, pause)


# Dawn and the dead


@says(ev.Dawned)
def _dawned(event: ev.Dawned, before: State) -> Iterator[Line]:
    yield Line("dawn.breaks", pause_after="dawn")


@says(ev.Died)
def _died(event: ev.Died, before: State) -> Iterator[Line]:
    if event.deaths:
        yield from _deaths(event, before)
        yield from _out(event, before)
    elif event.how == "night":
        yield Line("deaths.none", pause_after="news")


def _deaths(event: ev.Died, before: State) -> Iterator[Line]:
    dead = [death.card if numbered(before.ruleset) else death.seat for death in event.deaths]
    voted = _voted_out(event, dead, before)
    if len(voted) > 1:
        yield Line("tie.all_out", pause_after="breath")
    if event.how == "night":
        yield from _night_deaths(event, dead, before)
    elif voted:
        yield _dead("deaths.vote", voted, before)
    rest = [] if event.how == "night" else [number for number in dead if number not in voted]
    if rest:
        yield _dead("deaths.more", rest, before)


def _night_deaths(event: ev.Died, dead: list[int], before: State) -> Iterator[Line]:
    """All together; kind by kind in editions that announce how somebody died."""
    kinds = [death.kind for death in event.deaths]
    if not any(kinds):
        yield _dead("deaths.night", dead, before)
        return
    for kind in dict.fromkeys(kinds):
        seats = [death.seat for death in event.deaths if death.kind == kind]
        yield Line(f"deaths.{kind or 'killed'}", {"seats": seats, "count": len(seats)}, "news")


def _voted_out(event: ev.Died, dead: list[int], before: State) -> list[int]:
    """Those of the dead that had the most votes: nobody else is said to have been voted out."""
    lie = any(cause.kind == "lie" for death in event.deaths for cause in death.causes)
    if event.how != "vote" or lie:
        return []
    tally = before.vote.tally
    most = max(tally.values(), default=0)
    return [number for number in dead if not tally or tally.get(number) == most]


def _dead(key: str, dead: list[int], before: State) -> Line:
    ruleset = before.ruleset
    if ruleset.hand.cards > 1 and not numbered(ruleset):
        seats = sorted(set(dead))
        return Line(f"{key}_front", {"seats": seats, "count": len(seats)}, "news")
    return Line(key, places(ruleset, dead), "news")


def _out(event: ev.Died, before: State) -> Iterator[Line]:
    """Where a seat has more than one card: that it has lost its last one."""
    seats = sorted({death.seat for death in event.deaths if death.out})
    if seats and before.ruleset.hand.cards > 1:
        yield Line("deaths.out", {"seats": seats, "count": len(seats)}, "news")


@says(ev.Revealed)
def _revealed(event: ev.Revealed, before: State) -> Iterator[Line]:
    key = "wins_apart" if event.reason == "wins_apart" else "role.revealed"
    yield Line(key, {"seat": event.seat, "role": event.role}, "news")


@says(ev.Left)
def _left(event: ev.Left, before: State) -> Iterator[Line]:
    if event.reason != "wins_apart":
        yield Line("seat.left", {"seat": event.seat}, "news")


@says(ev.Silenced)
def _silenced(event: ev.Silenced, before: State) -> Iterator[Line]:
    if event.reason == "asleep":
        yield from (Line("asleep", {"seat": seat}, "news") for seat in event.seats)
    elif event.seats:
        yield Line("silenced", {"seats": list(event.seats), "count": len(event.seats)}, "news")


@says(ev.Announced)
def _announced(event: ev.Announced, before: State) -> Iterator[Line]:
    yield Line(event.line, dict(event.values), "news")


# The day


@says(ev.LastWordsBegan)
def _last_words_began(event: ev.LastWordsBegan, before: State) -> Iterator[Line]:
    seats = list(event.seats)
    if len(seats) > 1:
        yield Line("last_words.many", {"seats": seats, "count": len(seats)}, "breath")
        yield Line("last_words.next", {"seat": seats[0]}, "turn")
    else:
        yield Line("last_words.one", {"seat": seats[0]}, "turn")


@says(ev.ElectionCalled)
def _election_called(event: ev.ElectionCalled, before: State) -> Iterator[Line]:
    yield Line("office.election", {"office": event.office}, "turn")


@says(ev.OfficeGiven)
def _office_given(event: ev.OfficeGiven, before: State) -> Iterator[Line]:
    office, seat = event.office, event.seat
    if seat is None:
        yield Line("office.nobody" if event.elected else "office.vacant", {"office": office}, "news")
    elif event.elected:
        votes = before.ruleset.day.office.votes if before.ruleset.day.office else 1
        yield Line("office.elected", {"seat": seat, "office": office, "votes": votes}, "news")
    else:
        yield Line("office.successor", {"seat": seat, "office": office}, "news")


@says(ev.DayBegan)
def _day_began(event: ev.DayBegan, before: State) -> Iterator[Line]:
    if before.stage == "dawn" and _have_died(before, "night"):
        yield from _no_last_words(before)
    if event.free:
        yield Line("talk.free", pause_after="turn")
    elif event.speaking:
        key = "speech.begin" if before.days_of_speech else "speech.first_day"
        yield Line(key, {"seat": event.speaking[0]}, "turn")


@says(ev.TurnPassed)
def _turn_passed(event: ev.TurnPassed, before: State) -> Iterator[Line]:
    speaking = before.speaking
    seat = speaking[event.speaker]
    if before.stage == "last_words":
        yield Line("last_words.next", {"seat": seat}, "turn")
    elif event.speaker < before.speaker:
        yield Line("speech.again", {"seat": seat}, "turn")
    else:
        last = event.speaker == len(speaking) - 1 and len(speaking) > 2
        yield Line("speech.last" if last else "speech.next", {"seat": seat}, "turn")


@says(ev.VoteCalled)
def _vote_called(event: ev.VoteCalled, before: State) -> Iterator[Line]:
    if before.stage == "talk":
        yield Line("talk.over", pause_after="breath")
    elif before.stage == "speech" and event.number == 1:
        yield Line("speech.over", pause_after="breath")
    if event.number > 1:
        yield Line("vote.between", places(before.ruleset, sorted(event.candidates)), "turn")
    else:
        yield Line(_vote_opening(before), pause_after="turn")


def _vote_opening(before: State) -> str:
    """The key of the words that open a vote: with the rules on the first day that has one, bare later on."""
    if before.days_of_vote:
        return "vote.start"
    day = before.ruleset.day
    if day.ballots_only:
        return "vote.begin_ballots"
    if numbered(before.ruleset):
        return "vote.begin_cards"
    return "vote.begin_lives" if day.votes == "cards" else "vote.begin"


@says(ev.Voted)
def _voted(event: ev.Voted, before: State) -> Iterator[Line]:
    if event.tally:
        yield Line("vote.result", {"tally": dict(event.tally), "cards": numbered(before.ruleset)}, "news")
    if before.ruleset.day.ballots_only and event.ballots:
        yield from _ballots(event, before)
    if event.invalid:
        yield Line("vote.invalid", {"seats": list(event.invalid), "count": len(event.invalid)}, "news")


def _ballots(event: ev.Voted, before: State) -> Iterator[Line]:
    """Who named whom, where everybody's ballot is announced."""
    cards = numbered(before.ruleset)
    for place in sorted({place for given in event.ballots.values() for place in given}):
        voters = sorted(voter for voter, given in event.ballots.items() if place in given)
        yield Line("vote.for", {"place": place, "seats": voters, "count": len(voters), "cards": cards})
    heard = {voter for voter, given in event.ballots.items() if given}.union(event.invalid)
    silent = [seat for seat in living_seats(before) if seat not in heard]
    if silent:
        yield Line("vote.abstained", {"seats": silent, "count": len(silent)}, "news")


@says(ev.Tied)
def _tied(event: ev.Tied, before: State) -> Iterator[Line]:
    speaking = event.speaking
    key = f"tie.{event.speakers}" if speaking else "tie.nobody"
    yield Line(key, places(before.ruleset, event.seats), "breath" if speaking else "news")
    if speaking:
        yield Line("speech.next", {"seat": speaking[0]}, "turn")


@says(ev.NobodyOut)
def _nobody_out(event: ev.NobodyOut, before: State) -> Iterator[Line]:
    yield Line(f"nobody_out.{event.reason}", pause_after="news")


@says(ev.DaySkipped)
def _day_skipped(event: ev.DaySkipped, before: State) -> Iterator[Line]:
    yield Line("day.skipped", pause_after="news")


@says(ev.GameEnded)
def _game_ended(event: ev.GameEnded, before: State) -> Iterator[Line]:
    yield ending(event.winner, event.reason)
    if event.winner != "abandoned":
        yield Line("game.cards_up", pause_after="none")


def ending(winner: str, reason: str) -> Line:
    """The line that tells how the game has ended."""
    if winner == "abandoned":
        return Line("game.abandoned", pause_after="end")
    if winner == "draw":
        return Line(f"draw.{reason}", pause_after="end")
    if f"won.{winner}" in KEYS:
        return Line(f"won.{winner}", pause_after="end")
    return Line("won.other", {"camp": winner}, "end")


# What the judge has said without an event


def candidate_line(place: int, cards: bool = False) -> Line:
    """The call for the hands of one candidate (a card, where votes are on cards)."""
    return Line("vote.candidate", {"place": place, "cards": cards}, "turn")


def ballot_line(seat: int) -> Line:
    """The question to one voter."""
    return Line("vote.ballot", {"seat": seat}, "turn")


# Names after a line, where the judge wants names to be said

NAMING = (
    *("deaths.", "deduction.", "last_words.", "office.", "speech.", "tie."),
    *("asleep", "role.revealed", "seat.left", "silenced", "wins_apart"),
    *("vote.ballot", "vote.between", "vote.candidate"),
)
"""How the keys of lines begin that tell of seats, or speak to them, by day. Tallies and ballots are long enough."""
_SEATS = ("seat", "seats", "place", "places")


def named_seats(line: Line) -> tuple[int, ...]:
    """The seats whose names belong after a line, in the order in which it names them; none of numbered cards."""
    if not line.key.startswith(NAMING) or line.params.get("cards"):
        return ()
    values = [line.params[name] for name in _SEATS if name in line.params]
    numbers = [one for value in values for one in (value if isinstance(value, list | tuple) else [value])]
    return tuple(dict.fromkeys(int(number) for number in numbers))


def names_after(line: Line, script: Script, names: Names) -> tuple[str, ...]:
    """The names that belong after a line, each a sentence of its own; nothing for a seat without one."""
    found = [names.get(seat, "") for seat in named_seats(line)]
    return tuple(script.phrase("words.name", name=isolated(name)) for name in found if name)


# Rendering


def render_line(line: Line, script: Script, ruleset: Ruleset | None, names: Names | None = None) -> str:
    """The words of a line in the script's language, with the players' `names` if given.

    Without a ruleset only lines that name nothing of one can be rendered. A step's own words, where the ruleset has any
    in this language, come first; then the ruleset's own for that key, then the script's; then general ones, with the
    role's name, in the same order.
    """
    if ruleset is None:
        return script.render(line.key, names, **line.params)
    own = _own_words(line, script, ruleset)
    if own:
        return script.sentence(_filled(script.parted(own), line, script, ruleset))
    key = next(key for key in _candidates(line, ruleset) if script.has(key) or _in(script, ruleset.lines.get(key, {})))
    params = {name: _word(name, value, line, script, ruleset) for name, value in line.params.items()}
    used = {name: params[name] for name in params if name in KEYS[key].params | {"count"}}
    own = _in(script, ruleset.lines.get(key, {}))
    return script.worded(own, names, **used) if own else script.render(key, names, **used)


def line_phrases(line: Line, script: Script, ruleset: Ruleset) -> tuple[str, ...]:
    """The words of a line in the pieces that are recorded once each: its template says where it may be parted."""
    text = render_line(line, script.jointed, ruleset)
    text = text.replace(CARD_JOINT, JOINT if line.params.get("cards") else "")
    return tuple(piece.strip() for piece in text.split(JOINT))


def _own_words(line: Line, script: Script, ruleset: Ruleset) -> str:
    if not line.key.startswith("calls."):
        return ""
    texts: Texts = ruleset.step(line.params["step"]).lines.get(line.key.rpartition(".")[2].split("_")[0], {})
    return _in(script, texts)


def _in(script: Script, texts: Texts) -> str:
    """A ruleset's text in the script's language or its kin; '' if it has none."""
    return text_in(texts, (script.language, *KIN.get(script.language, ())))


def _filled(text: str, line: Line, script: Script, ruleset: Ruleset) -> str:
    role = localized(_role_names(line.params["role"], ruleset), script.language, line.params["role"])
    return text.replace("{role}", role).replace("{number}", str(line.params.get("number", "")))


def _candidates(line: Line, ruleset: Ruleset) -> Iterator[str]:
    """Keys under which the words of a line may be, the best first."""
    yield line.key
    if line.key.startswith("calls."):
        part = line.key.rpartition(".")[2]
        if part.startswith("ask"):
            yield f"asks.{ruleset.step(line.params['step']).ability}"
        yield f"call.{part}"
        yield f"call.{part.removesuffix('_numbered')}"


def _word(name: str, value: Any, line: Line, script: Script, ruleset: Ruleset) -> Any:
    worded = WORDED.get(name)
    return worded(value, line, script, ruleset) if worded else value


Worded = Callable[[Any, Line, Script, Ruleset], Any]


def _role_names(role: str, ruleset: Ruleset) -> Texts:
    return ruleset.roles[role].name if role in ruleset.roles else {}


def role_name(role: str, script: Script, ruleset: Ruleset) -> str:
    """What a role is called in the script's language."""
    return localized(_role_names(role, ruleset), script.language, script.word("role", role))


def role_names(roles: Iterable[str], script: Script, ruleset: Ruleset) -> str:
    """What several roles are called, as a list without joints."""
    return script.listed(role_name(role, script, ruleset) for role in roles).replace(JOINT, "")


def title(script: Script, ruleset: Ruleset) -> str:
    """The edition's name. One with the number of a version may be parted before what comes after it."""
    name = localized(ruleset.name, script.language, ruleset.id)
    return name.replace(": ", f": {script.joint}") if any(sign.isdigit() for sign in name) else name


def camp_name(camp: str, script: Script, ruleset: Ruleset) -> str:
    """What a camp is called in the script's language."""
    return localized(ruleset.camps.get(camp, {}), script.language, camp.replace("_", " "))


def place_words(numbers: Iterable[int], cards: bool, script: Script) -> str | list[int]:
    """Cards in words; seats as numbers, which the script words itself."""
    found = [int(number) for number in numbers]
    return script.cards(found) if cards else found


def tally_words(tally: Mapping[Any, int], cards: bool, script: Script) -> str:
    """The result of a vote, the most votes first."""
    ordered = sorted(((int(place), votes) for place, votes in tally.items()), key=lambda pair: (-pair[1], pair[0]))
    return script.phrase("words.pause").join(
        script.phrase(
            "words.tally_item",
            place=script.cards([place]) if cards else script.seat(place),
            votes=script.phrase("words.votes", count=votes),
        )
        for place, votes in ordered
    )


def office_name(office: str, script: Script, ruleset: Ruleset) -> str:
    """The office as this edition calls it, or by its usual name."""
    own = ruleset.day.office.name if ruleset.day.office else {}
    return localized(own, script.language, "") or script.word("office", office)


WORDED: dict[str, Worded] = {
    "role": lambda value, line, script, ruleset: role_name(value, script, ruleset),
    "roles": lambda value, line, script, ruleset: role_names(value, script, ruleset),
    "camp": lambda value, line, script, ruleset: camp_name(value, script, ruleset),
    "ruleset": lambda value, line, script, ruleset: title(script, ruleset),
    "office": lambda value, line, script, ruleset: office_name(value, script, ruleset),
    "look": lambda value, line, script, ruleset: script.word("look", value),
    "votes": lambda value, line, script, ruleset: script.phrase("words.votes", count=value),
    "place": lambda value, line, script, ruleset: script.cards([value]) if line.params.get("cards") else value,
    "places": lambda value, line, script, ruleset: place_words(value, bool(line.params.get("cards")), script),
    "tally": lambda value, line, script, ruleset: tally_words(value, bool(line.params.get("cards")), script),
}
"""Parameter -> how its value becomes words; all others are worded by the script, or stand as they are."""
