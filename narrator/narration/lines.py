"""What is said of each public event: lines, and the pauses after them.

Lines are made of public forms and of the public view before them, so they cannot give away what they do not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from narrator.model.ruleset import KIN, Ruleset, Step, Texts
from narrator.narration.keys import KEYS
from narrator.narration.scripts import CARD_JOINT, JOINT, Names, Script, localized

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

Form = Mapping[str, Any]
View = Mapping[str, Any]
Counts = Mapping[str, int]


@dataclass(frozen=True)
class Line:
    """Something to be said: a key of the script with its parameters, and the kind of pause after it."""

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)
    pause_after: str = "breath"


@dataclass(frozen=True)
class Context:
    """What a piece of narration may look at: the public view before the event, the rules, the deck."""

    before: View
    ruleset: Ruleset
    counts: Counts

    @property
    def cards(self) -> bool:
        """Whether the table speaks of numbered cards rather than of seats."""
        return self.ruleset.hand.kind == "numbered"

    @property
    def several(self) -> bool:
        """Whether a seat has more than one card to lose."""
        return self.ruleset.hand.cards > 1

    def deaths(self, *how: str) -> list[Mapping[str, Any]]:
        """This round's deaths so far that were announced in one of these ways."""
        return [
            death for death in self.before["deaths"] if death["round"] == self.before["round"] and death["how"] in how
        ]


Piece = Callable[[Form, Context], Iterable[Line]]
PIECES: dict[str, Piece] = {}


def says(kind: str) -> Callable[[Piece], Piece]:
    """Register what is said of a kind of event; a kind that is taken is a ValueError."""

    def register(function: Piece) -> Piece:
        if kind in PIECES:
            raise ValueError(f"two pieces of narration are for {kind!r}")
        PIECES[kind] = function
        return function

    return register


def lines_for(form: Form, before: View, ruleset: Ruleset, counts: Counts | None = None) -> tuple[Line, ...]:
    """What is said when the table hears of an event.

    `form` is the event's public form, `before` the public view before it, as JSON. `counts` (role -> cards in the deck,
    known to all) decides between "killer" and "killers"; left out, the ruleset's suggestion for that many seats counts.
    """
    piece = PIECES.get(str(form["kind"]))
    if piece is None:
        return ()
    deck = counts if counts is not None else ruleset.counts(len(before["seats"]))
    return tuple(piece(form, Context(before, ruleset, deck)))


def places(ruleset: Ruleset, numbers: Iterable[int]) -> dict[str, Any]:
    """Parameters that name seats, or cards where those are numbered: `places`, `cards` (a flag) and `count`."""
    found = [int(number) for number in numbers]
    return {"places": found, "cards": ruleset.hand.kind == "numbered", "count": len(found)}


def role_of(step: Step, ruleset: Ruleset) -> str:
    """The role in whose name a step is called."""
    if step.id in ruleset.roles:
        return step.id
    return next(iter(step.roles()), step.id)


# Rendering


def render_line(line: Line, script: Script, ruleset: Ruleset | None, names: Names | None = None) -> str:
    """The words of a line in the script's language, with the players' `names` if given.

    Without a ruleset only lines that name nothing of one can be rendered. A step's own words, where the ruleset has any
    in this language, come first; then the script's; then general ones with the role's name.
    """
    if ruleset is None:
        return script.render(line.key, names, **line.params)
    own = _own_words(line, script, ruleset)
    if own:
        return script.sentence(_filled(script.parted(own), line, script, ruleset))
    key = next(key for key in _candidates(line, ruleset) if script.has(key))
    params = {name: _word(name, value, line, script, ruleset) for name, value in line.params.items()}
    return script.render(key, names, **{name: params[name] for name in params if name in KEYS[key].params | {"count"}})


def line_phrases(line: Line, script: Script, ruleset: Ruleset) -> tuple[str, ...]:
    """The words of a line in the pieces that are recorded once each: its template says where it may be parted."""
    text = render_line(line, script.jointed, ruleset)
    text = text.replace(CARD_JOINT, JOINT if line.params.get("cards") else "")
    return tuple(piece.strip() for piece in text.split(JOINT))


def _own_words(line: Line, script: Script, ruleset: Ruleset) -> str:
    if not line.key.startswith("calls.") or line.params.get("meeting"):
        return ""
    texts: Texts = ruleset.step(line.params["step"]).lines.get(line.key.rpartition(".")[2].split("_")[0], {})
    return next((texts[tag] for tag in (script.language, *KIN.get(script.language, ())) if texts.get(tag)), "")


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
