"""The application: one table, its door, the judge's pages and the public one."""

from __future__ import annotations

import mimetypes
import secrets

from flask import Flask, Response, abort, g, render_template, request
from jinja2 import StrictUndefined
from markupsafe import Markup
from werkzeug.exceptions import BadHost, HTTPException

from narrator.speech.outputs.pages import Broadcast
from narrator.table import Table
from webpanel import actions, door, judge, public
from webpanel.access import guard
from webpanel.chorus import Chorus
from webpanel.gateway import LARGEST_BODY
from webpanel.hosts import Hosts
from webpanel.icons import icon
from webpanel.live import Streams
from webpanel.loudspeaker import pages as speaker_pages
from webpanel.network import Network
from webpanel.pairing import HELPER, JUDGE, Pairing
from webpanel.sheets import VoiceList
from webpanel.texts import Texts, texts, wanted_language

MEDIA = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""What static files are, whatever the system's own list says (on Windows, anything)."""
EXPLAINED = (401, 403, 404, 405, 413, 421, 429)


def create_app(
    table: Table,
    pairing: Pairing,
    hosts: Hosts | None = None,
    streams: Streams | None = None,
    voices: VoiceList | None = None,
    broadcast: Broadcast | None = None,
    network: Network | None = None,
    chorus: Chorus | None = None,
) -> Flask:
    """The panel of `table`, for the phones that `pairing` knows, under the names that `hosts` knows."""
    for ending, kind in MEDIA.items():
        mimetypes.add_type(kind, ending)
    app = Flask("webpanel")
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(icon=icon, script_words=script_words, run=secrets.token_hex(4))
    app.extensions["table"] = table
    app.extensions["streams"] = streams or Streams()
    app.extensions["broadcast"] = broadcast or Broadcast()
    app.extensions["voices"] = voices or VoiceList()
    app.extensions["network"] = network
    app.extensions["chorus"] = chorus or Chorus()
    guard(app, pairing, hosts or Hosts())
    for part in (door, judge, actions, public):
        app.register_blueprint(part.pages)
    app.register_blueprint(speaker_pages)
    app.before_request(check_size)
    app.after_request(recognise)
    app.context_processor(lambda: {"t": visitor_texts()})
    app.register_error_handler(HTTPException, explain)
    return app


def check_size() -> None:
    """Refuse a form that is too large, whether or not anything would look at it."""
    if (request.content_length or 0) > LARGEST_BODY:
        abort(413)


def recognise(response: Response) -> Response:
    """Tell the server whether a phone of the table has asked."""
    request.environ["webpanel.known"] = getattr(g, "standing", None) in (JUDGE, HELPER)
    return response


def visitor_texts() -> Texts:
    """The words for whoever asks, until a page chooses others: in the language the browser prefers."""
    return texts(wanted_language(request.headers.get("Accept-Language", "")))


def explain(error: HTTPException) -> Response | HTTPException | tuple[str, int]:
    """Say in a plain page what is wrong; `Refused` requests of the page's own program look at the number only."""
    code = error.code or 500
    if code not in EXPLAINED or isinstance(request.routing_exception, BadHost):  # which leaves no address for links
        return error
    t = visitor_texts()
    return render_template("trouble.html", t=t, code=code, paired=bool(getattr(g, "standing", None))), code


def script_words(t: Texts) -> Markup:
    """The words that the page's program needs, as attributes."""
    return Markup(" ").join(Markup('data-{}="{}"').format(name, words) for name, words in t.script().items())
