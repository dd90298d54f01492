"""What the narrator says: scripts in every language, lines out of public events, the story of a whole game."""

from narrator.narration import day, night
from narrator.narration.lines import PAUSES, Line, lines_for, render_line
from narrator.narration.scripts import Script, ScriptProblems, languages

__all__ = ["PAUSES", "Line", "Script", "ScriptProblems", "day", "languages", "lines_for", "night", "render_line"]
