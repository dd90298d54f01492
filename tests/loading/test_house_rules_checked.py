"""What the check of a ruleset says: every problem with its line and the cure; doubts as warnings; else nothing."""

from __future__ import annotations

import json
import random
from dataclasses import fields
from pathlib import Path

import jsonschema
import pytest

from narrator.editions import ABILITIES
from narrator.language_tags import text_in
from narrator.loading.files.ruleset_file import json_schema
from narrator.loading.files.yaml_lines import read_yaml
from narrator.loading.rulesets import examine, extra_roles, load, shipped
from tests.loading.house import SCRIPT, problems, report, text, warnings, written

KILLER = "killer: {camp: killers, count: {8-10: 2, 11-14: 3, 15-16: 4}, gives_last_words: true}"
POLICE = "police: {camp: good, count: {8-10: 2, 11-14: 3, 15-16: 4}}"
HIT = "- {step: killer, ability: hit}"
CHECK = "- {step: police, ability: check, with: {positive: [killer]}}"
GOOD = "- {winner: good, when: {none_alive: [killer]}}"
BAD = "- {winner: killers, when: {none_alive: [police]}}"
DRAW = "- {winner: draw, when: {none_alive: [civilian]}}"
CITIZEN = "civilian: {camp: good}\n"


@pytest.mark.parametrize("ruleset", list(shipped()))
def test_nothing_is_said_against_a_shipped_ruleset(ruleset: str) -> None:
    found = examine(shipped()[ruleset], SCRIPT)
    assert (found.problems, found.warnings) == ((), ())


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (
            "citizen: civilian",
            "citizen: civilain",
            "there is no role 'civilain', did you mean 'civilian'?",
        ),
        (
            "citizen: civilian",
            "citizn: civilian",
            "citizn: is not known here, did you mean 'citizen'?",
        ),
        (
            KILLER,
            KILLER.replace("gives", "give"),
            "roles > killer > give_last_words: is not known here",
        ),
        (
            CHECK,
            CHECK.replace("positive", "positiv"),
            "no parameter 'positiv', did you mean 'positive'?",
        ),
        (CHECK, CHECK.replace("[killer]", "[kller]"), "there is no role 'kller', did you mean 'killer'?"),
        (CHECK, CHECK.replace("[killer]", "killer"), "positive: must be a list: [killer]; got 'killer'"),
        (CHECK, CHECK.replace("check", "chek"), "there is no ability 'chek', did you mean 'check'?"),
        (
            HIT,
            HIT.replace("hit", "hit, with: {once: maybe}"),
            "once: must be true or false, or {option: NAME}; got 'maybe'",
        ),
        (HIT, HIT.replace("hit", "hit, with: {once: {option: x}}"), "there is no option 'x'"),
        (HIT, HIT.replace("hit", "hit, with: {only: {option: third_tie}}"), "only cannot depend on an option"),
        (
            HIT,
            HIT.replace("hit", "hit, nights: frist"),
            "must be 'every', 'first' or 'later'; got 'frist'",
        ),
        (HIT, f"{HIT}\n  {HIT}", "two steps are called 'killer'; give one another name"),
        (GOOD, GOOD.replace("none_alive", "non_alive"), "did you mean 'none_alive'?"),
        (GOOD, GOOD.replace("[killer]", "[killer], any_alive: [police]"), "a condition has exactly one key, not 2"),
        (BAD, BAD.replace("killers", "killer"), "there is no camp 'killer', did you mean 'killers'?"),
        (
            DRAW,
            DRAW.replace("none_alive: [civilian]", "option: third_ti"),
            "there is no option 'third_ti', did you",
        ),
        ("third_tie: game_drawn", "third_tei: game_drawn", "the option 'third_tei' is not a usual one"),
        ("third_tie: game_drawn", "third_tie: nobody", "the default 'nobody' is not among the choices"),
        ("seats: [8, 16]", "seats: [16, 8]", "the fewest seats (16) are more than the most (8); turn them round"),
        ("seats: [8, 16]", "seats: [8, 18]", "says nothing of 17-18 seats; the table has 8-18"),
        (POLICE, POLICE.replace("8-10: 2", "8-10: 12"), "14 cards are dealt to 8 seats, which have 8; deal fewer"),
        (POLICE, POLICE.replace("8-10: 2", "10-8: 2"), "the range 10-8 runs backwards; write 8-10"),
        (POLICE, POLICE.replace("8-10", "8-11"), "8-11 and 11-14 overlap; give each number of seats once"),
        (POLICE, POLICE.replace("8-10: 2", "8-10: -2"), "a count cannot be less than 0; got -2"),
        (POLICE, POLICE.replace("8-10", "few"), "is no table of counts; write {8-10: 2, 11-14: 3} or a number"),
        (POLICE, "police: {camp: good}", "'police' has no count; give a number, or by seats"),
        (
            CITIZEN,
            CITIZEN.replace("good", "good, count: 3"),
            "'civilian' is the plain role",
        ),
        (CITIZEN, f"{CITIZEN}  fool: {{camp: good, count: 1, name: {{en: fool}}}}\n", "nobody calls the role 'fool'"),
        (CITIZEN, f"{CITIZEN}  fool: {{camp: good, count: 1}}\n", "the role 'fool' has no name; give `name:"),
        (
            CITIZEN,
            CITIZEN.replace("good", "good, immune: [{against: [kiler]}]"),
            "there is no role 'kiler', did you",
        ),
        (
            CITIZEN,
            CITIZEN.replace("good", "good, on_death: {killed_by: [vot]}"),
            "there is no role or cause 'vot'",
        ),
    ],
)
def test_what_cannot_be_played_is_told_with_its_line_and_the_cure(old: str, new: str, what: str) -> None:
    found = problems("killers-2", (old, new))
    assert any(what in problem for problem in found), found


