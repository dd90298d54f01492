"""From what a form sends to a command of the game, or to a change of the set-up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from werkzeug.datastructures import MultiDict

from narrator.model.prompts import Field
from narrator.table.setup.draft import Draft

Form = MultiDict[str, str]
FormValues = dict[str, object]
"""A command, or changes of the set-up, by name, as the table takes them."""
Reader = Callable[[Form, Sequence[Field]], FormValues]


class Unreadable(ValueError):
    """A form that no page of ours sends."""


def read_command(form: Form, fields: Sequence[Field]) -> FormValues:
    """The command that a form stands for. `fields`: those of what is asked now. Unreadable if there is none."""
    name = form.get("do", "")
    read = READERS.get(name)
    if read is None:
        raise Unreadable(f"a command must be one of {', '.join(READERS)}; got {name!r}")
    return {"do": name, **read(form, fields)}


def number(text: str) -> int:
    """A whole number. Unreadable if it is none."""
    try:
        return int(text)
    except ValueError:
        raise Unreadable(f"a whole number is needed; got {text!r}") from None


def prefixed(form: Form, prefix: str) -> Iterator[tuple[str, list[str]]]:
    """Each field whose name begins so, without that beginning, and what was given for it."""
    for name in form:
        if name.startswith(prefix):
            yield name.removeprefix(prefix), [value for value in form.getlist(name) if value != ""]


def read_nothing(form: Form, fields: Sequence[Field]) -> FormValues:
    """A command without anything to it."""
    return {}


def read_holders(form: Form, fields: Sequence[Field]) -> FormValues:
    """Role -> the seats that woke."""
    return {"roles": {role: [number(seat) for seat in seats] for role, seats in prefixed(form, "r.")}}


def read_choice(form: Form, fields: Sequence[Field]) -> FormValues:
    """Each field with its value; nothing where none was tapped."""
    return {"choice": {} if form.get("none") else dict(read_fields(form, fields))}


def read_fields(form: Form, fields: Sequence[Field]) -> Iterator[tuple[str, object]]:
    """Each field that was filled in."""
    given = dict(prefixed(form, "f."))
    for field in fields:
        if taken := given.get(field.name):
            yield field.name, read_value(field.kind, taken)


def read_value(kind: str, given: list[str]) -> object:
    """What was given, as a field of that kind takes it."""
    if kind in ("seats", "cards"):
        return [number(seat) for seat in given]
    if kind in ("seat", "card"):
        return number(given[0])
    if kind == "flag":
        return given[0] == "true"
    return given if kind == "roles" else given[0]


def reader_of_one(name: str) -> Reader:
    """The first field of the prompt, or None, under a name of the command's own."""

    def read(form: Form, fields: Sequence[Field]) -> FormValues:
        found = [] if form.get("none") else [one for _, one in read_fields(form, fields)]
        return {name: found[0] if found else None}

    return read


def read_hands_up(form: Form, fields: Sequence[Field]) -> FormValues:
    """Candidate -> hands; those without any left out."""
    counted = {seat: number(given[0]) for seat, given in prefixed(form, "v.") if given}
    return {"totals": {seat: hands for seat, hands in counted.items() if hands}}


def read_ballots(form: Form, fields: Sequence[Field]) -> FormValues:
    """Voter -> whom it names: one, or several where it may split its votes."""
    split = {name for name in form if name.startswith("b.") and len(form.getlist(name)) > 1}
    named = {voter: [number(seat) for seat in given] for voter, given in prefixed(form, "b.") if given}
    return {"ballots": {voter: seats if f"b.{voter}" in split else seats[0] for voter, seats in named.items()}}


def read_claim(form: Form, fields: Sequence[Field]) -> FormValues:
    """What the seat under observation says it is."""
    return {"role": form.get("role") or None}


