"""Who may see and do what: checked before every page, closed unless a view says it is open."""

from __future__ import annotations

import hashlib
import hmac
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, g, request
from werkzeug.exceptions import BadHost
from werkzeug.wrappers import Response as AnyResponse

from webpanel.hosts import Hosts, caller
from webpanel.pairing import EVENING, HELPER, JUDGE, Pairing

COOKIE = "narrator_phone"
"""How the name of a phone's cookie begins; the port of its table follows, for cookies know no ports."""
TRIAL = "narrator_trial"
"""Likewise of the cookie that shows whether a browser keeps any."""
COOKIE_AGE = int(EVENING.total_seconds())
"""Seconds after the last use."""
TRIAL_AGE = 3600
"""Seconds."""
USUAL_PORTS = {"http": 80, "https": 443}
OPEN = "open"
"""For everybody on the network."""
TABLE = "table"
"""For the phones that were let in."""
REMEMBERED = 1000
"""How many wrong guesses are kept at most, whoever made them."""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

View = TypeVar("View", bound=Callable[..., object])


def allow(audience: str) -> Callable[[View], View]:
    """Mark a view as meant for `open`, `table` or `judge`; a view without a mark is for phones of the table."""

    def mark(view: View) -> View:
        view.audience = audience  # type: ignore[attr-defined]
        return view

    return mark


def guard(app: Flask, pairing: Pairing, hosts: Hosts) -> None:
    """Put the checks before, and the headers behind, every answer of `app`."""
    app.extensions["pairing"] = pairing
    app.extensions["hosts"] = hosts
    app.before_request(count_caller)
    app.before_request(check_host)
    app.before_request(check_sender)
    app.before_request(check_standing)
    app.after_request(add_headers)
    app.after_request(renew_cookie)


def count_caller() -> None:
    """Let views see of a caller by what it is counted."""
    request.remote_addr = caller(request.remote_addr or "")


def check_host() -> None:
    """Refuse a request meant for another name: a foreign page may have pointed its name at this machine."""
    hosts: Hosts = current_app.extensions["hosts"]
    if not hosts.knows(request.headers.get("Host", "")):
        abort(421)


def check_sender() -> None:
    """Refuse a change that another site's page asks for."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    sender = request.headers.get("Origin") or request.headers.get("Referer") or ""
    try:
        parts = urlsplit(sender)
    except ValueError:
        abort(403)
    if parts.scheme not in ("http", "https") or parts.netloc.lower() != request.host.lower():
        abort(403)


def check_standing() -> None:
    """Refuse a phone that has no business here, and a change without the token that its own page carries."""
    token = request.cookies.get(cookie_name())
    g.token = token
    door().see(token)
    g.standing = door().standing(token)
    audience = audience_of(request.endpoint)
    if audience == OPEN:
        return
    if g.standing not in (JUDGE, HELPER):
        abort(401)
    if audience == JUDGE and g.standing != JUDGE:
        abort(403)
    if request.method == "POST" and not hmac.compare_digest(sent_proof().encode(), proof(token or "").encode()):
        abort(403)


def door() -> Pairing:
    """The pairing of this application's table."""
    pairing: Pairing = current_app.extensions["pairing"]
    return pairing


def audience_of(endpoint: str | None) -> str:
    """Whom a view is meant for. What does not exist is open, so that it can be answered with 404."""
    if endpoint is None or endpoint.rpartition(".")[2] == "static":
        return OPEN
    return str(getattr(current_app.view_functions[endpoint], "audience", TABLE))


def proof(token: str) -> str:
    """What a page of the phone with that token sends along with every change (against forged requests)."""
    return hmac.new(token.encode(), b"narrator change", hashlib.sha256).hexdigest()


def sent_proof() -> str:
    return request.headers.get("X-Proof") or request.form.get("proof", "")


def cookie_name(begins: str = COOKIE, port: int = 0) -> str:
    """The name of a cookie of the table on that port; without one, of the port that was asked."""
    return f"{begins}_{port or asked_port()}"


def asked_port() -> int:
    """The port by which the browser knows this table."""
    try:
        return urlsplit(f"//{request.host}").port or USUAL_PORTS[request.scheme]
    except (ValueError, BadHost):
        return USUAL_PORTS[request.scheme]


def give_cookie(response: AnyResponse, token: str) -> None:
    """Let the phone keep its token."""
    set_cookie(response, COOKIE, token, COOKIE_AGE)


def give_trial_cookie(response: AnyResponse) -> None:
    """See whether the browser keeps a cookie at all."""
    set_cookie(response, TRIAL, "1", TRIAL_AGE)


def keeps_cookies() -> bool:
    """Whether a cookie has come back."""
    return bool(g.token or request.cookies.get(cookie_name(TRIAL)))


def set_cookie(response: AnyResponse, begins: str, value: str, seconds: int) -> None:
    """Give a cookie that only our own pages bring back, and no program can read."""
    response.set_cookie(
        cookie_name(begins),
        value,
        max_age=seconds,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
        path="/",
    )


def renew_cookie(response: Response) -> Response:
    """A phone of the table keeps its token as long as it is in use, and an evening longer."""
    if getattr(g, "standing", None) in (JUDGE, HELPER) and not audience_is_static():
        give_cookie(response, g.token)
    return response


def add_headers(response: Response) -> Response:
    """Nothing from outside, nothing in caches, nothing in frames."""
    for name, value in HEADERS.items():
        response.headers[name] = value
    response.headers["Cache-Control"] = "no-cache" if audience_is_static() else "no-store"
    return response


def audience_is_static() -> bool:
    return (request.endpoint or "").rpartition(".")[2] == "static"


class Guesses:
    """Counts wrong guesses by address in a sliding window.

    `limit` is the most wrong guesses within `window` seconds; an address that has reached it must wait.
    """

    def __init__(self, limit: int = 8, window: float = 60.0, now: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._window = window
        self._now = now
        self._lock = threading.Lock()
        self._wrong: deque[tuple[float, str]] = deque(maxlen=REMEMBERED)

    def may(self, address: str) -> bool:
        """Whether this address may guess now."""
        with self._lock:
            self._forget_old()
            return sum(guesser == address for _, guesser in self._wrong) < self._limit

    def wrong(self, address: str) -> None:
        """Note a wrong guess."""
        with self._lock:
            self._wrong.append((self._now(), address))

    def _forget_old(self) -> None:
        while self._wrong and self._wrong[0][0] <= self._now() - self._window:
            self._wrong.popleft()
