"""The server: many connections, silent and slow strangers, bodies that are too large; real sockets throughout."""

from __future__ import annotations

import http.client
import math
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest

from tests.webpanel.house import SECRET, House
from webpanel import connections
from webpanel.access import OPEN, allow, cookie_name
from webpanel.gateway import LARGEST_BODY, THREADS
from webpanel.server import Server, descriptors

many_addresses = pytest.mark.skipif(sys.platform != "linux", reason="this machine has one loopback address only")
PATIENCE = 20
"""Seconds after which a socket that should have said something has failed."""


class Club:
    """A table that is really served, and whoever connects to it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.server = Server(house.app, "127.0.0.1", 0)
        self.server.start()
        self._stack = ExitStack()

    def close(self) -> None:
        self._stack.close()
        self.server.stop()

    def socket(self, sent: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
        """A connection, and what it has sent."""
        line = socket.create_connection(("127.0.0.1", self.server.port), PATIENCE, (source, 0))
        self._stack.callback(line.close)
        line.sendall(sent)
        return line

    def stream(self, path: str, source: str = "127.0.0.1") -> socket.socket:
        """An event stream that has begun."""
        line = self.socket(request("GET", path), source)
        heard = b""
        while b"event: tick" not in heard:
            heard += (got := line.recv(4096))
            assert got, heard
        return line

    def status(self, method: str, path: str, source: str = "127.0.0.1", **more: Any) -> int:
        """What a fresh connection is answered."""
        asks = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE, source_address=(source, 0))
        asks.request(method, path, headers={"Host": "localhost"} | more.pop("headers", {}), **more)
        answer = asks.getresponse()
        answer.read()
        asks.close()
        return answer.status


def request(method: str, path: str, headers: str = "", body: bytes = b"") -> bytes:
    """A request as it goes over the line."""
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode() + body


def is_over(line: socket.socket) -> bool:
    """Whether the other side ends the connection, whatever it still says."""
    try:
        while line.recv(65536):
            pass
    except ConnectionError:
        return True
    return True


def is_open(line: socket.socket) -> bool:
    """Whether the connection has not been ended."""
    line.setblocking(False)
    try:
        return bool(line.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return True
    except ConnectionError:
        return False
    finally:
        line.settimeout(PATIENCE)


def answer_of(line: socket.socket) -> bytes:
    """The first line of an answer."""
    heard = b""
    while b"\r\n" not in heard:
        heard += (got := line.recv(4096))
        assert got, heard
    return heard.partition(b"\r\n")[0]


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests may take any time to come, however busy this machine is."""
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 600.0)


