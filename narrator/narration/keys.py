"""Every key of a script, declared once, with its parameters.

In the tables below each row is a key and the parameters that its text must use; one with a question mark may be used
or not. Rows of the section `lines` are known by their bare name, all others as `section.name`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

# fmt: off
STEPS = (
    "killer", "police", "doctor", "secret_police", "butterfly", "sniper", "elder", "angel",
    "devil", "werewolf", "seer", "witch", "hunter", "thief", "cupid", "lovers",
    "undercover_killer", "undercover_police", "undercover", "special_killer", "bubble", "doctor1", "doctor2", "sniper1",
    "sniper2",
    "meet_butterfly", "meet_secret_police", "meet_police", "meet_killer", "meet_doctor",
    "conan", "kogoro", "heiji", "ran", "boss", "gin", "vodka", "vermouth",
    "vermouth_told", "sonoko", "jodie", "ai", "aoyama", "deduction",
)
# fmt: on
"""Steps of the night that have words of their own; any other step is called by its role's name."""

SERIES = ("killer", "police", "doctor", "secret_police", "sniper")
"""Steps that may be called card by card, in a numbered series."""

PARTS = ("open", "ask", "close")
"""What is said in each call."""

WORDS = """
seat n
seat_named n name
seats list
seats_item n
seats_item_named n name
name name
card n
cards list
cards_item n
comma
last
pause
votes count
tally_item place votes
the role
nobody
yes
no
"""

NAMES = """
role.judge
office.sheriff
look.child
look.youth
look.adult
type.detective
type.protector
type.killer
sex.male
sex.female
"""

LINES = """
welcome ruleset
sound_check
repeat
pause.begins
pause.ends
deal.single
deal.numbered
deal.ordered
deal.phone
deal.again
game.begins
game.abandoned
game.cards_up
night.falls
night.dead_close_too
night.killers_gone
call.open role count?
call.ask role count?
call.close role count?
call.open_numbered role number
call.close_numbered role number
call.joining roles count?
call.partners
call.meet count?
call.knows
dawn.breaks
deaths.none
deaths.night places count?
deaths.night_front seats count?
deaths.vote places count?
deaths.vote_front seats count?
deaths.more places count?
deaths.more_front seats count?
deaths.out seats count?
deaths.killed seats count?
deaths.arrested seats count?
deaths.kidnapped seats count?
role.revealed seat role
seat.left seat
silenced seats count?
asleep seat
deduction.look seat look
deduction.role seat role
deduction.boss seat role
deduction.none
wins_apart seat role
office.election office
office.elected seat office votes
office.nobody office
office.successor seat office
office.vacant office
last_words.one seat
last_words.many seats count?
last_words.next seat
last_words.none
speech.first_day seat
speech.begin seat
speech.next seat
speech.last seat
speech.again seat
speech.over
speech.time_short seconds count?
speech.time_up
takes.ask seat
takes.next
takes.repeat
takes.pause
takes.once_more
takes.unlike
takes.thanks
takes.done
talk.free
talk.over
vote.begin
vote.begin_cards
vote.begin_lives
vote.begin_ballots
vote.start
vote.between places count?
vote.candidate place
vote.hands_down
vote.abstain
vote.ballot seat
vote.result tally
vote.for place seats count?
vote.abstained seats count?
vote.invalid seats count?
tie.tied places count?
tie.others places count?
tie.nobody places count?
tie.all_out
nobody_out.no_votes
nobody_out.tie
nobody_out.void
nobody_out.tied
nobody_out.spared
day.skipped
won.good
won.killers
won.wolves
won.lovers
won.black
won.other camp
draw.ending
draw.both
draw.third_tie
draw.empty_table
correction.night
correction.eyes_closed
correction.to_night
correction.to_day
correction.deaths
correction.day
correction.vote
correction.over
correction.deal
"""

ASKED = (
    "hit check treat silence observe carry rescue potions hear_news take_card bind know investigate watch "
    "arrest search strike stare void_ballot disguise play_part hear_disguise hear_blessing deduce"
)
ASKS = "\n".join(["meet", *(f"{ability} role count?" for ability in ASKED.split())])
"""By ability: what a role without words of its own is asked."""