@pytest.mark.parametrize(
    ("step", "what"),
    [
        (
            "{step: x, ability: rescue, wakes: [police]}",
            "the ability 'rescue' needs `with: {hit_in: STEP}`",
        ),
        (
            "{step: x, ability: hear_news, wakes: [killer], with: {news_of: polic}}",
            "there is no step 'polic', did you",
        ),
        ("{step: x, ability: hear_news, wakes: [killer], with: {news_of: y}}", "the step 'y' comes later in the night"),
        (
            "{step: x, ability: take_card, wakes: [police]}",
            "no cards are left over for 'x' to see",
        ),
        (
            "{step: x, ability: carry, wakes: [police], with: {blocks: [acts]}}",
            "blocks > entry 1: must be 'act' or 'see'; got 'acts'",
        ),
        (
            "{step: x, ability: hit, wakes: [police], with: {bars: [{roles: [killer]}]}}",
            "bars > entry 1 > when: is missing; write when: ",
        ),
        ("{step: x, ability: meet, wakes: [nobody]}", "there is no role 'nobody'"),
    ],
)
def test_abilities_are_checked_for_what_they_need(step: str, what: str) -> None:
    found = problems("killers-2", (CHECK, f"{CHECK}\n  - {step}\n  - {{step: y, ability: check, wakes: [police]}}"))
    assert any(what in problem for problem in found), found


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            HIT,
            "- {step: killer, ability: hit, wakes: [killer, police]}",
            "killer (killers) and police (good) would act together at this one place of the night; "
            "give each a step, or use `joins`",
        ),
        (
            BAD,
            "- {winner: killers, when: {any_alive: [killer]}}",
            "this ending is true at the deal already (8-16 seats); say it of roles that are dealt",
        ),
        (
            BAD,
            "- {winner: killers, when: {alive_is: {roles: [killer], number: 7}}}",
            "nobody can reach this ending: it can never be true of cards that are dealt",
        ),
        (
            BAD,
            "- {winner: killers, when: {all: [{none_alive: [police]}, {none_alive: [killer]}]}}",
            "nobody can reach this ending: whenever it is true, so is that of good, and that is a draw",
        ),
        (
            DRAW,
            "- {winner: draw, when: {all: [{none_alive: [police]}, {none_alive: [civilian]}]}}",
            "nobody can reach this ending: whenever it is true, so is that of killers, which then wins",
        ),
        (
            BAD,
            "- {winner: killers, when: {bound_mixed: [killer]}}",
            "nobody can reach this ending: it can never be true of cards that are dealt",
        ),
        (
            BAD,
            "- {winner: killers, when: {none_alive: [killer, police, civilian]}}",
            "nobody can reach this ending: it is true only when nobody lives",
        ),
    ],
)
def test_what_is_impossible_is_told(old: str, new: str, problem: str) -> None:
    found = [one.partition("}: ")[2] or one for one in problems("killers-2", (old, new))]
    assert any(one.endswith(problem) for one in found), found


