"""The loudspeaker page: one real tap, and it really plays what is being spoken."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from narrator.clock import SystemClock
from narrator.speech.backends import open_speaker
from narrator.speech.outputs.pages import Broadcast
from narrator.storage.devices import DeviceStore
from narrator.storage.folders import Folders
from narrator.table import Table
from tests.speech.test_clip import tone
from tests.webpanel.house import ORIGIN, House
from tests.webpanel.phones import Hall, Thumb
from webpanel import create_app
from webpanel.live import Streams
from webpanel.pairing import Pairing
from webpanel.server import Server

PLAYED = "() => { const sound = document.getElementById('sound'); return sound.paused ? -1 : sound.currentTime }"


@pytest.fixture
def loudspeaker(hall: Hall) -> tuple[Thumb, Broadcast]:
    """A phone with the page, not tapped yet, and what it is to play."""
    phone = hall.phone()
    phone.open("/speaker")
    air: Broadcast = hall.house.app.extensions["broadcast"]
    return phone, air


@pytest.mark.browser
def test_one_tap_unlocks_the_sound_and_lines_are_really_played(loudspeaker: tuple[Thumb, Broadcast]) -> None:
    phone, air = loudspeaker
    phone.look_over()
    assert not air.has_pages
    phone.page.tap("#unlock")
    phone.sees("Ready. Two soft notes should have been heard.")
    phone.until(lambda: air.has_pages)
    name = air.publish(tone(1.2))
    phone.page.wait_for_function(f"() => ({PLAYED})() > 0.3 && document.getElementById('sound').src.includes('{name}')")
    phone.sees("Speaking")
    assert air.is_owed(name)
    phone.until(lambda: not air.is_owed(name))
    assert phone.page.evaluate("document.getElementById('sound').ended")
    air.publish(tone(1.0))
    phone.page.wait_for_function(f"() => ({PLAYED})() > 0.2")


@pytest.mark.browser
def test_a_line_that_is_stopped_is_stopped_there_too(loudspeaker: tuple[Thumb, Broadcast]) -> None:
    phone, air = loudspeaker
    phone.page.tap("#unlock")
    phone.until(lambda: air.has_pages)
    air.set_volume(30)
    air.publish(tone(9.0))
    phone.page.wait_for_function(f"() => ({PLAYED})() > 0.3")
    assert phone.page.evaluate("document.getElementById('sound').volume") == pytest.approx(0.3)
    air.hush()
    phone.page.wait_for_function("() => document.getElementById('sound').paused")


@pytest.mark.browser
def test_without_a_tap_the_browser_plays_nothing_and_nobody_waits(
    hall: Hall, loudspeaker: tuple[Thumb, Broadcast]
) -> None:
    phone, air = loudspeaker
    air.publish(tone(1.0))
    assert not air.has_pages
    other = hall.phone()
    other.open("/speaker")
    other.page.tap("#unlock")
    other.until(lambda: air.has_pages)
    air.publish(tone(20.0))
    other.page.wait_for_function(f"() => ({PLAYED})() > 0.2")
    assert phone.page.evaluate(PLAYED) == -1


@pytest.fixture
def evening(tmp_path: Path, chromium: Browser) -> Iterator[tuple[Table, Thumb]]:
    """A table whose only loudspeaker is a page, in real time, with the machine's own voice."""
    air, folders, streams = Broadcast(), Folders(tmp_path), Streams()
    speaks = partial(open_speaker, voice="pyttsx3", broadcast=air)
    table = Table(folders, clock=SystemClock(), speaker="page", ruleset="killers-2", speaker_factory=speaks)
    table.configure(table.revision, {"languages": ["en"]})
    app = create_app(table, Pairing(DeviceStore(folders.home), "secret"), streams=streams, broadcast=air)
    server = Server(app, "127.0.0.1", 0)
    server.start()
    phone = Thumb.of(chromium, f"http://127.0.0.1:{server.port}", (390, 844), "en-GB")
    phone.open("/speaker")
    phone.page.tap("#unlock")
    phone.until(lambda: air.has_pages)
    yield table, phone
    phone.context.close()
    server.stop()
    table.close()
    assert not phone.faults


