"""What roles can do: one small registered class for each kind of ability."""

from narrator.engine.abilities import detective, knowing, protecting, striking, tying
from narrator.engine.abilities.base import ABILITIES, Ability, ability

__all__ = ["ABILITIES", "Ability", "ability", "detective", "knowing", "protecting", "striking", "tying"]