def test_a_camp_that_wins_must_have_a_role() -> None:
    camps = "camps: {wolves: {zh-Hans: 狼人, es: lobos, en: wolves}}"
    found = problems("killers-2", (BAD, BAD.replace("killers", "wolves")), more=camps)
    assert [one.rpartition("}: ")[2] for one in found] == [
        "no role is of the camp 'wolves', so that nobody would win; there are: killers, good"
    ]


def test_an_ending_of_a_role_that_is_not_dealt_is_true_at_the_deal() -> None:
    found = problems(
        "killers-2",
        (CITIZEN, f"{CITIZEN}  sniper: {{camp: good, count: {{8-12: 0, 13-16: 1}}}}\n"),
        (CHECK, f"{CHECK}\n  - {{step: sniper, ability: hit}}"),
        (BAD, "- {winner: killers, when: {none_alive: [sniper]}}"),
    )
    assert found == [
        "- {winner: killers, when: {none_alive: [sniper]}}: this ending is true at the deal already (8-12 seats); "
        "say it of roles that are dealt"
    ]


@pytest.mark.parametrize(
    ("old", "new", "warning"),
    [
        (f"  {BAD}\n", "", "no ending lets 'killers' win, the camp of 'killer'; add one under `endings`"),
        (
            "third_tie: game_drawn",
            "third_tie: game_drawn\n  needles: true",
            "needles: true: nothing uses the option 'needles'; leave it out, or refer to it as {option: needles}",
        ),
        (
            CHECK,
            f"{CHECK}\n  - {{step: night_watch, ability: hit, wakes: [police], lines: {{open: {{en: Watch!}}}}}}",
            "'police' acts at two places of one night, 'police' and 'night_watch'; leave one out unless both are meant",
        ),
        (", gives_last_words: true", "", "nobody has last words, as no role has `gives_last_words: true`"),
        (
            CHECK,
            f"{CHECK}\n  - {{step: night_watch, ability: hit, wakes: [police], lines: {{open: {{en: Watch!}}}}}}",
            "'night_watch' is called in general words for `open` in zh-Hans, zh-Hant, es; give `zh-Hans: …`",
        ),
    ],
)
def test_what_is_perhaps_not_meant_is_a_warning(old: str, new: str, warning: str) -> None:
    found = warnings("killers-2", (old, new))
    assert any(warning in one for one in found), found


def test_a_role_that_is_never_dealt_is_a_warning() -> None:
    found = warnings(
        "box-basic",
        (POLICE, f"{POLICE}\n  sniper: {{camp: good, count: 0}}"),
        (HIT, f"{HIT}\n  - {{step: sniper, ability: hit}}"),
    )
    assert [one.partition(": the role")[2] for one in found] == [
        " 'sniper' is never dealt unless the judge adds a card; give it a count above 0"
    ]


# In the languages of the group


def fool(names: str, more: str = "") -> list[str]:
    """What is wrong once there is a fool with these names."""
    return problems(
        "killers-2",
        (CITIZEN, f"{CITIZEN}  fool: {{camp: good, count: 1, name: {names}, task: {names}}}\n"),
        (HIT, f"- {{step: fool, ability: meet, nights: first}}\n  {HIT}"),
        more=more,
    )


