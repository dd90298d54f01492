"""The addresses on the judge's page: the best, the others beside it, and what is told when they change."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
import segno
from playwright.sync_api import Page

from tests.webpanel.house import House
from tests.webpanel.phones import Hall
from tests.webpanel.surroundings import BRIDGE, CABLE, LO, TUNNEL, WIFI, Surrounded

NEW = "The computer is in another network now. The players’ page: http://10.0.0.5:8765/table"
LOST = "The computer has no network any more"


def links(page: str) -> list[str]:
    """The addresses that a page shows, in order."""
    return re.findall(r'<span class="place">([^<]+)</span>', page)


def test_every_address_stands_on_the_judges_page_with_its_code(house: House) -> None:
    house.app.extensions["network"] = Surrounded(BRIDGE, TUNNEL, WIFI, CABLE).network()
    page = house.judge().get("/").text
    hosts = ["192.168.50.23", "10.0.0.5", "10.8.0.2", "172.17.0.1"]
    assert links(page) == [f"http://{host}:8765/table" for host in hosts]
    assert page.count("through a VPN") == page.count("only inside this computer") == 1
    for link in links(page):
        assert str(segno.make(link, error="l", micro=False).svg_inline(border=3, light="#fff", omitsize=True)) in page


def test_the_codes_lead_to_the_page_for_everybody_and_hold_no_secret(house: House) -> None:
    house.app.extensions["network"] = Surrounded(WIFI).network()
    assert house.pairing.secret not in house.judge().get("/").text


def test_the_name_stands_beside_the_best_address(house: House) -> None:
    network = Surrounded(WIFI, CABLE).network()
    network.name = "narrator.local"
    house.app.extensions["network"] = network
    assert links(house.judge().get("/").text)[1] == "http://narrator.local:8765/table"


def test_a_game_that_is_on_has_the_addresses_in_its_menu(house: House) -> None:
    house.app.extensions["network"] = Surrounded(WIFI).network()
    house.start()
    page = house.judge().get("/").text
    assert 'data-open="addresses"' in page
    assert links(page) == ["http://192.168.50.23:8765/table"]


def test_a_move_is_told_to_the_judge_and_to_nobody_else(house: House) -> None:
    around = Surrounded(LO, WIFI)
    network = house.app.extensions["network"] = around.network()
    judge, stranger = house.judge(), house.phone()
    assert NEW not in html.unescape(judge.get("/").text)
    around.becomes(LO, CABLE)
    network.look()
    assert NEW in html.unescape(judge.get("/fragment").text)
    assert "10.0.0.5" not in stranger.get("/table").text
    around.becomes(LO)
    network.look()
    assert LOST in judge.get("/fragment").text


def test_without_a_server_there_are_no_addresses(house: House) -> None:
    assert links(house.judge().get("/").text) == []


@pytest.mark.browser
def test_an_open_page_tells_a_move_by_itself_and_shows_a_code_that_fits(
    hall: Hall, picture: Callable[[Page, str], None]
) -> None:
    around = Surrounded(LO, WIFI, TUNNEL)
    network = hall.house.app.extensions["network"] = around.network()
    judge = hall.judge()
    around.becomes(LO, CABLE, TUNNEL)
    network.look()
    page = judge.page
    page.locator("[data-trouble]", has_text="http://10.0.0.5:8765/table").wait_for()
    page.tap("[data-dismiss]")
    page.tap("#network > summary")
    page.tap("#network .address:first-of-type summary")
    box = page.locator("#network .code svg >> visible=true").bounding_box()
    assert box is not None
    assert box["width"] == box["height"] > 150
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= judge.width
    picture(page, "panel-addresses")
