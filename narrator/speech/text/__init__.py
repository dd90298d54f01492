"""Texts made fit to be spoken."""