def test_a_role_needs_a_name_in_every_language_of_the_ruleset() -> None:
    assert fool("{en: fool, es: tonto, zh-Hans: 傻瓜}") == []
    [problem] = fool("{en: fool}")
    assert problem.endswith("the role 'fool' has no name in zh-Hans, zh-Hant, es; give `zh-Hans: …`")


def test_only_the_languages_in_which_it_is_meant_to_be_played_count() -> None:
    assert fool("{en: fool}", more="languages: [en]") == []
    [problem] = fool("{en: fool}", more="languages: [en, es]")
    assert problem.endswith("the role 'fool' has no name in es; give `es: …`")


def test_a_language_that_the_narrator_does_not_speak_is_told() -> None:
    assert any(
        "there is no script for the language 'enn', did you mean 'en'?" in one
        for one in fool("{en: a}", "languages: [enn]")
    )


@pytest.mark.parametrize(
    ("hans", "hant", "es", "en"),
    [
        ("zh-CN", "zh-TW", "es-419", "EN"),
        ("zh_hans", "zh_Hant_HK", "es_MX", "en_US.UTF-8"),
        ("zh", "zh-HK", "ES", "en-GB"),
    ],
)
def test_languages_may_be_written_in_any_usual_form(hans: str, hant: str, es: str, en: str) -> None:
    names = f"{{{en}: fool, {es}: tonto, {hans}: 傻瓜, {hant}: 傻瓜}}"
    assert fool(names, f"languages: [{hans}, {hant}, {es}, {en}]") == []
    for ours, own in (("zh-Hans", hans), ("zh-Hant", hant), ("es", es), ("en", en)):
        assert text_in({own: "x", "fr": "y"}, (ours,)) == "x"
        assert text_in({own: "", "fr": "y"}, (ours,)) == ""


def test_a_step_that_is_called_by_nobodys_name_needs_words() -> None:
    step = "- {step: ghosts, ability: meet, wakes: [], with: {bound: true}"
    found = problems("killers-2", (CHECK, f"{CHECK}\n  {step}}}"), more="languages: [en]")
    assert [one.partition(": 'ghosts' ")[2] for one in found] == [
        f"has no words of its own for `{part}` in en; give `en: …`" for part in ("open", "ask", "close")
    ]
    lines = ", lines: {open: {en: Ghosts!}, ask: {en: Look!}, close: {en: Sleep!}}}"
    assert problems("killers-2", (CHECK, f"{CHECK}\n  {step}{lines}"), more="languages: [en]") == []


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ("{opne: {en: a}}", "there is no part of a call 'opne', did you mean 'open'?"),
        ("{open: {en: '{rol}!'}}", "there is no value 'rol', did you mean 'role'?"),
        ("{open: {en: '{role!'}}", "{ and } must enclose a name"),
    ],
)
def test_the_words_of_a_step_are_checked(lines: str, what: str) -> None:
    found = problems("killers-2", (HIT, f"- {{step: killer, ability: hit, lines: {lines}}}"))
    assert any(what in one for one in found), found


def test_lines_that_are_asked_for_must_be_there() -> None:
    found = problems("killers-2", more="reminders: [night.dead_close_to]")
    assert found == [
        "reminders: [night.dead_close_to]: there is no line 'night.dead_close_to' in the scripts, "
        "did you mean 'night.dead_close_too'?; see `lines` in scripts/en.yaml"
    ]


def test_an_office_and_a_camp_of_ones_own_need_names() -> None:
    office = "day:\n  office: {office: mayor, name: {en: mayor}}"
    found = problems("killers-2", ("day:", office))
    assert [one.partition(": the")[2] for one in found] == [
        " office 'mayor' has no name in zh-Hans, zh-Hant, es; give `zh-Hans: …`"
    ]


# As a whole


def test_everything_wrong_is_told_at_once_in_the_order_of_the_checks() -> None:
    found = report("killers-2", ("citizen: civilian", "citizen: c"), (GOOD, GOOD.replace("good", "goood")))
    assert len(found.problems) >= 2
    assert all(one.startswith("house.yaml:") for one in found.problems)


