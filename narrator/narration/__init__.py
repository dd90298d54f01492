"""What the narrator says: scripts in every language, lines for what everybody sees happen, the story of a game."""

from narrator.narration.lines import PAUSES, Line, lines_for, render_line
from narrator.narration.scripts import Script, ScriptProblems, languages

__all__ = ["PAUSES", "Line", "Script", "ScriptProblems", "languages", "lines_for", "render_line"]