@pytest.mark.browser
@pytest.mark.sound
def test_the_narrator_goes_on_when_the_page_has_played_the_line(evening: tuple[Table, Thumb]) -> None:
    table, phone = evening
    table.sound_check()
    phone.page.wait_for_function(f"() => ({PLAYED})() > 0.5")
    assert table.judge().speech.state == "speaking"
    phone.until(lambda: table.judge().speech.state == "silent")
    assert phone.page.evaluate("document.getElementById('sound').ended")
    assert table.judge().troubles == ()


def test_what_is_not_spoken_now_cannot_be_had_and_guessing_is_stopped(house: House) -> None:
    phone = house.phone()
    codes = [phone.get(f"/speaker/lines/guess{number}.wav").status_code for number in range(25)]
    assert codes[:20] == [404] * 20
    assert set(codes[20:]) == {429}


def test_the_sound_comes_in_pieces_as_phones_ask_for_it(house: House) -> None:
    air: Broadcast = house.app.extensions["broadcast"]
    name = air.publish(tone(1.0))
    whole = house.phone().get(f"/speaker/lines/{name}.wav")
    assert (whole.status_code, whole.mimetype) == (200, "audio/wav")
    assert whole.headers["Cache-Control"] == "no-store"
    piece = house.phone().get(f"/speaker/lines/{name}.wav", headers={"Range": "bytes=0-1"})
    assert (piece.status_code, piece.data) == (206, b"RI")
    assert house.phone().get("/speaker/chime.wav").status_code == 200


def test_only_our_own_page_can_tell_an_end(house: House) -> None:
    phone = house.phone()
    assert phone.post("/speaker/ended", headers={}).status_code == 403
    assert phone.post("/speaker/ended", headers={"Origin": "http://elsewhere"}).status_code == 403
    assert phone.post("/speaker/ended", headers={"Origin": ORIGIN}).status_code == 204


def test_the_page_tells_nothing_of_a_game(house: House) -> None:
    house.start()
    house.night_one()
    before = house.phone().get("/speaker").text
    house.hear_all()
    after = house.phone().get("/speaker").text
    assert [line for line in before.splitlines() if "data-id" not in line] == [
        line for line in after.splitlines() if "data-id" not in line
    ]
    assert house.phone().get("/speaker/now").json.items() >= {"name": "", "elapsed": 0.0, "volume": 1.0}.items()


@pytest.mark.browser
def test_the_judge_is_told_while_no_page_speaks(evening: tuple[Table, Thumb]) -> None:
    _, phone = evening
    judge = Thumb(phone.context, phone.context.new_page(), phone.origin, phone.width)
    judge.open("/pair/secret")
    judge.page.tap("button.main")
    judge.wakes()
    assert "No device shows the loudspeaker page" not in judge.page.inner_text("#page")
    phone.page.close()
    judge.sees("No device shows the loudspeaker page")


@pytest.mark.browser
def test_a_second_device_waits_for_the_judge_who_may_send_it_away_again(
    loudspeaker: tuple[Thumb, Broadcast], hall: Hall
) -> None:
    first, air = loudspeaker
    judge, second = hall.judge(), hall.phone()
    first.page.tap("#unlock")
    first.until(lambda: air.has_pages)
    second.open("/speaker")
    second.page.tap("#unlock")
    second.sees("The judge has to let this device speak")
    (waiting,) = hall.house.app.extensions["chorus"].waiting()
    second.sees(f"Number {waiting.number}.")
    name = air.publish(tone(30.0))
    first.page.wait_for_function(f"() => document.getElementById('sound').src.includes('{name}') && ({PLAYED})() > 0.1")
    assert name not in second.page.evaluate("() => document.getElementById('sound').src")
    judge.page.tap("[data-open=phones]")
    judge.sees(f"Loudspeaker {waiting.number} would like to speak.")
    judge.page.tap("#phones button[value=let_in]")
    second.page.wait_for_function(f"() => document.getElementById('sound').src.includes('{name}')")
    second.page.wait_for_function(f"() => ({PLAYED})() > 0.1")
    judge.page.tap(f"form[data-post='/speaker/devices/{waiting.number}'] button[value=send_away]")
    second.sees("The judge has sent this device away")
    second.page.wait_for_function("() => document.getElementById('sound').paused")
    judge.look_over()
    second.page.reload()
    second.page.tap("#unlock")
    second.sees(f"Number {waiting.number}.")
