"""Who may see and do what."""

from __future__ import annotations

import pytest

from tests.webpanel.house import COOKIE, ORIGIN, House
from webpanel.access import OPEN, audience_of

PUBLIC = {
    "door.code",
    "door.knock",
    "door.wait",
    "door.wait_events",
    "door.me",
    "public.page",
    "public.fragment",
    "public.events",
    "speaker.page",
    "speaker.events",
    "speaker.now",
    "speaker.line",
    "speaker.chime",
    "speaker.ended",
    "speaker.left",
    "static",
}
"""Everything that a phone nobody knows may ask for; a new page must be put here on purpose, or it is closed."""


def closed_routes(house: House) -> list[tuple[str, str]]:
    """Method and address of everything that is not public."""
    rules = [rule for rule in house.app.url_map.iter_rules() if rule.endpoint not in PUBLIC]
    pairs = [(method, rule) for rule in rules for method in sorted(rule.methods or ()) if method in ("GET", "POST")]
    return [(method, rule.rule.replace("<number>", "12")) for method, rule in pairs]


def test_only_these_pages_are_open(house: House) -> None:
    with house.app.app_context():
        opened = {rule.endpoint for rule in house.app.url_map.iter_rules() if audience_of(rule.endpoint) == OPEN}
    assert opened == PUBLIC


def test_a_stranger_gets_nothing_that_is_not_public(house: House) -> None:
    house.start()
    house.night_one()
    stranger = house.phone()
    routes = closed_routes(house)
    assert len(routes) > 10
    for method, path in routes:
        answer = stranger.client.open(path, method=method, base_url=ORIGIN, headers={"Origin": ORIGIN})
        assert answer.status_code == 401, (method, path)
        assert "killer" not in answer.text.lower()


def test_a_waiting_or_refused_phone_gets_no_more_than_a_stranger(house: House) -> None:
    house.judge()
    other = house.phone()
    other.knock()
    assert other.standing == "waiting"
    for method, path in closed_routes(house):
        assert other.client.open(path, method=method, base_url=ORIGIN, headers={"Origin": ORIGIN}).status_code == 401
    house.pairing.refuse(house.pairing.waiting()[0].number)
    assert other.get("/").status_code == 401


def test_a_made_up_cookie_opens_nothing(house: House) -> None:
    house.judge()
    thief = house.phone()
    thief.client.set_cookie(COOKIE, "x" * 43, domain="localhost")
    assert thief.get("/").status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": ORIGIN},
        {"Origin": ORIGIN, "X-Proof": "0" * 64},
        {"Origin": "http://elsewhere.example", "X-Proof": "own"},
        {"Origin": "http://localhost:9999", "X-Proof": "own"},
        {"Origin": "null", "X-Proof": "own"},
        {"X-Proof": "own"},
    ],
)
def test_a_change_asked_for_by_another_page_is_refused(house: House, headers: dict[str, str]) -> None:
    judge = house.judge()
    sent = {name: judge.proof if value == "own" else value for name, value in headers.items()}
    before = house.table.revision
    answer = judge.post("/do/start", {"revision": before}, headers=sent)
    assert answer.status_code == 403
    assert (house.table.revision, house.table.judge().mode) == (before, "setup")


def test_the_proof_of_one_phone_is_of_no_use_to_another(house: House) -> None:
    judge, other = house.judge(), house.phone()
    other.knock()
    house.pairing.let_in(house.pairing.waiting()[0].number)
    sent = {"Origin": ORIGIN, "X-Proof": judge.proof}
    assert other.post("/do/start", {"revision": house.table.revision}, headers=sent).status_code == 403


def test_a_page_is_told_its_sender_by_referer_where_there_is_no_origin(house: House) -> None:
    judge = house.judge()
    sent = {"Referer": f"{ORIGIN}/", "X-Proof": judge.proof}
    assert judge.post("/do/start", {"revision": house.table.revision}, headers=sent).status_code == 200


@pytest.mark.parametrize(
    "host", ["elsewhere.example", "elsewhere.example:8765", "192.0.2.77", "", "localhost.evil.net"]
)
def test_a_name_that_is_not_this_machine_is_refused(house: House, host: str) -> None:
    answer = house.phone().client.get("/table", base_url=ORIGIN, headers={"Host": host})
    assert answer.status_code == 421


@pytest.mark.parametrize("host", ["localhost", "localhost:8765", "127.0.0.1:8765", "LOCALHOST:1"])
def test_this_machine_is_known_by_its_names_and_addresses(house: House, host: str) -> None:
    assert house.phone().client.get("/table", base_url=ORIGIN, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/table", "/table/fragment", "/pair/wrong", "/me", "/nothing-here"])
def test_every_answer_forbids_what_pages_do_not_need(house: House, path: str) -> None:
    headers = house.phone().get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"


def test_the_pages_program_is_served_as_a_program_on_every_system(house: House) -> None:
    for file, kind in (("panel.js", "text/javascript"), ("panel.css", "text/css"), ("icon.svg", "image/svg+xml")):
        with house.phone().get(f"/static/{file}") as answer:
            assert answer.mimetype == kind


def test_a_helper_may_lead_the_game_but_not_the_door(house: House) -> None:
    house.judge()
    helper, third = house.phone(), house.phone()
    helper.knock()
    house.pairing.let_in(house.pairing.waiting()[0].number)
    third.knock()
    number = house.pairing.waiting()[0].number
    assert helper.act("/do/start").status_code == 200
    assert helper.act(f"/phones/{number}", decision="helper").status_code == 403
    assert third.standing == "waiting"


def test_too_much_sent_is_refused(house: House) -> None:
    judge = house.judge()
    assert judge.act("/do/configure", names="x" * 300_000).status_code == 413
