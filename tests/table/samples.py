"""Whether two samples look as though they came from one distribution."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import exp, sqrt


def apart(one: Sequence[float], other: Sequence[float]) -> float:
    """How far their shares lie apart at most, 0 to 1: so much better than a toss one cut tells which is which."""
    first, second = sorted(one), sorted(other)
    return max(
        abs(bisect_right(first, at) / len(first) - bisect_right(second, at) / len(second)) for at in first + second
    )


def kolmogorov_smirnov(one: Sequence[float], other: Sequence[float]) -> float:
    """How likely samples of one distribution lie at least as far apart as these two (asymptotic formula)."""
    size = len(one) * len(other) / (len(one) + len(other))
    strength = (sqrt(size) + 0.12 + 0.11 / sqrt(size)) * apart(one, other)
    chance = 2 * sum((-1) ** (k - 1) * exp(-2 * k * k * strength * strength) for k in range(1, 101))
    return min(1.0, max(0.0, chance)) if strength > 0.2 else 1.0
