"""Ears: short words spoken alone are heard and compared with the players' own takes. Off until switched on.

`narrator.hearing.words` and `.events` may be imported at any time; all other modules load the libraries of listening.
"""
