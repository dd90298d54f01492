"""What the abilities contribute to a night, before anything is settled."""

from __future__ import annotations

from narrator.model.values import value


@value
class Carry:
    """A card is carried off: what happens to the carriers and to it is tied together for this night."""

    carriers: tuple[int, ...]
    carried: int
    blocks: frozenset[str] = frozenset()
    """`act`: its acts are void; `see`: it is shown no sign."""
    shields: frozenset[str] = frozenset()
    """What does not touch it directly: `hit`, `treat`, `silence`."""
    shares_death: str = ""
    """`hit`: it dies of what is done to a carrier, unless treated itself; `any`: whenever a carrier dies."""
    shares_needle: str = ""
    """`treated`: a needle whenever a carrier is treated; `needled`: a needle whenever a carrier gets one."""
    shares_silence: bool = False


@value
class Hit:
    """Something that kills, unless it is void, saved, or its target immune."""

    by: str
    """The role that hits."""
    actors: tuple[int, ...]
    target: int
    savable: bool = True
    only: frozenset[str] = frozenset()
    """If given: it is a hit only on cards that play one of these."""
    kind: str = "hit"
    """What it is as the cause of a death."""
    through: int = 0
    """The card that it was meant for, where another stands in."""


@value
class Treat:
    """Something that saves from hits."""

    by: str
    actors: tuple[int, ...]
    target: int
    needles: bool = False
    """Whether a treatment that was not needed is a needle."""
    saves_from: frozenset[str] = frozenset()
    """Only hits by these roles; empty: any."""
    sources: int = 0
    """It cannot save from hits by more than this many roles in one night; 0: no limit."""


@value
class Silence:
    """Somebody who may not speak the coming day."""

    by: str
    actors: tuple[int, ...]
    target: int


@value
class Observe:
    """A seat whose word about itself is tested the coming day."""

    by: str
    actors: tuple[int, ...]
    target: int


class Contributions:
    """Everything that was done in one night."""

    __slots__ = ("carries", "hits", "observed", "silences", "treats")

    def __init__(self) -> None:
        self.carries: list[Carry] = []
        self.hits: list[Hit] = []
        self.treats: list[Treat] = []
        self.silences: list[Silence] = []
        self.observed: list[Observe] = []