def test_a_warning_does_not_keep_a_ruleset_from_being_played(tmp_path: Path) -> None:
    house = written(tmp_path, "killers-2", (f"  {BAD}\n", ""))
    assert examine(house, SCRIPT).warnings
    assert load(house).id == "house"


def test_a_text_that_is_no_ruleset_is_told_without_a_crash(tmp_path: Path) -> None:
    chance = random.Random(1)
    source = text("killers-4")
    for number in range(60):
        start = chance.randrange(len(source))
        broken = (
            source[:start]
            + chance.choice(["", "[", "}", ": x", "\n- 3\n", "null"])
            + source[start + chance.randrange(30) :]
        )
        path = tmp_path / f"{number}.yaml"
        path.write_text(broken, "utf-8")
        found = examine(path, SCRIPT)
        if not found.problems:
            assert load(path).seats


def test_the_schema_for_editors_takes_every_shipped_ruleset_and_no_faulty_one() -> None:
    schema = json.loads(json_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    documents = {name: json.loads(json.dumps(read_yaml(path).data)) for name, path in shipped().items()}
    assert {name: [error.message for error in validator.iter_errors(found)] for name, found in documents.items()} == {
        name: [] for name in documents
    }
    for key, value in {"abuot": {}, "seats": [1], "add": [{"rol": "x"}], "endings": []}.items():
        assert not validator.is_valid(documents["killers-2"] | {key: value}), key


@pytest.mark.parametrize(
    ("ability", "params", "valid"),
    [
        ("hit", {"once": True, "bars": [{"roles": ["a"], "when": {"none_alive": ["b"]}, "reason": "r"}]}, True),
        ("hit", {"once": {"option": "third_tie"}}, True),
        ("hit", {"only": {"option": "third_tie"}}, False),
        ("hit", {"once": "yes"}, False),
        ("hit", {"twice": True}, False),
        ("check", {"positive": {"police": ["killer"]}}, True),
        ("carry", {"shares_death": "none"}, False),
        ("treat", {"sources": -1}, False),
        ("rescue", {"hit_in": "killer"}, False),
        ("rescue", {"hit_in": "killer", "news_of": "police"}, True),
        ("rescue", None, False),
        ("investigate", {"dies_for": "ran"}, True),
    ],
)
def test_the_schema_for_editors_knows_the_parameters_of_each_ability(
    ability: str, params: dict[str, object] | None, valid: bool
) -> None:
    schema = json.loads(json_schema())
    assert all("description" in one for one in schema["$defs"][ABILITIES[ability].__name__]["properties"].values())
    validator = jsonschema.Draft202012Validator(schema)
    found = json.loads(json.dumps(read_yaml(shipped()["killers-2"]).data))
    step = {"step": "x", "ability": ability} | ({} if params is None else {"with": params})
    assert validator.is_valid(found | {"night": [step]}) is valid


def test_every_parameter_of_an_ability_says_what_it_means() -> None:
    for name, ability in ABILITIES.items():
        for field in fields(ability):
            assert field.metadata["description"], (name, field.name)


@pytest.mark.parametrize("value", ["'yes'", "'true'", "1", "0", "'1'", "1.0", "null", "[true]"])
@pytest.mark.parametrize(
    ("place", "path"),
    [
        (CHECK.replace("}}", ", own: {value}}}"), "own"),
        (CHECK.replace("}}", "}, each: {value}}"), "night > entry 2 > each"),
        (CHECK.replace("}}", "}, spoken: {value}}"), "night > entry 2 > spoken"),
    ],
)
def test_nothing_but_true_and_false_is_a_truth_value(place: str, path: str, value: str) -> None:
    found = problems("killers-2", (CHECK, place.replace("{value}", value)))
    assert len(found) == 1
    assert f"{path}: must be true" in found[0].lower()


@pytest.mark.parametrize("value", ["'8'", "8.0", "true", "eight", "null", "[8]"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("seats: [8, 16]", "seats: [{value}, 16]"),
        (KILLER, KILLER.replace("8-10: 2", "8-10: {value}")),
        ("citizen: civilian", "citizen: civilian\nhand: {spare: {value}}"),
        (CHECK, "- {step: police, ability: treat, with: {sources: {value}}}"),
    ],
)
def test_nothing_but_a_number_is_a_number(old: str, new: str, value: str) -> None:
    found = problems("killers-2", (old, new.replace("{value}", value)))
    assert [one for one in found if "must be a whole number" in one]


def test_the_counts_of_a_role_may_stand_under_plain_numbers_of_seats() -> None:
    found = report("killers-2", ("seats: [8, 16]", "seats: [8, 9]"), (KILLER, KILLER.replace("8-10: 2", "8: 1, 9: 2")))
    assert found.problems == ()


def test_an_option_that_cannot_be_the_value_of_a_parameter_is_doubted() -> None:
    step = CHECK.replace("]}", "], own: {option: third_tie}}")
    assert warnings("killers-2", (CHECK, step)) == [
        f"{step}: own cannot be 'nobody_out', which the option 'third_tie' may be; give the option other choices"
    ]


def test_all_that_is_wrong_with_the_parameters_of_a_night_is_told_at_once() -> None:
    night = (
        "- {step: killer, ability: hit, with: {once: 1, onec: true, only: [kller]}}\n"
        "  - {step: doctor, ability: rescue, wakes: [police], with: {news_of: killer}}\n"
        "  - {step: sniper, ability: carry, wakes: [police], with: {blocks: [see, hear], own: {option: x}}}"
    )
    found = [one.partition("}: ")[2].split("}: ")[-1] for one in problems("killers-2", (HIT, night))]
    assert [one.partition(";")[0] for one in found] == [
        "once: must be true or false, or {option: NAME}",
        "the ability 'hit' has no parameter 'onec', did you mean 'once'?",
        "there is no role 'kller', did you mean 'killer'?",
        "the ability 'rescue' needs `with: {hit_in: STEP}`",
        "there is no option 'x'",
        "blocks > entry 2: must be 'act' or 'see'",
    ]


def test_zeros_before_a_number_are_told_or_doubted() -> None:
    count = "police: {camp: good, count: {8-10: 2, 11-14: 3, 15-16: 4}}"
    assert problems("killers-2", (count, "police: {camp: good, count: 010}")) == [
        "police: {camp: good, count: 010}: 010 is no plain number; write 10, or put it in quotes if it is a text"
    ]
    assert "police: {camp: good, count: 02}: 02 is read as 2; write it so" in warnings(
        "killers-2", (count, "police: {camp: good, count: 02}")
    )


def test_no_shipped_ruleset_is_doubted_for_how_it_is_written() -> None:
    for path in (*shipped().values(), *extra_roles().values()):
        assert read_yaml(path).doubts == []


def test_own_words_for_lines_of_the_script_are_checked_as_the_script_is() -> None:
    lines = """
lines:
  night.fals: {en: Night.}
  refused.other: {en: No.}
  speech.next: {en: "Speak."}
  speech.last: {en: "Last, {seat} {role}."}
  dawn.breaks: {en: "Day {}."}
  deaths.none: {fr: Personne.}
"""
    found = [one.partition(": ")[2] for one in problems("killers-2", more=lines)]
    wanted = [
        "there is no line 'night.fals' in the scripts, did you mean 'night.falls'?",
        "there is no line 'refused.other' in the scripts",
        "the text must use {seat}",
        "there is no value 'role'",
        "there is nothing to put in for {}",
        "there is no script for the language 'fr'",
    ]
    assert len(found) == len(wanted)
    for what in wanted:
        assert any(what in one for one in found), (what, found)


def test_a_line_that_lacks_words_in_a_language_of_the_ruleset_is_doubted() -> None:
    found = warnings("killers-2", more="lines: {deaths.none: {en: Nobody.}}")
    assert len(found) == 1
    assert "no words of its own in zh-Hans, zh-Hant, es" in found[0]
