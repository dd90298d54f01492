"""One whole game of every edition, led by a thumb from the set-up to the winner, and compared with the engine's."""

from __future__ import annotations

import random
from typing import Any

import pytest

from narrator.engine.game import play
from narrator.engine.legal import prompt
from narrator.engine.players import Deal, command
from narrator.loading.rulesets import shipped
from narrator.model.state import State
from tests.webpanel.phones import Hall, Thumb
from tests.webpanel.test_browser_dealing import HOLD

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BUBBLE = "killers-2+bubble"
"""The sixteenth: a role added to another edition."""
OFTEN = (
    "killers-2",
    "killers-5",
    "killers-6",
    "box-werewolf",
    "box-angel-devil",
    "box-undercover",
    "dual-identity",
    "detective-team",
    BUBBLE,
)
"""Half of the editions, with every kind of question in them; the others are played with `--all-editions`."""
SECONDS = {"look": 3.0, "tap": 1.5}
"""What a judge takes: to see what is asked, and for each tap."""
SEEDS = range(12)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every shipped edition if it is wished, else half of them."""
    if "edition" in metafunc.fixturenames:
        wished = metafunc.config.getoption("--all-editions")
        metafunc.parametrize("edition", [*sorted(shipped()), BUBBLE] if wished else OFTEN)


class Leader:
    """A thumb that leads a game, and counts its taps."""

    def __init__(self, phone: Thumb) -> None:
        self.phone = phone
        self.taps = 0
        self.prompts = 0

    def tap(self, selector: str) -> None:
        self.phone.page.locator(selector).first.click()
        self.taps += 1

    def act(self, selector: str) -> None:
        """Tap what brings the game on."""
        seen = self.phone.revision
        self.tap(selector)
        self.phone.page.wait_for_function("seen => document.getElementById('page').dataset.revision !== seen", arg=seen)

    # Each command, tapped

    def carry_out(self, given: dict[str, Any], state: State) -> None:
        """Tap what a command means."""
        self.prompts += 1
        do = given["do"]
        if do in ("begin", "proceed"):
            self.act(f'main button[value="{do}"], main form:has([name=do][value={do}]) button:not([type=button])')
        elif do == "identify":
            for role, seats in given["roles"].items():
                for seat in seats:
                    self.tap(f'[name="r.{role}"][value="{seat}"]')
            self.act("[data-confirm]:visible")
        elif do == "claim":
            self.phone.page.select_option("#claim", given["role"])
            self.taps += 2
            self.act("main form:has(#claim) button")
        elif do == "vote":
            self._vote(given["totals"])
        elif do == "ballots":
            self._ballots(given["ballots"])
        else:
            choice = given["choice"] if do == "choose" else {prompt(state).fields[0].name: next(iter(_rest(given)))}
            self._choose({name: value for name, value in choice.items() if value is not None})

    def _choose(self, choice: dict[str, Any]) -> None:
        for name, value in choice.items():
            if value is False and self.phone.page.locator(f'[type=checkbox][name="f.{name}"]').count():
                continue  # a switch that is not touched is a no
            self._fill(name, value)
        if any(choice.values()) or "false" in str(choice.values()).lower():
            self.act("[data-confirm]:enabled" if self.phone.page.locator("[data-confirm]:enabled").count() else NONE)
        else:
            self.act(NONE)

    def _fill(self, name: str, value: Any) -> None:
        slots = self.phone.page.locator(f'select[name="f.{name}"]')
        if slots.count():
            for place, one in enumerate(value):
                slots.nth(place).select_option(str(one))
                self.taps += 2
            return
        for one in value if isinstance(value, list | tuple) else [value]:
            sent = str(one).lower() if isinstance(one, bool) else str(one)
            field = f'[name="f.{name}"][value="{sent}"]'
            self.tap(f".switch:has({field}), :not(.switch) > {field}")

    def _tab(self, name: str) -> None:
        """Votes are recorded the way they were the last time: change it if need be."""
        if self.phone.page.locator(f'[data-tab={name}][aria-pressed="false"]').count():
            self.tap(f"[data-tab={name}]")

    def _vote(self, totals: dict[Any, int]) -> None:
        self._tab("hands")
        for seat, count in totals.items():
            for _ in range(count):
                self.tap(f'[data-for="v-{seat}"][data-step="1"]')
        self.act("[data-panel=hands] [data-confirm]")

    def _ballots(self, ballots: dict[Any, Any]) -> None:
        self._tab("ballots")
        for voter, named in ballots.items():
            boxes = self.phone.page.locator(f'select[name="b.{voter}"]')
            for place, one in enumerate(named[: boxes.count()]):
                boxes.nth(place).select_option(str(one))
                self.taps += 2
        self.act("[data-panel=ballots] [data-confirm]")


NONE = "[data-none]"


def _rest(given: dict[str, Any]) -> list[Any]:
    return [value for name, value in given.items() if name != "do"]


def set_up(leader: Leader, edition: str) -> None:
    """Choose the edition and its smallest table, and let the phone go round."""
    phone, (ruleset, _, extra) = leader.phone, edition.partition("+")
    seen = phone.revision
    leader.tap("[data-open=rulesets]:visible")
    leader.tap(f'dialog[open] button[value="{ruleset}"]')
    if ruleset != "killers-2":
        phone.page.wait_for_function("seen => document.getElementById('page').dataset.revision !== seen", arg=seen)
    phone.page.wait_for_selector("dialog#rulesets:not([open])", state="attached")
    if extra:
        leader.tap("#extras summary")
        leader.act(f'.switch:has([value="{extra}"])')
    least = phone.page.get_attribute("#seats", "min") or ""
    if phone.page.input_value("#seats") != least:
        seen = phone.revision
        phone.page.fill("#seats", least)
        phone.page.press("#seats", "Tab")
        phone.page.wait_for_function("seen => document.getElementById('page').dataset.revision !== seen", arg=seen)
    leader.act('form[data-post="/deal"] button')
    while phone.page.locator(HOLD).count():
        phone.put_thumb_on(HOLD)
        phone.page.wait_for_selector(".hand .name")
        phone.page.mouse.up()
        leader.act("[data-after-look]")
    leader.act('form[data-post="/do/start"] button')


def answer(state: State, dealt: Deal, chance: random.Random) -> dict[str, Any]:
    """What players of chance do; seats in the order of the page, a switch that is off left out."""
    asked = prompt(state)
    if asked.claim and asked.kind in ("speech", "talk") and state.memo.get("claim") is None:
        return {"do": "claim", "role": state.ruleset.citizen}
    given = command(state, dealt, chance)
    if given["do"] != "choose":
        return given
    choice = {name: tuple(sorted(one)) if isinstance(one, tuple) else one for name, one in given["choice"].items()}
    on = {name: one for name, one in choice.items() if one is not False or len(choice) == 1}
    return {**given, "choice": on}


def course(start: State, dealt: Deal, seed: int) -> tuple[int, State]:
    """How many questions the engine alone asks in such a game, and its end."""
    state, chance, length = start, random.Random(seed), 0
    while state.stage != "over":
        state, length = play(state, answer(state, dealt, chance))[1], length + 1
    return length, state


def short_game(start: State, dealt: Deal) -> tuple[int, State]:
    """The seed and the end of the shortest of some games that last two nights or more."""
    games = {seed: course(start, dealt, seed) for seed in SEEDS}
    seed = min(games, key=lambda one: (games[one][1].round < 2, games[one][0]))
    return seed, games[seed][1]


def test_a_whole_game_of_every_edition_is_led_by_tapping(
    hall: Hall, edition: str, record_property: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    leader = Leader(hall.judge())
    set_up(leader, edition)
    dealing = leader.taps
    leader.taps = 0
    state = hall.house.state
    hands = state.setup.hands
    assert hands is not None
    dealt = Deal(state.setup, hands, state.setup.spare)
    seed, end = short_game(state, dealt)
    chance = random.Random(seed)
    while (state := hall.house.state).stage != "over":
        given = answer(state, dealt, chance)
        leader.carry_out(given, state)
        if not leader.prompts % 8:
            leader.phone.look_over()
    assert state == end
    leader.phone.page.wait_for_selector('form[data-post="/do/new"]')
    leader.phone.look_over()
    minutes = leader.prompts * SECONDS["look"] + leader.taps * SECONDS["tap"]
    told = f"{edition}: {state.round} nights, {leader.prompts} questions, {leader.taps} taps, {minutes / 60:.0f} min"
    record_property("length", told)
    with capsys.disabled():
        print(f"\n{told}; dealing {dealing} taps", end=" ")
