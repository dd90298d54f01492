"""Who speaks: what turns a segment into sound."""
