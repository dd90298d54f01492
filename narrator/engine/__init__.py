"""The rules: pure functions from a state and a command to events. Never logs, waits, draws lots or reads a file."""
