"""How many whole games the engine plays in a second of processor time, alone or beside another one."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from narrator.engine.players import deal, play_out
from narrator.model.ruleset import Ruleset

PEERS = ("werewolf-engine",)
"""Packages that games can be compared with, where they are installed; none of them is needed."""
TURN_SECONDS = 0.1
"""Seconds that each side plays before it is the other's turn, so that both meet the same machine."""

PlayGame = Callable[[], int]
"""Plays one game to its end, and gives its number of rounds."""


class PeerMissingError(RuntimeError):
    """The package to compare with is not installed; the message says what to do."""


@dataclass
class EngineTimes:
    """What the games of one side have taken."""

    games: int = 0
    rounds: int = 0
    """Of all games."""
    seconds: float = 0.0
    """Of processor time, the dealing included."""

    @property
    def rate(self) -> float:
        """Games per second on one core."""
        return self.games / self.seconds

    def play(self, game: PlayGame, seconds: float) -> None:
        """Play until `seconds` more of processor time have passed; at least one game."""
        start, before, played = time.process_time(), self.seconds, self.games
        while self.seconds < before + seconds or self.games == played:
            self.rounds += game()
            self.games += 1
            self.seconds = before + time.process_time() - start


def measure(ours: PlayGame, seconds: float, peer: PlayGame | None = None) -> tuple[EngineTimes, EngineTimes]:
    """Our games and the peer's, in turns, `seconds` of processor time each; the peer's are none where there is none."""
    own, other = EngineTimes(), EngineTimes()
    while own.seconds < seconds:
        own.play(ours, min(TURN_SECONDS, seconds) if peer else seconds)
        if peer:
            other.play(peer, min(TURN_SECONDS, seconds))
    return own, other


def our_game(ruleset: Ruleset, seats: int, seed: int) -> PlayGame:
    """Games of random legal commands, every speech, call and vote included; the same seed plays the same games."""
    rng = Random(seed)
    return lambda: play_out(deal(ruleset, seats, rng), rng).round


def peer_game(seed: int) -> PlayGame:
    """Games of the package werewolf-engine: four werewolves, seer, witch, hunter, doctor and four villagers.

    Whoever acts at night takes a target at random, the witch only every other time; by day everybody alive votes for
    somebody else at random. Raises PeerMissingError.
    """
    try:
        import werewolf_engine
        from werewolf_engine.phases import Phase
    except ImportError as error:
        raise PeerMissingError(
            f"werewolf-engine is not installed; 'pip install werewolf-engine' brings it ({error})"
        ) from error
    rng = Random(seed)
    random.seed(seed)  # the package draws from here
    players = [f"player {number}" for number in range(1, 13)]
    deck = {"werewolf": 4, "villager": 4, "seer": 1, "witch": 1, "hunter": 1, "doctor": 1}

    def game() -> int:
        played = werewolf_engine.Game(players, werewolf_engine.GameConfig(role_counts=dict(deck)))
        played.start()
        while played.phase != Phase.END:
            if played.phase == Phase.NIGHT:
                _act(played, rng)
            else:
                _vote(played, rng)
        return int(played.round_number)

    return game


def _act(game: Any, rng: Random) -> None:
    """Let the peer's next player of the night act, or end the night after the last."""
    actor = game.night_manager.current_actor
    if actor is None:
        game._end_night()
        return
    targets = game.night_manager.get_available_targets(actor)
    if targets and (actor.role.name != "witch" or rng.random() >= 0.5):
        game.night_action(actor.id, rng.choice(targets).id)
    else:
        game.night_skip(actor.id)


def _vote(game: Any, rng: Random) -> None:
    """Let everybody alive at the start of the peer's vote vote for somebody else."""
    alive = [player.id for player in game.players if player.is_alive()]
    for voter in alive:
        game.day_vote(voter, rng.choice([other for other in alive if other != voter]))
