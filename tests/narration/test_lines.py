"""What is said of what happens: the judge's order of words, in every language, and never more than the table knows."""

from __future__ import annotations

import dataclasses

import pytest

from narrator.model import events as ev
from narrator.model.events import (
    EVENTS,
    Asked,
    CallClosed,
    CallOpened,
    Died,
    NightFell,
    Public,
    Tied,
    VoteCalled,
    Voted,
)
from narrator.model.ruleset import Ruleset
from narrator.model.state import Call, Cause, Death, Reaction, State, Vote
from narrator.narration import PAUSES, Line, Script, lines_for, render_line
from narrator.narration.keys import KEYS
from narrator.narration.lines import PIECES, ballot_line, candidate_line
from tests.narration.hearing import heard, said, under, view, words
from tests.narration.playing import RULESETS, play

KILLERS_3 = RULESETS["killers-3"]


def test_every_piece_of_narration_is_for_a_kind_of_event_that_the_table_hears() -> None:
    assert set(PIECES) <= {kind for kind in EVENTS if issubclass(kind, Public)}


def test_secret_events_are_not_spoken_of() -> None:
    assert lines_for(ev.Chosen(Call("killer"), {"target": 3}), view()) == ()


# The night


def test_the_judge_leads_the_first_night_as_judges_do() -> None:
    assert said("killers-2", "zh-Hans")[:10] == [
        "天黑了，请大家闭眼。",
        "杀手请睁眼。",
        "请认一认自己的同伴。",
        "杀手请杀人。",
        "杀手请闭眼。",
        "警察请睁眼。",
        "请认一认自己的同伴。",
        "警察请验人。",
        "警察请闭眼。",
        "天亮了，请大家睁眼。",
    ]


def test_an_edition_words_lines_of_the_script_its_own_way_where_it_has_words_in_the_language() -> None:
    assert said("killers-4", "zh-Hans")[0] == "黑夜来临了，请大家闭上眼睛睡觉了。"
    assert said("killers-4", "zh-Hant")[0] == "黑夜來臨了，請大家閉上眼睛睡覺了。"
    own = dataclasses.replace(
        KILLERS_3, lines={"speech.next": {"en": "It is {seat} who speaks."}, "call.close": {"en": "{role}, to sleep."}}
    )
    next_speaker, unworded = (
        Line("speech.next", {"seat": 3}),
        Line("calls.no_such.close", {"step": "killer", "role": "killer"}),
    )
    assert render_line(next_speaker, Script.load("en"), own) == "It is player 3 who speaks."
    assert render_line(next_speaker, Script.load("es"), own) == "Turno del jugador 3."
    assert render_line(unworded, Script.load("en"), own) == "Killer, to sleep."


def test_an_edition_calls_in_its_own_words_where_it_has_them_in_the_language() -> None:
    assert said("killers-4", "zh-Hans")[1:4] == ["花蝴蝶出来。", "你想抱走谁？", "花蝴蝶回去。"]
    assert said("killers-4", "es")[1] == "Mariposa, abre los ojos."


def test_a_group_meets_its_partners_on_the_first_night_only() -> None:
    event = CallOpened(Call("killer"))
    assert heard(event, view(10, round=1)) == ["calls.killer.open", "call.partners"]
    assert heard(event, view(10, round=2)) == ["calls.killer.open"]


def test_those_who_wake_with_a_group_are_called_by_name_on_the_first_night() -> None:
    event = CallOpened(Call("killer"))
    text = words(event, view(10, round=1), "box-undercover")
    assert text.startswith("Killers, open your eyes. Killer boss and undercover police, open your eyes too.")


def test_one_killer_is_called_as_one_when_the_deck_holds_one() -> None:
    event = Asked(Call("killer"), "")
    rules, script = RULESETS["killers-2"], Script.load("es")
    (one,) = lines_for(event, under(rules, view(10), {"killer": 1}))
    (several,) = lines_for(event, under(rules, view(10), {"killer": 2}))
    assert render_line(one, script, rules) == "Asesino, elige a tu víctima."
    assert render_line(several, script, rules) == "Asesinos, elijan a su víctima."


