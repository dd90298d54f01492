"""The public page, for a screen or the players' phones: what the table has heard, and nothing else."""

from __future__ import annotations

import time

from flask import Blueprint, Response, current_app, render_template, request

from narrator.table import Table
from webpanel.access import OPEN, allow
from webpanel.live import Streams
from webpanel.publicpage import PublicPage
from webpanel.texts import texts

pages = Blueprint("public", __name__, url_prefix="/table")


@pages.get("")
@allow(OPEN)
def page() -> str:
    """The public page."""
    return render_template("table.html", **shown())


@pages.get("/fragment")
@allow(OPEN)
def fragment() -> str:
    """What stands on it now."""
    return render_template("table_fragment.html", **shown())


@pages.get("/events")
@allow(OPEN)
def events() -> Response:
    """Tick whenever the page would show something else; never when only the judge's would."""
    streams: Streams = current_app.extensions["streams"]
    watch = table().watch("public")

    def news(seconds: float) -> bool:
        changed = watch.wait(seconds)
        if watch.closed:
            time.sleep(seconds)
        return changed

    return streams.response("public", request.remote_addr or "", news, watch.close)


def table() -> Table:
    """The table of this application."""
    found: Table = current_app.extensions["table"]
    return found


def shown() -> dict[str, object]:
    """Everything the templates of the public page need."""
    public = table().public()
    t = texts(str(public["language"]))
    return {"page": PublicPage(public, t), "t": t}
