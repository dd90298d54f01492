"""Numbers in Chinese words, so that no engine reads them in another language."""

from __future__ import annotations

import re

_DIGITS = "零一二三四五六七八九"
_UNITS = ("", "十", "百", "千")
_COUNTED = "票人名位个個张張瓶次种種分秒条條轮輪局张把"
_PAIR = re.compile(r"(?<![\d第])2(?=[" + _COUNTED + r"])(?!分之)")
_RATIO = re.compile(r"(?<=\d)\s*[:：]\s*(?=\d)")
_RANGE = re.compile(r"(?<=\d)\s*[-~～–]\s*(?=\d)")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*[%％]")
_DECIMAL = re.compile(r"(\d+)\.(\d+)")
_MOST = 8


def spelled(text: str) -> str:
    """The text with every number in Chinese words: 12 is 十二, 3:4 is 三比四, two votes are 两票."""
    text = _PERCENT.sub(r"百分之\1", _PAIR.sub("两", text))
    text = _RANGE.sub("到", _RATIO.sub("比", text))
    text = _DECIMAL.sub(lambda found: f"{chinese(found[1])}点{_one_by_one(found[2])}", text)
    return re.sub(r"[0-9]+", lambda found: chinese(found[0]), text)


def chinese(digits: str) -> str:
    """A whole number in words; more than eight digits, or leading zeros, are read digit by digit."""
    if len(digits) > _MOST or (len(digits) > 1 and digits[0] == "0"):
        return _one_by_one(digits)
    high, low = divmod(int(digits), 10_000)
    if not high:
        return _below_ten_thousand(low)
    if not low:
        return _below_ten_thousand(high) + "万"
    return _below_ten_thousand(high) + "万" + ("零" if low < 1000 else "") + _below_ten_thousand(low, inner=True)


def _below_ten_thousand(number: int, inner: bool = False) -> str:
    if number == 0:
        return _DIGITS[0]
    parts = [_DIGITS[int(digit)] + (unit if digit != "0" else "") for digit, unit in _places(number)]
    words = re.sub("零+", "零", "".join(parts)).rstrip("零")
    return words.removeprefix("一") if 10 <= number < 20 and not inner else words


def _places(number: int) -> list[tuple[str, str]]:
    digits = str(number)
    return list(zip(digits, reversed(_UNITS[: len(digits)]), strict=True))


def _one_by_one(digits: str) -> str:
    return "".join(_DIGITS[int(digit)] for digit in digits)
