"""Puts a line together: one language after the other, and players' names right after what was said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from narrator.speech.clip import Clip, silence
from narrator.speech.levelling import AFTER, faded, trimmed
from narrator.speech.pacing import pause_before
from narrator.speech.utterance import Segment

Piece = tuple[Segment, Clip]


def joined(pieces: Sequence[Piece]) -> Clip:
    """The whole line, at the first piece's rate. Needs at least one piece.

    Engines leave silence of their own around what they say: before a name, and around it, little of that is kept.
    """
    rate = pieces[0][1].rate
    return Clip(b"".join(_samples(pieces, rate)), rate)


def _samples(pieces: Sequence[Piece], rate: int) -> Iterator[bytes]:
    followers = [*(segment for segment, _ in pieces[1:]), None]
    for place, ((segment, clip), follower) in enumerate(zip(pieces, followers, strict=True)):
        if place:
            yield silence(pause_before(segment), rate)
        if segment.is_name:
            clip = faded(trimmed(clip))
        elif follower and follower.is_name:
            clip = clip.without_end(AFTER)
        yield clip.at_rate(rate).samples
