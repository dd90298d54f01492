"""Deaths, by night or by vote, and all that they bring: those bound to the dead, cards turned over, successors,
choices set off, victory, last words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from narrator.engine.cards import bound, hand, is_alive, living, living_seats
from narrator.engine.conditions import DRAW
from narrator.engine.rules import rules_of
from narrator.engine.state_changes import Turn
from narrator.model import events as ev
from narrator.model.ruleset import OnDeath
from narrator.model.state import Card, Cause, Death, Reaction, State

SUCCESSION = "succeed"
"""The ability by which an office passes on."""


def dying(state: State, causes: Mapping[int, tuple[Cause, ...]], last_words: bool = True) -> tuple[Death, ...]:
    """The deaths of these living cards and of whoever is bound to them, each once, in the order given."""
    if not causes:
        return ()
    two = bound(state)
    if len(two) == 2:
        causes = _with_partner(two, causes)
    return tuple([_death(state, card, why, causes, last_words) for card, why in causes.items()])


def _with_partner(two: tuple[Card, ...], causes: Mapping[int, tuple[Cause, ...]]) -> Mapping[int, tuple[Cause, ...]]:
    """The causes, with those of the other of the two where one of them dies."""
    found = dict(causes)
    for card, partner in (two, two[::-1]):
        if card.number in causes:
            found.setdefault(partner.number, (Cause("bound", through=card.number),))
    return found


def _death(state: State, number: int, why: tuple[Cause, ...], all_causes: Iterable[int], last_words: bool) -> Death:
    seat = state.cards[number - 1].seat
    if state.lives.single:
        return Death(number, seat, why, last_words)
    left = [card for card in hand(state, seat) if card.alive and card.number not in all_causes]
    return Death(number, seat, why, last_words, out=not left)


def reactions_to(state: State, deaths: Iterable[Death]) -> tuple[Reaction, ...]:
    """The choices that these deaths set off, in their order; none if nobody lives to be chosen."""
    if not rules_of(state).on_death or not living_seats(state):
        return ()
    found = [reaction for death in deaths if (reaction := _reaction_to(state, death))]
    return tuple(found)


def _reaction_to(state: State, death: Death) -> Reaction | None:
    plays = state.cards[death.card - 1].plays
    on_death = rules_of(state).on_death.get(plays or "")
    if plays is None or on_death is None or not _sets_off(on_death, death):
        return None
    return Reaction(plays, death.seat, on_death.ability)


def _sets_off(on_death: OnDeath, death: Death) -> bool:
    causes = {cause.by or cause.kind for cause in death.causes if cause.kind in ("hit", "vote")}
    causes |= {cause.kind for cause in death.causes}
    wanted = not on_death.killed_by or bool(causes.intersection(on_death.killed_by))
    return wanted and not causes.intersection(on_death.never_by)


def office_vacant(state: State) -> tuple[Reaction, ...]:
    """The choice of a successor, if the holder of the office has died and not yet been asked."""
    office = state.ruleset.day.office
    if office is None:
        return ()
    seat = state.memo.get("office")
    if seat is None or is_alive(state, seat) or not living_seats(state):
        return ()
    return (Reaction(office.id, seat, SUCCESSION),)


def quota(state: State) -> int | None:
    """How many deaths of the game have last words; None: all of them."""
    if state.ruleset.last_words == "all":
        return None
    if state.ruleset.last_words == "none":
        return 0
    lasting = state.lives.lasting
    if "quota" not in lasting:
        lasting["quota"] = _count_quota(state)
    found: int = lasting["quota"]
    return found


def _count_quota(state: State) -> int:
    counted = rules_of(state).gives_last_words
    if state.lives.known:
        return sum([card.role in counted for card in state.cards])
    return sum([state.setup.counts.get(role, 0) for role in counted])


def last_words(state: State) -> tuple[int, ...]:
    """Which of the latest dead have last words, in the order announced."""
    if not state.fresh:
        return ()
    may = tuple([death.seat for death in state.fresh if death.last_words and death.seat not in state.silenced])
    limit = quota(state)
    return may if limit is None else may[: max(0, limit - state.words)]


# What follows


def reveal(turn: Turn, deaths: Iterable[Death], when: str) -> None:
    """Announce the printed roles of the dead cards, where the edition does."""
    if when in turn.state.ruleset.day.reveal:
        for death in deaths:
            turn.emit(ev.Revealed(death.seat, turn.state.cards[death.card - 1].role or turn.state.ruleset.citizen))


def succeed(turn: Turn) -> None:
    """Let the next heir take up a role whose last living card has died."""
    succession = turn.state.ruleset.succession
    if succession is None:
        return
    playing = turn.state.lives.playing
    if succession.role in playing or not any(card.role == succession.role for card in turn.state.cards):
        return
    heirs = playing.get(succession.heir)
    if heirs:
        heir = min(heirs, key=lambda card: _rank(turn.state, card))
        turn.emit(ev.RoleTaken(heir.number, succession.role))


SUITS = ("spade", "heart", "club", "diamond")


def _rank(state: State, card: Card) -> tuple[int, int]:
    """Suit order where the suits were recorded; else by seat, front before back."""
    suit = state.setup.extras.get("suits", {}).get(str(card.number))
    return (SUITS.index(suit) if suit in SUITS else len(SUITS), card.number)


def react_or_conclude(turn: Turn) -> None:
    """Ask for the choices that the latest deaths have set off; go on when there are none."""
    state = turn.state
    due = turn.rules.dead_choose and (reactions_to(state, state.fresh) or office_vacant(state))
    if due:
        turn.emit(ev.ReactionsDue(due))
    else:
        conclude(turn)


def react(turn: Turn, target: int | None) -> None:
    """Carry out the choice at the head of the queue."""
    reaction = turn.state.reactions[0]
    turn.emit(ev.Reacted(reaction, target))
    if reaction.ability == SUCCESSION:
        turn.emit(ev.OfficeGiven(reaction.role, target, elected=False))
    elif target is not None:
        _take_along(turn, reaction.role, target)
    _ask_next(turn)


def _take_along(turn: Turn, role: str, target: int) -> None:
    on_death = turn.state.ruleset.roles[role].on_death
    words = on_death is None or on_death.last_words
    card = next(card.number for card in living(turn.state) if card.seat == target)
    deaths = dying(turn.state, {card: (Cause("taken", by=role),)}, words)
    turn.emit(ev.Died(deaths, "reaction"))
    turn.emit(ev.ReactionsDue(turn.state.reactions + reactions_to(turn.state, deaths)))


def _ask_next(turn: Turn) -> None:
    if not living(turn.state):
        turn.emit(ev.ReactionsDue(()))
        conclude(turn)
    elif not turn.state.reactions:
        vacant = office_vacant(turn.state)
        if vacant:
            turn.emit(ev.ReactionsDue(vacant))
        else:
            conclude(turn)


def victory(state: State) -> tuple[str, str] | None:
    """(winner, reason) if the game is over now, else None.

    Exactly one camp's condition: it wins; two at once, or an empty table: a draw; a draw condition only counts if no
    camp has won.
    """
    if not state.lives.living:
        return DRAW, "empty_table"
    true = [winner for winner, holds_now in rules_of(state).endings if holds_now(state)]
    if not true:
        return None
    camps = {winner for winner in true if winner != DRAW}
    if len(camps) > 1:
        return DRAW, "both"
    return (camps.pop() if camps else DRAW), "ending"


def conclude(turn: Turn) -> None:
    """Look at victory; if the game goes on, give last words, or say which phase comes next."""
    over = victory(turn.state) or (("draw", "third_tie") if turn.state.memo.get("drawn") else None)
    if over:
        turn.emit(ev.GameEnded(*over))
        return
    words = last_words(turn.state)
    night_over = turn.state.vote.number == 0
    if night_over and _is_skipped(turn.state):
        turn.emit(ev.DaySkipped())
        turn.next_phase = "night"
    elif words:
        turn.emit(ev.LastWordsBegan(words))
    else:
        turn.next_phase = "day" if night_over else "night"


def _is_skipped(state: State) -> bool:
    """Whether there is no day: nobody has died, and somebody was called who could have changed that."""
    return bool(state.calls) and not state.fresh and rules_of(state).skips_quiet_days
