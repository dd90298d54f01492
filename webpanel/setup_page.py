"""What the judge's page shows before the game: the set-up, the phone going round, and games to go on with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from narrator.table.games import InterruptedGame
from narrator.table.setup.dealing import ORDERED, OwnCard
from narrator.table.setup.draft import HANDS_FIRST
from narrator.table.views import RulesetLine, RulesetWords, SetupView
from webpanel.texts import Texts, Words


@dataclass(frozen=True)
class CountRow:
    """A role with its number of cards."""

    id: str
    name: str
    count: int


@dataclass(frozen=True)
class OwnCardView:
    """A card as its owner reads it."""

    title: str
    """Its number, or whether it is in front; '' where cards have neither."""
    name: str
    camp: str
    called: str
    """The calls of the night that mean this card alone."""
    task: str


class SetupPage:
    """The set-up."""

    def __init__(self, setup: SetupView, ruleset_words: RulesetWords, words: Words, t: Texts) -> None:
        self.view = setup
        self.words = words
        self.t = t
        self._ruleset_words = ruleset_words

    @property
    def ruleset(self) -> RulesetLine:
        """The game that is chosen."""
        return next(one for one in self.view.rulesets if one.id == self.view.ruleset)

    def range(self, ruleset: RulesetLine) -> str:
        """For how many players a game is."""
        fewest, most = ruleset.seats
        return self.t("setup.range" if fewest < most else "setup.range_one", fewest=fewest, most=most)

    @property
    def seats(self) -> list[tuple[int, str]]:
        """Every seat by number and name, '' for none."""
        return [(seat, self.words.given_name(seat)) for seat in range(1, self.view.seats + 1)]

    @property
    def names_given(self) -> str:
        """How many names have been given."""
        count = sum(bool(name) for _, name in self.seats)
        return self.t("setup.names_given", count=count, seats=len(self.seats)) if count else self.t("setup.names_none")

    @property
    def counts(self) -> list[CountRow]:
        """Each role with its number of cards."""
        return [CountRow(role, self.words.role(role), count) for role, count in self.view.counts.items()]

    @property
    def dealt(self) -> int:
        """How many cards there are."""
        return sum(self.view.counts.values())

    @property
    def counts_changed(self) -> bool:
        """Whether the deal differs from the suggestion."""
        return self.view.counts != self.view.suggested

    @property
    def extras_chosen(self) -> str:
        """The roles added from other editions."""
        return self.words.listed(extra.name for extra in self.view.addable if extra.id in self.view.extras)

    @property
    def hand_size(self) -> int:
        """How many cards each player holds."""
        return self.view.cards // self.view.seats

    @property
    def asks_for_hands(self) -> bool:
        """Whether the cards of each player must be known before the game, and the phone has not told them."""
        asked = self.view.dealt or any(problem.reason == HANDS_FIRST for problem in self.view.problems)
        return asked and not self.went_round

    @property
    def problems(self) -> list[str]:
        """What is wrong with the set-up, in words."""
        return [self.words.problem(problem) for problem in self.view.problems]

    # While the phone goes round

    @property
    def goes_round(self) -> bool:
        """Whether the phone is on its way round the table."""
        return self.view.turn is not None

    @property
    def went_round(self) -> bool:
        """Whether everybody has seen his cards."""
        return self.view.seen is not None and self.view.turn is None

    @property
    def was_dealt_by_phone(self) -> bool:
        """Whether the phone has dealt the cards, or is about to."""
        return self.view.seen is not None

    @property
    def turn(self) -> int:
        """The seat whose turn it is to see its cards, while the phone goes round."""
        return self.view.turn or 0

    @property
    def is_ordered(self) -> bool:
        """Whether each player settles which of his cards is in front."""
        return self.view.hand_kind == ORDERED

    @property
    def is_last(self) -> bool:
        """Whether nobody comes after the one whose turn it is."""
        return (self.view.seen or 0) + 1 >= self.view.seats

    @property
    def seen_seats(self) -> list[tuple[int, str]]:
        """Those who have seen their cards, with their names, the latest first."""
        return [(seat, self.words.seat(seat)) for seat in range(self.view.seen or 0, 0, -1)]

    def hand(self, cards: Sequence[OwnCard]) -> list[OwnCardView]:
        """Cards as their owner reads them."""
        return [self._own(card) for card in cards]

    def _own(self, card: OwnCard) -> OwnCardView:
        return OwnCardView(
            title=self._title(card),
            name=self.words.role(card.role),
            camp=self.words.camp(self.view.camps[card.role]),
            called=self.words.listed(map(self.words.step, card.called)),
            task=self._ruleset_words.tasks[card.role],
        )

    def _title(self, card: OwnCard) -> str:
        if card.number is not None:
            return self.t("pick.card", card=card.number)
        return self.t("pass.front" if card.place == 1 else "pass.back") if card.place else ""


# Going on


@dataclass(frozen=True)
class Offer:
    """An interrupted game."""

    id: str
    title: str
    about: str
    problem: str
    """What is damaged; '' if nothing is."""
    rescue: bool
    """Whether a damaged one can be gone on with up to its last sound record."""


def offers(games: Sequence[InterruptedGame], rulesets: Sequence[RulesetLine], t: Texts) -> list[Offer]:
    """The interrupted games, in words."""
    titles = {ruleset.id: ruleset.name for ruleset in rulesets}
    return [_offer(game, titles.get(game.ruleset, game.ruleset or game.id), t) for game in games]


def _offer(game: InterruptedGame, title: str, t: Texts) -> Offer:
    where = t(f"head.{game.phase}", number=game.round) if game.round else t("head.dealt")
    about = t("resume.about_game", seats=game.seats, where=where) if game.seats else ""
    return Offer(game.id, title, about, game.problem or "", game.rescue)
