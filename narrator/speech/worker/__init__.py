"""The process in which the speech engines live, and the way to ask it."""
