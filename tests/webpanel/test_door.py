"""Coming in: the code, the wait, being let in or refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from tests.webpanel.house import COOKIE, ORIGIN, SECRET, House, Phone


def test_the_first_phone_becomes_the_judges(house: House) -> None:
    phone = house.phone()
    answer = phone.knock()
    assert (answer.status_code, answer.location) == (303, "/")
    assert phone.standing == "judge"
    assert phone.get("/").status_code == 200


def test_looking_at_the_code_uses_nothing_up(house: House) -> None:
    preview = house.phone()
    for _ in range(3):
        assert preview.get(f"/pair/{SECRET}").status_code == 200
    assert preview.token is None
    assert house.pairing.judge() is None
    assert house.judge().standing == "judge"


def test_the_cookie_is_kept_from_programs_and_from_other_sites(house: House) -> None:
    cookie = house.phone().knock().headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Path=/" in cookie


def test_only_a_hash_of_the_token_is_kept(house: House) -> None:
    token = house.judge().token
    assert token
    kept = [file.read_bytes() for file in house.folders.home.rglob("*") if file.is_file()]
    assert kept
    assert not any(token.encode() in content for content in kept)


def test_a_later_phone_is_told_that_there_is_a_judge_and_waits(house: House) -> None:
    house.judge()
    other = house.phone()
    assert "This table has a judge" in other.get(f"/pair/{SECRET}").text
    assert other.knock().location == "/wait"
    page = other.get("/wait").text
    assert house.pairing.waiting()[0].number in page
    assert "This table has a judge" in page


def test_the_judge_lets_a_phone_in(house: House) -> None:
    judge, other = house.judge(), house.phone()
    other.knock()
    number = house.pairing.waiting()[0].number
    assert number in judge.get("/fragment").text
    judge.act(f"/phones/{number}", decision="helper")
    assert other.standing == "helper"
    assert other.get("/wait").location == "/"
    assert house.pairing.waiting() == []


def test_a_refused_phone_is_told_so_and_may_try_again(house: House) -> None:
    judge, other = house.judge(), house.phone()
    other.knock()
    judge.act(f"/phones/{house.pairing.waiting()[0].number}", decision="refuse")
    assert "Not this time" in other.get("/wait").text
    assert house.pairing.waiting() == []
    other.knock()
    assert other.standing == "waiting"


def test_another_phone_takes_the_judges_place(house: House) -> None:
    judge, other = house.judge(), house.phone()
    other.knock()
    judge.act(f"/phones/{house.pairing.waiting()[0].number}", decision="judge")
    assert (judge.standing, other.standing) == ("helper", "judge")


def test_a_helper_is_shown_out(house: House) -> None:
    judge, other = house.judge(), house.phone()
    other.knock()
    number = house.pairing.waiting()[0].number
    house.pairing.let_in(number)
    judge.act(f"/phones/{number}", decision="dismiss")
    assert other.standing is None
    assert other.get("/").status_code == 401


def test_the_judges_own_phone_cannot_be_shown_out(house: House) -> None:
    judge = house.judge()
    page = judge.get("/").text
    for number in range(10, 100):
        assert not house.pairing.dismiss(str(number))
    assert judge.standing == "judge"
    assert page


def test_knocking_twice_changes_nothing(house: House) -> None:
    judge, other = house.judge(), house.phone()
    token = judge.token
    judge.knock()
    assert (judge.token, judge.standing) == (token, "judge")
    other.knock()
    token = other.token
    other.knock()
    assert (other.token, len(house.pairing.waiting())) == (token, 1)


def test_a_wrong_code_is_refused_and_cannot_be_guessed_at(house: House) -> None:
    guesser = house.phone()
    codes = [guesser.get(f"/pair/guess{number}").status_code for number in range(12)]
    assert codes[0] == 404
    assert codes[-1] == 429
    assert guesser.get(f"/pair/{SECRET}").status_code == 429
    answer = guesser.post(f"/pair/{SECRET}", headers={"Origin": ORIGIN})
    assert answer.status_code == 429
    assert house.pairing.judge() is None


def test_a_code_is_not_to_be_used_by_another_site(house: House) -> None:
    answer = house.phone().post(f"/pair/{SECRET}", headers={"Origin": "http://elsewhere.example"})
    assert answer.status_code == 403
    assert house.pairing.judge() is None


@pytest.mark.parametrize(
    ("language", "words"), [("es-MX,en", "Sé el árbitro"), ("zh-TW", "來當法官"), ("zh", "来当法官")]
)
def test_the_door_speaks_the_visitors_language(house: House, language: str, words: str) -> None:
    assert words in house.phone().get(f"/pair/{SECRET}", headers={"Accept-Language": language}).text


def test_the_judge_is_still_the_judge_after_a_restart(tmp_path: Path) -> None:
    first = House(tmp_path)
    token = first.judge().token
    first.close()
    again = House(tmp_path)
    phone = again.phone()
    phone.client.set_cookie(COOKIE, token or "", domain="localhost")
    assert phone.standing == "judge"
    assert phone.get("/").status_code == 200
    again.close()


def test_a_page_opened_from_elsewhere_finds_out_that_it_is_known(house: House) -> None:
    judge = house.judge()
    assert judge.get("/me").status_code == 204
    assert house.phone().get("/me").status_code == 200


def cookies(answer: TestResponse) -> dict[str, str]:
    """What a page gives to be kept: name -> all of it."""
    return {given.partition("=")[0]: given for given in answer.headers.getlist("Set-Cookie")}


def test_a_browser_that_keeps_no_cookies_becomes_nothing_and_locks_nobody_out(house: House) -> None:
    scanner = Phone(house, keeps_cookies=False)
    answer = scanner.knock()
    assert answer.status_code == 403
    assert "This browser keeps no cookies" in answer.text
    assert f"{ORIGIN}/pair/{SECRET}" in answer.text
    assert house.pairing.phones() == ()
    assert house.judge().standing == "judge"
    assert Phone(house, keeps_cookies=False).knock().status_code == 403
    assert house.pairing.waiting() == []


def test_the_cookie_is_renewed_with_use(house: House) -> None:
    judge = house.judge()
    for path in ("/", "/fragment", "/table", "/me"):
        renewed = cookies(judge.get(path))[COOKIE]
        assert f"={judge.token};" in renewed
        assert "Max-Age=57600" in renewed
    assert COOKIE in cookies(judge.act("/do/pause"))
    with judge.get("/static/panel.css") as style:
        assert cookies(style) == {}
    stranger = house.phone()
    stranger.knock()
    assert cookies(stranger.get("/table")) == {}


def test_a_judge_plays_on_in_the_seventeenth_hour(house: House) -> None:
    judge = house.judge()
    for _ in range(3):
        house.uptime += 15 * 3600
        assert judge.get("/fragment").status_code == 200
    house.uptime += 16 * 3600
    assert judge.get("/fragment").status_code == 401
    assert house.judge().standing == "judge"


def test_two_tables_on_one_computer_do_not_know_each_others_phones(tmp_path: Path) -> None:
    houses = [House(tmp_path / name) for name in "ab"]
    browser = houses[0].app.test_client()
    for house, port in zip(houses, (8765, 8766), strict=True):
        origin = f"http://localhost:{port}"
        browser.application = house.app
        browser.get(f"/pair/{SECRET}", base_url=origin)
        browser.post(f"/pair/{SECRET}", base_url=origin, headers={"Origin": origin})
    for house, port in zip(houses, (8765, 8766), strict=True):
        browser.application = house.app
        assert browser.get("/", base_url=f"http://localhost:{port}").status_code == 200
        house.close()


def test_a_cookie_given_under_tls_stays_there(house: House) -> None:
    phone = house.phone().client
    origin = "https://localhost:8765"
    page = phone.get(f"/pair/{SECRET}", base_url=origin)
    answer = phone.post(f"/pair/{SECRET}", base_url=origin, headers={"Origin": origin})
    assert answer.status_code == 303
    assert all("Secure" in given for given in (*cookies(page).values(), *cookies(answer).values()))


def test_wrong_codes_are_noted_without_the_code(house: House) -> None:
    house.pairing.log = (said := list[str]()).append
    guesser = house.phone()
    for number in range(20):
        guesser.get(f"/pair/guess{number}")
    assert said == ["a wrong code was tried from 127.0.0.1"] * 7 + [
        "a wrong code was tried from 127.0.0.1, once too often"
    ]