READERS: dict[str, Reader] = {
    "begin": read_nothing,
    "identify": read_holders,
    "choose": read_choice,
    "proceed": read_nothing,
    "back": read_nothing,
    "to_vote": read_nothing,
    "vote": read_hands_up,
    "ballots": read_ballots,
    "elect": reader_of_one("seat"),
    "react": reader_of_one("target"),
    "claim": read_claim,
    "abandon": read_nothing,
}
"""What each command's form is read by."""


def read_changes(form: Form, draft: Draft) -> FormValues:
    """What a form of the set-up wants changed. `draft` is what it is now. Unreadable if a value makes no sense."""
    wanted: FormValues = {}
    for read in CHANGES:
        wanted |= read(form, draft)
    return wanted


def read_plain(form: Form, draft: Draft) -> FormValues:
    """Values that are taken as they are."""
    kinds: dict[str, Callable[[str], object]] = {
        "ruleset": str,
        "panel_language": str,
        "seats": number,
        "volume": number,
        "speech_seconds": number,
        "speed": number,
        "lead_in": lambda milliseconds: number(milliseconds) / 1000,
        "ambience_night": number,
        "ambience_day": number,
        "speaker": str,
    }
    return {name: kind(form[name]) for name, kind in kinds.items() if form.get(name)}


def read_names(form: Form, draft: Draft) -> FormValues:
    """All names at once, from seat 1 on; names beyond the last seat stay remembered."""
    if form.get("names_clear"):
        return {"names": []}
    given = form.getlist("names")
    return {"names": given + list(draft.names[len(given) :])} if given else {}


def read_counts(form: Form, draft: Draft) -> FormValues:
    """Only the counts that differ from what they are; all of them taken back for the suggestion."""
    now = draft.counts
    if form.get("suggested"):
        return {"counts": dict.fromkeys(now)}
    wanted = {role: number(given[0]) for role, given in prefixed(form, "count.") if given}
    changed = {role: count for role, count in wanted.items() if now.get(role) != count}
    return {"counts": changed} if changed else {}


def read_options(form: Form, draft: Draft) -> FormValues:
    """Options; a switch that is not sent is off."""
    wanted: FormValues = dict.fromkeys(form.getlist("switch"), False)
    for option, given in prefixed(form, "option."):
        wanted[option] = True if option in wanted else given[0]
    return {"options": wanted} if wanted else {}


def read_hands(form: Form, draft: Draft) -> FormValues:
    """Seat -> its cards as each player has shown them; all taken back where that is wished."""
    if form.get("hands_clear"):
        return {"hands": None}
    shown = {seat: given for seat, given in prefixed(form, "hand.") if given}
    return {"hands": shown} if shown else {}


def read_extras(form: Form, draft: Draft) -> FormValues:
    """Roles added to the game."""
    return {"extras": form.getlist("extra")} if form.get("extras_sent") else {}


def read_languages(form: Form, draft: Draft) -> FormValues:
    """One spoken language or two."""
    first, second = form.get("language_1"), form.get("language_2")
    return {"languages": [first] if second in ("", None, first) else [first, second]} if first else {}


def read_voices(form: Form, draft: Draft) -> FormValues:
    """The voice for each language; nothing chosen: automatic."""
    wanted = {language: given[0] for language, given in prefixed(form, "voice.") if given}
    sent = any(name.startswith("voice.") for name in form)
    return {"voices": wanted} if sent else {}


def read_sound(form: Form, draft: Draft) -> FormValues:
    """The switches of the sound; one that is not sent is off."""
    return {name: name in form for name in ("ambience", "faint_noise")} if form.get("sound_sent") else {}


def read_spoken_names(form: Form, draft: Draft) -> FormValues:
    """Whether names are said; a switch that is not sent is off."""
    return {"names_spoken": "names_spoken" in form} if form.get("names_spoken_sent") else {}


CHANGES = (
    read_plain,
    read_names,
    read_counts,
    read_options,
    read_hands,
    read_extras,
    read_languages,
    read_voices,
    read_spoken_names,
    read_sound,
)
"""Every reader of the set-up's forms."""
