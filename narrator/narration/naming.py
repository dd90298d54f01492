"""Whose names are said after a line, where the judge wants names to be said."""

from __future__ import annotations

from narrator.narration.lines import Line
from narrator.narration.scripts import Names, Script

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
    return tuple(script.phrase("words.name", name=name) for name in found if name)