REFUSED = """
other
stale
unknown_command
unknown_field
unknown_role
unknown_option
not_a_mapping
not_a_number
not_allowed
not_now
game_over
no_game
no_such_game game
not_recorded
choice_first
misdeal seat
hands_first
dead_seat
no_such_seat
not_a_living_seat
own_seat
already_known
wrong_count role count given
twice seat
too_few least
too_many most
power_spent
nobody_awake
nothing_to_save
not_both
must_take_one
not_left_over
last_killer_may_not
one_skill
one_answer
part_first
already_played
may_not_play
nobody_before
no_vote
not_a_candidate
may_not_vote_for
too_many_votes most
more_votes_than_there_are most
nobody_observed
not_observed
"""

WARNING = """
immune
second_needle
spends_power
void
"""

CAUSE = """
hit doer
hit_by_sniper doer
hit_by_secret_police doer
hit_by_werewolf doer
hit_by_witch doer
needle doer
carried doer because
bound place
vote
taken doer
lie
arrested
kidnapped
instead place because
other
"""

STORY = """
holder role place
heading.deal
heading.night number
heading.day number
heading.end
deal.role role places
deal.hand seat roles
deal.spare roles
choice.other doer choice
choice.none doer
choice.hit doer places
choice.treat doer places
choice.silence doer places
choice.observe doer places
choice.carry doer places
choice.rescue doer
choice.heal doer
choice.poison doer places
choice.take_card doer taken
choice.bind doer places
told doer answer
told_check doer place plays answer
told_nothing doer place
answer.nothing
answer.skipped
answer.pair label value
field.target
field.seat
field.result
field.hit
field.look
field.sex
field.type
field.role
field.left
field.as
field.watch
field.identify
field.shield
field.kidnap
field.transcend
field.culprit
died place role causes
nobody_died
needles place doer count?
took role seat target
took_nobody role seat
plays place role
claimed seat role
claimed_nothing seat
vote number tally
vote_none number
ballots voter named
tied places
last_words seats
"""


@dataclass(frozen=True)
class Key:
    """One thing that every script has words for."""

    name: str
    needs: frozenset[str] = frozenset()
    """Parameters that the text must use."""
    may: frozenset[str] = frozenset()
    """Parameters that the text may use besides; with `count` among them it may have the forms `one` and `other`."""

    @property
    def params(self) -> frozenset[str]:
        """Every parameter that the text can use."""
        return self.needs | self.may

    @property
    def spoken(self) -> bool:
        """Whether the narrator says it: what stands in `lines`, `calls` and `asks`."""
        return self.name.partition(".")[0] not in set(TABLES) - {"lines", "asks"}


def _rows(table: str) -> Iterator[tuple[str, list[str]]]:
    for row in filter(None, map(str.strip, table.splitlines())):
        name, *params = row.split()
        yield name, params


def _declared(section: str, table: str) -> Iterator[Key]:
    prefix = "" if section == "lines" else f"{section}."
    for name, params in _rows(table):
        may = {param.rstrip("?") for param in params if param.endswith("?")}
        yield Key(prefix + name, frozenset(params) - {f"{param}?" for param in may}, frozenset(may))


def _calls() -> Iterator[Key]:
    group, single = frozenset({"role", "count"}), frozenset({"number"})
    for step in STEPS:
        yield from (Key(f"calls.{step}.{part}", may=group) for part in PARTS)
    for step in SERIES:
        yield Key(f"calls.{step}.open_numbered", single, frozenset({"role"}))
        yield Key(f"calls.{step}.ask_numbered", may=frozenset({"role", "number"}))
        yield Key(f"calls.{step}.close_numbered", single, frozenset({"role"}))


TABLES = {
    "words": WORDS,
    "names": NAMES,
    "lines": LINES,
    "asks": ASKS,
    "refused": REFUSED,
    "warning": WARNING,
    "cause": CAUSE,
    "story": STORY,
}
SECTIONS = (*TABLES, "calls")
"""The sections of a script, besides its head (`language`, `name`, `spoken`, `closing_words`, `contractions`)."""


def _all() -> dict[str, Key]:
    keys: dict[str, Key] = {}
    declared = [key for section, table in TABLES.items() for key in _declared(section, table)]
    for key in [*declared, *_calls()]:
        if key.name in keys:
            raise ValueError(f"the key {key.name!r} is declared twice")
        keys[key.name] = key
    return keys


KEYS = _all()
"""Name -> key."""

SPOKEN = frozenset(name for name, key in KEYS.items() if key.spoken)
"""The keys whose texts are spoken."""