@pytest.fixture
def club(house: House, patient: None) -> Iterator[Club]:
    found = Club(house)
    yield found
    found.close()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make the limits small."""

    def limit(module: object, **limits: object) -> None:
        for name, value in limits.items():
            monkeypatch.setattr(module, name, value)

    return limit


def judges_cookie(house: House) -> dict[str, str]:
    judge = house.judge()
    return {"Cookie": f"{cookie_name(port=80)}={judge.token}"}


@many_addresses
def test_a_thousand_connections_at_a_time_and_the_judge_beside_them(club: Club) -> None:
    if descriptors(2300) < 2300:
        pytest.skip("this machine gives too few descriptors for both ends of so many connections")
    cookie = judges_cookie(club.house)
    before = threading.active_count()
    strangers = [club.stream(f"/table/events?page=p{number}") for number in range(300)]
    held = [club.socket(b"GET / HTTP/1.1\r\nHost:", f"127.0.1.{number % 50}") for number in range(700)]
    assert club.status("GET", "/", headers=cookie) == 200
    assert all(map(is_open, [*strangers, *held]))
    assert threading.active_count() <= before + 20


def test_one_address_may_keep_only_so_many_connections_silent(club: Club, small: Callable[..., None]) -> None:
    small(connections, MOMENT=0.01)
    first, *others = [club.socket() for _ in range(connections.MOST_UNASKED + 1)]
    assert is_over(first)
    assert all(map(is_open, others))
    assert club.status("GET", "/table") == 200
    club.socket()
    assert is_over(others[0])


def test_many_phones_behind_one_address_may_connect_at_once(club: Club, small: Callable[..., None]) -> None:
    small(connections, MOMENT=600.0)
    lines = [club.socket() for _ in range(18 * 6)]
    for line in lines:
        line.sendall(request("GET", "/static/panel.css"))
    assert all(b" 200 " in answer_of(line) for line in lines)


def test_a_crowd_of_strangers_does_not_keep_the_judge_waiting(club: Club) -> None:
    cookie, let = judges_cookie(club.house), threading.Event()
    assert club.status("GET", "/fragment", headers=cookie) == 200
    busy = threading.Semaphore(0)
    club.house.app.view_functions["public.fragment"] = allow(OPEN)(lambda: (busy.release(), str(let.wait(PATIENCE)))[1])
    crowd = [club.socket(request("GET", "/table/fragment")) for _ in range(50)]
    for _ in range(THREADS[False]):
        assert busy.acquire(timeout=PATIENCE)
    assert club.status("GET", "/fragment", headers=cookie) == 200
    let.set()
    assert all(b" 200 " in answer_of(line) for line in crowd)


@pytest.mark.slow
@many_addresses
def test_the_judge_is_answered_soon_beside_a_crowd(club: Club) -> None:
    cookie = judges_cookie(club.house)
    club.house.start()

    def times() -> list[float]:
        """Milliseconds that fifty answers took, the fastest first."""
        found = []
        for _ in range(50):
            begun = time.perf_counter()
            assert club.status("GET", "/fragment", headers=cookie) == 200
            found.append(1000 * (time.perf_counter() - begun))
        return sorted(found)

    alone = times()
    lines = [club.stream(f"/table/events?page=p{number}") for number in range(200)]
    lines += [club.socket(b"", f"127.0.3.{number // 10 + 1}") for number in range(100)]
    lines += [club.socket(b"GET / HT", f"127.0.4.{number // 10 + 1}") for number in range(50)]
    beside = times()
    for name, found in {"alone": alone, "beside a crowd": beside}.items():
        print(f"{name}: median {found[25]:.0f} ms, 95 % within {found[47]:.0f} ms")
    print(f"{threading.active_count()} threads, {len(club.server._gateway.connections)} connections")
    assert all(map(is_open, lines))
    assert beside[25] < max(100, 3 * alone[25])


def test_small_answers_are_not_held_back(club: Club) -> None:
    line = club.socket(request("GET", "/me"))
    answer_of(line)
    (served,) = club.server._gateway.connections._open
    assert served.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_connections_that_have_asked_are_not_counted_by_address(club: Club) -> None:
    phones = [club.stream(f"/table/events?page=p{number}") for number in range(60)]
    assert all(map(is_open, phones))


def test_a_request_that_does_not_come_to_its_end_is_given_up(club: Club, small: Callable[..., None]) -> None:
    again = club.socket(request("GET", "/me"))
    assert b" 200 " in answer_of(again)
    small(connections, REQUEST_SECONDS=0.1)
    assert is_over(club.socket())
    assert is_over(club.socket(b"GET / HTTP/1.1\r\nHo"))
    assert is_over(club.socket(request("POST", "/me", "Content-Length: 10\r\n", b"half")))
    again.sendall(b"GET /me HTTP/1.1\r\nHo")
    assert is_over(again)


@pytest.fixture
def full(house: House, patient: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    """A server that takes eight connections."""
    monkeypatch.setattr("webpanel.server.MOST_CONNECTIONS", 8)
    found = Club(house)
    yield found
    found.close()


@many_addresses
def test_where_all_is_full_the_stranger_who_has_been_silent_longest_goes(full: Club) -> None:
    asked = full.socket(request("GET", "/me"))
    answer_of(asked)
    silent = [full.socket(b"GET", f"127.0.2.{number}") for number in range(7)]
    newcomer = full.socket(request("GET", "/me"))
    assert b" 200 " in answer_of(newcomer)
    assert is_over(silent[0])
    assert all(map(is_open, [asked, newcomer, *silent[1:]]))


def test_where_all_is_full_the_phones_of_the_table_stay(full: Club) -> None:
    cookie = "".join(f"{name}: {value}\r\n" for name, value in judges_cookie(full.house).items())
    judges = full.socket(request("GET", "/fragment", cookie))
    answer_of(judges)
    stream = full.socket(request("GET", "/events", cookie))
    answer_of(stream)
    pages = [full.stream(f"/table/events?page=p{number}") for number in range(6)]
    later = [full.stream(f"/table/events?page=q{number}") for number in range(5)]
    assert all(map(is_over, pages[:5]))
    assert all(map(is_open, [judges, stream, pages[5], *later]))


def test_a_closed_stream_is_given_back(club: Club) -> None:
    line = club.stream("/table/events?page=one")
    closed = threading.Event()
    (stream,) = club.house.streams._open
    stream.on_close.insert(0, closed.set)
    line.shutdown(socket.SHUT_RDWR)
    assert closed.wait(PATIENCE)
    assert club.house.streams._open == []


def test_what_everybody_may_see_does_not_wait_for_the_table(club: Club) -> None:
    club.house.start()
    club.house.pass_time(1)
    open_to_all = ["/table", "/table/fragment", "/speaker", "/speaker/now", "/speaker/chime.wav", f"/pair/{SECRET}"]
    with club.house.table.order.looking():
        assert {path: club.status("GET", path) for path in open_to_all} == dict.fromkeys(open_to_all, 200)
        club.stream("/table/events?page=one")
        club.stream("/speaker/events?page=two")


@pytest.mark.slow
def test_how_long_the_public_page_takes_does_not_tell_of_taps(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two samples: answers while a slow disk keeps a tap, and answers while nothing happens (Mann and Whitney)."""
    club.house.judge()
    club.house.start()
    club.house.tap("begin")
    asked, let = threading.Event(), threading.Event()
    monkeypatch.setattr("os.fsync", lambda handle: (asked.set(), let.wait(PATIENCE)))
    times: dict[bool, list[float]] = {True: [], False: []}
    for number in range(40):
        asked.clear(), let.clear()
        command = {"do": "identify", "roles": {"killer": [1, 2, 3]}} if number % 2 == 0 else None
        act = (
            partial(club.house.tap, **command) if command else partial(club.house.table.undo, club.house.table.revision)
        )
        tap = threading.Thread(target=act, daemon=True)
        for taps in (True, False) if number % 4 < 2 else (False, True):
            if taps:
                tap.start()
                assert asked.wait(PATIENCE)
            for _ in range(10):
                begun = time.perf_counter()
                assert club.status("GET", "/table/fragment") == 200
                times[taps].append(time.perf_counter() - begun)
            if taps:
                assert tap.is_alive()
                let.set()
                tap.join(PATIENCE)
    assert abs(rank_sum(times[True], times[False])) < 4, {taps: sorted(some)[200] for taps, some in times.items()}


