"""Everything the judge's page can do. Each answer is the page's fragment as it stands after it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from flask import Blueprint, Response, abort, current_app, make_response, render_template, request

from narrator.engine.legal import prompt
from narrator.model.errors import Refused
from narrator.storage.folders import StorageError
from narrator.table import Stale
from webpanel.access import allow
from webpanel.commands import Unreadable, number, read_changes, read_command
from webpanel.judge import JudgePage, shown, table
from webpanel.pairing import JUDGE

pages = Blueprint("actions", __name__)

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
        except (Refused, StorageError, ValueError) as fault:
            return answer(REFUSED, fault)
        return answer(ACTED)

    return view


def answer(status: int, fault: Exception | None = None) -> Response:
    """The page's fragment as it stands now."""
    return make_response(shown("fragment.html", fault), status)


def revision() -> int:
    """The revision that the page has seen."""
    return number(request.form.get("revision", ""))


@pages.post("/do/command")
@action
def do_command() -> None:
    """A command of the game."""
    state = table().state
    table().submit(revision(), read_command(request.form, prompt(state).fields if state else ()))


@pages.post("/do/undo")
@action
def do_undo() -> None:
    """Take the last command back."""
    table().undo(revision())


@pages.post("/do/configure")
@action
def do_configure() -> None:
    """Change the set-up or the preferences."""
    table().configure(revision(), read_changes(request.form, table().draft))


@pages.post("/do/start")
@action
def do_start() -> None:
    """Begin the game that has been set up."""
    table().start(revision())


@pages.post("/do/resume")
@action
def do_resume() -> None:
    """Go on with an interrupted game; `damaged`: with what is sound of a damaged one."""
    table().resume(request.form.get("game", ""), damaged=request.form.get("damaged") == "on")


@pages.post("/do/new")
@action
def do_new() -> None:
    """Leave what is over, or interrupted, for a new game."""
    table().new(revision())


@pages.post("/do/speech")
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


@pages.post("/do/listen")
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


@pages.post("/do/voices")
@action
def do_voices() -> None:
    """Ask the machine for its voices; they are on the page as soon as they are known."""
    current_app.extensions["voices"].find()


@pages.post("/do/call")
@action
def do_call() -> None:
    """Call for hands during a vote."""
    whom, _, place = request.form.get("call", "").partition(".")
    if whom not in CALLS:
        raise Unreadable(f"a call must be one of {', '.join(CALLS)}; got {whom!r}")
    table().call(whom, number(place) if place else None)


# Dealing by phone: the judge's goes round, and each player sees his own cards as long as he holds the button


def seat() -> int:
    """The seat that a form is about."""
    return number(request.form.get("seat", ""))


@pages.post("/deal")
@allow(JUDGE)
@action
def deal() -> None:
    """Shuffle, and let the phone go round."""
    table().deal(revision(), by_phone=True)


@pages.post("/deal/look")
@allow(JUDGE)
def look() -> Response:
    """The cards of the seat whose turn it is; only ever an answer to a button that is being held."""
    try:
        cards = table().own_cards(revision(), seat())
    except Stale:
        return make_response("", STALE)
    except (Refused, ValueError):
        return make_response("", REFUSED)
    page = JudgePage(table().judge())
    return make_response(render_template("hand.html", t=page.t, cards=page.setup.hand(cards) if page.setup else ()))


@pages.post("/deal/swap")
@allow(JUDGE)
@action
def swap() -> None:
    """Front and back change places."""
    table().swap_cards(revision(), seat())


@pages.post("/deal/on")
@allow(JUDGE)
@action
def hand_on() -> None:
    """The next player's turn."""
    table().hand_on(revision(), seat())


@pages.post("/deal/back")
@allow(JUDGE)
@action
def hand_back() -> None:
    """An earlier player sees his cards once more."""
    table().hand_back(revision(), seat())
