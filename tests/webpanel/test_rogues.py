"""Requests that no page of ours sends: whatever comes, by whomever, is answered, and never by 500."""

from __future__ import annotations

import logging
import os
import re
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.webpanel.house import SECRET, House
from webpanel.access import cookie_name, proof
from webpanel.commands import READERS
from webpanel.server import Server

FEW, MANY = 250, 10_000
"""Requests in the usual run, and in the slow lane."""
PATIENCE = 20
METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "BREW")
HEADERS = re.findall(
    r"\S+",
    "Host Origin Referer Cookie X-Proof X-Forwarded-For X-Forwarded-Host Forwarded Accept Accept-Language "
    "Accept-Encoding User-Agent Range If-Range If-None-Match If-Match If-Modified-Since If-Unmodified-Since "
    "Content-Type Content-Encoding Content-Length Transfer-Encoding Connection Upgrade Expect Authorization "
    "Cache-Control Date Max-Forwards Last-Event-ID Sec-Fetch-Site X_Proof Proxy X",
)
FIELDS = re.findall(
    r"\S+",
    "do proof revision game what seat word call decision page name none role ruleset panel_language seats volume "
    "speech_seconds speed lead_in ambience_night ambience_day names names_clear suggested switch hands_clear extra "
    "extras_sent language_1 language_2 sound_sent names_spoken_sent f.target f.seats r.killer r.7 v.1 v.x b.2 b. "
    "count.killer count.x option.x option.talk hand.1 hand.x voice.en voice.x",
)
COOKIE = cookie_name(port=80)
NASTY = (
    "",
    "http://[",
    "http://[::1",
    "http://localhost",
    "http://localhost:99999999",
    "//[v1.x]/",
    "null",
    "\xff\xfe",
    "\u00e9\u00fc",
    "[",
    "]",
    "[::1",
    "fe80::1%" + "x" * 300,
    "localhost:",
    "localhost:x",
    "127.0.0.1:-1",
    "a" * 5000,
    "x" * 70_000,
    "." * 300,
    "xn--\u00ff",
    "0" * 400,
    "9" * 5000,
    "-1",
    "1e9",
    "\u0661",
    "%00",
    "%",
    "%ff%fe",
    "=;=;\t,,,",
    '"',
    "q=",
    "en;q=x,zh-\u00e9;q=1e999",
    "bytes=0-",
    "bytes=9-1",
    "bytes=x-y,,",
    "bytes=" + "0-0," * 900,
    "Mon, 99 Foo 99999 99:99:99 GMT",
    "Thu, 01 Jan 0000 00:00:00 GMT",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded; charset=utf-99",
    "text/html; charset=\x80",
    "chunked, gzip",
    "websocket",
    "100-continue",
    f"{COOKIE}=",
    f"{COOKIE}=\u00ff; {COOKIE}=x",
)
TEXTS = st.one_of(
    st.sampled_from(NASTY),
    st.sampled_from(("1", "2", "12", "0", "killers-2", "en", "zh-Hans", "true", SECRET, "11", *READERS)),
    st.text(max_size=40),
)
VALUES = st.one_of(TEXTS.map(lambda text: text.encode("utf-8", "replace")), st.binary(max_size=40)).map(
    lambda raw: raw.translate(None, b"\r\n\0")
)