def rank_sum(first: list[float], second: list[float]) -> float:
    """How many standard deviations apart two samples' ranks are: 0 for samples of one kind."""
    above = sum((one > other) + 0.5 * (one == other) for one in first for other in second)
    n, m = len(first), len(second)
    return (above - n * m / 2) / math.sqrt(n * m * (n + m + 1) / 12)


@pytest.mark.parametrize("path", ["/", "/table", f"/pair/{SECRET}", "/speaker/ended", "/phones/11", "/nowhere"])
def test_a_body_that_is_too_large_is_refused_unread(club: Club, path: str) -> None:
    line = club.socket(request("POST", path, f"Origin: http://localhost\r\nContent-Length: {LARGEST_BODY + 1}\r\n"))
    assert answer_of(line).split()[1] in (b"413", b"403", b"401")
    assert is_over(line)


def test_a_body_in_pieces_is_read_to_its_limit_only(club: Club) -> None:
    line = club.socket(request("POST", "/me", "Transfer-Encoding: chunked\r\n"))
    chunk = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
    for _ in range(LARGEST_BODY // 0x8000 + 1):
        line.sendall(chunk)
    assert answer_of(line).split()[1] in (b"413", b"403", b"405")
    assert is_over(line)


def test_nothing_of_a_body_goes_to_disk(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr("tempfile.SpooledTemporaryFile.rollover", lambda file: made.append(file))
    monkeypatch.setattr("tempfile.TemporaryFile", lambda *given, **more: made.append(given))
    part = b'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n' + b"y" * 200_000 + b"\r\n--x--\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=x", "Origin": "http://localhost"}
    assert club.status("POST", "/speaker/left", body=part, headers=kind) == 204
    assert made == []


def test_the_limit_of_descriptors_is_raised_as_far_as_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource", reason="the limit of descriptors is Unix's")
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: told.append(limits))
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    assert descriptors(1300) == 1300
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 512))
    assert descriptors(1300) == 512
    monkeypatch.setattr(resource, "getrlimit", lambda _: (4096, 4096))
    assert descriptors(1300) == 1300
    assert told == [(1300, resource.RLIM_INFINITY), (512, 512)]
