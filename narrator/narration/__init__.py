"""What the narrator says: scripts in every language, lines out of public events, the story of a whole game."""
