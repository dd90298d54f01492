"""Which devices may lend the narrator their voice: the first by itself, others when the judge lets them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from narrator.speech.outputs.pages import Broadcast
from narrator.storage.loudspeakers import FILE, MOST, LoudspeakerStore
from tests.speech.test_clip import tone
from tests.webpanel.house import House, Phone
from webpanel.chorus import IN, MOST_WAITING, SENT_AWAY, WAITS, Chorus

NOW = datetime(2026, 5, 1, 20, tzinfo=UTC)


def sound(phone: Phone, device: str, page: str = "") -> Iterator[bytes]:
    """A device that opens the page and taps: its stream, which has begun."""
    answer: TestResponse = phone.get(f"/speaker/events?page={page or device}&device={device}")
    assert answer.status_code == 200
    stream = iter(answer.response)
    next(stream)
    return stream


def standing(phone: Phone, device: str) -> str:
    found = phone.get(f"/speaker/now?device={device}").json
    assert found
    return str(found["standing"])


def test_the_first_is_in_by_itself_and_others_wait() -> None:
    chorus = Chorus()
    chorus.arrive("tv", "Android")
    chorus.arrive("rogue", "")
    assert (chorus.standing("tv"), chorus.standing("rogue")) == (IN, WAITS)
    assert [voice.name for voice in chorus.playing()] == ["Android"]
    assert chorus.let_in(chorus.waiting()[0].number)
    assert chorus.standing("rogue") == IN
    assert chorus.waiting() == []


def test_after_one_was_sent_away_none_comes_in_unasked() -> None:
    chorus = Chorus()
    chorus.arrive("rogue", "")
    assert chorus.send_away(chorus.playing()[0].number)
    assert chorus.standing("rogue") == SENT_AWAY
    assert chorus.playing() == chorus.waiting() == []
    chorus.depart("rogue")
    for device in ("rogue", "rogue under another name", "tv"):
        chorus.arrive(device, "")
        assert chorus.standing(device) == WAITS
    assert len(chorus.waiting()) == 3


def test_where_the_only_one_has_gone_the_next_comes_in() -> None:
    chorus = Chorus()
    chorus.arrive("tv", "")
    chorus.depart("tv")
    chorus.arrive("tablet", "")
    assert [chorus.standing(device) for device in ("tv", "tablet")] == [IN, IN]


def test_a_crowd_at_the_door_makes_room_and_leaves_when_it_goes() -> None:
    chorus = Chorus()
    chorus.arrive("tv", "")
    for number in range(MOST_WAITING + 5):
        chorus.arrive(f"rogue {number}", "")
    assert len(chorus.waiting()) == MOST_WAITING
    for number in range(MOST_WAITING + 5):
        chorus.depart(f"rogue {number}")
    assert chorus.waiting() == []
    assert not chorus.let_in("11")
    assert not chorus.send_away("11")


def test_one_that_was_let_in_is_known_for_the_evening(tmp_path: Path) -> None:
    def chorus(later: timedelta) -> Chorus:
        return Chorus(LoudspeakerStore(tmp_path, lambda: NOW + later))

    first = chorus(timedelta())
    first.arrive("rogue", "")
    first.send_away(first.playing()[0].number)
    first.arrive("tv", "")
    assert first.let_in(first.waiting()[-1].number)
    again = chorus(timedelta(hours=5))
    again.arrive("rogue", "")
    again.arrive("tv", "")
    assert [again.standing(device) for device in ("rogue", "tv")] == [WAITS, IN]
    assert chorus(timedelta(hours=17)).standing("tv") == WAITS
    assert "tv" not in (tmp_path / FILE).read_text(encoding="utf-8")


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"loudspeakers": 2}', '{"let_in": [{"device_hash": "x"}]}'])
def test_a_damaged_file_is_begun_anew(tmp_path: Path, kept: str) -> None:
    (tmp_path / FILE).write_text(kept, encoding="utf-8")
    store = LoudspeakerStore(tmp_path, lambda: NOW)
    assert store.let_in == ()
    for number in range(MOST + 3):
        store.add(f"{number:064x}", "")
    assert len(LoudspeakerStore(tmp_path, lambda: NOW).let_in) == MOST


def test_rogues_cannot_keep_the_tv_from_speaking(house: House) -> None:
    air: Broadcast = house.app.extensions["broadcast"]
    tv, rogue, judge = house.phone(), house.phone(), house.judge()
    own = sound(tv, "tv")
    others = [sound(rogue, f"rogue{number}") for number in range(10)]
    name = air.publish(tone(1.0))
    assert air.is_owed(name)
    air.leave("tv")
    assert not air.is_owed(name), "only a device that was let in is waited for"
    assert standing(rogue, "rogue3") == WAITS
    assert rogue.get("/speaker/now?device=rogue3").json["name"] == ""
    assert tv.get("/speaker/now?device=tv").json["name"] == name
    assert "would like to speak" in judge.get("/fragment").text
    assert own
    assert others


def test_the_judge_sends_any_of_them_away_and_helpers_cannot(house: House) -> None:
    air: Broadcast = house.app.extensions["broadcast"]
    judge, tv, helper = house.judge(), house.phone(), house.phone()
    helper.knock()
    house.pairing.let_in(house.pairing.waiting()[0].number)
    stream = sound(tv, "tv")
    chorus: Chorus = house.app.extensions["chorus"]
    path = f"/speaker/devices/{chorus.playing()[0].number}"
    assert house.phone().post(path, {"decision": "send_away"}).status_code == 401
    assert helper.post(path, {"decision": "send_away"}).status_code == 403
    assert judge.post(path, {"decision": "dance"}).status_code == 400
    assert air.has_pages
    assert judge.post(path, {"decision": "send_away"}).status_code == 303
    assert not air.has_pages
    assert standing(tv, "tv") == SENT_AWAY
    again = sound(tv, "tv")
    assert standing(tv, "tv") == WAITS
    assert judge.post(path, {"decision": "let_in"}).status_code == 303
    assert air.has_pages
    assert stream
    assert again


def test_a_page_that_has_come_back_is_not_lost_with_its_old_stream(house: House) -> None:
    air: Broadcast = house.app.extensions["broadcast"]
    answers = [house.phone().get("/speaker/events?page=tv&device=tv") for _ in range(2)]
    for answer in answers:
        next(iter(answer.response))
    answers[0].close()
    assert air.has_pages
    answers[1].close()
    assert not air.has_pages
