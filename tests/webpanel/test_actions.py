"""What the judge's buttons do: once, and only from a page that shows how things are."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from narrator.engine.legal import prompt
from narrator.speech.voices import Voice
from tests.speech.listening import PATIENCE, until
from tests.webpanel.house import COOKIE, House, Phone
from webpanel.sheets import VoiceList


def test_a_tap_acts_and_is_answered_with_the_next_page(house: House) -> None:
    judge = house.judge()
    answer = judge.act("/do/start")
    assert answer.status_code == 200
    assert "Night falls" in answer.text
    answer = judge.act("/do/command", do="begin")
    assert "killer: who woke?" in answer.text


def test_a_doubled_tap_acts_once_and_gets_the_present_page(house: House) -> None:
    judge = house.judge()
    house.start()
    seen = house.table.revision
    first = judge.act("/do/command", seen, do="begin")
    second = judge.act("/do/command", seen, do="begin")
    assert (first.status_code, second.status_code) == (200, 409)
    assert house.table.revision == seen + 1
    assert f'data-revision="{seen + 1}"' in second.text
    assert "The killer went for" not in second.text


def test_of_many_taps_at_once_one_acts(house: House) -> None:
    judge = house.judge()
    house.start()
    house.night_one()
    seen, proof = house.table.revision, judge.proof
    barrier = threading.Barrier(6)

    def tap(_: int) -> int:
        barrier.wait()
        phone = house.phone()
        phone.client.set_cookie(COOKIE, judge.token or "", domain="localhost")
        headers = {"Origin": "http://localhost:8765", "X-Proof": proof}
        return phone.post("/do/command", {"revision": seen, "do": "proceed"}, headers=headers).status_code

    with ThreadPoolExecutor(6) as pool:
        codes = sorted(pool.map(tap, range(6)))
    assert codes == [200, 409, 409, 409, 409, 409]
    assert house.table.revision == seen + 1


def test_two_phones_cannot_both_record(house: House) -> None:
    judge, helper = house.judge(), house.phone()
    helper.knock()
    house.pairing.let_in(house.pairing.waiting()[0].number)
    house.start()
    house.tap("begin")
    seen = house.table.revision
    assert judge.act("/do/command", seen, do="identify", **{"r.killer": ["1", "2", "3"]}).status_code == 200
    assert helper.act("/do/command", seen, do="identify", **{"r.killer": ["4", "5", "6"]}).status_code == 409
    assert [card.seat for card in house.state.cards if card.role == "killer"] == [1, 2, 3]


def test_a_refusal_says_why_in_the_judges_language(house: House) -> None:
    judge = house.judge()
    house.start()
    house.tap("begin")
    answer = judge.act("/do/command", do="identify", **{"r.killer": ["1", "2"]})
    assert answer.status_code == 422
    assert "3 must be named; now there are 2" in answer.text
    house.table.configure(house.table.revision, {"panel_language": "zh-Hans"})
    answer = judge.act("/do/command", do="identify", **{"r.killer": ["1", "2"]})
    assert "杀手" in answer.text
    assert 'data-message="' in answer.text


@pytest.mark.parametrize("form", [{"do": "fly"}, {"do": "vote", "v.1": "many"}, {}, {"revision": "x", "do": "begin"}])
def test_nonsense_is_not_carried_out(house: House, form: dict[str, str]) -> None:
    judge = house.judge()
    house.start()
    before = house.table.revision
    assert judge.act("/do/command", **form).status_code in (400, 409)
    assert house.table.revision == before


def test_undo_takes_back_the_last_command(house: House) -> None:
    judge = house.judge()
    house.start()
    house.tap("begin")
    house.tap("identify", roles={"killer": [1, 2, 3]})
    house.tap("choose", choice={"target": 8})
    assert "player 8" in judge.get("/fragment").text
    assert judge.act("/do/undo").status_code == 200
    assert house.asked == "choose"
    assert house.state.choices == {}


def test_the_voice_can_be_held_and_let_go(house: House) -> None:
    judge = house.judge()
    house.start()
    assert house.table.judge().speech.state == "speaking"
    assert "Go on" in judge.act("/do/speech", what="pause").text
    assert house.table.judge().speech.state == "paused"
    judge.act("/do/speech", what="go_on")
    assert house.table.judge().speech.state == "speaking"
    judge.act("/do/speech", what="skip")
    judge.act("/do/speech", what="say_again")
    assert judge.act("/do/speech", what="sing").status_code == 400


def test_preferences_are_changed_at_any_time(house: House) -> None:
    judge = house.judge()
    house.start()
    answer = judge.act("/do/configure", language_1="es", language_2="en", panel_language="es", volume="55", speed="120")
    assert answer.status_code == 200
    settings = house.table.settings
    assert (settings.languages, settings.panel_language) == (("es", "en"), "es")
    assert (settings.volume, settings.speed) == (55, 120)
    assert "Repetir" in answer.text


def test_the_set_up_is_changed_step_by_step(house: House) -> None:
    judge = house.judge()
    judge.act("/do/configure", ruleset="box-doctor")
    judge.act("/do/configure", seats="10")
    judge.act("/do/configure", names=["Ada", "Bo"])
    judge.act("/do/configure", **{"count.doctor": "2"})
    page = judge.act("/do/configure", switch=["needles"]).text
    setup = house.table.judge().setup
    assert (setup.ruleset, setup.seats, house.table.draft.names) == ("box-doctor", 10, ("Ada", "Bo"))
    assert setup.counts["doctor"] == 2
    assert next(option.value for option in setup.options if option.id == "needles") is False
    assert "As suggested" in page
    judge.act("/do/configure", suggested="1")
    assert house.table.judge().setup.counts["doctor"] == 1


def next_call(page: str) -> str | None:
    """What the button beside the confirm of hands calls."""
    by_hands = page.partition('data-panel="ballots"')[0]
    found = re.search(r'class="quiet tall" form="call" name="call" value="([\w.]+)"', by_hands)
    return found[1] if found else None


def test_hands_are_called_for_one_after_the_other(house: House) -> None:
    judge = house.judge()
    house.start()
    house.night_one()
    house.tap("proceed")
    house.tap("to_vote")
    house.hear_all()
    assert next_call(judge.get("/fragment").text) == "candidate.9"
    judge.act("/do/call", call="candidate.9")
    house.hear_all()
    assert "hands up" in house.table.public().line.lower() or "9" in house.table.public().line
    assert next_call(judge.get("/fragment").text) == "candidate.10"
    assert judge.act("/do/call", call="candidate.8").status_code == 422
    assert judge.act("/do/call", call="nobody").status_code == 400
    judge.act("/do/call", call="abstain")
    house.hear_all()
    assert next_call(judge.get("/fragment").text) is None


def test_voters_are_asked_one_after_the_other(house: House) -> None:
    judge = house.judge()
    house.start()
    house.night_one()
    house.tap("proceed")
    house.tap("to_vote")
    house.hear_all()
    first, second, *_ = prompt(house.state).votes
    assert f'value="ballot.{first}">Ask {first}<' in judge.get("/fragment").text
    judge.act("/do/call", call=f"ballot.{first}")
    house.hear_all()
    assert f'value="ballot.{second}">Ask {second}<' in judge.get("/fragment").text


def test_a_vote_by_hands_and_one_by_ballots_bring_the_same(house: House) -> None:
    judge = house.judge()
    house.start()
    house.night_one()
    house.tap("proceed")
    house.tap("to_vote")
    too_many = judge.act("/do/command", do="vote", **{"v.1": "9", "v.2": "9"})
    assert too_many.status_code == 422
    judge.act("/do/command", do="vote", **{"v.1": "5", "v.2": "3", "v.9": "0"})
    assert not house.table.judge().game.seats[0].alive
    judge.act("/do/undo")
    judge.act("/do/command", do="ballots", **{"b.2": "1", "b.3": "1", "b.4": "2", "b.5": ""})
    assert not house.table.judge().game.seats[0].alive


def test_a_game_is_ended_and_a_new_one_set_up(house: House) -> None:
    judge = house.judge()
    house.start()
    assert "The game was ended" in judge.act("/do/command", do="abandon").text
    assert "Deal the cards" in judge.act("/do/new").text
    assert house.table.judge().mode == "setup"


def test_voices_are_looked_for_when_asked(tmp_path_factory: pytest.TempPathFactory) -> None:
    asked, known = threading.Event(), threading.Event()

    def ask() -> tuple[Voice, ...]:
        asked.set()
        known.wait(PATIENCE)
        return (Voice("e:en1", "Ann", ("en",), "e"), Voice("e:zh1", "Li", ("cmn",), "e"))

    house = House(tmp_path_factory.mktemp("home"), voices=VoiceList(ask))
    judge = house.judge()
    assert "Choose another voice" in judge.get("/").text
    assert "Looking for voices" in judge.act("/do/voices").text
    assert asked.wait(PATIENCE)
    known.set()
    voices = house.app.extensions["voices"]
    until(lambda: voices.state == "known")
    page = judge.get("/").text
    assert 'value="e:en1"' in page
    assert "e:zh1" not in page
    judge.act("/do/configure", **{"voice.en": "e:en1"})
    assert house.table.settings.voices == {"en": "e:en1"}
    house.close()


def test_hands_are_recorded_where_the_game_needs_them(house: House) -> None:
    judge = house.judge()
    page = judge.act("/do/configure", ruleset="killers-6", seats="8").text
    assert "Who holds what" in page
    assert "The cards must be dealt first." in page
    table = house.table.judge().setup
    deck = [role for role, count in table.counts.items() for _ in range(count) if role != table.citizen]
    deck += [table.citizen] * (16 - len(deck))
    too_many = judge.act("/do/configure", **{f"hand.{seat}": ["killer", "civilian"] for seat in range(1, 9)})
    assert too_many.status_code == 422
    hands = {f"hand.{seat}": [deck[seat - 1], deck[16 - seat]] for seat in range(1, 9)}
    page = judge.act("/do/configure", **hands).text
    assert "All hands are recorded." in page
    assert judge.act("/do/start").status_code == 200
    assert [card.role for card in house.state.cards[:2]] == hands["hand.1"]


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"ruleset": "killer-2"}, "There is no such game: killer-2. There are: killers-2, "),
        ({"language_1": "enn"}, "There is no such language here: enn. There are: en, zh-Hans, zh-Hant, es."),
    ],
)
def test_what_there_is_not_is_answered_with_what_there_is(house: House, form: dict[str, str], said: str) -> None:
    assert said in house.judge().act("/do/configure", **form).text


@pytest.mark.parametrize(("tag", "language"), [("zh-CN", "zh-Hans"), ("zh_Hant_HK", "zh-Hant"), ("ES_mx", "es")])
def test_a_language_may_be_sent_in_any_usual_form(house: House, tag: str, language: str) -> None:
    assert house.judge().act("/do/configure", language_1=tag).status_code == 200
    assert house.table.settings.languages == (language,)


def helper_of(house: House) -> Phone:
    """A helper's phone."""
    helper = house.phone()
    helper.knock()
    house.pairing.let_in(house.pairing.waiting()[0].number)
    assert helper.standing == "helper"
    return helper


def test_helpers_cannot_look_at_cards_while_the_phone_goes_round(house: House) -> None:
    judge, helper = house.judge(), helper_of(house)
    assert helper.act("/deal").status_code == 403
    assert judge.act("/deal").status_code == 200
    revision = house.table.revision
    for path in ("/deal/look", "/deal/swap", "/deal/on", "/deal/back"):
        answer = helper.act(path, seat=1)
        assert answer.status_code == 403
        assert "hand" not in answer.text
    assert house.table.revision == revision
    assert "data-hold" not in helper.get("/fragment").text
    assert judge.act("/deal/look", seat=1).status_code == 200


@pytest.mark.parametrize("speaker", ["wav:/any/folder", "wav:lines", "silent:x", "wav:"])
def test_no_phone_chooses_where_files_are_written(house: House, speaker: str) -> None:
    judge, helper = house.judge(), helper_of(house)
    before = house.table.settings
    for phone in (judge, helper):
        answer = phone.act("/do/configure", speaker=speaker)
        assert answer.status_code == 422
        assert "--speaker" in answer.text
    assert house.table.settings == before
    assert "wav" not in (house.folders.home / "settings.json").read_text("utf-8")
    assert judge.act("/do/configure", speaker="page").status_code == 200
