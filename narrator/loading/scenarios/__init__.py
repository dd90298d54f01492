"""Games written down in files: read, played through the engine, and compared with what must come of them."""

from narrator.loading.scenarios.playing import Played, play
from narrator.loading.scenarios.reading import Scenario, ScenarioProblems, read_scenario

__all__ = ["Played", "Scenario", "ScenarioProblems", "play", "read_scenario"]
