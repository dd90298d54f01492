"""What roles can do: one small frozen dataclass for each kind of ability, its fields the parameters."""

from narrator.engine.abilities import knowing, protecting, striking, tying
from narrator.engine.ability import ABILITIES, Ability, ability

__all__ = ["ABILITIES", "Ability", "ability", "knowing", "protecting", "striking", "tying"]