def test_a_series_is_called_by_numbers() -> None:
    event = CallOpened(Call("police", 3))
    assert words(event, view(7), "killers-5", "zh-Hans") == "第3位警察请睁眼。"
    assert words(event, view(7), "killers-5", "es") == "Policía número 3, abre los ojos."


def test_a_house_role_without_words_is_called_by_its_name_and_ability() -> None:
    rules = RULESETS["killers-4"]
    step = dataclasses.replace(rules.step("elder"), id="mime", wakes=("mime",), lines={})
    role = dataclasses.replace(rules.roles["elder"], name={"en": "mime", "es": "mimo"})
    house = dataclasses.replace(rules, night=(*rules.night, step), roles={**rules.roles, "mime": role})
    call = Call("mime")
    texts = [
        render_line(line, Script.load(language), house)
        for language in ("en", "es")
        for event in (CallOpened(call), Asked(call, ""), CallClosed(call))
        for line in lines_for(event, under(house, view(12, round=2), {"mime": 1}))
    ]
    assert texts[:3] == ["Mime, open your eyes.", "Mime, who do you silence?", "Mime, close your eyes."]
    assert texts[3:] == ["Mimo, abre los ojos.", "Mimo, ¿a quién dejas sin hablar?", "Mimo, cierra los ojos."]


def test_a_step_that_is_not_to_be_heard_is_not_spoken() -> None:
    event = CallOpened(Call("judge"))
    assert heard(event, view(8), "dual-identity") == []


def test_the_dead_are_reminded_only_once_there_are_dead() -> None:
    night = NightFell(2, ())
    assert heard(night, view(11), "killers-es") == ["night.falls"]
    assert heard(night, with_dead(view(11)), "killers-es") == ["night.falls", "night.dead_close_too"]


def test_a_notice_comes_before_the_night() -> None:
    night = NightFell(3, (), ("night.killers_gone",))
    assert heard(night, view(11), "box-undercover") == ["night.killers_gone", "night.falls"]


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_scripts_know_every_notice_and_reminder(name: str) -> None:
    rules = RULESETS[name]
    assert {notice.id for notice in rules.notices} | set(rules.reminders) <= set(KEYS)


# Dawn and the dead


def died(*seats: int, how: str = "night", lie: bool = False, out: bool = True, kinds: tuple[str, ...] = ()) -> Died:
    causes = (Cause("lie"),) if lie else ()
    said = kinds or ("",) * len(seats)
    return Died(tuple(Death(seat, seat, causes, True, out, kind) for seat, kind in zip(seats, said, strict=True)), how)


def with_dead(state: State, seat: int = 3) -> State:
    """A game in which a seat has died this night."""
    return dataclasses.replace(state, deaths=(Death(seat, seat, ()),), announced=((state.round, "night"),))


def test_the_dead_of_the_night_are_named_together_without_a_cause() -> None:
    assert words(died(3, 5), view()) == "Last night, players 3 and 5 died."
    assert words(died(3), view(), language="zh-Hant") == "昨晚，3號死亡。"


def test_a_night_without_deaths_is_told() -> None:
    assert words(died(), view()) == "Last night was quiet. Nobody died."


def test_an_edition_may_say_how_somebody_was_lost() -> None:
    event = died(3, 5, 6, kinds=("killed", "arrested", "killed"))
    assert words(event, view()) == "Last night, players 3 and 6 were killed. Last night, player 5 was arrested."


def test_numbered_cards_die_as_cards() -> None:
    assert words(died(3, 6, out=False), view(7), "killers-5") == "Last night, cards 3 and 6 died."


def test_in_ordered_hands_a_card_is_lost_and_then_the_seat() -> None:
    event = Died((Death(5, 3, (), out=False),), "night")
    assert heard(event, view(8), "killers-6") == ["deaths.night_front"]
    event = Died((Death(6, 3, ()),), "night")
    assert heard(event, view(8), "killers-6") == ["deaths.night_front", "deaths.out"]


def voted(**tally: int) -> State:
    return view(stage="vote", vote=Vote(1, tally={int(seat[1:]): votes for seat, votes in tally.items()}))


