"""What can be said against a file: where, and the words for it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from narrator.form_faults import Where

__all__ = ["FileProblems", "Problem", "Where", "did_you_mean", "ranges", "unknown"]


class FileProblems(ValueError):
    """What is wrong with a file: every problem as `file:line: what, and what would be right`."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@dataclass(frozen=True)
class Problem:
    """A problem and the path of keys where it stands."""

    path: Where
    what: str
    mild: bool = False
    """A warning: it can be played like this, but is perhaps not what was meant."""


def unknown(kind: str, name: object, known: Iterable[object]) -> str:
    """What to say of a word that is not known: the did_you_mean one that is, and all of them."""
    words = nearest_first(name, known)
    return f"there is no {kind} {name!r}{did_you_mean(name, words)}; there are: {', '.join(words) or 'none'}"


def nearest_first(name: object, known: Iterable[object]) -> list[str]:
    """The known words, those much like this one before the others."""
    words = list(map(str, known))
    alike = {word.lower(): word for word in words}
    near = difflib.get_close_matches(str(name).lower(), alike, n=len(alike) or 1, cutoff=0.6)
    return list(dict.fromkeys([*(alike[word] for word in near), *words]))


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """`, did you mean 'killer'?` where a known word is much like this one, else nothing."""
    found = difflib.get_close_matches(str(name), list(map(str, known)), n=1, cutoff=0.6)
    return f", did you mean {found[0]!r}?" if found else ""


def ranges(numbers: Iterable[int]) -> str:
    """`8-10, 12` for 8, 9, 10 and 12."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
