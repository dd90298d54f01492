"""One running table: lock, set-up, game, journal, narration, speaker and everybody who watches."""

from narrator.table.order import Stale
from narrator.table.setup.draft import DraftProblem, SetupProblem
from narrator.table.table import Table
from narrator.table.watch import Watch

__all__ = ["DraftProblem", "SetupProblem", "Stale", "Table", "Watch"]