def test_whoever_has_the_most_votes_is_voted_out() -> None:
    assert words(died(3, how="vote"), voted(s3=4, s5=2)) == "By your vote, player 3 is out."


def test_whoever_dies_with_the_one_voted_out_is_not_said_to_be_voted_out() -> None:
    text = words(died(3, 6, how="vote"), voted(s3=4, s5=2))
    assert text == "By your vote, player 3 is out. And player 6 is dead as well."


def test_a_liar_is_announced_as_a_further_death_without_a_word_of_the_lie() -> None:
    assert words(died(5, how="vote", lie=True), voted(s3=4, s5=4)) == "And player 5 is dead as well."


def test_a_tie_that_takes_all_is_told_as_such() -> None:
    assert heard(died(3, 6, how="vote", out=False), voted(s3=4, s6=4), "killers-5") == ["tie.all_out", "deaths.vote"]


def test_a_companion_in_death_is_only_named() -> None:
    assert words(died(8, how="reaction"), view(9)) == "And player 8 is dead as well."
    assert heard(ev.Reacted(Reaction("hunter", 5, "take"), 8), view(9)) == []


# The day


def test_last_words_are_given_one_after_the_other() -> None:
    assert words(ev.LastWordsBegan((3,)), view()) == "Player 3, your last words, please."
    assert heard(ev.LastWordsBegan((3, 5)), view()) == ["last_words.many", "last_words.next"]


def test_that_there_are_no_last_words_is_told_where_they_are_counted() -> None:
    day, dead = ev.DayBegan((2, 1), (2, 1)), with_dead(view())
    assert heard(day, dead)[0] == "last_words.none"
    assert heard(day, dead, "box-werewolf")[0] == "speech.first_day"
    assert heard(day, dataclasses.replace(dead, stage="last_words"))[0] == "speech.first_day"
    assert heard(day, view())[0] == "speech.first_day"


def test_speakers_are_called_one_by_one() -> None:
    before = view(stage="speech", speaking=(4, 3, 2), speaker=0)
    assert words(ev.TurnPassed(1), before) == "Player 3, please speak."
    assert words(ev.TurnPassed(2), dataclasses.replace(before, speaker=1)) == "And last, player 2, please speak."
    assert words(ev.TurnPassed(0), dataclasses.replace(before, speaker=1)) == "Player 4, please go on."


def spoken_keys(ruleset: Ruleset, seed: int) -> list[str]:
    """What is said in a random game, by its keys."""
    return [line.key for event, before in play(ruleset, seed).heard for line in lines_for(event, before)]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_how_to_end_a_speech_and_how_to_vote_is_told_on_the_first_day_that_has_one(ruleset: str) -> None:
    keys = spoken_keys(RULESETS[ruleset], 1)
    speeches = [key for key in keys if key in ("speech.first_day", "speech.begin")]
    votes = [key for key in keys if key.startswith(("vote.begin", "vote.start"))]
    assert speeches[:1] in ([], ["speech.first_day"])
    assert set(speeches[1:]) <= {"speech.begin"}
    assert "vote.start" not in votes[:1]
    assert set(votes[1:]) <= {"vote.start"}


def test_a_first_day_that_is_skipped_leaves_the_rules_to_the_next() -> None:
    games = [spoken_keys(KILLERS_3, seed) for seed in range(20)]
    skipped = [keys for keys in games if "day.skipped" in keys and "speech.first_day" in keys]
    late = [keys for keys in skipped if keys.index("day.skipped") < keys.index("speech.first_day")]
    assert late
    assert all("vote.begin" in keys for keys in late if "vote.start" in keys)


def test_the_rules_of_the_vote_are_told_on_the_first_day_only() -> None:
    event = VoteCalled(1, (1, 2, 3))
    assert heard(event, view(stage="speech")) == ["speech.over", "vote.begin"]
    assert heard(event, view(stage="speech", round=2, days_of_vote=1)) == ["speech.over", "vote.start"]
    assert heard(event, view(stage="talk"), "killers-5") == ["talk.over", "vote.begin_cards"]
    assert heard(event, view(stage="speech"), "dual-identity") == ["speech.over", "vote.begin_lives"]


