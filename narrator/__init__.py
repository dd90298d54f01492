"""Narrator: speaks the judge's lines and keeps the rules of the Killer game family."""

__version__ = "0.1.0"
