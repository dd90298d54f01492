"""How a game is brought before the table: its lines, their pace, and what has been heard of it."""
