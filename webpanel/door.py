"""The way in: the page behind the QR code, the wait at the door, and being let in."""

from __future__ import annotations

from flask import Blueprint, Response, abort, current_app, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from webpanel import access
from webpanel.access import OPEN, Guesses, allow, give_cookie, give_trial_cookie, keeps_cookies
from webpanel.live import Streams
from webpanel.pairing import HELPER, JUDGE, WAITING, Knocker

pages = Blueprint("door", __name__)

KINDS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")


@pages.get("/pair/<secret>")
@allow(OPEN)
def code(secret: str) -> AnyResponse | str:
    """The page behind the QR code. Looking at it uses nothing up (previews of links do); its button does."""
    if g.standing in (JUDGE, HELPER):
        return redirect(url_for("judge.page"))
    check_secret(secret)
    answer = make_response(render_template("pair.html", secret=secret, taken=access.door().judge() is not None))
    give_trial_cookie(answer)
    return answer


@pages.post("/pair/<secret>")
@allow(OPEN)
def knock(secret: str) -> AnyResponse:
    """Bring the secret: become the judge's phone, or wait at the door; 403 for a browser that keeps no cookies."""
    check_secret(secret)
    if not keeps_cookies():
        access.door().log(f"a browser at {request.remote_addr} keeps no cookies: it cannot come in")
        return make_response(render_template("no_cookies.html", secret=secret), 403)
    token = access.door().knock(secret, g.token, kind_of_phone(), request.remote_addr or "")
    if token is None:
        abort(404)
    standing = access.door().standing(token)
    answer = redirect(url_for("door.wait" if standing == WAITING else "judge.page"), 303)
    give_cookie(answer, token)
    return answer


@pages.get("/wait")
@allow(OPEN)
def wait() -> AnyResponse | str:
    """What a phone at the door sees."""
    if g.standing in (JUDGE, HELPER):
        return redirect(url_for("judge.page"))
    known = access.door().find(g.token)
    if not isinstance(known, Knocker):
        return redirect(url_for("judge.page"))
    return render_template("wait.html", knocker=known)


@pages.get("/wait/events")
@allow(OPEN)
def wait_events() -> Response:
    """Tell a phone at the door when something has been decided."""
    streams: Streams = current_app.extensions["streams"]
    pairing, token = access.door(), g.token
    told = g.standing
    if told is None:
        abort(401)

    def decided() -> bool:
        nonlocal told
        before, told = told, pairing.standing(token)
        return bool(before != told)

    return streams.response("door", token, lambda ring: lambda: None, decided)


@pages.get("/me")
@allow(OPEN)
def me() -> tuple[str, int]:
    """204 if this phone belongs to the table, else 200: a page opened out of another program brings no cookie."""
    return "", 204 if g.standing in (JUDGE, HELPER) else 200


@pages.post("/phones/<number>")
@allow(JUDGE)
def decide(number: str) -> AnyResponse:
    """Let a phone in, make it the judge's, refuse it, or show a helper out."""
    pairing = access.door()
    decisions = {
        "helper": lambda: pairing.let_in(number, HELPER),
        "judge": lambda: pairing.let_in(number, JUDGE),
        "refuse": lambda: pairing.refuse(number),
        "dismiss": lambda: pairing.dismiss(number),
    }
    decision = decisions.get(request.form.get("decision", ""))
    if decision is None:
        abort(400)
    decision()
    return redirect(url_for("judge.fragment"), 303)


def check_secret(secret: str) -> None:
    """404 for a wrong secret, 429 for too many of them."""
    address = request.remote_addr or ""
    limit: Guesses = current_app.extensions.setdefault("guesses", Guesses())
    if not limit.may(address):
        abort(429)
    if not access.door().knows_secret(secret):
        limit.wrong(address)
        access.door().log(f"a wrong code was tried from {address}" + ("" if limit.may(address) else ", once too often"))
        abort(404)


def kind_of_phone() -> str:
    """What the phone says it is, in a word."""
    agent = request.headers.get("User-Agent", "")
    return next((kind for kind in KINDS if kind in agent), "")
