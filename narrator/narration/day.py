"""What is said by day: last words, elections, speeches, votes, the end."""

from __future__ import annotations

from collections.abc import Iterator

from narrator.narration.keys import KEYS
from narrator.narration.lines import Context, Form, Line, places, says
from narrator.narration.night import no_last_words


@says("last_words_began")
def _last_words_began(form: Form, context: Context) -> Iterator[Line]:
    seats = list(form["seats"])
    if len(seats) > 1:
        yield Line("last_words.many", {"seats": seats, "count": len(seats)}, "breath")
        yield Line("last_words.next", {"seat": seats[0]}, "turn")
    else:
        yield Line("last_words.one", {"seat": seats[0]}, "turn")


@says("election_called")
def _election_called(form: Form, context: Context) -> Iterator[Line]:
    yield Line("office.election", {"office": form["office"]}, "turn")


@says("office_given")
def _office_given(form: Form, context: Context) -> Iterator[Line]:
    office, seat = form["office"], form["seat"]
    if seat is None:
        yield Line("office.nobody" if form["elected"] else "office.vacant", {"office": office}, "news")
    elif form["elected"]:
        votes = context.ruleset.day.office.votes if context.ruleset.day.office else 1
        yield Line("office.elected", {"seat": seat, "office": office, "votes": votes}, "news")
    else:
        yield Line("office.successor", {"seat": seat, "office": office}, "news")


@says("day_began")
def _day_began(form: Form, context: Context) -> Iterator[Line]:
    if context.before["stage"] == "dawn" and context.deaths("night"):
        yield from no_last_words(context)
    if form["free"]:
        yield Line("talk.free", pause_after="turn")
    elif form["speaking"]:
        key = "speech.first_day" if context.before["round"] == 1 else "speech.begin"
        yield Line(key, {"seat": form["speaking"][0]}, "turn")


@says("turn_passed")
def _turn_passed(form: Form, context: Context) -> Iterator[Line]:
    speaking = context.before["speaking"]
    seat = speaking[form["speaker"]]
    if context.before["stage"] == "last_words":
        yield Line("last_words.next", {"seat": seat}, "turn")
    elif form["speaker"] < context.before["speaker"]:
        yield Line("speech.again", {"seat": seat}, "turn")
    else:
        last = form["speaker"] == len(speaking) - 1 and len(speaking) > 2
        yield Line("speech.last" if last else "speech.next", {"seat": seat}, "turn")


@says("vote_called")
def _vote_called(form: Form, context: Context) -> Iterator[Line]:
    if context.before["stage"] == "talk":
        yield Line("talk.over", pause_after="breath")
    elif context.before["stage"] == "speech" and form["number"] == 1:
        yield Line("speech.over", pause_after="breath")
    if form["number"] > 1:
        yield Line("vote.between", places(context.ruleset, sorted(form["candidates"])), "turn")
    else:
        yield Line(vote_opening(context), pause_after="turn")


def vote_opening(context: Context) -> str:
    """The key of the words that open a vote: with the rules on the first day, bare later on."""
    if context.before["round"] > 1:
        return "vote.start"
    day = context.ruleset.day
    if day.ballots_only:
        return "vote.begin_ballots"
    if context.cards:
        return "vote.begin_cards"
    return "vote.begin_lives" if day.votes == "cards" else "vote.begin"


@says("voted")
def _voted(form: Form, context: Context) -> Iterator[Line]:
    if form["tally"]:
        yield Line("vote.result", {"tally": dict(form["tally"]), "cards": context.cards}, "news")
    if context.ruleset.day.ballots_only and form["ballots"]:
        yield from _ballots(form, context)
    if invalid := list(form.get("invalid", ())):
        yield Line("vote.invalid", {"seats": invalid, "count": len(invalid)}, "news")


def _ballots(form: Form, context: Context) -> Iterator[Line]:
    """Who named whom, where everybody's ballot is announced."""
    named = {int(voter): [int(place) for place in given] for voter, given in form["ballots"].items()}
    for place in sorted({place for given in named.values() for place in given}):
        voters = sorted(voter for voter, given in named.items() if place in given)
        yield Line("vote.for", {"place": place, "seats": voters, "count": len(voters), "cards": context.cards})
    heard = {voter for voter, given in named.items() if given}.union(form.get("invalid", ()))
    silent = [seat["seat"] for seat in context.before["seats"] if seat["alive"] and seat["seat"] not in heard]
    if silent:
        yield Line("vote.abstained", {"seats": silent, "count": len(silent)}, "news")


@says("tied")
def _tied(form: Form, context: Context) -> Iterator[Line]:
    speaking = form["speaking"]
    key = f"tie.{form['speakers']}" if speaking else "tie.nobody"
    yield Line(key, places(context.ruleset, form["seats"]), "breath" if speaking else "news")
    if speaking:
        yield Line("speech.next", {"seat": speaking[0]}, "turn")


@says("nobody_out")
def _nobody_out(form: Form, context: Context) -> Iterator[Line]:
    yield Line(f"nobody_out.{form['reason']}", pause_after="news")


@says("day_skipped")
def _day_skipped(form: Form, context: Context) -> Iterator[Line]:
    yield Line("day.skipped", pause_after="news")


@says("game_ended")
def _game_ended(form: Form, context: Context) -> Iterator[Line]:
    yield ending(form["winner"], form["reason"])
    if form["winner"] != "abandoned":
        yield Line("game.cards_up", pause_after="none")


def ending(winner: str, reason: str) -> Line:
    """The line that tells how the game has ended."""
    if winner == "abandoned":
        return Line("game.abandoned", pause_after="end")
    if winner == "draw":
        return Line(f"draw.{reason}", pause_after="end")
    if f"won.{winner}" in KEYS:
        return Line(f"won.{winner}", pause_after="end")
    return Line("won.other", {"camp": winner}, "end")


# What the judge has said without an event


def candidate_line(place: int, cards: bool = False) -> Line:
    """The call for the hands of one candidate (a card, where votes are on cards)."""
    return Line("vote.candidate", {"place": place, "cards": cards}, "turn")


def ballot_line(seat: int) -> Line:
    """The question to one voter."""
    return Line("vote.ballot", {"seat": seat}, "turn")
