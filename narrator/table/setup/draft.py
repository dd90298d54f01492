"""What is settled before the game: ruleset, seats, names, counts, options; and everything that is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from narrator.engine.cards import misdealt
from narrator.engine.deaths import victory
from narrator.engine.game import new_game
from narrator.loading.rulesets import RulesetProblems
from narrator.model.ruleset import Ruleset
from narrator.model.state import Setup

FEWEST_SEATS, MOST_SEATS = 3, 60
LONGEST_NAME = 40
HANDS_FIRST = "hands_first"
"""The problem of an edition with several cards each, as long as nobody has dealt them."""
MOST_OF_A_ROLE = 99

DraftOptions = Mapping[str, bool | str]
RulesetOf = Callable[[str, tuple[str, ...]], Ruleset]


@dataclass(frozen=True)
class DraftProblem:
    """One thing that is wrong with a set-up: a reason, with its values, that the panel has words for."""

    reason: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        """An English sentence, for want of better words."""
        told = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in self.values.items())
        return f"{self.reason.replace('_', ' ')}{': ' + told if told else ''}"


class SetupProblem(ValueError):
    """A set-up, or a change of it, that cannot be; `problems` holds everything that is wrong at once."""

    def __init__(self, problems: list[DraftProblem]) -> None:
        self.problems = problems
        super().__init__("; ".join(map(str, problems)))


@dataclass(frozen=True)
class Draft:
    """A set-up in the making."""

    ruleset: Ruleset
    seats: int
    names: tuple[str, ...] = ()
    """From seat 1 on; '' where a seat has none."""
    extras: tuple[str, ...] = ()
    """Extra roles that have been added to the ruleset."""
    chosen_counts: Mapping[str, int] = field(default_factory=dict)
    """Only the roles whose number the judge has set."""
    chosen_options: DraftOptions = field(default_factory=dict)
    """Only the options that the judge has set."""
    hands: Mapping[int, tuple[str, ...]] | None = None
    """Seat -> its cards, if they are known before the game; None if they are dealt by hand and shown at night."""
    spare: tuple[str, ...] = ()
    """The cards left over, where the hands are known."""
    seen: int | None = None
    """How many seats have seen their cards, where they are dealt by phone; else None."""
    again: int | None = None
    """The seat that sees its cards once more."""

    @classmethod
    def of(cls, ruleset: Ruleset, seats: int | None = None, names: tuple[str, ...] = ()) -> Draft:
        """The ruleset's own suggestion, for as many seats as wished or a table of usual size."""
        low, high = ruleset.seats
        return cls(ruleset, min(max(seats or (low + high) // 2, low), high), names)

    @property
    def suggested(self) -> dict[str, int]:
        """The ruleset's own counts for this table, the plain citizen filling it up."""
        return {role: max(0, count) for role, count in self.ruleset.counts(self.seats).items()}

    @property
    def cards(self) -> int:
        """How many cards are dealt, those left over included."""
        return self.seats * self.ruleset.hand.cards + self.ruleset.hand.spare

    @property
    def counts(self) -> dict[str, int]:
        """The deck: the suggestion with the judge's changes; the plain citizen takes what is left unless it was set."""
        counts = {**self.suggested, **self.chosen_counts}
        if self.ruleset.citizen not in self.chosen_counts:
            others = sum(count for role, count in counts.items() if role != self.ruleset.citizen)
            counts[self.ruleset.citizen] = max(0, self.cards - others)
        return counts

    @property
    def options(self) -> dict[str, bool | str]:
        """Every option with its value."""
        return {name: self.chosen_options.get(name, option.default) for name, option in self.ruleset.options.items()}

    def renewed(self, ruleset: Ruleset, extras: tuple[str, ...]) -> Draft:
        """The same draft with another version of its ruleset, without what this one does not know."""
        counts = {role: count for role, count in self.chosen_counts.items() if role in ruleset.roles}
        options = {
            name: value
            for name, value in self.chosen_options.items()
            if name in ruleset.options and _is_choice(value, ruleset.options[name].choices)
        }
        changed = replace(self, ruleset=ruleset, extras=extras, chosen_counts=counts, chosen_options=options)
        return changed.undealt()

    def undealt(self) -> Draft:
        """The same draft with nobody holding any cards."""
        return replace(self, hands=None, spare=(), seen=None, again=None)

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is to see its cards, while they are dealt by phone; None before and after."""
        if self.seen is None:
            return None
        return self.again or (self.seen + 1 if self.seen < self.seats else None)

    def setup(self) -> Setup:
        """The set-up of the game. SetupProblem if anything is wrong."""
        problems = list(self.problems())
        if problems:
            raise SetupProblem(problems)
        return self.whole()

    def whole(self) -> Setup:
        """The set-up as it stands, right or wrong."""
        return Setup(self.ruleset, self.seats, self.counts, self.options, self.hands, self.spare)

    def problems(self) -> Iterator[DraftProblem]:
        """Everything that is wrong."""
        counts = self.counts
        if sum(counts.values()) != self.cards:
            yield DraftProblem("cards_do_not_fit", {"cards": self.cards, "given": sum(counts.values())})
        roles = self.ruleset.roles.values()
        for camp in dict.fromkeys(role.camp for role in roles):
            members = [role.id for role in roles if role.camp == camp]
            if self._is_needed(members) and not any(counts[role] for role in members):
                yield DraftProblem("camp_is_empty", {"camp": camp})
        if winner := self._already_won(counts):
            yield DraftProblem("over_before_it_begins", {"winner": winner})
        if self.ruleset.hand.cards > 1 and self.hands is None:
            yield DraftProblem(HANDS_FIRST)
        if self.turn is not None:
            yield DraftProblem("cards_go_round", {"seat": self.turn})

    def _already_won(self, counts: Mapping[str, int]) -> str | None:
        """Who would have won before the first night, where that can be told from the deck alone."""
        cards = [role for role, count in counts.items() for _ in range(count)]
        if self.ruleset.hand.cards > 1 or self.ruleset.hand.spare or len(cards) != self.seats:
            return None
        hands = {seat: (role,) for seat, role in enumerate(cards, 1)}
        won = victory(new_game(Setup(self.ruleset, self.seats, counts, self.options, hands)))
        return won[0] if won else None

    def _is_needed(self, members: list[str]) -> bool:
        """A camp that the edition deals, at this table or, if it has no table for it, at all."""
        dealt = [self.ruleset.roles[role] for role in members]
        within = self.ruleset.seats[0] <= self.seats <= self.ruleset.seats[1]
        if not within or any(self.suggested[role] for role in members):
            return any(role.counts or role.id == self.ruleset.citizen for role in dealt)
        return False

    def changed(self, changes: Mapping[str, Any], ruleset_of: RulesetOf) -> Draft:
        """The same draft but for `changes` (`ruleset extras seats names counts options hands`).

        `ruleset_of` finds a ruleset by its id and its extra roles (KeyError if there is none). Another ruleset or table
        begins with its own suggestion. SetupProblem, naming everything at once, if a change makes no sense.
        """
        problems: list[DraftProblem] = []
        draft = self
        for name in CHANGES:
            if name not in changes:
                continue
            try:
                draft = CHANGES[name](draft, changes[name], ruleset_of)
            except SetupProblem as found:
                problems += found.problems
        if problems:
            raise SetupProblem(problems)
        return draft


DraftChange = Callable[[Draft, Any, RulesetOf], Draft]


def wrong(reason: str, **values: object) -> SetupProblem:
    """One problem, to be raised."""
    return SetupProblem([DraftProblem(reason, values)])


def _ruleset(draft: Draft, value: Any, ruleset_of: RulesetOf) -> Draft:
    try:
        ruleset = ruleset_of(str(value), ())
    except KeyError as unknown:
        raise wrong("unknown_ruleset", ruleset=value) from unknown
    if ruleset.id == draft.ruleset.id:
        return draft
    return Draft.of(ruleset, draft.seats, draft.names)


def _extras(draft: Draft, value: Any, ruleset_of: RulesetOf) -> Draft:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise wrong("unknown_extra_role", given=value)
    extras = tuple(dict.fromkeys(value))
    try:
        return draft.renewed(ruleset_of(draft.ruleset.id, extras), extras)
    except RulesetProblems as fault:
        raise wrong("unknown_extra_role", given=value, why=fault.problems[0].partition(": ")[2]) from fault


def _seats(draft: Draft, value: Any, ruleset_of: RulesetOf) -> Draft:
    if not _is_number(value, FEWEST_SEATS, MOST_SEATS):
        raise wrong("seats_out_of_range", least=FEWEST_SEATS, most=MOST_SEATS, given=value)
    return draft if value == draft.seats else replace(draft.undealt(), seats=value, chosen_counts={})


def _names(draft: Draft, value: Any, ruleset_of: RulesetOf) -> Draft:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise wrong("names_are_a_list", given=value)
    names = [" ".join(name.split())[:LONGEST_NAME] for name in value[:MOST_SEATS]]
    while names and not names[-1]:
        names.pop()
    return replace(draft, names=tuple(names))


def _counts(draft: Draft, value: Any, ruleset_of: RulesetOf) -> Draft:
    if not isinstance(value, Mapping):
        raise wrong("counts_are_by_role", given=value)
    problems = [DraftProblem("unknown_role", {"role": role}) for role in value if role not in draft.ruleset.roles]
    problems += [
        DraftProblem("count_out_of_range", {"role": role, "given": count})
        for role, count in value.items()
        if count is not None and not _is_number(count, 0, MOST_OF_A_ROLE)
    ]
    if problems:
        raise SetupProblem(problems)
    merged = {**draft.chosen_counts, **value}
    kept = {role: count for role, count in merged.items() if count is not None}
    return replace(draft.undealt(), chosen_counts=kept)


def _options(draft: Draft, value: Any, ruleset_of: RulesetOf) -> Draft:
    if not isinstance(value, Mapping):
        raise wrong("options_are_by_name", given=value)
    known = draft.ruleset.options
    problems = [DraftProblem("unknown_option", {"option": name}) for name in value if name not in known]
    problems += [
        DraftProblem("not_a_choice", {"option": name, "given": chosen})
        for name, chosen in value.items()
        if name in known and not _is_choice(chosen, known[name].choices)
    ]
    if problems:
        raise SetupProblem(problems)
    return replace(draft, chosen_options={**draft.chosen_options, **value})


def _hands(draft: Draft, value: Any, ruleset_of: RulesetOf) -> Draft:
    """Seat -> its roles in order, as each player has shown them to the judge; None takes them back."""
    if value is None:
        return draft.undealt()
    size = draft.ruleset.hand.cards
    if not isinstance(value, Mapping) or not all(isinstance(hand, list | tuple) for hand in value.values()):
        raise wrong("hands_are_by_seat", given=value)
    hands = {int(seat): tuple(map(str, hand)) for seat, hand in value.items() if str(seat).isdecimal()}
    if sorted(hands) != list(range(1, draft.seats + 1)) or any(len(hand) != size for hand in hands.values()):
        raise wrong("every_seat_has_its_cards", seats=draft.seats, cards=size)
    left = Counter(draft.counts)
    left.subtract(role for hand in hands.values() for role in hand)
    if any(count < 0 for count in left.values()):
        raise wrong("not_in_the_deck", role=min(left, key=lambda role: left[role]))
    shown = replace(draft.undealt(), hands=hands, spare=tuple(left.elements()))
    misdeals = misdealt(shown.whole())
    if misdeals:
        raise wrong("misdeal", seat=misdeals[0])
    return shown


def _is_number(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _is_choice(value: Any, choices: tuple[bool | str, ...]) -> bool:
    return any(type(value) is type(choice) and value == choice for choice in choices)


CHANGES: dict[str, DraftChange] = {
    "ruleset": _ruleset,
    "extras": _extras,
    "seats": _seats,
    "names": _names,
    "counts": _counts,
    "options": _options,
    "hands": _hands,
}
"""What of a set-up may be changed, in the order in which one change bears on the next."""
