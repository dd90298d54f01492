"""Rulesets of the house: roles taken over from other rulesets, and copies of shipped ones."""
