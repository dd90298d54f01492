"""How far apart two words are, however fast each was spoken: dynamic time warping, over all takes at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Matrix = Any


def distances(word: Matrix, takes: Sequence[Matrix]) -> list[float]:
    """The distance of a word to each of the takes, per frame of both together."""
    if not takes:
        return []
    rows, columns = len(word), max(map(len, takes))
    costs = np.full((len(takes), rows, columns), np.inf, np.float32)
    for place, take in enumerate(takes):
        costs[place, :, : len(take)] = frame_distances(word, take)
    paths = cheapest(costs)
    return [float(paths[place, rows, len(take)]) / (rows + len(take)) for place, take in enumerate(takes)]


def distance(one: Matrix, other: Matrix) -> float:
    """The distance of two words."""
    return distances(one, [other])[0]


def frame_distances(one: Matrix, other: Matrix) -> Matrix:
    """Of each frame of the one to each of the other."""
    squares = (one**2).sum(1)[:, None] + (other**2).sum(1)[None] - 2 * one @ other.T
    return np.sqrt(np.maximum(squares, 0))


def cheapest(costs: Matrix) -> Matrix:
    """What the cheapest path to each cell costs, worked out along the diagonals; row and column 0 lie outside."""
    count, rows, columns = costs.shape
    paths = np.full((count, rows + 1, columns + 1), np.inf, np.float32)
    paths[:, 0, 0] = 0
    for diagonal in range(2, rows + columns + 1):
        row = np.arange(max(1, diagonal - columns), min(rows, diagonal - 1) + 1)
        column = diagonal - row
        ways = (paths[:, row - 1, column - 1], paths[:, row - 1, column], paths[:, row, column - 1])
        paths[:, row, column] = costs[:, row - 1, column - 1] + np.minimum(np.minimum(ways[0], ways[1]), ways[2])
    return paths
