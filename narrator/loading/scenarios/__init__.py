"""Games written down in files: read, played through the engine, and compared with what must come of them."""

from narrator.loading.scenarios.scenario_file import Scenario, ScenarioProblems, read_scenario
from narrator.loading.scenarios.scenario_play import Played, play_scenario

__all__ = ["Played", "Scenario", "ScenarioProblems", "play_scenario", "read_scenario"]
