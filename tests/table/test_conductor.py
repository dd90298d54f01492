"""Lines come one after the other, calls stay open, and the judge's buttons act at once."""

from __future__ import annotations

from narrator.table.stage.conductor import Rest
from tests.table.podium import BarePodium, hold, say


def test_lines_never_overlap_and_keep_their_order() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("a"), say("b"), Rest(1, 1.5), say("c")])
    stage.clock.advance(20)
    assert stage.told == [(0, "a"), (2, "/a"), (2, "b"), (4, "/b"), (5.5, "c"), (7.5, "/c")]
    assert stage.conductor.state == "silent"


def test_an_event_is_heard_when_its_line_starts() -> None:
    stage = BarePodium()
    stage.conductor.add([say("a", upto=1), say("b", upto=2)])
    assert stage.heard_upto == []
    stage.clock.advance(1)
    assert stage.heard_upto == [1]
    stage.clock.advance(1.5)
    assert stage.heard_upto == [1, 2]


def test_events_without_a_line_wait_for_the_next_line() -> None:
    stage = BarePodium()
    stage.conductor.keep(1)
    stage.clock.advance(60)
    assert stage.heard_upto == []
    stage.conductor.add([say("a", 2), say("b", 2, upto=2)])
    stage.clock.advance(1)
    assert stage.heard_upto == [1]
    stage.clock.advance(2)
    assert stage.heard_upto == [1, 2]


def test_an_early_tap_leaves_the_call_open_for_its_least_time() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("ask"), hold()])
    stage.clock.advance(3)
    stage.conductor.release()
    stage.conductor.add([say("close", 2)])
    stage.clock.advance(30)
    assert stage.when("close") == stage.when("/ask") + 10


def test_a_tap_ahead_of_the_voice_is_held_like_any_other() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("ask"), hold()])
    stage.conductor.release()
    stage.conductor.add([say("close", 2)])
    stage.clock.advance(30)
    assert stage.when("close") == stage.when("/ask") + 10


def test_a_late_tap_is_covered_by_a_drawn_moment() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("ask"), hold()])
    stage.clock.advance(40)
    stage.conductor.release()
    stage.conductor.add([say("close", 2)])
    stage.clock.advance(30)
    assert stage.when("close") == 42


def test_a_call_nobody_can_answer_is_ended_by_itself() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("ask"), hold(idle=True)])
    stage.clock.advance(6.9)
    assert stage.idle == []
    stage.clock.advance(0.2)
    assert len(stage.idle) == 1
    stage.conductor.add([say("close", 2)])
    stage.clock.advance(30)
    assert stage.when("close") == 12


def test_the_judge_cannot_shorten_a_call_nobody_can_answer() -> None:
    stage = BarePodium(length=2.0)
    idle = hold(idle=True)
    idle.habit = 25.0
    stage.conductor.add([say("ask"), idle])
    stage.clock.advance(3)
    stage.conductor.release()
    stage.conductor.add([say("close", 2)])
    stage.clock.advance(60)
    assert stage.when("close") == 2 + 25 + 2


def test_a_line_cut_by_a_pause_is_said_again_from_its_beginning() -> None:
    stage = BarePodium(length=4.0)
    stage.conductor.add([say("a"), say("b")])
    stage.clock.advance(1)
    stage.conductor.pause()
    assert stage.told[-1] == (1, "hush")
    stage.clock.advance(100)
    assert stage.conductor.state == "paused"
    stage.conductor.go_on()
    stage.clock.advance(20)
    assert stage.keys == ["a", "a", "b"]
    assert stage.when("/b") == 101 + 8


def test_no_silence_passes_while_paused() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("a"), Rest(1, 3.0), say("b")])
    stage.clock.advance(3)
    stage.conductor.pause()
    stage.clock.advance(50)
    stage.conductor.go_on()
    stage.clock.advance(10)
    assert stage.when("b") == 55


def test_a_call_keeps_its_length_over_a_pause() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("ask"), hold()])
    stage.clock.advance(5)
    stage.conductor.release()
    stage.conductor.pause()
    stage.conductor.add([say("close", 2)])
    stage.clock.advance(100)
    stage.conductor.go_on()
    stage.clock.advance(30)
    assert stage.when("close") == 112


def test_skipping_ends_the_line_and_goes_on_with_the_next() -> None:
    stage = BarePodium(length=4.0)
    stage.conductor.add([say("a"), say("b")])
    stage.clock.advance(1)
    stage.conductor.skip(rests=False)
    stage.clock.advance(10)
    assert stage.when("b") == 1
    assert stage.keys == ["a", "b"]


def test_skipping_never_shortens_a_call_and_shortens_a_silence_only_when_told() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("a"), Rest(1, 5.0), say("b"), hold()])
    stage.clock.advance(3)
    stage.conductor.skip(rests=False)
    assert stage.conductor.state == "pause"
    stage.conductor.skip(rests=True)
    assert stage.conductor.state == "speaking"
    stage.clock.advance(4)
    stage.conductor.skip(rests=True)
    assert stage.conductor.state == "waiting"


