"""What a game is made of: seats, cards, roles, steps, rulesets, events, state. Pure data, standard library only."""
