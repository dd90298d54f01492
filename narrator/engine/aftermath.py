"""What follows deaths, by dawn or by vote: cards turned over, successors, choices set off, victory, last words."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from narrator.engine.cards import living
from narrator.engine.deaths import SUCCESSION, dying, last_words, office_vacant, reactions_to
from narrator.engine.endings import victory
from narrator.engine.turn import Turn
from narrator.model import events as ev
from narrator.model.state import Card, Cause, Death, State

Go = Callable[[Turn], None]


def reveal(turn: Turn, deaths: Iterable[Death], when: str) -> None:
    """Announce the printed roles of the dead cards, where the edition does."""
    if when in turn.state.ruleset.day.reveal:
        for death in deaths:
            turn.emit(ev.Revealed(death.seat, turn.state.cards[death.card - 1].role or turn.state.ruleset.citizen))


def succeed(turn: Turn) -> None:
    """Let the next heir take up a role whose last living card has died."""
    succession = turn.state.ruleset.succession
    if succession is None or any(card.plays == succession.role for card in living(turn.state)):
        return
    if not any(card.role == succession.role for card in turn.state.cards):
        return
    heirs = [card for card in living(turn.state) if card.plays == succession.heir]
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
    due = reactions_to(turn.state, turn.state.fresh) or office_vacant(turn.state)
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


def conclude(turn: Turn) -> None:
    """Look at victory; if the game goes on, give last words, then whatever comes next."""
    over = victory(turn.state) or (("draw", "third_tie") if turn.state.memo.get("drawn") else None)
    if over:
        turn.emit(ev.GameEnded(*over))
        return
    words = last_words(turn.state)
    night_over = turn.state.vote.number == 0
    if night_over and _is_skipped(turn.state):
        turn.emit(ev.DaySkipped())
        go_on(turn, "night")
    elif words:
        turn.emit(ev.LastWordsBegan(words))
    else:
        go_on(turn, "day" if night_over else "night")


def _is_skipped(state: State) -> bool:
    """Whether there is no day: nobody has died, and somebody was called who could have changed that."""
    return bool(state.calls) and not state.fresh and bool(state.option("no_death_skips_day"))


GO_ON: dict[str, Go] = {}
"""`day` and `night`: how each begins; filled in by the modules that know."""


def go_on(turn: Turn, to: str) -> None:
    """Begin the day's talk, or the next night."""
    GO_ON[to](turn)
