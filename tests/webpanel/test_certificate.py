"""The table's own certificate, and pages served under it."""

from __future__ import annotations

import http.client
import re
import ssl
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from narrator.storage.folders import StorageError
from tests.webpanel.house import SECRET, House
from webpanel.certificate import FILE, LASTS, RENEWED, TOLERANCE, fingerprint, table_certificate
from webpanel.server import Server

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def test_the_certificate_is_made_once(tmp_path: Path) -> None:
    made = table_certificate(tmp_path, NOW).read_bytes()
    assert table_certificate(tmp_path, NOW + timedelta(days=200)).read_bytes() == made
    assert re.fullmatch(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", fingerprint(tmp_path / FILE))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_its_key_is_the_users_alone(tmp_path: Path) -> None:
    assert table_certificate(tmp_path, NOW).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("later", [LASTS - TOLERANCE - RENEWED + timedelta(hours=1), -TOLERANCE - timedelta(hours=1)])
def test_one_that_does_not_hold_is_made_anew(tmp_path: Path, later: timedelta) -> None:
    made = table_certificate(tmp_path, NOW).read_bytes()
    assert table_certificate(tmp_path, NOW + later).read_bytes() != made


@pytest.mark.parametrize("cut", [0, 1, 100, 300, 600])
def test_a_damaged_one_is_made_anew(tmp_path: Path, cut: int) -> None:
    whole = table_certificate(tmp_path, NOW).read_bytes()
    (tmp_path / FILE).write_bytes(whole[:cut])
    assert len(table_certificate(tmp_path, NOW).read_bytes()) > 600
    assert fingerprint(tmp_path / FILE)


def test_without_the_library_one_command_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(StorageError, match=r'install it with: ".*" -m pip install "cryptography>=43"$'):
        table_certificate(tmp_path, NOW)


def test_pages_are_served_under_it(house: House, tmp_path: Path) -> None:
    certificate = table_certificate(tmp_path)
    server = Server(house.app, "127.0.0.1", 0, certificate=certificate)
    server.start()
    trusting = ssl.create_default_context(cadata=certificate.read_text("ascii"))
    line = http.client.HTTPSConnection("localhost", server.port, timeout=30, context=trusting)
    own = {"Host": f"localhost:{server.port}", "Origin": f"https://localhost:{server.port}"}
    try:
        line.request("GET", f"/pair/{SECRET}", headers=own)
        answer = line.getresponse()
        answer.read()
        trial = answer.headers["Set-Cookie"]
        line.request("POST", f"/pair/{SECRET}", b"", own | {"Cookie": trial.partition(";")[0]})
        answer = line.getresponse()
        answer.read()
        assert answer.status == 303
        cookie = answer.headers["Set-Cookie"]
        assert all("; Secure" in given for given in (trial, cookie))
        line.request("GET", "/events", headers=own | {"Cookie": cookie.partition(";")[0]})
        assert line.getresponse().readline() == b"retry: 1500\n"
    finally:
        line.close()
        server.stop()
