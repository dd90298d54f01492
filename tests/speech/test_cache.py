"""The cache: bounded by bytes, the longest unused goes first."""

from __future__ import annotations

from narrator.speech.clip import Clip
from narrator.speech.preparer import ClipCache
from narrator.speech.renderers.renderer import Request
from narrator.speech.utterance import Segment


def request(text: str, rate: int = 100) -> Request:
    return Request(Segment(text, "en"), rate=rate)


def clip(size: int) -> Clip:
    return Clip(bytes(size), 22_050)


def test_a_clip_is_found_again_for_the_same_manner_only() -> None:
    cache = ClipCache()
    cache.keep(request("a"), clip(10))
    assert cache.get(request("a")) == clip(10)
    assert cache.get(request("a", rate=120)) is None


def test_the_longest_unused_clip_makes_room() -> None:
    cache = ClipCache(100)
    cache.keep(request("a"), clip(40))
    cache.keep(request("b"), clip(40))
    cache.get(request("a"))
    cache.keep(request("c"), clip(40))
    assert request("b") not in cache
    assert request("a") in cache
    assert cache.bytes == 80


def test_a_clip_larger_than_the_cache_is_kept_until_the_next() -> None:
    cache = ClipCache(100)
    cache.keep(request("big"), clip(500))
    assert request("big") in cache
    cache.keep(request("a"), clip(10))
    assert request("big") not in cache
    assert cache.bytes == 10


def test_a_clip_kept_twice_counts_once() -> None:
    cache = ClipCache(100)
    cache.keep(request("a"), clip(40))
    cache.keep(request("a"), clip(60))
    assert cache.bytes == 60


def test_a_cache_that_is_nearly_full_takes_no_more_of_what_may_never_be_said() -> None:
    cache = ClipCache(100)
    cache.keep(Request(Segment("a", "en")), Clip(bytes(80), 22_050))
    assert not cache.is_nearly_full
    cache.keep(Request(Segment("b", "en")), Clip(bytes(2), 22_050))
    assert cache.is_nearly_full
