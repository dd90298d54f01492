"""Scenario files: their form, and the table that they set up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from narrator.editions import ABILITIES
from narrator.form_faults import shown
from narrator.loading import rulesets
from narrator.loading.files.forms import problems_of_form
from narrator.loading.files.problem import FileProblems, Where, nearest_first, unknown
from narrator.loading.files.yaml_lines import Located, read_yaml
from narrator.model.ruleset import Ruleset
from narrator.model.state import Setup

ENTRIES = ("night", "vote", "ballots", "elect", "react", "claim")
EXPECTED = (
    "deaths",
    "out",
    "told",
    "silenced",
    "revealed",
    "last_words",
    "speaking",
    "calling",
    "tied",
    "living",
    "winner",
    "refused",
)


class ScenarioProblems(FileProblems):
    """Why a scenario cannot be read: every problem as `file:line: what, and what would be right`."""


class ScenarioPart(BaseModel):
    """Base of the parts of a scenario: an unknown key is a mistake."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Expect(ScenarioPart):
    """What must come of an entry; only what matters is given."""

    deaths: list[int] = []
    out: list[int] = []
    told: dict[str, Any] = {}
    silenced: list[int] = []
    revealed: dict[int, str] = {}
    last_words: list[int] = []
    speaking: list[int] = []
    calling: list[int] = []
    tied: list[int] = []
    living: list[int] = []
    winner: str | None = None
    refused: bool = False


class ScenarioEntry(ScenarioPart):
    """One entry of `play`."""

    night: dict[str, Any] | None = None
    vote: dict[int, int] | None = None
    ballots: dict[int, int | list[int] | Literal["none"] | None] | None = None
    elect: int | Literal["none"] | None = None
    react: dict[str, int | Literal["none"] | None] | None = None
    claim: dict[int, str | None] | None = None
    expect: Expect = Field(default_factory=Expect)

    @field_validator("night", "vote", "ballots", "react", "claim", mode="before")
    @classmethod
    def _nothing(cls, value: Any) -> Any:
        """`night:` with nothing behind it is a night in which everybody declines."""
        return {} if value is None else value

    def kind(self) -> str:
        """Which of the entries it is."""
        return next(name for name in ENTRIES if name in self.model_fields_set)


class ScenarioFile(ScenarioPart):
    """The form of a scenario file."""

    name: str
    ruleset: str
    seats: int = Field(ge=1, le=40)
    options: dict[str, bool | str] = {}
    roles: dict[str, list[int]] | None = None
    hands: dict[int, list[str]] | None = None
    table: list[str] | None = None
    looks: dict[str, dict[str, str]] | None = None
    play: list[ScenarioEntry]


@dataclass(frozen=True)
class Scenario:
    """A scenario that has been read: a table and what is played on it."""

    name: str
    setup: Setup
    play: tuple[ScenarioEntry, ...]
    warnings: tuple[str, ...] = ()
    """What would better be written otherwise: each as `file:line: what`."""


def read_scenario(path: Path, known: Mapping[str, Path] | None = None) -> Scenario:
    """The scenario of a file. Raises ScenarioProblems.

    `known`: id -> file of the rulesets that a scenario may name; the shipped ones if left out.
    """
    try:
        located = read_yaml(path)
    except FileProblems as error:
        raise ScenarioProblems(error.problems) from None
    try:
        source = ScenarioFile.model_validate(located.data)
    except ValidationError as error:
        problems = problems_of_form(ScenarioFile, located.data, error)
        raise ScenarioProblems([located.problem(where, what) for where, what in problems]) from None
    ruleset = _ruleset(path, located, source, rulesets.shipped() if known is None else known)
    found = [located.problem(where, what) for where, what in _find_problems(source, ruleset)]
    if found:
        raise ScenarioProblems(found)
    return Scenario(source.name, _setup(source, ruleset), tuple(source.play), tuple(located.doubts))