class Rogue:
    """Sends anything to a served table, as a stranger or with the judge's own phone."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.server = Server(house.app, "127.0.0.1", 0)
        self.server.start()
        self.token = house.judge().token or ""
        self.rules = [(rule.rule, sorted(rule.methods or ())[-1]) for rule in house.app.url_map.iter_rules()]
        self.statuses: Counter[bytes] = Counter()

    def send(self, request: bytes) -> None:
        """Send it, and count what is answered."""
        with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as line:
            heard = b""
            try:
                line.sendall(request)
                while b"\r\n" not in heard and (got := line.recv(200)):
                    heard += got
            except ConnectionError:
                pass
        status = heard[9:12]
        self.statuses[status] += 1
        assert not status.startswith(b"5") or status == b"503", (status, request[:2000])


@pytest.fixture
def rogue(tmp_path: Path) -> Iterator[Rogue]:
    house = House(tmp_path)
    found = Rogue(house)
    yield found
    found.server.stop()
    house.close()


@st.composite
def requests(draw: st.DrawFn, rules: list[tuple[str, str]], token: str) -> bytes:
    """A request with anything in it, but so that its end is where it says it is."""
    path, usual = draw(st.sampled_from(rules))
    while "<" in path:
        before, _, rest = path.partition("<")
        path = before + quote(draw(TEXTS), safe="/[") + rest.partition(">")[2]
    query = draw(st.one_of(st.just(""), TEXTS.map(lambda text: "?page=" + quote(text)), TEXTS.map(quote)))
    method = draw(st.sampled_from((usual,) * 20 + METHODS))
    headers = dict(draw(st.lists(st.tuples(st.sampled_from(HEADERS), VALUES), max_size=4)))
    headers = {"Host": b"localhost"} | {
        name: value for name, value in headers.items() if waits_for_nothing(name, value)
    }
    if draw(st.booleans()):
        headers |= {
            "Cookie": f"{COOKIE}={token}".encode(),
            "X-Proof": proof(token).encode(),
            "Origin": b"http://localhost",
        }
    body = draw(st.one_of(st.just(b""), st.binary(max_size=200), bodies()))
    headers |= {"Content-Type": b"application/x-www-form-urlencoded"} if draw(st.booleans()) else {}
    if body:
        headers["Content-Length"] = str(len(body)).encode()
    lines = b"".join(name.encode() + b": " + value + b"\r\n" for name, value in headers.items())
    return f"{method} {path}{query} HTTP/1.1\r\n".encode() + lines + b"\r\n" + body


def waits_for_nothing(name: str, value: bytes) -> bool:
    """Whether a header does not promise more than is sent."""
    return name not in ("Content-Length", "Transfer-Encoding") or (not value.isdigit() and b"chunked" not in value)


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """A form, or something like one."""
    fields = draw(st.lists(st.tuples(st.sampled_from(FIELDS), TEXTS), max_size=6))
    if draw(st.integers(0, 4)):
        return urlencode([(name, value.encode("utf-8", "replace")) for name, value in fields]).encode()
    head = "Content-Disposition: form-data; name=\"{}\"; filename*=utf-9''"
    parts = [f"--x\r\n{head.format(name)}\r\n\r\n{value}\r\n" for name, value in fields]
    return "".join(parts).encode("utf-8", "replace") + draw(st.sampled_from((b"--x--\r\n", b"--x", b"")))


def run(rogue: Rogue, caplog: pytest.LogCaptureFixture, count: int) -> None:
    """Send so many requests of chance; none is answered by 500, none logs more than a line."""

    @settings(max_examples=count, database=None, suppress_health_check=list(HealthCheck))
    @given(requests(rogue.rules, rogue.token))
    def send(request: bytes) -> None:
        caplog.clear()
        rogue.send(request)
        lines = sum(len(record.getMessage().splitlines()) + bool(record.exc_info) for record in caplog.records)
        assert lines <= 1, (request, caplog.text)

    with caplog.at_level(logging.INFO):
        send()
    assert sum(rogue.statuses.values()) >= count * 0.9
    assert {b"200", b"400", b"404"} <= set(rogue.statuses), rogue.statuses
    print(dict(rogue.statuses))


def test_nothing_that_is_sent_is_answered_by_500(rogue: Rogue, caplog: pytest.LogCaptureFixture) -> None:
    run(rogue, caplog, FEW)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_ten_thousand_requests_are_answered(rogue: Rogue, caplog: pytest.LogCaptureFixture) -> None:
    run(rogue, caplog, int(os.environ.get("NARRATOR_REQUESTS", MANY)))


@pytest.mark.parametrize("header", ["Host", "Origin", "Referer", "Cookie", "X-Proof", "Accept-Language", "Range"])
def test_each_header_may_be_anything(rogue: Rogue, header: str) -> None:
    judges = f"Cookie: {COOKIE}={rogue.token}\r\n" if header != "Cookie" else ""
    for path in ("POST /do/undo", "POST /speaker/left", "GET /", "GET /static/panel.css", "GET /nowhere"):
        for value in NASTY:
            host = "" if header == "Host" else "Host: localhost\r\n"
            origin = "" if header == "Origin" else "Origin: http://localhost\r\n"
            start = f"{path} HTTP/1.1\r\n{host}{origin}{judges}{header}: ".encode()
            rogue.send(start + value.encode("utf-8", "replace") + b"\r\n\r\n")


def test_names_of_fields_and_files_may_be_anything(rogue: Rogue) -> None:
    for text in NASTY:
        name = quote(text, safe="")
        for path in (f"/pair/{name}", f"/phones/{name}", f"/speaker/lines/{name}.wav", f"/static/{name}", f"/{name}"):
            rogue.send(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
