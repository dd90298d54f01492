"""Languages: tags of all systems meet, and Cantonese is not taken for Mandarin."""

from __future__ import annotations

import pytest

from narrator.language_tags import base, meant, normal, rank


@pytest.mark.parametrize("tag", ["zh_CN", "zh-cn", "ZH-CN", "zh_CN.UTF-8", " zh-CN "])
def test_one_tag_has_many_spellings(tag: str) -> None:
    assert normal(tag) == "zh-cn"


@pytest.mark.parametrize("tag", ["cmn", "zh-Hans", "zh-Hant", "zh_TW", "zho", "zh"])
def test_mandarin_is_one_language_however_it_is_written(tag: str) -> None:
    assert base(tag) == "zh"


@pytest.mark.parametrize("tag", ["yue", "zh-HK", "zh_HK", "zh-Hant-HK"])
def test_cantonese_does_not_serve_mandarin(tag: str) -> None:
    assert rank("zh-Hant", tag) is None
    assert rank("zh-Hans", tag) is None


@pytest.mark.parametrize(
    ("wanted", "better", "worse"),
    [
        ("zh-Hans", "zh-CN", "zh-TW"),
        ("zh-Hant", "zh-TW", "zh-CN"),
        ("zh-Hans", "cmn", "zh-TW"),
        ("en", "en-US", "en-GB-scotland"),
        ("es-MX", "es-MX", "es"),
    ],
)
def test_the_nearer_variety_comes_first(wanted: str, better: str, worse: str) -> None:
    first, second = rank(wanted, better), rank(wanted, worse)
    assert first is not None
    assert second is not None
    assert first < second


def test_another_language_does_not_serve() -> None:
    assert rank("es", "en-us") is None


@pytest.mark.parametrize("tag", ["fr", "C", "POSIX", "", "e", "zhx", "esx", "yue", "ja-Hant"])
def test_what_is_no_written_language_of_ours_means_none(tag: str) -> None:
    assert meant(tag, ("zh-Hans", "zh-Hant", "es", "en")) is None


def test_of_several_varieties_the_very_one_is_meant_then_the_nearest() -> None:
    assert meant("PT_br", ("pt", "pt-BR")) == "pt-BR"
    assert meant("pt-PT", ("pt-BR", "pt")) == "pt"
    assert meant("pt", ("es", "pt-BR")) == "pt-BR"
    assert meant("zh-TW", ("zh-Hans",)) is None