def _ruleset(path: Path, located: Located, source: ScenarioFile, known: Mapping[str, Path]) -> Ruleset:
    places = (
        [known[source.ruleset]] if source.ruleset in known else [path.parent / source.ruleset, Path(source.ruleset)]
    )
    file = next((place for place in places if _is_file(place)), None)
    if file is None:
        there = ", ".join(nearest_first(source.ruleset, known))
        what = f"there is no ruleset {source.ruleset!r}; give a path to a file, or one of: {there}"
        raise ScenarioProblems([located.problem(("ruleset",), what)])
    try:
        ruleset = rulesets.load(file)
        named = (source.roles or {}).keys() - ruleset.roles.keys()
        extra = [name for name in rulesets.extra_roles() if name in named] if ruleset.hand.cards == 1 else []
        return rulesets.load(file, extra) if extra else ruleset
    except FileProblems as error:
        raise ScenarioProblems(error.problems) from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _find_problems(source: ScenarioFile, ruleset: Ruleset) -> Iterator[tuple[Where, str]]:
    two = ruleset.hand.cards == 2
    if two and source.roles is not None:
        yield ("roles",), f"{ruleset.id} has two cards each: give `hands`, seat -> [role, role]"
    if not two and source.hands is not None:
        yield ("hands",), f"{ruleset.id} has one card each: give `roles`, role -> [seats]"
    yield from _role_problems(source, ruleset)
    yield from _hand_problems(source, ruleset)
    yield from _option_problems(source, ruleset)
    yield from _table_problems(source, ruleset)
    for index, entry in enumerate(source.play):
        yield from _entry_problems(index, entry, ruleset)


def _unknown_role(role: str, ruleset: Ruleset) -> str:
    return f"in {ruleset.id} {unknown('role', role, ruleset.roles)}"


def _role_problems(source: ScenarioFile, ruleset: Ruleset) -> Iterator[tuple[Where, str]]:
    taken: dict[int, str] = {}
    for role, seats in (source.roles or {}).items():
        if role not in ruleset.roles:
            yield ("roles", role), _unknown_role(role, ruleset)
        for seat in seats:
            if not 1 <= seat <= source.seats:
                yield ("roles", role), f"there is no seat {seat}; the table has 1 to {source.seats}"
            if seat in taken:
                yield ("roles", role), f"seat {seat} is named twice, as {taken[seat]} and as {role}"
            taken[seat] = role


def _hand_problems(source: ScenarioFile, ruleset: Ruleset) -> Iterator[tuple[Where, str]]:
    for seat, roles in (source.hands or {}).items():
        if not 1 <= seat <= source.seats:
            yield ("hands", seat), f"there is no seat {seat}; the table has 1 to {source.seats}"
        if len(roles) != 2:
            yield ("hands", seat), f"a hand has two cards, not {len(roles)}"
        for role in roles:
            if role not in ruleset.roles:
                yield ("hands", seat), _unknown_role(role, ruleset)


def _option_problems(source: ScenarioFile, ruleset: Ruleset) -> Iterator[tuple[Where, str]]:
    for name, value in source.options.items():
        option = ruleset.options.get(name)
        if option is None:
            yield ("options", name), f"in {ruleset.id} {unknown('option', name, ruleset.options)}"
        elif value not in option.choices or isinstance(value, bool) != isinstance(option.default, bool):
            choices = ", ".join(shown(one).strip("'") for one in option.choices)
            yield ("options", name), f"{name} cannot be {shown(value)}; it can be: {choices}"


def _table_problems(source: ScenarioFile, ruleset: Ruleset) -> Iterator[tuple[Where, str]]:
    if source.table is not None:
        if len(source.table) != ruleset.hand.spare:
            yield ("table",), f"{ruleset.id} leaves {ruleset.hand.spare} cards on the table, not {len(source.table)}"
        for role in source.table:
            if role not in ruleset.roles:
                yield ("table",), _unknown_role(role, ruleset)
    if source.looks is not None and not ruleset.traits:
        yield ("looks",), f"the cards of {ruleset.id} have no looks; leave `looks` out"
    elif source.looks is not None:
        yield from _look_problems(source.looks, ruleset)


def _look_problems(looks: Mapping[str, Mapping[str, str]], ruleset: Ruleset) -> Iterator[tuple[Where, str]]:
    chosen = ruleset.chosen_traits()
    for role, traits in looks.items():
        if role not in chosen:
            yield ("looks", role), f"{role!r} chooses nothing of its looks; those who do: {', '.join(chosen)}"
        for trait, value in traits.items() if role in chosen else ():
            values = ruleset.trait_values(trait)
            if trait not in chosen[role]:
                yield ("looks", role, trait), f"{role} cannot choose {trait!r}; it can: {', '.join(chosen[role])}"
            elif value not in values:
                yield ("looks", role, trait), f"{trait} cannot be {value!r}; it can be: {', '.join(values)}"


