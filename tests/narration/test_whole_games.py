"""Whole games of every ruleset, spoken: never without words, never more than the table knows."""

from __future__ import annotations

import dataclasses
import json

import pytest

from narrator.engine.seen import EVERYBODY, seen
from narrator.loading.files.event_records import event_from_json, event_to_json
from narrator.model import events as ev
from narrator.model.events import Asked, CallOpened, Died, Event
from narrator.model.state import Cause
from narrator.narration import PAUSES, Script, lines_for, render_line
from narrator.narration.keys import KEYS
from narrator.narration.scripts import LANGUAGES
from tests.narration.hearing import game, lines_of
from tests.narration.playing import RULESETS

ONE_CARD = sorted(name for name, ruleset in RULESETS.items() if ruleset.hand.cards == 1)


@pytest.mark.parametrize(
    ("name", "by_hand"), [(name, False) for name in sorted(RULESETS)] + [(name, True) for name in ONE_CARD]
)
def test_whole_games_are_spoken_in_every_language(name: str, by_hand: bool) -> None:
    played = game(name, 1, by_hand)
    for language in LANGUAGES:
        script = Script.load(language)
        for _, line in lines_of(played):
            text = render_line(line, script, played.setup.ruleset)
            assert text[-1] in "。？！.?!", line
            assert "{" not in text, line
            assert len(text) <= 200, line


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_every_line_has_a_known_kind_of_pause_and_known_words(name: str) -> None:
    for _, line in lines_of(game(name)):
        assert line.pause_after in PAUSES
        assert line.key in KEYS or line.key.startswith("calls."), line.key


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_no_role_is_named_by_day_before_the_end_unless_a_card_is_turned(name: str) -> None:
    ruleset = RULESETS[name]
    day = (
        *(ev.Died, ev.Silenced, ev.DayBegan, ev.Voted, ev.Tied),
        *(ev.NobodyOut, ev.LastWordsBegan, ev.TurnPassed),
    )
    names = {role.name["en"] for role in ruleset.roles.values()}
    script = Script.load("en")
    for event, line in lines_of(game(name)):
        if isinstance(event, day):
            text = render_line(line, script, ruleset)
            assert not any(word in text for word in names), text


@pytest.mark.parametrize("name", sorted(RULESETS))
@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
def test_whole_games_in_chinese_hold_no_latin_letters(name: str, language: str) -> None:
    played, script = game(name), Script.load(language)
    texts = [render_line(line, script, played.setup.ruleset) for _, line in lines_of(played)]
    assert [text for text in texts if any(sign.isascii() and sign.isalpha() for sign in text)] == []


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_lines_survive_the_journey_through_json(name: str) -> None:
    played, script = game(name), Script.load("en")
    for event, before in played.heard:
        again = event_from_json(json.loads(json.dumps(event_to_json(event))))
        rules = played.setup.ruleset
        direct = [render_line(line, script, rules) for line in lines_for(event, before)]
        assert [render_line(line, script, rules) for line in lines_for(again, before)] == direct


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_lines_do_not_depend_on_what_is_secret(name: str) -> None:
    """Events whose secrets are replaced sound the same."""
    played = game(name)
    views = iter(played.heard)
    for event in played.events:
        shown = seen(event, EVERYBODY)
        if shown is None:
            continue
        other = seen(disguised(event), EVERYBODY)
        _, before = next(views)
        assert other is not None
        assert lines_for(other, before) == lines_for(shown, before)


def disguised(event: Event) -> Event:
    """The same event, had other roles brought it about."""
    if isinstance(event, Died):
        kinds = {cause.kind for death in event.deaths for cause in death.causes}
        cause = Cause("lie") if "lie" in kinds else Cause("hit", "somebody", 1, (Cause("needle"),))
        deaths = tuple(dataclasses.replace(death, causes=(cause,), last_words=False) for death in event.deaths)
        return dataclasses.replace(event, deaths=deaths)
    if isinstance(event, Asked):
        return dataclasses.replace(event, asking="idle", call=dataclasses.replace(event.call, card=0))
    if isinstance(event, CallOpened):
        return dataclasses.replace(event, asking="identify", call=dataclasses.replace(event.call, card=0))
    return event
