"""One running table: lock, set-up, game, journal, narration, speaker and everybody who watches."""

from narrator.table.core import Stale
from narrator.table.setup import Problem, SetupProblem
from narrator.table.table import Table
from narrator.table.watch import Watch

__all__ = ["Problem", "SetupProblem", "Stale", "Table", "Watch"]
