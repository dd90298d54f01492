"""The form of a ruleset file. The JSON Schema for editors is made of these models."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from narrator.engine.abilities import ABILITIES

Texts = Annotated[dict[str, str], Field(description="language tag -> text, e.g. {zh-Hans: 杀手, en: killer}")]
Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$", description="a word of small letters, digits, _ and -")]
Roles = list[Id]


class Part(BaseModel):
    """Base of all parts of a file: an unknown key is a mistake."""

    model_config = ConfigDict(extra="forbid")


class ConditionFile(Part):
    """Something that is true or false of the table; give exactly one key."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    none_alive: Roles | None = Field(None, description="no living card plays one of these roles")
    any_alive: Roles | None = Field(None, description="some living card plays one of these roles")
    only_alive: Roles | None = Field(None, description="nobody lives but these roles")
    as_many_as_others: Roles | None = Field(None, description="these roles are at least as many as all others living")
    alive_is: Counted | None = Field(None, description="exactly so many living cards play these roles")
    bound_mixed: Roles | None = Field(None, description="of the two bound together, one plays such a role, one not")
    bound_alone: Literal[True] | None = Field(None, description="nobody lives but the two bound together")
    option: Id | None = Field(None, description="this option is on")
    all: list[ConditionFile] | None = Field(None, description="all of these")
    any: list[ConditionFile] | None = Field(None, description="one of these at least")
    not_: list[ConditionFile] | None = Field(None, alias="not", description="none of these")


class Counted(Part):
    """How many living cards play some roles."""

    roles: Roles
    number: int = Field(ge=0)


class OptionUse(Part):
    """A value that is read from an option."""

    option: Id


class ImmunityFile(Part):
    """Hits that do not kill."""

    against: Roles = Field(description="the roles whose hits do not kill")
    while_unspent: str = Field("", description="only while this step's power is unspent")


class OnDeathFile(Part):
    """A choice that the holder's death sets off."""

    ability: Literal["take_along"] = "take_along"
    killed_by: list[str] = Field(default=[], description="only if one of these roles, or `vote`, caused the death")
    never_by: list[str] = Field(default=[], description="not if one of these is among the causes")
    last_words: bool = Field(True, description="whether the one taken along may have last words")


Count = Annotated[
    int | dict[str, int],
    Field(description="cards dealt: a number, or by seats, e.g. {8-10: 2, 11-14: 3}; left out for the plain citizen"),
]


class RoleFile(Part):
    """One kind of card."""

    camp: Id
    name: Texts = Field(default={}, description="left out: the usual name of the role")
    task: Texts = Field(default={}, description="what it does, in one line")
    count: Count | None = None
    immune: list[ImmunityFile] = []
    on_death: OnDeathFile | None = None
    gives_last_words: bool = Field(False, description="its cards count into the quota of last words")
    traits: dict[str, str] = Field(default={}, description="what is printed on it besides: type, look, sex")


class InsteadFile(Part):
    """Who acts when all who usually do are dead."""

    wakes: Roles = Field(min_length=1)
    key: Id | None = Field(None, description="the word for the choice in scenarios")


class StepFile(Part):
    """One place of the night."""

    step: Id
    ability: str
    wakes: Roles | None = Field(None, description="left out: the role of the step's own name")
    key: Id | None = Field(None, description="the word for the choice in scenarios; left out: the step's name")
    anywhere: Roles = Field(default=[], description="roles that wake wherever their card lies")
    joins: Roles = Field(default=[], description="roles that open their eyes too and do nothing")
    instead: InsteadFile | None = None
    with_: dict[str, Any] = Field(default={}, alias="with", description="the parameters of the ability")
    nights: Literal["every", "first", "later"] = "every"
    each: bool = Field(False, description="a call of its own for every card")
    when: ConditionFile | None = None
    spoken: bool = True
    lines: dict[str, Texts] = Field(default={}, description="this edition's words for `open`, `ask`, `close`")


class OptionFile(Part):
    """A switch that the judge may change before the game."""

    default: bool | str
    choices: list[bool | str] | None = None
    text: Texts = {}


