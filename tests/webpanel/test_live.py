"""The streams: what makes them tick, what never does, and how they end."""

from __future__ import annotations

import re
import socket
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from tests.webpanel.house import House
from webpanel import live
from webpanel.server import NoPort, Server, listen

PATIENCE = 60
"""Seconds after which a socket that has said nothing never will."""


def ticks(stream: Iterator[bytes]) -> int:
    """How many ticks come before the stream has nothing more to say than that it lives."""
    return sum(1 for _ in takewhile(lambda piece: b"tick" in piece, stream))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams that give a sign of life whenever there is nothing else to say."""
    monkeypatch.setattr(live, "BEAT", 0.0)


@pytest.mark.usefixtures("quick")
def test_the_judges_stream_ticks_when_something_is_recorded_or_said(house: House) -> None:
    judge = house.judge()
    house.start()
    stream = iter(judge.get("/events").response)
    ticks(stream)
    assert ticks(stream) == 0
    house.tap("begin")
    assert ticks(stream) >= 1
    assert ticks(stream) == 0
    house.pass_time(20)
    assert ticks(stream) >= 1


@pytest.mark.usefixtures("quick")
def test_the_judges_stream_ticks_when_a_phone_knocks(house: House) -> None:
    judge = house.judge()
    stream = iter(judge.get("/events").response)
    ticks(stream)
    house.phone().knock()
    assert ticks(stream) >= 1


@pytest.mark.usefixtures("quick")
def test_the_public_stream_does_not_tick_when_a_secret_is_recorded(house: House) -> None:
    house.judge()
    house.start()
    house.tap("begin")
    house.hear_all()
    stream = iter(house.phone().get("/table/events").response)
    ticks(stream)
    house.tap("identify", roles={"killer": [1, 2, 3]})
    house.tap("choose", choice={"target": 8})
    assert ticks(stream) == 0
    house.pass_time(20)
    assert ticks(stream) >= 1


@pytest.mark.usefixtures("quick")
def test_a_waiting_phone_hears_of_the_decision(house: House) -> None:
    house.judge()
    other = house.phone()
    other.knock()
    stream = iter(other.get("/wait/events").response)
    ticks(stream)
    assert ticks(stream) == 0
    house.pairing.let_in(house.pairing.waiting()[0].number)
    assert ticks(stream) == 1


@pytest.mark.usefixtures("quick")
def test_streams_end_when_the_server_stops(house: House) -> None:
    stream = iter(house.phone().get("/table/events").response)
    next(stream)
    house.streams.stop()
    assert list(stream) == []


@pytest.mark.usefixtures("quick")
def test_nobody_can_use_up_the_streams_of_others(house: House) -> None:
    def look(number: int) -> TestResponse:
        return house.phone().get("/table/events", environ_overrides={"REMOTE_ADDR": f"10.0.0.{number}"})

    held = [look(number) for number in range(live.MOST_STREAMS["public"])]
    assert look(200).status_code == 503
    answer = house.judge().get("/events")
    assert answer.status_code == 200
    for stream in [*held, answer]:
        stream.close()
    assert look(200).status_code == 200


@pytest.mark.usefixtures("quick")
def test_a_phone_that_slept_does_not_pile_up_streams(house: House) -> None:
    judge = house.judge()
    streams = [iter(judge.get("/events").response) for _ in range(live.MOST_OF_ONE + 1)]
    for stream in streams:
        next(stream)
    assert list(streams[0]) == []
    house.phone().knock()
    assert all(ticks(stream) >= 1 for stream in streams[1:])


def test_a_stream_passes_through_the_real_server_at_once(house: House) -> None:
    server = Server(house.app, "127.0.0.1", 0)
    server.start()
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line:
        line.sendall(b"GET /table/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        heard = b""
        while b"event: tick" not in heard:
            heard += line.recv(1000)
        house.start()
        house.pass_time(1)
        count = heard.count(b"event: tick")
        while heard.count(b"event: tick") == count:
            heard += line.recv(1000)
        assert b"Server:" not in heard
        server.stop()
        while line.recv(1000):
            pass


def test_a_taken_port_is_left_to_whoever_has_it() -> None:
    first, port = listen("127.0.0.1", 0, 1)
    first.listen()
    try:
        second, other = listen("127.0.0.1", port, 5)
        second.close()
        assert other in range(port + 1, port + 5)
        with pytest.raises(NoPort, match=str(port)):
            listen("127.0.0.1", port, 1)
    finally:
        first.close()


def test_the_server_says_where_it_listens(tmp_path: Path) -> None:
    house = House(tmp_path)
    server = Server(house.app, "127.0.0.1", 0)
    server.start()
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE):
        pass
    server.stop()
    with pytest.raises(OSError, match=r"."):
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    house.close()


def test_two_hundred_pages_behind_one_address_leave_each_other_alone(house: House) -> None:
    pages = [re.findall(r'data-events="([^"]+)"', house.phone().get("/table").text) for _ in range(200)]
    assert len({address for (address,) in pages}) == 200
    streams = [house.phone().get(address).response for (address,) in pages]
    assert not any(stream.is_over for stream in house.streams._open)
    assert len(house.streams._open) == len(streams) == 200


def test_an_address_with_more_than_its_share_makes_room_for_another(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(live.MOST_STREAMS, "public", 5)

    def look(number: int, address: str) -> TestResponse:
        return house.phone().get(f"/table/events?page={number}", environ_overrides={"REMOTE_ADDR": address})

    crowd = [look(number, "10.0.0.1") for number in range(5)]
    assert [one.status_code for one in crowd] == [200] * 5
    assert look(5, "10.0.0.1").status_code == 503
    others = [look(number, "10.0.0.2") for number in range(6, 8)]
    assert [one.status_code for one in others] == [200, 200]
    assert Counter(stream.address for stream in house.streams._open) == {"10.0.0.1": 3, "10.0.0.2": 2}
    assert [stream.owner for stream in house.streams._open] == ["2", "3", "4", "6", "7"]
    assert look(9, "10.0.0.2").status_code == 503
