"""Names that are written from right to left stand isolated wherever they stand, so that nothing beside them moves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

from narrator.cli import main
from narrator.narration.scripts import isolated
from tests.webpanel.house import House

NAMES = ["محمد", "דני", "علی 2", "Ana", "شیرین", "נעמי Ruth", "小明", "\u202eevil", "a\u2069b"]
LEFTWARD = [name for name in NAMES if isolated(name).startswith("\u2068")]
TURNING = re.compile("[\u202a-\u202e\u2066\u2067]")
FIELD = re.compile(r'<input type="text"[^>]* dir="auto"[^>]*>')


def pages(house: House) -> Iterator[str]:
    """Everything that judge and table see in a whole game, from the set-up to the story."""
    judge, anybody = house.judge(), house.phone()
    house.table.configure(house.table.revision, {"seats": len(NAMES), "names": NAMES, "names_spoken": True})
    yield judge.get("/fragment").text
    house.table.start(house.table.revision)
    while command := house.players.answer(house.state):
        yield judge.get("/fragment").text
        house.tap(**command)
        house.hear_all()
        yield anybody.get("/table/fragment").text
    yield judge.get("/fragment").text


@pytest.mark.parametrize("language", ["en", "es", "zh-Hant"])
def test_every_name_is_isolated_on_every_page_of_a_game(tmp_path: Path, language: str) -> None:
    house = House(tmp_path, seed=4, language=language)
    seen = ""
    for page in pages(house):
        shown = FIELD.sub("", page)
        seen += shown
        assert not TURNING.search(shown)
        for name in LEFTWARD:
            assert bare(shown, name) == [], name
    house.close()
    assert all(f"\u2068{name}\u2069" in seen for name in LEFTWARD)
    assert "\u2068Ana" not in seen


def bare(text: str, name: str) -> list[str]:
    """The places where a name stands among others' words as it is."""
    places = re.finditer(re.escape(name), text)
    inside = ("\u2068", "<bdi>")
    return [text[max(0, at.start() - 30) : at.end() + 9] for at in places if not text[: at.start()].endswith(inside)]


def test_every_name_is_isolated_in_the_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(tmp_path, seed=4)
    list(pages(house))
    house.close()
    [journal] = (tmp_path / "games").glob("*.jsonl")
    monkeypatch.setenv("NARRATOR_HOME", str(tmp_path))
    told = CliRunner().invoke(main, ["replay", str(journal)]).output
    assert "\u2068محمد\u2069" in told
    assert [found for name in LEFTWARD for found in bare(told, name)] == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ana", "Ana"),
        ("小明", "小明"),
        ("محمد", "\u2068محمد\u2069"),
        ("Ana ב", "\u2068Ana ב\u2069"),
        ("\u202eabc", "abc"),
        ("a\u2069\u202dב", "\u2068aב\u2069"),
        ("a\u200f", "\u2068a\u200f\u2069"),
        ("", ""),
    ],
)
def test_a_name_is_isolated_only_where_it_would_move_others(name: str, shown: str) -> None:
    assert isolated(name) == shown


PLACES_OF = """words => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data;
    if (!words.every(word => text.includes(word))) continue;
    return words.map(word => {
      const range = document.createRange();
      range.setStart(walker.currentNode, text.indexOf(word));
      range.setEnd(walker.currentNode, text.indexOf(word) + word.length);
      return range.getBoundingClientRect().left;
    });
  }
  return null;
}"""
"""Where on the screen each of some words begins, which stand in one text."""


@pytest.mark.browser
def test_the_numbers_of_those_awake_stand_beside_their_own_names(house: House, chromium: Browser) -> None:
    judge = house.judge()
    house.start(seats=9, names=["", "", "", "محمد", "", "", "דני"])
    house.tap("begin")
    house.tap("identify", roles={"killer": [4, 7]})
    page = chromium.new_page()
    page.set_content(judge.get("/fragment").text)
    places = page.evaluate(PLACES_OF, ["4 ", "محمد", "7 ", "דני"])
    page.close()
    assert places is not None
    assert places == sorted(places)
    assert len(set(places)) == 4
