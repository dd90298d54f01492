"""Everything the judge's page can do. Each answer is the page's fragment as it stands after it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from flask import Blueprint, Response, abort, current_app, make_response, render_template, request

from narrator.model.errors import Refused
from narrator.narration import Script
from narrator.storage.folders import StorageError
from narrator.table import SetupProblem, Stale
from webpanel.commands import Unreadable, changes, command, number
from webpanel.judge import panel_texts, shown, table
from webpanel.shape import Page
from webpanel.words import Words

pages = Blueprint("actions", __name__, url_prefix="/do")

ACTED, REFUSED, STALE = 200, 422, 409
CALLS = ("candidate", "ballot", "abstain", "down")


def action(act: Callable[[], None]) -> Callable[[], Response]:
    """Do it, and answer with the fragment: 409 if the page was stale, 422 with the reason if it was refused."""

    @wraps(act)
    def view() -> Response:
        try:
            act()
        except Stale:
            return answer(STALE)
        except Unreadable:
            abort(400)
        except Refused as refused:
            return answer(REFUSED, why(refused))
        except SetupProblem as problem:
            return answer(REFUSED, " ".join(map(in_words, problem.problems)))
        except (StorageError, ValueError) as fault:
            return answer(REFUSED, str(fault))
        return answer(ACTED)

    return view


def answer(status: int, message: str = "") -> Response:
    """The page's fragment."""
    return make_response(render_template("fragment.html", **shown(message)), status)


def why(refused: Refused) -> str:
    """The reason in the judge's language."""
    judge = table().judge()
    t = panel_texts(judge)
    return Words(judge, t, Script.load(t.language)).refusal(refused.reason, refused.values)


def in_words(problem: object) -> str:
    """A problem of the set-up in the judge's language."""
    judge = table().judge()
    return Page(judge, panel_texts(judge)).problem(problem.to_json())  # type: ignore[attr-defined]


def revision() -> int:
    """The revision that the page has seen."""
    return number(request.form.get("revision", ""))


@pages.post("/command")
@action
def do_command() -> None:
    """A command of the game."""
    prompt = (table().judge().get("game") or {}).get("prompt") or {}
    table().submit(revision(), command(request.form, prompt))


@pages.post("/undo")
@action
def do_undo() -> None:
    """Take the last command back."""
    table().undo(revision())


@pages.post("/configure")
@action
def do_configure() -> None:
    """Change the set-up or the preferences."""
    table().configure(revision(), changes(request.form, table().judge().get("setup") or {}))


@pages.post("/start")
@action
def do_start() -> None:
    """Begin the game that has been set up."""
    table().start(revision())


@pages.post("/resume")
@action
def do_resume() -> None:
    """Go on with an interrupted game."""
    table().resume(request.form.get("game", ""))


@pages.post("/new")
@action
def do_new() -> None:
    """Leave what is over, or interrupted, for a new game."""
    table().new(revision())


@pages.post("/speech")
@action
def do_speech() -> None:
    """Say again, pause, go on, skip, check the sound."""
    buttons: dict[str, Callable[[], None]] = {
        "say_again": table().say_again,
        "pause": table().pause,
        "go_on": table().go_on,
        "skip": table().skip,
        "sound_check": table().sound_check,
    }
    press = buttons.get(request.form.get("what", ""))
    if press is None:
        raise Unreadable(f"a button must be one of {', '.join(buttons)}; got {request.form.get('what')!r}")
    press()


@pages.post("/listen")
@action
def do_listen() -> None:
    """Switch listening on or off, take back what was heard, and record, pass over or delete takes."""
    what, seat, word = (request.form.get(name, "") for name in ("what", "seat", "word"))
    buttons: dict[str, Callable[[], None]] = {
        "on": table().listen_on,
        "off": table().listen_off,
        "cancel": table().cancel_heard,
        "record_all": table().record_takes,
        "record": lambda: table().record_take(None, word) if word else table().record_take(number(seat)),
        "skip": table().skip_takes,
        "stop": table().stop_takes,
        "forget": lambda: table().forget_takes(number(seat)),
        "forget_all": table().forget_takes,
    }
    if what not in buttons:
        raise Unreadable(f"a button must be one of {', '.join(buttons)}; got {what!r}")
    buttons[what]()


@pages.post("/voices")
@action
def do_voices() -> None:
    """Ask the machine for its voices; they are on the page as soon as they are known."""
    current_app.extensions["voices"].find()


@pages.post("/call")
@action
def do_call() -> None:
    """Call for hands during a vote."""
    whom, _, place = request.form.get("call", "").partition(".")
    if whom not in CALLS:
        raise Unreadable(f"a call must be one of {', '.join(CALLS)}; got {whom!r}")
    table().call(whom, number(place) if place else None)