class OfficeFile(Part):
    """An office that the table gives on the first day."""

    office: Id
    votes: int = Field(2, ge=1, le=9)
    name: Texts = {}


class DayFile(Part):
    """How a day runs."""

    talk: Literal["ordered", "free"] = "ordered"
    direction: Literal["counterclockwise", "clockwise"] = "counterclockwise"
    calling: Literal["reverse", "speaking"] = "reverse"
    ties: list[Literal["tied", "others", "nobody"]] = Field(
        default=["tied", "others"], description="who speaks after each tie in turn"
    )
    last_tie: Literal["nobody_out", "game_drawn", "all_out"] | OptionUse = "nobody_out"
    votes: Literal["one", "cards"] = "one"
    split: bool = False
    counting: str = "standard"
    ballots_only: bool = False
    reveal: list[Literal["night", "vote"]] = []
    office: OfficeFile | None = None


class HandFile(Part):
    """What a player holds."""

    cards: Literal[1, 2] = 1
    kind: Literal["single", "numbered", "ordered"] = "single"
    misdeals: list[tuple[Roles, Roles]] = Field(default=[], description="pairs of role lists that may not meet")
    spare: int = Field(default=0, ge=0, le=4, description="cards left over on the table")


class EndingFile(Part):
    """A camp's victory, or a draw."""

    winner: Id
    when: ConditionFile


class AddedFile(Part):
    """A role taken over from another ruleset, with its call at night; what is given here takes the place of its own."""

    role: Id
    from_: Id | None = Field(None, alias="from", description="the shipped ruleset it is taken from")
    count: Count | None = Field(None, description="left out: one, wherever that leaves a plain card")
    camp: Id | None = None
    name: Texts | None = None
    task: Texts | None = None
    on_death: OnDeathFile | None = None
    immune: list[ImmunityFile] | None = None
    after: Id | None = Field(
        None, description="the step of the night after which it is called; left out: its usual place"
    )
    with_: dict[str, Any] = Field(default={}, alias="with", description="parameters of its ability")
    lines: dict[str, Texts] | None = Field(None, description="its own words for `open`, `ask`, `close`")


class SuccessionFile(Part):
    """When the last card that plays `role` dies, the next living `heir` plays it."""

    role: Id
    heir: Id


class NoticeFile(Part):
    """A line said at nightfall, once, as soon as its condition holds."""

    notice: str = Field(description="key of the line in the script")
    when: ConditionFile


class RulesetFile(Part):
    """One edition of the game."""

    id: Id
    name: Texts
    languages: list[str] | None = Field(
        None, description="the languages it is meant to be played in; left out: those of its name"
    )
    about: Texts = Field(description="one line: what kind of game it is")
    rules: Texts = Field(default={}, description="a short summary of the rules")
    seats: tuple[Annotated[int, Field(ge=3, le=40)], Annotated[int, Field(ge=3, le=40)]]
    hand: HandFile = Field(default_factory=HandFile)
    citizen: Id = Field(description="the plain role, which takes the cards that are left")
    roles: dict[Id, RoleFile]
    add: list[Id | AddedFile] = Field(default=[], description="roles taken over from other rulesets: hunter, bubble, …")
    camps: dict[Id, Texts] = {}
    options: dict[Id, OptionFile | bool | str] = Field(
        default={}, description="an option of its own, or the default of a usual one"
    )
    night: list[StepFile]
    day: DayFile = Field(default_factory=DayFile)
    endings: list[EndingFile] = Field(min_length=1)
    last_words: Literal["quota", "all", "none"] = "quota"
    identify: Literal["at_call", "first"] = "at_call"
    settling: str = "standard"
    succession: SuccessionFile | None = None
    notices: list[NoticeFile] = []
    reminders: list[str] = Field(default=[], description="lines of the script added at nightfall")


def json_schema() -> str:
    """The JSON Schema of ruleset files, as text."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **RulesetFile.model_json_schema()}
    ability = schema["$defs"]["StepFile"]["properties"]["ability"]
    ability |= {"enum": sorted(ABILITIES), "description": "what those it wakes may do"}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
