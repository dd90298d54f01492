"""Games unlike all others: each brings a package of abilities of its own, which register themselves."""

from narrator.editions import detective
from narrator.engine import abilities
from narrator.engine.ability import ABILITIES

__all__ = ["ABILITIES", "abilities", "detective"]
