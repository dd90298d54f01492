"""What can be tapped for one field of a prompt: a cell for every seat, card or other value, and why some cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

from webpanel.texts import Texts
from webpanel.words import Words

Json = Mapping[str, Any]
SEATS = ("seat", "seats")
CARDS = ("card", "cards")


@dataclass(frozen=True)
class Cell:
    """One thing to tap."""

    value: str
    """As the form sends it."""
    mark: str
    """What stands on it, big."""
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

    @property
    def short(self) -> str:
        """How the confirm button names it."""
        return self.mark


def cells(field: Json, seats: list[Json], words: Words, t: Texts) -> list[Cell]:
    """The cells of a field, in the order of the table."""
    if field["kind"] in SEATS:
        return [seat_cell(field, seat, words, t) for seat in seats]
    if field["kind"] in CARDS:
        return [card_cell(field, card, words, t) for card in cards_of(seats)]
    return list(value_cells(field, words))


def cards_of(seats: list[Json]) -> Iterator[tuple[int, Json]]:
    """Every card of the table with its seat."""
    return ((seat["seat"], card) for seat in seats for card in seat["cards"])


def seat_cell(field: Json, seat: Json, words: Words, t: Texts) -> Cell:
    """The cell of a seat."""
    number = seat["seat"]
    tag, *behind = [words.role(role_of(card)) for card in in_play(seat)]
    cell = build(field, number, seat["alive"], words.name(number), tag, words.seat(number), words, t)
    return replace(cell, behind=words.listed(filter(None, behind)))


def card_cell(field: Json, card: tuple[int, Json], words: Words, t: Texts) -> Cell:
    """The cell of a card."""
    seat, shown = card
    label = t("pick.card_of", card=shown["number"], seat=seat)
    who = t("pick.seat", seat=seat)
    return build(field, shown["number"], shown["alive"], who, words.role(role_of(shown)), label, words, t)


def build(field: Json, number: int, alive: bool, who: str, tag: str, label: str, words: Words, t: Texts) -> Cell:
    """A cell with its state: what the field allows is open, what it bars has a reason, the rest is out of the game."""
    mark = str(number)
    if number in field["allowed"]:
        return Cell(mark, mark, who, tag, warning=words.warning(field["warned"].get(mark, "")), label=label)
    reason = words.refusal(field["barred"].get(mark, "dead_seat" if not alive else "not_allowed"), {"seat": number})
    state = "barred" if alive else "dead"
    return Cell(mark, mark, who, tag, state=state, reason=reason, label=label)


def role_of(card: Json) -> str | None:
    """What a card plays, as far as the judge knows."""
    known: str | None = card["plays"] or card["role"]
    return known


def in_play(seat: Json) -> list[Json]:
    """The cards of a seat that count now: the living ones, the one in front first."""
    living = [card for card in seat["cards"] if card["alive"]]
    return sorted(living or seat["cards"], key=lambda card: not card.get("front", True))


def value_cells(field: Json, words: Words) -> Iterator[Cell]:
    """The cells of a flag, of roles, of words: those allowed, then those barred with their reasons."""
    for value in field["allowed"]:
        yield Cell(
            sent(value), words.value(value, field["name"]), warning=words.warning(field["warned"].get(str(value), ""))
        )
    for value, reason in field["barred"].items():
        named = {"True": True, "False": False}.get(value, value)
        yield Cell(sent(named), words.value(named, field["name"]), state="barred", reason=words.refusal(reason, {}))


def sent(value: object) -> str:
    """A value as a form sends it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
