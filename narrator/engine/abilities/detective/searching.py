"""Active skills that find something out: investigating, arresting, searching, and doing it with a sleeper's skill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from narrator.engine.abilities.base import ABILITIES, NOTHING, Ability, ability, is_spent, refuse_unless
from narrator.engine.abilities.detective.passives import ASLEEP, Blow, roles_in, sleepers, struck, survivors
from narrator.engine.abilities.detective.tonight import Choice, Tonight
from narrator.engine.acts import Acts, Hit
from narrator.engine.cards import acting, card_of, holders, targets
from narrator.model.events import Event, PowerSpent, Remembered
from narrator.model.prompts import Field
from narrator.model.ruleset import Step
from narrator.model.state import Call, Card, State

PASSIVES: dict[str, str] = {
    "dies_for": "roles in whose place its holder dies",
    "until_found": "the search (a step) whose success ends that",
}
"""Parameters of passive skills that the holders of several abilities may have."""


class Skill(Ability):
    """Base of the active skills: they point at any seat, living or dead, and a stare makes them fail."""

    params: Mapping[str, str] = PASSIVES
    words: Mapping[str, str] = {}
    """Words that scenario files use instead of `target` -> the flag that each sets; '' if none."""

    def actors(self, state: State, call: Call, step: Step) -> tuple[Card, ...]:
        asleep = sleepers(state)
        return tuple(card for card in acting(state, call, step) if card not in asleep)

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (any_seat(state, call, step),)

    def answer(self, state: State, call: Call, step: Step, choice: Choice) -> Any:
        tonight = Tonight.choosing(state, call, choice)
        aim = tonight.aim(step)
        if not aim:
            return NOTHING
        return None if tonight.fails(step) else self.sign(tonight, step, aim)

    def sign(self, tonight: Tonight, step: Step, aim: tuple[int, ...]) -> Any:
        """What is shown of the seats pointed at, if the skill does not fail; NOTHING if nothing."""
        return NOTHING

    def blows(self, tonight: Tonight, step: Step) -> tuple[Blow, ...]:
        """Whom it strikes tonight."""
        return ()

    def contribute(self, acts: Acts, state: State, call: Call, step: Step, choice: Choice) -> None:
        tonight = Tonight(state)
        actors = tuple(card.number for card in acting(state, call, step))
        for blow in self.blows(tonight, step):
            card = struck(tonight, blow)
            if card:
                through = 0 if card.seat == blow.seat else card_of(state, blow.seat).number
                acts.hits.append(Hit(blow.by, actors, card.number, kind=blow.kind, through=through))

    def spelled(self, step: Step, fields: Sequence[Field], value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            return {fields[0].name: value}
        aimed = [word for word in value if word in self.words or word == "target"]
        refuse_unless(len(aimed) < 2, "one_skill")
        choice = {name: one for name, one in value.items() if name not in self.words}
        for word in self.words.keys() & value.keys():
            choice["target"] = value[word]
            if self.words[word]:
                choice[self.words[word]] = True
        return choice


def any_seat(state: State, call: Call, step: Step) -> Field:
    """A seat, living or dead; `own: false` bars the actors' own."""
    barred = {card.seat: "own_seat" for card in acting(state, call, step)} if step.params.get("own") is False else {}
    return Field("target", "seat", tuple(seat for seat in targets(state) if seat not in barred), barred)


@ability("investigate")
class Investigate(Skill):
    """Point at a seat and be shown a trait of it, or whether it is of a camp."""

    params: Mapping[str, str] = PASSIVES | {
        "trait": "the trait that is shown: type, look or sex",
        "camp": "instead: whether the seat shows as one of this camp",
    }

    def sign(self, tonight: Tonight, step: Step, aim: tuple[int, ...]) -> Any:
        if "camp" in step.params:
            return tonight.is_of(aim[0], str(step.params["camp"]))
        return tonight.traits(aim[0]).get(str(step.params["trait"]))


