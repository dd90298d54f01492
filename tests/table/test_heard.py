"""What the table has heard: so many of the events that everybody may know of, and the game that they make."""

from __future__ import annotations

from narrator.engine.seen import EVERYBODY, before
from narrator.engine.state_changes import fold
from narrator.loading.rulesets import load, shipped
from narrator.model.events import Dawned, DayBegan, Died, Event, GameEnded, NightFell, TurnPassed
from narrator.model.state import Death, Setup, State
from narrator.narration.lines import Line
from narrator.table.heard import Heard, is_night

RULESET = load(shipped()["killers-2"])
SETUP = Setup(RULESET, 8, RULESET.counts(8), {option.id: option.default for option in RULESET.options.values()})
DAY = DayBegan((2, 1, 8), (2, 1, 8))
EVENTS: list[Event] = [NightFell(1, ()), Dawned(1), Died((Death(3, 3, ()),), "night"), DAY, TurnPassed(1)]


def true(upto: int) -> State:
    return fold(before(SETUP, EVERYBODY), EVENTS[:upto])


def hear(heard: Heard, upto: int, anew: bool = False, key: str = "dawn.breaks") -> Heard:
    heard.hear(Line(key, {"place": 4}), "words", EVENTS, upto, anew=anew)
    return heard


def test_the_game_that_is_heard_grows_with_the_number_of_events() -> None:
    heard = Heard(SETUP)
    for upto in (1, 3, 3, 4):
        assert (hear(heard, upto).number, heard.state) == (upto, true(upto))
    assert heard.speaker == 2


def test_a_line_that_tells_no_further_events_changes_nothing_but_the_line() -> None:
    heard = hear(Heard(SETUP, EVENTS[:4]), 0, key="vote.candidate")
    assert (heard.number, heard.state, heard.line) == (4, true(4), "words")
    assert heard.calling == {"place": 4}
    assert hear(heard, 0).calling is None


def test_counting_anew_goes_back_to_what_is_true_of_so_many_events() -> None:
    undone = [*EVENTS[:2], GameEnded("abandoned", "abandoned")]
    heard = Heard(SETUP, undone)
    assert heard.is_over
    assert (hear(heard, 2, anew=True).number, heard.state) == (2, true(2))
    assert not heard.is_over
    assert hear(heard, 5).state == true(5)
    assert heard.speaker == 1


def test_whose_turn_it_is_and_whether_it_is_night_is_what_was_heard() -> None:
    heard = Heard(SETUP)
    assert (heard.scene, is_night(heard.state)) == ("", False)
    assert (hear(heard, 1).scene, is_night(heard.state)) == ("night", True)
    assert (hear(heard, 2).scene, is_night(heard.state)) == ("day", False)
    before_speech, turns = heard.turn, []
    for upto in (4, 5):
        turns.append(hear(heard, upto).turn)
    assert before_speech not in turns
    assert turns[0] != turns[1]
