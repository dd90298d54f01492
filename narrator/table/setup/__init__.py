"""What is settled before a game: the ruleset, the table, the names, the cards."""
