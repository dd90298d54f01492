"""One running table: lock, set-up, game, journal, narration, speaker and everybody who watches."""