def test_the_result_is_told_with_the_most_votes_first() -> None:
    event = Voted(1, {2: 1, 5: 3, 1: 1}, {})
    assert words(event, view()) == "The result: 3 votes for player 5, 1 vote for player 1, 1 vote for player 2."
    assert words(event, view(), language="zh-Hans") == "投票结果：5号3票，1号1票，2号1票。"


def test_ballots_are_read_out_only_where_the_edition_says_so() -> None:
    event = Voted(1, {5: 2}, {1: (5,), 2: (5,), 3: ()})
    open_rules = dataclasses.replace(
        RULESETS["killers-2"], day=dataclasses.replace(RULESETS["killers-2"].day, ballots_only=True)
    )
    assert heard(event, view()) == ["vote.result"]
    texts = [render_line(line, Script.load("en"), open_rules) for line in lines_for(event, under(open_rules, view()))]
    assert texts[1:] == ["For player 5: players 1 and 2.", "No vote from players 3, 4, 5 and 6."]


def test_ties_lead_to_speeches_and_another_vote() -> None:
    tied = Tied(1, (3, 5), "tied", (5, 3))
    assert heard(tied, view()) == ["tie.tied", "speech.next"]
    assert heard(Tied(1, (3, 5), "others", (1,)), view()) == ["tie.others", "speech.next"]
    assert heard(Tied(1, (3, 5), "nobody", ()), view()) == ["tie.nobody"]
    again = VoteCalled(2, (5, 3))
    assert words(again, view(stage="speech")) == "We vote again, between players 3 and 5 only."


def test_the_office_is_elected_passed_on_and_left_vacant() -> None:
    assert words(ev.ElectionCalled("sheriff"), view(), "box-werewolf").startswith("Now we elect")
    assert words(ev.OfficeGiven("sheriff", 3, True), view(), "box-werewolf").startswith("Player 3 is the sheriff.")
    assert heard(ev.OfficeGiven("sheriff", 3, False), view(), "box-werewolf") == ["office.successor"]
    assert heard(ev.OfficeGiven("sheriff", None, True), view(), "box-werewolf") == ["office.nobody"]
    assert heard(ev.OfficeGiven("sheriff", None, False), view(), "box-werewolf") == ["office.vacant"]


@pytest.mark.parametrize(
    ("winner", "reason", "key"),
    [
        ("good", "ending", "won.good"),
        ("draw", "third_tie", "draw.third_tie"),
        ("draw", "both", "draw.both"),
        ("draw", "empty_table", "draw.empty_table"),
        ("draw", "ending", "draw.ending"),
        ("martians", "ending", "won.other"),
    ],
)
def test_the_end_is_told_by_its_winner_or_its_reason(winner: str, reason: str, key: str) -> None:
    event = ev.GameEnded(winner, reason)
    assert heard(event, view()) == [key, "game.cards_up"]
    assert words(event, view())


def test_an_abandoned_game_shows_no_cards() -> None:
    assert heard(ev.GameEnded("abandoned", "abandoned"), view()) == ["game.abandoned"]


@pytest.mark.parametrize("reason", ["no_votes", "tie", "void"])
def test_a_vote_that_takes_nobody_is_told(reason: str) -> None:
    assert words(ev.NobodyOut(reason), view())


def test_candidates_and_voters_can_be_called_one_by_one() -> None:
    rules: Ruleset = RULESETS["killers-5"]
    script = Script.load("zh-Hans")
    assert render_line(candidate_line(5), script, rules) == "5号。想投的，请举手。"
    assert render_line(candidate_line(5, cards=True), script, rules) == "5号牌。想投的，请举手。"
    assert render_line(ballot_line(5), script, rules) == "5号，你投谁？"


def test_lines_that_name_nothing_of_a_ruleset_need_none() -> None:
    assert render_line(Line("sound_check"), Script.load("es"), None) == "Probando el sonido. ¿Me oyen todos?"


def test_the_pause_in_which_a_call_stays_open_is_the_longest() -> None:
    assert max(PAUSES, key=lambda kind: PAUSES[kind]) == "work"
    assert all(0 <= least <= most for least, most in PAUSES.values())