def _entry_problems(index: int, entry: ScenarioEntry, ruleset: Ruleset) -> Iterator[tuple[Where, str]]:
    path = ("play", index)
    given = [name for name in ENTRIES if name in entry.model_fields_set]
    if len(given) != 1:
        yield path, f"an entry has exactly one of {', '.join(ENTRIES)}, not {len(given)}"
        return
    known = night_keys(ruleset) | set(ruleset.roles) | set(rulesets.extra_roles())
    for key in entry.night or {}:
        if key not in known:
            yield (*path, "night", key), f"nobody of that name acts at night; known: {', '.join(sorted(known))}"
    known = set(ruleset.roles) | ({ruleset.day.office.id} if ruleset.day.office else set())
    for key in entry.react or {}:
        if key not in known:
            yield (*path, "react", key), _unknown_role(key, ruleset)
    for claimed in (entry.claim or {}).values():
        if claimed not in (None, "none") and claimed not in ruleset.roles:
            yield (*path, "claim"), _unknown_role(str(claimed), ruleset)
    words = {word for trait in ruleset.traits for word in ruleset.trait_values(trait)}
    for part, said in ((("night",), entry.night), (("expect", "told"), entry.expect.told)):
        for where, value in _slips(said or {}, words):
            yield (
                (*path, *part, *where),
                f"must be a seat's number, in the digits 0 to 9 and without quotes; got {shown(value)}",
            )
    yield from _expect_problems((*path, "expect"), entry.expect, ruleset)


def _slips(said: Any, words: Set[str], path: Where = ()) -> Iterator[tuple[Where, str | float]]:
    """Where a number is written as a text or with a point: (path, what is there), but for known `words`."""
    inner: Iterable[tuple[Any, Any]] = ()
    if isinstance(said, Mapping):
        inner = said.items()
        yield from (((*path, key), key) for key in said if _is_slip(key, words))
    elif isinstance(said, list):
        inner = enumerate(said)
    elif _is_slip(said, words):
        yield path, said
    for key, value in inner:
        yield from _slips(value, words, (*path, key))


def _is_slip(value: Any, words: Set[str]) -> bool:
    if isinstance(value, str):
        return value not in words and value.strip().lstrip("+-").strip().isdigit()
    return isinstance(value, float)


def _expect_problems(path: Where, expect: Expect, ruleset: Ruleset) -> Iterator[tuple[Where, str]]:
    tellers = dict.fromkeys([*ruleset.roles, *(step.id for step in ruleset.night), *sorted(night_keys(ruleset))])
    for role in expect.told:
        if role not in tellers:
            yield (*path, "told", role), f"in {ruleset.id} {unknown('role', role, tellers)}"
    for seat, role in expect.revealed.items():
        if role not in ruleset.roles:
            yield (*path, "revealed", seat), _unknown_role(role, ruleset)
    winners = [*ruleset.camps, "draw"]
    if expect.winner is not None and expect.winner not in winners:
        yield (*path, "winner"), f"in {ruleset.id} {unknown('camp', expect.winner, winners)}"


def night_keys(ruleset: Ruleset) -> set[str]:
    """Every word that may stand for a choice at night."""
    keys = {step.key for step in ruleset.night} | {step.instead.key for step in ruleset.night if step.instead}
    keys |= {f"{step.key}_{name}" for step in ruleset.night for name in ABILITIES[step.ability].apart}
    return keys | {role for step in ruleset.night if step.each for role in step.wakes}


def _setup(source: ScenarioFile, ruleset: Ruleset) -> Setup:
    hands = _hands(source, ruleset)
    options = {name: option.default for name, option in ruleset.options.items()} | source.options
    spare = tuple(source.table or (ruleset.citizen,) * ruleset.hand.spare)
    counts = Counter(role for hand in hands.values() for role in hand) + Counter(spare)
    extras: Mapping[str, Any] = {"looks": source.looks} if source.looks else {}
    return Setup(ruleset, source.seats, dict(counts), options, hands, spare, extras)


def _hands(source: ScenarioFile, ruleset: Ruleset) -> dict[int, tuple[str, ...]]:
    plain = (ruleset.citizen,) * ruleset.hand.cards
    hands = dict.fromkeys(range(1, source.seats + 1), plain)
    for seat, hand in (source.hands or {}).items():
        hands[seat] = tuple(hand)
    for role, seats in (source.roles or {}).items():
        hands |= dict.fromkeys(seats, (role,))
    return hands
