"""What can be tapped for one field of a prompt: a cell for every seat, card or other value, and why some cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace

from narrator.model.prompts import Field
from narrator.model.state import Card
from narrator.table.views import SeatView
from webpanel.texts import Texts, Words

SEATS = ("seat", "seats")
CARDS = ("card", "cards")


@dataclass(frozen=True)
class Cell:
    """One thing to tap."""

    value: str
    """As the form sends it."""
    mark: str
    """What stands on it, big; the confirm button names it so."""
    who: str = ""
    """Below it: the player's name."""
    tag: str = ""
    """Below that: what the judge knows of the role."""
    _: KW_ONLY
    behind: str = ""
    """Below that: what lies behind the card in front."""
    state: str = "open"
    """`open dead barred`."""
    reason: str = ""
    """Why it cannot be tapped."""
    warning: str = ""
    """What will be surprising about tapping it."""
    label: str = ""
    """The whole of it, to be read aloud."""


@dataclass(frozen=True)
class Pick:
    """One field of a prompt, laid out."""

    name: str
    """Of the field in the form."""
    label: str
    """'' where it is plain."""
    layout: str
    """`grid choices slots switch`"""
    cells: tuple[Cell, ...]
    least: int
    most: int
    optional: bool


def cells(field: Field, seats: tuple[SeatView, ...], words: Words, t: Texts) -> tuple[Cell, ...]:
    """The cells of a field, in the order of the table."""
    if field.kind in SEATS:
        return tuple(seat_cell(field, seat, words) for seat in seats)
    if field.kind in CARDS:
        return tuple(card_cell(field, card, words, t) for seat in seats for card in seat.cards)
    return tuple(value_cells(field, words))


def seat_cell(field: Field, seat: SeatView, words: Words) -> Cell:
    """The cell of a seat."""
    tag, *behind = [words.role(role_of(card)) for card in in_play(seat)]
    place = Cell(str(seat.number), str(seat.number), words.name(seat.number), tag, label=words.seat(seat.number))
    return replace(judged(place, field, seat.number, seat.alive, words), behind=words.listed(filter(None, behind)))


def card_cell(field: Field, card: Card, words: Words, t: Texts) -> Cell:
    """The cell of a card."""
    number, who = card.number, t("pick.seat", seat=card.seat)
    label = t("pick.card_of", card=number, seat=card.seat)
    place = Cell(str(number), str(number), who, words.role(role_of(card)), label=label)
    return judged(place, field, number, card.alive, words)


def judged(cell: Cell, field: Field, number: int, alive: bool, words: Words) -> Cell:
    """A cell with its state: what the field allows is open, what it bars has a reason, the rest is out of the game."""
    if number in field.allowed:
        return replace(cell, warning=words.warning(field.warned.get(number, "")))
    reason = field.barred.get(number, "not_allowed" if alive else "dead_seat")
    return replace(cell, state="barred" if alive else "dead", reason=words.refusal(reason, {"seat": number}))


def role_of(card: Card) -> str | None:
    """What a card plays, as far as the judge knows."""
    return card.plays or card.role


def in_play(seat: SeatView) -> list[Card]:
    """The cards of a seat that count now: the living ones, the one in front first."""
    living = [card for card in seat.cards if card.alive]
    return sorted(living or seat.cards, key=lambda card: card != seat.front)


def value_cells(field: Field, words: Words) -> Iterator[Cell]:
    """The cells of a flag, of roles, of words: those allowed, then those barred with their reasons."""
    for value in field.allowed:
        yield Cell(sent(value), words.value(value, field.name), warning=words.warning(field.warned.get(value, "")))
    for value, reason in field.barred.items():
        yield Cell(sent(value), words.value(value, field.name), state="barred", reason=words.refusal(reason))


def sent(value: object) -> str:
    """A value as a form sends it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