@ability("watch")
class Watch(Investigate):
    """Investigate; or, once, put somebody to sleep, and have that one's skills as long as it lives."""

    params: Mapping[str, str] = {**Investigate.params, "sleeper": "the role that can be put to sleep"}
    words: Mapping[str, str] = {"watch": "watch"}

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        usable = not is_spent(state, _watch(step)) or sleepers(state)
        return (any_seat(state, call, step), *((Field("watch", "flag", (True, False)),) if usable else ()))

    def answer(self, state: State, call: Call, step: Step, choice: Choice) -> Any:
        if not choice.get("watch"):
            return super().answer(state, call, step, choice)
        tonight = Tonight.choosing(state, call, choice)
        if not self._works(tonight, step):
            return None
        aim, borrowed = tonight.aim(step), _skill_of(state, roles_in(step, "sleeper"))
        return self._borrowed_sign(tonight, borrowed, aim) if borrowed and aim else NOTHING

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        if not choice.get("watch") or is_spent(state, _watch(step)):
            return ()
        spent = PowerSpent(_watch(step))
        asleep = tuple(card.number for card in holders(state, roles_in(step, "sleeper")))
        works = self._works(Tonight.choosing(state, call, choice), step)
        return (spent, Remembered(ASLEEP, asleep)) if works else (spent,)

    def _works(self, tonight: Tonight, step: Step) -> bool:
        """Whether the skills of the one asleep can be used: it lives through the night, and no stare is in the way."""
        living = holders(tonight.state, roles_in(step, "sleeper"))
        return not tonight.fails(step) and bool(survivors(tonight.state, living))

    def _borrowed_sign(self, tonight: Tonight, step: Step, aim: tuple[int, ...]) -> Any:
        skill = ABILITIES[step.ability]
        return skill.sign(tonight, step, aim) if isinstance(skill, Skill) else NOTHING


def _watch(step: Step) -> str:
    return f"{step.id}.watch"


def _skill_of(state: State, roles: tuple[str, ...]) -> Step | None:
    """The step at which one of some roles uses its active skill."""
    steps = (step for step in state.ruleset.night if isinstance(ABILITIES[step.ability], Skill))
    return next((step for step in steps if set(roles).intersection(step.wakes)), None)


@ability("arrest")
class Arrest(Skill):
    """Point at a seat and be shown whether it shows as one of some roles; some of them are arrested by it."""

    params: Mapping[str, str] = PASSIVES | {
        "positive": "the roles that show as yes",
        "arrests": "the roles that are arrested",
    }

    def sign(self, tonight: Tonight, step: Step, aim: tuple[int, ...]) -> Any:
        return tonight.plays(aim[0]) in roles_in(step, "positive")

    def blows(self, tonight: Tonight, step: Step) -> tuple[Blow, ...]:
        arrested = [seat for seat in tonight.hits_home(step) if tonight.plays(seat) in roles_in(step, "arrests")]
        return tuple(Blow("arrested", step.wakes[0], seat) for seat in arrested)


@ability("search")
class Search(Skill):
    """Name several seats and be told where among them somebody is, if there; the first find may begin a guard."""

    params: Mapping[str, str] = PASSIVES | {
        "sought": "the role that is looked for",
        "most": "how many seats may be named",
        "guards_from": "roles whose hits cannot kill the one found, while the finder lives",
    }

    def fields(self, state: State, call: Call, step: Step) -> tuple[Field, ...]:
        return (Field("target", "seats", targets(state), most=most_seats(step)),)

    def sign(self, tonight: Tonight, step: Step, aim: tuple[int, ...]) -> Any:
        sought = roles_in(step, "sought")
        return next((seat for seat in aim if card_of(tonight.state, seat).plays in sought), False)

    def effects(self, state: State, call: Call, step: Step, choice: Choice) -> tuple[Event, ...]:
        found = self.answer(state, call, step, choice)
        if found in (None, False, NOTHING):
            return ()
        return (Remembered(f"found.{step.id}", state.round),)


def most_seats(step: Step) -> int:
    """How many seats the choice of a step may name."""
    most = step.params.get("most", 1)
    return most if isinstance(most, int) else 1
