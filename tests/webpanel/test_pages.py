"""The judge's pages: every prompt of every edition can be laid out, in every language, and says what it must."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from narrator.engine.legal import prompt
from narrator.loading.rulesets import shipped
from tests.webpanel.house import House
from webpanel.texts import LANGUAGES

TAG = re.compile(r"<(/?)(\w+)[^>]*?(/?)>")
VOID = {"input", "meta", "link", "br"}


def faults_of(html: str) -> list[str]:
    """Tags that do not match."""
    open_tags: list[str] = []
    for closing, name, itself in TAG.findall(html):
        if closing and (not open_tags or open_tags.pop() != name):
            return [f"</{name}>"]
        if not closing and not itself and name not in VOID:
            open_tags.append(name)
    return open_tags


@pytest.mark.parametrize("ruleset", sorted(shipped()))
def test_a_whole_game_of_every_edition_can_be_shown(tmp_path: Path, ruleset: str) -> None:
    """At each step: both pages are well made, and show nothing that has not been given words."""
    language = random.Random(ruleset).choice(LANGUAGES)
    house = House(tmp_path, seed=3, language=language)
    judge = house.judge()
    seats = house.table.judge().setup
    low, high = next(one.seats for one in seats.rulesets if one.id == ruleset)
    house.start(ruleset, (low + high) // 2)
    seen: set[tuple[str, object]] = set()
    for _ in range(120):
        place = (house.asked, prompt(house.state).call)
        for path in ("/fragment", "/table/fragment") if place not in seen else ():
            page = judge.get(path).text
            assert faults_of(page) == [], (path, house.asked)
            assert not re.search(r"\bNone\b|undefined|Undefined", page), (path, house.asked)
        seen.add(place)
        command = house.players.answer(house.state)
        if command is None:
            break
        house.table.submit(house.table.revision, command)
    house.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_of_cards_and_news_can_be_shown_in_every_language(tmp_path: Path, language: str) -> None:
    house = House(tmp_path, seed=5, language=language)
    judge = house.judge()
    house.start("box-werewolf", 12)
    while command := house.players.answer(house.state):
        assert faults_of(judge.get("/fragment").text) == [], house.asked
        house.table.submit(house.table.revision, command)
    assert faults_of(judge.get("/fragment").text) == []
    house.close()


def test_the_set_up_shows_the_game_and_its_counts(house: House) -> None:
    page = house.judge().get("/").text
    assert "Killers 2.0" in page
    assert "8 to 16 players" in page
    assert 'name="count.killer" value="3"' in page
    assert faults_of(page) == []


def test_a_set_up_that_cannot_be_says_why_and_cannot_be_begun(house: House) -> None:
    judge = house.judge()
    page = judge.act("/do/configure", **{"count.killer": "0", "count.police": "5", "count.civilian": "5"}).text
    assert "There are 10 cards, but 12 are needed." in page
    assert "Nobody is on this side: the killers." in page
    assert re.search(r'<button class="main tall wide" disabled>Deal the cards', page)
    answer = judge.act("/do/start")
    assert answer.status_code == 422
    assert house.table.judge().mode == "setup"


def test_a_barred_seat_is_not_offered_and_says_why(house: House) -> None:
    judge = house.judge()
    house.start()
    house.night_one()
    while house.asked != "vote":
        house.tap("proceed")
    house.tap("vote", totals={2: 5})
    while house.asked != "choose":
        house.tap("proceed")
    page = judge.get("/fragment").text
    assert 'name="f.target" value="8"' not in page
    assert "That one is out of the game." in page
    assert 'name="f.target" value="3"' in page


def test_identification_asks_for_the_counts(house: House) -> None:
    judge = house.judge()
    house.start()
    house.tap("begin")
    page = judge.get("/fragment").text
    assert 'data-least="3" data-most="3"' in page
    house.tap("identify", roles={"killer": [1, 2, 3]})
    house.tap("choose", choice={"target": 8})
    page = judge.get("/fragment").text
    assert 'name="r.police" value="1"' not in page
    assert "What that seat holds is already known." in page


def test_the_answer_is_a_big_thumb_beside_what_was_asked_and_nothing_of_others(house: House) -> None:
    judge = house.judge()
    house.start(names=["Ada", "", "", "", "", "", "", "Hugo"])
    house.tap("begin")
    house.tap("identify", roles={"killer": [1, 2, 3]})
    house.tap("choose", choice={"target": 8})
    house.tap("identify", roles={"police": [4, 5, 6]})
    house.tap("choose", choice={"target": 1})
    page = judge.get("/fragment").text
    assert 'data-sign="yes"' in page
    assert "Thumb up: yes" in page
    assert "Asked about: 1 Ada" in page
    assert "<span>killer</span> 8 Hugo" not in page, "the page may be turned to the player"


def test_the_day_shows_who_died_and_why_is_one_tap_away(house: House) -> None:
    judge = house.judge()
    house.start()
    house.night_one()
    page = judge.get("/fragment").text
    assert re.search(r"<summary><b>Seat 8</b>", page)
    assert "killed by the killer" in page
    assert "2 more have last words after this." in page


def test_the_speaking_order_shows_who_has_spoken(house: House) -> None:
    judge = house.judge()
    house.start()
    house.night_one()
    house.tap("proceed")
    house.tap("proceed")
    page = judge.get("/fragment").text
    assert re.search(r"<li data-done>7</li>\s*<li data-now[^>]*>6</li>\s*<li>5</li>", page)
    assert "Next: 5" in page


def test_the_candidates_stand_in_calling_order(house: House) -> None:
    judge = house.judge()
    house.start()
    house.night_one()
    house.tap("proceed")
    house.tap("to_vote")
    page = judge.get("/fragment").text
    assert re.findall(r'name="v\.(\d+)"', page) == ["9", "10", "11", "12", "1", "2", "3", "4", "5", "6", "7"]
    assert 'data-voters="11"' in page


def test_no_page_tells_how_to_undo_what_has_not_been_done(house: House) -> None:
    judge = house.judge()
    house.start()
    assert re.search(r'data-open="undo" disabled', judge.get("/fragment").text)
    house.tap("begin")
    assert not re.search(r'data-open="undo" disabled', judge.get("/fragment").text)


def test_interrupted_games_are_offered_and_gone_on_with(tmp_path: Path) -> None:
    first = House(tmp_path)
    first.start()
    first.night_one()
    first.close()
    again = House(tmp_path)
    judge = again.judge()
    page = judge.get("/").text
    assert "Go on with this game" in page
    assert "12 players · Day 1" in page
    game = re.search(r'name="game" value="([^"]+)"', page)
    assert game
    assert judge.act("/do/resume", game=game[1]).status_code == 200
    assert again.asked == "last_words"
    again.close()


def test_a_damaged_game_is_told_and_goes_on_when_the_judge_wishes_it(tmp_path: Path) -> None:
    first = House(tmp_path)
    first.start()
    first.night_one()
    assert first.table.game
    path = first.table.game.journal.path
    first.close()
    damaged = path.read_bytes()[:-3] + b"~}\n"
    path.write_bytes(damaged)
    again = House(tmp_path)
    judge = again.judge()
    page = judge.get("/").text
    assert "Go on with this game" not in page
    assert "12 players · " in page
    assert "Yes, go on from there" in page
    game = re.search(r'name="game" value="([^"]+)"', page)
    assert game
    assert judge.act("/do/resume", game=game[1]).status_code != 200
    assert judge.act("/do/resume", game=game[1], damaged="on").status_code == 200
    assert again.table.judge().mode == "game"
    assert Path(f"{path}.damaged").read_bytes() == damaged
    again.close()


def test_a_page_turned_to_a_player_shows_nothing_recorded_of_others(tmp_path: Path) -> None:
    house = House(tmp_path, seed=3)
    judge = house.judge()
    house.start("box-werewolf", 12)
    shown = 0
    while command := house.players.answer(house.state):
        if house.asked == "show":
            shown += 1
            assert 'class="tonight"' not in judge.get("/fragment").text
        house.table.submit(house.table.revision, command)
    assert shown > 0
    house.close()


def test_what_a_seat_under_observation_claims_can_be_recorded(tmp_path: Path) -> None:
    house = House(tmp_path, seed=3)
    judge = house.judge()
    house.table.configure(
        house.table.revision, {"ruleset": "killers-3", "extras": ["bubble"], "seats": 14, "names": ["Ada"] * 14}
    )
    house.table.deal(house.table.revision)
    house.table.start(house.table.revision)
    while not prompt(house.state).claim or house.asked == "last_words":
        command = house.players.answer(house.state)
        assert command
        house.table.submit(house.table.revision, command)
    page = judge.get("/fragment").text
    assert f"What does Seat {house.state.memo['observed']} · Ada claim to be?" in page
    assert judge.act("/do/command", do="claim", role="police").status_code == 200
    assert house.state.memo["claim"] == "police"
    assert '<option value="police" selected>' in judge.get("/fragment").text
    house.close()
