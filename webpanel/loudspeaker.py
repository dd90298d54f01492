"""The loudspeaker page: a phone, tablet or screen plays the line that is being spoken. Open to all: sound is."""

from __future__ import annotations

import io
import math
from array import array
from functools import cache

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from narrator.speech.clip import Clip
from narrator.speech.outputs.pages import Broadcast
from narrator.storage.devices import hash_token
from webpanel.access import OPEN, Guesses, allow
from webpanel.chorus import IN, Chorus
from webpanel.door import kind_of_phone
from webpanel.live import LONGEST_ID, Ring, Streams, Unsubscribe, new_page_id, page_owner
from webpanel.pairing import JUDGE, number_of
from webpanel.public import table
from webpanel.texts import texts

pages = Blueprint("speaker", __name__, url_prefix="/speaker")

NOTES = (659.3, 987.8)
"""Hertz of the two notes that tell that a page can be heard."""


@pages.get("")
@allow(OPEN)
def page() -> str:
    """The page, silent until it is tapped."""
    return render_template("speaker.html", t=texts(table().settings.languages[0]), id=new_page_id())


@pages.get("/events")
@allow(OPEN)
def events() -> Response:
    """Tick whenever there is something else to play; the page counts as a loudspeaker as long as this is open, and as
    its device is let in."""
    streams: Streams = current_app.extensions["streams"]
    air, voices, own, device = broadcast(), chorus(), request.args.get("page", "")[:LONGEST_ID], asking_device()
    name = kind_of_phone()

    def join(ring: Ring) -> Unsubscribe:
        joined: list[Unsubscribe] = []

        def part() -> None:
            while joined:
                joined.pop()()

        def look() -> None:
            if voices.standing(device) != IN:
                part()
            elif not joined:
                joined.append(air.join(own))
            ring()

        def leave() -> None:
            for stop in (*stops, part):
                stop()
            voices.depart(device)

        voices.arrive(device, name)
        stops = [air.listen(ring), voices.listen(look)]
        look()
        return leave

    kind = "speaker" if voices.standing(device) == IN else "waiting speaker"
    return streams.response(kind, page_owner(own), join)


@pages.get("/now")
@allow(OPEN)
def now() -> Response:
    """The name of the line that is being spoken, '' for none; and whether the device that asks may play it."""
    device = asking_device()
    found = {**broadcast().now(), "standing": chorus().standing(device), "number": number_of(hash_token(device))}
    return jsonify(found if found["standing"] == IN else {**found, "name": ""})


@pages.post("/devices/<number>")
@allow(JUDGE)
def decide(number: str) -> AnyResponse:
    """Let a device play, or send it away."""
    decision = {"let_in": chorus().let_in, "send_away": chorus().send_away}.get(request.form.get("decision", ""))
    if decision is None:
        abort(400)
    decision(number)
    return redirect(url_for("judge.fragment"), 303)


@pages.get("/lines/<name>.wav")
@allow(OPEN)
def line(name: str) -> Response:
    """The sound of the line that is being spoken: nothing can be heard here before its time."""
    wav = broadcast().wav(name) if may_ask() else abort(429)
    if wav is None:
        guesses().wrong(request.remote_addr or "")
        abort(404)
    return send_file(io.BytesIO(wav), mimetype="audio/wav", conditional=True)


@pages.get("/chime.wav")
@allow(OPEN)
def chime() -> Response:
    """Two soft notes."""
    return send_file(io.BytesIO(chime_wav()), mimetype="audio/wav", conditional=True)


@pages.post("/ended")
@allow(OPEN)
def ended() -> tuple[str, int]:
    """A page has come to the end of a line. It can shorten nothing: before its time that is not believed."""
    broadcast().ended(request.form.get("page", "")[:LONGEST_ID], request.form.get("name", ""))
    return "", 204


@pages.post("/left")
@allow(OPEN)
def left() -> tuple[str, int]:
    """A page is being closed: nobody waits for it any more. Its id is known to itself alone."""
    broadcast().leave(request.form.get("page", "")[:LONGEST_ID])
    return "", 204


def asking_device() -> str:
    """The secret by which the browser that asks is known; of a page that keeps none, its own."""
    return (request.args.get("device") or request.args.get("page", ""))[:LONGEST_ID]


def chorus() -> Chorus:
    """The devices that may play what is spoken."""
    found: Chorus = current_app.extensions["chorus"]
    return found


def broadcast() -> Broadcast:
    """What the pages of this application play."""
    found: Broadcast = current_app.extensions["broadcast"]
    return found


def guesses() -> Guesses:
    """Wrong names, by address; a page that is late asks for a few."""
    found: Guesses = current_app.extensions.setdefault("speaker guesses", Guesses(limit=20))
    return found


def may_ask() -> bool:
    """Whether this address has not asked for too many lines that are not there."""
    return guesses().may(request.remote_addr or "")


@cache
def chime_wav() -> bytes:
    """The two notes as a WAV file."""
    rate, each = 22_050, 9_000
    samples = array("h")
    for hertz in NOTES:
        samples.extend(
            round(5000 * math.sin(2 * math.pi * hertz * at / rate) * math.sin(math.pi * at / each) ** 2)
            for at in range(each)
        )
    return Clip(samples.tobytes(), rate).wav()
