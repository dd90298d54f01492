"""What outlives the program: journals of games, settings, paired phones; all in the user's own data folder."""