def test_repeating_says_the_last_line_again_and_holds_the_call_anew() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("open"), say("ask"), hold()])
    stage.clock.advance(8)
    assert stage.conductor.repeat()
    stage.clock.advance(3)
    stage.conductor.release()
    stage.conductor.add([say("close", 2)])
    stage.clock.advance(30)
    assert stage.keys == ["open", "ask", "ask", "close"]
    assert stage.when("close") == 8 + 2 + 10


def test_repeating_in_the_middle_of_a_line_begins_it_again() -> None:
    stage = BarePodium(length=4.0)
    stage.conductor.add([say("a", upto=1)])
    stage.clock.advance(1)
    stage.conductor.repeat()
    stage.clock.advance(10)
    assert stage.keys == ["a", "a"]
    assert stage.heard_upto == [1, 1]


def test_there_is_nothing_to_repeat_before_the_first_line() -> None:
    assert not BarePodium().conductor.repeat()


def test_a_speaker_that_tells_nothing_does_not_hold_the_game_up() -> None:
    stage = BarePodium()
    stage.deaf = True
    stage.conductor.add([say("a", upto=1), say("b")])
    stage.clock.advance(17)
    assert stage.late == [1]
    assert stage.keys == ["a"]
    stage.clock.advance(17)
    assert stage.keys == ["a", "b"]
    assert stage.heard_upto == [1]


def test_news_of_a_line_that_is_over_is_ignored() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("a"), say("b")])
    stage.clock.advance(3)
    stage.conductor.ended(1)
    stage.conductor.started(1)
    assert stage.conductor.state == "speaking"
    assert stage.keys == ["a", "b"]


def test_passing_lines_are_dropped_but_not_what_they_tell() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("a")])
    for seq in (2, 3, 4):
        stage.conductor.drop_passing()
        stage.conductor.add([say(f"next {seq}", seq, upto=seq, passing=True), Rest(seq, 1.0)])
    stage.clock.advance(20)
    assert stage.keys == ["a", "next 4"]
    assert stage.heard_upto == [4]


def test_what_a_dropped_line_told_is_known_with_whatever_is_said_next() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("a"), say("next 2", 2, upto=1, passing=True)])
    stage.conductor.drop_passing()
    stage.conductor.add([say("hands", 2)])
    stage.clock.advance(10)
    assert stage.keys == ["a", "hands"]
    assert stage.heard_upto == [1]


def test_undoing_what_nobody_heard_leaves_no_trace() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("ask"), hold()])
    stage.clock.advance(4)
    stage.conductor.release()
    stage.conductor.add([say("close", 2, upto=1)])
    assert not stage.conductor.retract(1, 0)
    stage.clock.advance(100)
    assert stage.keys == ["ask"]
    assert stage.heard_upto == []
    assert stage.conductor.state == "waiting"
    stage.conductor.release()
    stage.conductor.add([say("close", 2)])
    stage.clock.advance(10)
    assert stage.when("close") == 106


def test_undoing_what_was_heard_stops_it_and_says_so() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("a")])
    stage.clock.advance(5)
    stage.conductor.add([say("b", 2), say("c", 2)])
    stage.clock.advance(1)
    assert stage.conductor.retract(1, 1)
    assert stage.told[-1] == (6, "hush")
    stage.conductor.add([say("sorry", 1, upto=1, correction=True, anew=True)])
    stage.clock.advance(10)
    assert stage.keys == ["a", "b", "sorry"]
    assert stage.heard_upto == [-1]


def test_a_correction_not_yet_said_is_owed_again_by_an_earlier_undo() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("a"), say("b", 2), say("c", 3)])
    stage.clock.advance(5)
    assert stage.conductor.retract(2, 0)
    stage.conductor.add([say("sorry 2", 2, correction=True)])
    assert stage.conductor.retract(1, 0)
    stage.conductor.add([say("sorry 1", 1, correction=True)])
    stage.clock.advance(10)
    assert stage.keys == ["a", "b", "c", "sorry 1"]


def test_a_correction_stays_when_only_later_things_are_undone() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("a"), say("b", 2)])
    stage.clock.advance(3)
    stage.conductor.retract(1, 0)
    stage.conductor.pause()
    stage.conductor.add([say("sorry", 1, correction=True), say("c", 2)])
    assert not stage.conductor.retract(1, 0)
    stage.conductor.go_on()
    stage.clock.advance(10)
    assert stage.keys == ["a", "b", "sorry"]


def test_undo_takes_back_a_passing_line_but_keeps_what_an_earlier_one_told() -> None:
    stage = BarePodium(length=2.0)
    stage.conductor.add([say("a"), say("next 2", 2, upto=1, passing=True)])
    stage.conductor.drop_passing()
    stage.conductor.add([say("next 3", 3, upto=2, passing=True)])
    assert not stage.conductor.retract(2, 1)
    stage.conductor.add([say("next 4", 3)])
    stage.clock.advance(10)
    assert stage.keys == ["a", "next 4"]
    assert stage.heard_upto == [1]
